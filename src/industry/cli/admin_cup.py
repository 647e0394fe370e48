"""`industry admin cup`: the cups of a club."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from ._options import ANY_FILE
from .admin_person import echo_answer, run_action
from .app import json_option
from .archives import write_lines
from .database import database_option, echo_rows, force_option, rows_table

Json = dict[str, Any]
cup_argument = click.argument("cup", metavar="CUP")


@click.group("cup")
def cup() -> None:
    """List, show, start, cancel and export the cups of a club.

    CUP is the id that `list` gives; it is also in the address of the cup's page. All of it may be
    done while the server runs.
    """


@cup.command("list")
@database_option
@json_option
def list_cups(database: str | None, as_json: bool) -> None:
    """List all cups, most recently changed first."""
    found = run_action(database, "cup_list")["cups"]
    echo_rows(found, "cup", _overview, as_json=as_json)


def _overview(found: list[Json]) -> Table:
    names = "Name", "Id", "Format", "Status", "Players", "Round", "Next"
    return rows_table(map(_row, found), *names)


def _row(cup: Json) -> list[object]:
    players = f"{cup['joined']} of {cup['places']}"
    played = f"{cup['round']} of {cup['rounds']}" if cup["rounds"] else cup["round"]
    known = (cup[key] for key in ("name", "id", "format", "status"))
    return [*known, players, played, _next(cup)]


def _next(row: Json) -> str:
    """Returns when a cup starts, or when its round must be over, in UTC."""
    at = row["starts"] if row["status"] == "open" else row["due"]
    if at is None:
        return ""
    what = "starts" if row["status"] == "open" else "round ends"
    return f"{what} {datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M}"


@cup.command("show")
@cup_argument
@database_option
@json_option
def show(cup: str, database: str | None, as_json: bool) -> None:
    """Show a cup briefly."""
    answer = run_action(database, "cup_show", cup=cup)
    echo_answer(answer, as_json, "\n".join(f"{name}: {value}" for name, value in answer.items()))


@cup.command("start")
@cup_argument
@database_option
@json_option
def start(cup: str, database: str | None, as_json: bool) -> None:
    """Start a cup before all its places are taken."""
    answer = run_action(database, "cup_start", cup=cup)
    echo_answer(answer, as_json, f"{answer['name']} has started with {answer['joined']} players.")


@cup.command("cancel")
@cup_argument
@database_option
@json_option
def cancel(cup: str, database: str | None, as_json: bool) -> None:
    """Cancel a cup, or end a running one after the games that have begun."""
    answer = run_action(database, "cup_cancel", cup=cup)
    done = "is cancelled" if answer["status"] == "cancelled" else "ends after the games that run"
    echo_answer(answer, as_json, f"{answer['name']} {done}.")


@cup.command("export")
@cup_argument
@click.option("--out", type=ANY_FILE, required=True, help="- is standard output.")
@force_option
@database_option
def export(cup: str, out: Path, force: bool, database: str | None) -> None:
    """Write everything about a cup to a file: rules, rounds, results, standings."""
    answer = run_action(database, "cup_export", cup=cup)
    write_lines(out, force, [json.dumps(answer, ensure_ascii=False)])
