"""`industry simulate`: play many games on all cores, record them, and say what came out."""

import json
import secrets
import sys
import time
from contextlib import closing
from pathlib import Path

import click
from rich import box
from rich.console import Console
from rich.table import Table

from industry.arena import Plan, Summary, interrupts_blocked, simulate, wilson
from industry.boards.spec import EDITIONS
from industry.notation.record import PARTS

from .app import STOPPED, describe
from .recordfile import STDOUT, RecordFile
from .running import board_and_options, progress_bar


@click.command()
@click.option("--games", "-n", type=click.IntRange(1), default=1000, show_default=True)
@click.option("--players", "-p", type=click.Choice(["3", "4"]), default="4", show_default=True)
@click.option("--edition", type=click.Choice(list(EDITIONS)), help="Default: that of the board.")
@click.option("--board", help="A board's name or file; default: that of the edition.")
@click.option("--option", "-o", "options", multiple=True, metavar="NAME=VALUE")
@click.option("--seed", help="Any text; the same seed gives the same games. Default: random.")
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    help="Write the games as JSON lines; - is standard output.",
)
@click.option("--legal-counts", is_flag=True, help="Record how many legal moves there were.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@click.option("--processes", type=click.IntRange(1), help="Default: one per core.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def command(
    games: int,
    players: str,
    edition: str | None,
    board: str | None,
    options: tuple[str, ...],
    seed: str | None,
    record: Path | None,
    legal_counts: bool,
    force: bool,
    processes: int | None,
    as_json: bool,
) -> None:
    """Play games between random players.

    Every game depends on the seed and its number alone, whatever the number of processes. Ctrl-C
    keeps the games that are finished.
    """
    spec, chosen = board_and_options(board, edition, options)
    seed = seed if seed is not None else str(secrets.randbits(32))
    plan = Plan(
        spec,
        int(players),
        chosen,
        seed,
        games,
        record=record is not None,
        legal_counts=legal_counts,
    )
    summary = Summary(int(players))
    began = time.perf_counter()
    trouble: OSError | None = None
    stopped = False
    with RecordFile(record, replace=force) as output, progress_bar() as progress:
        task = progress.add_task("Preparing", total=games)
        try:
            with closing(simulate(plan, processes)) as batches:
                for batch in batches:
                    lines = [entry.to_json() for entry in batch.records]
                    with interrupts_blocked():
                        output.write(lines)
                        summary.add(batch)
                    progress.update(task, completed=summary.games, description="Playing")
        except KeyboardInterrupt:
            stopped = True
        except BrokenPipeError:
            raise
        except OSError as error:
            trouble = error
    seconds = time.perf_counter() - began
    if summary.games:
        _report(summary, plan, seconds, record if output.games else None, as_json)
    if stopped:
        click.echo(f"Stopped after {summary.games} of {games} games.", err=True)
        sys.exit(STOPPED)
    if trouble is not None:
        kept = f" {output.games} of {games} games are kept." if output.games else ""
        click.echo(f"Error: {describe(trouble)}{kept}", err=True)
        sys.exit(1)


def _report(
    summary: Summary, plan: Plan, seconds: float, record: Path | None, as_json: bool
) -> None:
    """Print the summary; beside the records where those have standard output to themselves."""
    aside = record is not None and str(record) == STDOUT
    if as_json:
        data = {
            "edition": plan.board.edition,
            "board": plan.board.id,
            "players": plan.players,
            "options": plan.options,
            "seed": plan.seed,
            "seconds": round(seconds, 3),
            **summary.data(),
        }
        click.echo(json.dumps(data), err=aside)
        return
    console = Console(stderr=aside)
    console.print(_table(summary, plan))
    rate = summary.games / seconds
    console.print(
        f"{summary.games} games, {summary.decisions / summary.games:.0f} decisions each, "
        f"{summary.shared} shared victories; {rate:,.0f} games/s; seed {plan.seed}",
        highlight=False,
    )
    if record is not None and not aside:
        console.print(f"Recorded in {record}", highlight=False)


def _table(summary: Summary, plan: Plan) -> Table:
    title = f"{plan.board.edition.capitalize()}, {plan.players} random players"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=0)
    table.add_column("Turn", justify="right")
    for heading in ("Wins", "95 %", "Points", *(part.capitalize() for part in PARTS)):
        table.add_column(heading, justify="right", no_wrap=True)
    for place in range(plan.players):
        low, high = wilson(summary.wins[place], summary.games)
        parts = summary.parts[place] / summary.games
        table.add_row(
            str(place + 1),
            f"{summary.wins[place] / summary.games:.1%}",
            f"{100 * low:.1f}–{100 * high:.1f}",
            f"{parts.sum():.1f}",
            *(f"{value:.1f}" for value in parts),
        )
    return table
