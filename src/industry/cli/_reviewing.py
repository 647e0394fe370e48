"""Reviews recorded games, one or all of a file, and shows the progress."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ._arena import arena_failures, connected_cluster, progress_bar
from ._options import Workers
from .app import STOPPED, echo_json
from .files import Failure, RecordedGame, Unreadable, board_for, given_board, read_games
from .judge import Judging

if TYPE_CHECKING:
    from industry.judge.level import GameLosses


def reviewed(recorded: RecordedGame, judging: Judging, workers: Workers) -> dict[str, Any]:
    """Reviews a game; raises `Failure`. Ctrl-C ends the program and says how to continue."""
    from industry.arena.executor import executor_for
    from industry.arena.reviews import run_review
    from industry.judge import JudgeError, compile_judge
    from industry.judge.judging import check_lines

    done = total = 0

    def tell(reviewed: int, moves: int) -> None:
        nonlocal done, total
        done, total = reviewed, moves
        progress.update(task, completed=done, total=total)

    try:
        check_lines(judging.count())
        with progress_bar() as progress, arena_failures(), connected_cluster(workers) as cluster:
            if cluster is None:
                compile_judge()
            task = progress.add_task("Reviewing", total=None)
            return run_review(
                recorded.board,
                recorded.entry.record,
                judging.count(),
                judging.seed,
                cluster or executor_for(True, workers.processes),
                tell,
            )
    except JudgeError as error:
        raise Failure(f"{recorded.entry.place}: {error}") from None
    except KeyboardInterrupt:
        if total == 0:
            raise
        click.echo(f"Stopped at {done} of {total} moves. The same command continues.", err=True)
        raise click.exceptions.Exit(STOPPED) from None


def print_levels(
    file: Path,
    board: str | None,
    judging: Judging,
    workers: Workers,
    language: str,
    as_json: bool,
) -> None:
    """Reviews all finished games of a file and prints every player's level."""
    from industry.judge.level import level_of
    from industry.judge.words import level_text

    games, left_out = _losses(file, board, judging, workers)
    if not games:
        raise Failure("there is no finished game to review.")
    levels = {player: level_of(found) for player, found in games.items()}
    ranked = sorted(levels.items(), key=lambda entry: entry[1].mean)
    if as_json:
        players = [{"player": player, **level.data()} for player, level in ranked]
        echo_json({"players": players, "left_out": left_out})
        return
    for player, level in ranked:
        click.echo(level_text(player, level, language))
    if left_out:
        click.echo(f"Left out: {left_out} unfinished.", err=True)


def _losses(
    file: Path, board: str | None, judging: Judging, workers: Workers
) -> "tuple[dict[str, list[GameLosses]], int]":
    """Returns by player what each of their games lost, and how many games were not finished."""
    from industry.judge.level import losses_of
    from industry.notation.verify import board_mismatch

    found: dict[str, list[GameLosses]] = {}
    left_out = 0
    for entry in read_games(file):
        if isinstance(entry, Unreadable):
            raise Failure(f"{entry.place}: {entry.reason}")
        spec = board_for(entry.record, given_board(board))
        mismatch = board_mismatch(entry.record, spec)
        if mismatch is not None:
            raise Failure(f"{entry.place}: {mismatch.reason}")
        recorded = RecordedGame(entry, spec)
        if not recorded.until(None).is_over:
            left_out += 1
            continue
        review = reviewed(recorded, judging, workers)
        for seat, player in enumerate(entry.record.players, start=1):
            found.setdefault(player, []).append(losses_of(review, seat))
    return found, left_out
