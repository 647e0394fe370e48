"""Prints the results of `industry simulate`."""

import json
from pathlib import Path
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table

from industry.arena import Plan, Summary, wilson
from industry.notation.record import SCORE_PARTS
from industry.texts.sanitize import printable

from .record_file import STDOUT


def plan_settings(plan: Plan) -> dict[str, Any]:
    """Returns what determines the games, as plain data."""
    return {
        "edition": plan.board.edition,
        "board": plan.board.id,
        "board_hash": plan.board.hash,
        "players": plan.players,
        "options": dict(plan.options),
        "seed": str(plan.seed),
        "bots": [
            {"name": entrant.label, "bot": entrant.bot, "time_ms": 1000 * entrant.seconds}
            for entrant in plan.bots
        ],
        "review_lines": plan.review_lines,
    }


def print_summary(
    summary: Summary,
    plan: Plan,
    seconds: float,
    record: Path | None,
    parquet: Path | None,
    as_json: bool,
) -> None:
    """Prints the summary; on standard error if the records use standard output."""
    to_stderr = record is not None and str(record) == STDOUT
    if as_json:
        data = plan_settings(plan) | {"seconds": round(seconds, 3), **summary.data()}
        if plan.bots:
            data |= {"seats": summary.seats(plan.names), "faults": summary.faults}
        click.echo(json.dumps(data), err=to_stderr)
        return
    console = Console(stderr=to_stderr, highlight=False)
    console.print(_turns(summary, plan))
    if plan.bots and len({entrant.bot for entrant in plan.bots}) > 1:
        console.print(_bots(summary, plan))
    console.print(_sentence(summary, plan, seconds))
    if summary.faults:
        console.print(f"{summary.faults} more were lost by faults of bots and do not count.")
    if record is not None and not to_stderr:
        console.print(f"Recorded in {record}")
    if parquet is not None:
        console.print(f"Tables in {parquet}")


def _sentence(summary: Summary, plan: Plan, seconds: float) -> str:
    rate = f"{summary.games / seconds:,.0f}" if seconds and summary.games > seconds else "under 1"
    return (
        f"{summary.games} games, {summary.decisions / summary.games:.0f} decisions each, "
        f"{summary.shared} shared victories; {rate} games/s; seed {plan.seed}"
    )


def _turns(summary: Summary, plan: Plan) -> Table:
    who = "random players" if not plan.bots else f"bots ({_named(plan)})"
    title = f"{plan.board.edition.capitalize()}, {plan.players} {who}"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=0)
    table.add_column("Turn", justify="right")
    for heading in ("Wins", "95 %", "Points", *(part.capitalize() for part in SCORE_PARTS)):
        table.add_column(heading, justify="right", no_wrap=True)
    for place in range(plan.players):
        parts = summary.parts[place] / summary.games
        table.add_row(
            str(place + 1),
            *_shares(summary.wins[place], summary.games),
            f"{parts.sum():.1f}",
            *(f"{value:.1f}" for value in parts),
        )
    return table


def _bots(summary: Summary, plan: Plan) -> Table:
    """Returns the results by seat, if bots of different strength play."""
    table = Table(box=box.SIMPLE_HEAD, padding=0)
    table.add_column("Seat", justify="right")
    table.add_column("Bot")
    for heading in ("Wins", "95 %", "Points"):
        table.add_column(heading, justify="right", no_wrap=True)
    for seat, name in enumerate(plan.names):
        points = summary.seat_points[seat] / summary.games
        shares = _shares(summary.seat_wins[seat], summary.games)
        table.add_row(str(seat + 1), f" {name}", *shares, f"{points:.1f}")
    return table


def _shares(wins: float, games: int) -> tuple[str, str]:
    low, high = wilson(wins, games)
    return f"{wins / games:.1%}", f"{100 * low:.1f}–{100 * high:.1f}"


def _named(plan: Plan) -> str:
    return printable(", ".join(dict.fromkeys(entrant.bot for entrant in plan.bots)))
