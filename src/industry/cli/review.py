"""`industry review`: explains the result of a game, and what each decision cost."""

from pathlib import Path
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from industry.texts import say

from ._options import ANY_FILE, Workers, cluster_option, option_group, processes_option_named
from ._reviewing import print_levels, reviewed
from .app import echo_json, json_option, language_option, one_game
from .files import Failure, RecordedGame, open_game, write_whole
from .judge import Judging, judging_options

WORST = 12
"""How many decisions the table shows."""


@click.command()
@one_game
@judging_options
@click.option("--html", type=ANY_FILE, help="Write the whole review as an HTML page.")
@click.option("--force", is_flag=True, help="Replace the page if it exists.")
@click.option("--all", "is_all", is_flag=True, help="All games of the file: every player's level.")
@option_group("workers", Workers, processes_option_named("--processes", "--jobs"), cluster_option)
@language_option
@json_option
def command(
    file: Path,
    game: int,
    board: str | None,
    judging: Judging,
    html: Path | None,
    force: bool,
    is_all: bool,
    workers: Workers,
    language: str,
    as_json: bool,
) -> None:
    """Review a finished game: luck, mistakes, gifts, and what each decision cost.

    After Ctrl-C the same command continues where it stopped.
    """
    if is_all:
        if html is not None or game != 1:
            raise Failure("--all is about every game of the file: leave out --html and --game.")
        print_levels(file, board, judging, workers, language, as_json)
        return
    if html is not None and html.exists() and not force:
        raise Failure(f"{html} already exists; choose another name or add --force.")
    recorded = open_game(file, game, board)
    recorded.until(None)
    found = reviewed(recorded, judging, workers)
    if html is not None:
        _write_page(html, recorded, found, language, force)
    if as_json:
        echo_json(found)
    else:
        for table in _tables(found, language):
            click.echo(table)


def _write_page(
    html: Path, recorded: RecordedGame, found: dict[str, Any], language: str, force: bool
) -> None:
    from industry.judge.page import page

    text = page(recorded.board, recorded.entry.record, found, language)
    write_whole(html, text, replace=force)


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
