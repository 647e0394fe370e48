"""`industry judge`: every seat's chances in a recorded position, and what each move loses."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from industry.notation import Game, write_move
from industry.texts import say

from ._arena import progress_bar
from ._options import option_group
from .app import at_option, echo_json, json_option, language_option, one_game
from .files import Failure, open_game
from .score import player

if TYPE_CHECKING:
    from industry.judge import Verdict


@dataclass(frozen=True)
class Judging:
    """How positions are judged: by how many lines for each move, and by which draws."""

    lines: int | None
    seed: int

    def count(self) -> int:
        """Returns the number of lines, given or by default."""
        from industry.judge import DEFAULT_LINES

        return DEFAULT_LINES if self.lines is None else self.lines


judging_options = option_group(
    "judging",
    Judging,
    click.option(
        "--lines", type=int, help="How many continuations are played for each move; default: 128."
    ),
    click.option(
        "--seed",
        type=int,
        default=1,
        show_default=True,
        help="Seed for the draws in these continuations.",
    ),
)


@click.command()
@one_game
@at_option
@judging_options
@language_option
@json_option
def command(
    file: Path,
    game: int,
    board: str | None,
    at: int | None,
    judging: Judging,
    language: str,
    as_json: bool,
) -> None:
    """Estimate every seat's chance of winning and points in a position, and what each move loses.

    The rest of the game is played many times by the reference policy, with randomly drawn tokens.
    Numbers have standard errors; endings that can be solved are exact.
    """
    from industry.judge import Judge, JudgeError

    played = open_game(file, game, board).until(at)
    try:
        with progress_bar():
            judge = Judge(played.board.rules, seed=judging.seed, lines=judging.count())
            verdict = judge.judge(played.position)
    except JudgeError as error:
        raise Failure(str(error)) from None
    if as_json:
        echo_json(verdict_data(verdict, played))
        return
    for table in _tables(verdict, played, language):
        click.echo(table)


def verdict_data(verdict: "Verdict", game: Game) -> dict[str, Any]:
    """Returns the verdict as plain data."""
    return {
        "lines": verdict.lines,
        "seed": verdict.seed,
        "exact": verdict.exact,
        "seats": [asdict(seat) for seat in verdict.seats],
        "moves": [
            {
                "line": write_move(move.move, game.board),
                "win": list(move.win),
                "win_se": list(move.win_se),
                "loss": move.loss,
                "loss_se": move.loss_se,
            }
            for move in verdict.moves
        ],
    }


def _tables(verdict: "Verdict", game: Game, language: str) -> list[str]:
    found = [_shown(_seats(verdict, game, language))]
    if verdict.moves:
        found.append(_shown(_moves(verdict, game, language)))
    if verdict.exact:
        found.append(say("review.judge.exact", language))
    else:
        found.append(say("review.judge.lines", language, lines=verdict.lines, seed=verdict.seed))
    return found


def _seats(verdict: "Verdict", game: Game, language: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    table.add_column(say("review.judge.seat", language))
    table.add_column(say("review.judge.win", language), justify="right")
    table.add_column(say("review.judge.points", language), justify="right")
    for seat, value in enumerate(verdict.seats):
        table.add_row(
            Text(player(game, seat)),
            _percent(value.win, value.win_se),
            f"{value.points:.1f}" + (f" ± {value.points_se:.1f}" if value.points_se else ""),
        )
    return table


def _moves(verdict: "Verdict", game: Game, language: str) -> Table:
    """Returns the candidates from best to worst, with the chance of the seat that moves."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    table.add_column(say("review.judge.move", language))
    table.add_column(say("review.judge.win", language), justify="right")
    table.add_column(say("review.judge.loss", language), justify="right")
    seat = game.position.actor
    for value in verdict.moves:
        table.add_row(
            Text(write_move(value.move, game.board)),
            _percent(value.win[seat], value.win_se[seat]),
            _percent(value.loss, value.loss_se),
        )
    return table


def _percent(share: float, error: float) -> str:
    return f"{100 * share:.1f} %" + (f" ± {100 * error:.1f}" if error else "")


def _shown(table: Table) -> str:
    console = Console()
    with console.capture() as text:
        console.print(table)
    return text.get().rstrip() + "\n"
