"""`industry review`: where the result of a game comes from, and what each decision cost."""

from pathlib import Path
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from industry.texts import say

from ._arena import arena_failures, connected_cluster, progress_bar
from ._options import ANY_FILE, Workers, cluster_option
from .app import STOPPED, echo_json, json_option, language_option, one_game
from .files import Failure, RecordedGame, open_game, write_whole
from .judge import lines_option, seed_option

WORST = 12
"""Decisions that the table shows."""


@click.command()
@one_game
@lines_option
@seed_option
@click.option("--html", type=ANY_FILE, help="Write a page with everything in it.")
@click.option("--force", is_flag=True, help="Replace the page if it exists.")
@click.option("--jobs", type=click.IntRange(1), help="Processes at once; default: one per core.")
@cluster_option
@language_option
@json_option
def command(
    file: Path,
    game: int,
    board: str | None,
    lines: int | None,
    seed: int,
    html: Path | None,
    force: bool,
    jobs: int | None,
    cluster: str | None,
    language: str,
    as_json: bool,
) -> None:
    """Review a finished game: luck, own losses, gifts, and what each decision cost.

    Ctrl-C stops; the same command continues where it was stopped.
    """
    from industry.judge import DEFAULT_LINES

    if html is not None and html.exists() and not force:
        raise Failure(f"{html} exists already; choose another name or add --force.")
    recorded = open_game(file, game, board)
    recorded.until(None)
    count = DEFAULT_LINES if lines is None else lines
    found = _review(recorded, count, seed, Workers(jobs, cluster))
    if html is not None:
        from industry.judge.page import page

        text = page(recorded.board, recorded.entry.record, found, language)
        write_whole(html, text, replace=force)
    if as_json:
        echo_json(found)
    else:
        for table in _tables(found, language):
            click.echo(table)


def _review(recorded: RecordedGame, lines: int, seed: int, workers: Workers) -> dict[str, Any]:
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
        check_lines(lines)
        with progress_bar() as progress, arena_failures(), connected_cluster(workers) as cluster:
            if cluster is None:
                compile_judge()
            task = progress.add_task("Reviewing", total=None)
            return run_review(
                recorded.board,
                recorded.entry.record,
                lines,
                seed,
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


def _tables(found: dict[str, Any], language: str) -> list[str]:
    from industry.judge.words import percent, signed

    account = Table(box=box.SIMPLE_HEAD, show_edge=False)
    account.add_column(say("review.judge.seat", language))
    terms = ("start", "luck", "own", "gifts", "unexplained", "result")
    for term in terms:
        account.add_column(say(f"review.term.{term}", language), justify="right")
    for name, seat in zip(found["players"], found["seats"], strict=True):
        cells = [
            percent(seat[term], language)
            if term in ("start", "result")
            else signed(seat[term], language)
            for term in terms
        ]
        account.add_row(Text(f"{name} ({seat['seat']})"), *cells)
    worst = Table(box=box.SIMPLE_HEAD, show_edge=False)
    for key in ("number", "move", "best", "loss", "verdict"):
        worst.add_column(say(f"review.column.{key}", language))
    costly = sorted(found["decisions"], key=lambda decision: -decision["loss"])[:WORST]
    for decision in costly:
        worst.add_row(
            str(decision["move"] + 1),
            decision["line"],
            decision["best"] or "–",
            f"{percent(decision['loss'], language)} ± {percent(decision['loss_se'], language)}",
            say(f"review.verdict.{decision['verdict']}", language),
        )
    console = Console()
    texts = []
    for table in (account, worst):
        with console.capture() as text:
            console.print(table)
        texts.append(text.get().rstrip() + "\n")
    return texts
