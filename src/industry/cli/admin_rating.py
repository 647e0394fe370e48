"""`industry admin rating`: the ratings of a club."""

from typing import Any

import click
from rich.console import Console
from rich.table import Table

from industry.texts.sanitize import printable

from .admin_person import person_argument, run_action
from .app import echo_json, json_option
from .database import database_option, rows_table

Json = dict[str, Any]


@click.group("rating")
def rating() -> None:
    """List, show and recompute the ratings of a club.

    All of it may be done while the server runs.
    """


@rating.command("list")
@database_option
@json_option
def list_ratings(database: str | None, as_json: bool) -> None:
    """List the ladder for every kind of games that was played."""
    found = run_action(database, "rating_list")
    if as_json:
        for ladder in found["kinds"]:
            for row in ladder["rows"]:
                echo_json({**ladder["kind"], **row})
        return
    for ladder in found["kinds"]:
        click.echo(_kind(ladder["kind"]))
        Console().print(_overview(ladder["rows"]), markup=False)
    games = found["games"]
    click.echo("1 game was counted." if games == 1 else f"{games:,} games were counted.")


def _kind(kind: Json) -> str:
    pace = "over days" if kind["pace"] == "days" else "live"
    return f"{kind['edition']}, {kind['players']} players, {pace}"


def _overview(rows: list[Json]) -> Table:
    cells = ([row["name"], row["id"], _shown(row["rating"]), row["games"]] for row in rows)
    return rows_table(cells, "Name", "Id", "Rating", "Games")


def _shown(found: Json) -> str:
    mark = "" if found["known"] else "?"
    return f"{found['rating']}{mark} ± {found['doubt']}"


@rating.command("show")
@person_argument
@database_option
@json_option
def show(person: str, database: str | None, as_json: bool) -> None:
    """Show a person's ratings and the latest games they follow from."""
    found = run_action(database, "rating_show", person=person)
    if as_json:
        echo_json(found)
        return
    for curve in found["curves"]:
        games = "1 game" if curve["games"] == 1 else f"{curve['games']:,} games"
        click.echo(f"{_kind(curve['kind'])}: {_shown(curve['now'])}, {games}")
        for point in curve["points"]:
            left = ", left" if point["left"] else ""
            place = f"place {point['rank']}{left}"
            click.echo(f"  {point['table']}  {place}: {point['change']:+d}")
    if not found["curves"]:
        click.echo(printable(f"{found['name']} has played no rated game."))


@rating.command("recompute")
@database_option
@json_option
def recompute(database: str | None, as_json: bool) -> None:
    """Compute all ratings again from the counted games, in the order in which they were counted.

    The numbers stay as they are, unless a new version rates games otherwise.
    """
    found = run_action(database, "rating_recompute")
    if as_json:
        echo_json(found)
        return
    games, ratings = f"{found['games']:,} games", f"{found['ratings']:,} ratings"
    changed = (
        f"{found['changed']:,} numbers have changed" if found["changed"] else "nothing changed"
    )
    click.echo(f"{games}, {ratings}: {changed}.")
