"""`industry replay`: a recorded game as text, as events, or as the position after some moves."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from industry.notation import Game, sentence, write_move
from industry.texts import say

from .app import at_option, echo_json, json_option, language_option, one_game
from .files import RecordedGame, open_game
from .position import position_data, position_lines
from .score import player
from .transcript import Transcript


@click.command()
@one_game
@at_option
@click.option("--events", is_flag=True, help="Print every move with each event that it caused.")
@language_option
@json_option
def command(
    file: Path,
    game: int,
    board: str | None,
    at: int | None,
    events: bool,
    language: str,
    as_json: bool,
) -> None:
    """Show a recorded game move by move: its rounds, auctions and developments.

    With --at, show the position after this many moves instead: purses, points, fields, jokers,
    tokens, and whose decision it is. With --json, print one object for that position, or without
    --at one line per move with the digest of the state that it leads to.
    """
    recorded = open_game(file, game, board)
    if as_json and at is not None:
        echo_json(position_data(recorded.until(at)))
    elif as_json:
        for step in recorded.steps():
            echo_json(_step_data(step, events, language))
    elif at is not None and not events:
        _echo(position_lines(recorded.until(at), len(recorded.entry.record.moves), language))
    else:
        _print_game(recorded, at, events, language)


def _print_game(recorded: RecordedGame, at: int | None, events: bool, language: str) -> None:
    story = Transcript(language)
    for step in recorded.steps(at):
        if not step.moves:
            _echo(_title_lines(step, language))
        _echo(_event_lines(step, language) if events else story.after(step))
    if at is not None:
        click.echo()
        _echo(position_lines(step, len(recorded.entry.record.moves), language))


def _echo(lines: Iterator[str]) -> None:
    text = "\n".join(lines)
    if text:
        click.echo(text)


def _title_lines(game: Game, language: str) -> Iterator[str]:
    title = say(
        "report.title",
        language,
        edition=say(f"edition.{game.board.edition}", language),
        board=game.board.id,
        players=say("report.players", language, count=len(game.players)),
    )
    yield click.style(title, bold=True)
    yield ", ".join(player(game, seat) for seat in range(len(game.players)))
    options = ", ".join(f"{name}={value}" for name, value in game.options.items())
    yield say("report.options", language, options=options)


def _event_lines(game: Game, language: str) -> Iterator[str]:
    """Returns the last line of the record and what it led to."""
    if game.moves:
        number = len(game.moves)
        yield click.style(f"{number:>4}  {write_move(game.moves[-1], game.board)}", bold=True)
    for event in game.events[-1]:
        yield f"      {sentence(event, game.board, language)}"


def _step_data(game: Game, events: bool, language: str) -> dict[str, Any]:
    data: dict[str, Any] = {
        "move": len(game.moves),
        "line": write_move(game.moves[-1], game.board) if game.moves else None,
        "digest": game.position.digest(),
    }
    if events:
        data["events"] = [sentence(event, game.board, language) for event in game.events[-1]]
    return data
