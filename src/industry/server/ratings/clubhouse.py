"""The club page: who is here, open tables, records of the house, this week's games."""

import json
from typing import Any

from sqlalchemy import Connection, select

from ..store.club_schema import persons
from ..store.schema import tables

HERE = 5 * 60_000
"""Milliseconds after which somebody who does nothing is not here any more."""
WEEK = 7 * 24 * 60 * 60_000
OPEN, GAMES, RECENT = 30, 12, 2000
"""The most open tables and games that the page shows, and that it looks through."""

Json = dict[str, Any]


def clubhouse(connection: Connection, now: int) -> Json:
    """Returns `protocol.ratings.Clubhouse`. Private games are not in it."""
    finished = _finished(connection)
    return {
        "here": _here(connection, now),
        "open": _open(connection),
        "records": _records(finished),
        "week": [_week_game(game) for game in finished if game["changed"] >= now - WEEK][:GAMES],
    }


def _here(connection: Connection, now: int) -> list[Json]:
    query = select(persons.c.id, persons.c.name).where(persons.c.seen >= now - HERE)
    rows = connection.execute(query.where(~persons.c.banned).order_by(persons.c.name))
    return [{"id": row.id, "name": row.name} for row in rows]


def _open(connection: Connection) -> list[Json]:
    query = select(tables.c.summary).where(tables.c.listed, tables.c.status == "open")
    rows = connection.scalars(query.order_by(tables.c.changed.desc()).limit(OPEN))
    found = [json.loads(summary) for summary in rows]
    return [{name: table[name] for name in table if name != "places"} for table in found]


def _finished(connection: Connection) -> list[Json]:
    """Returns the latest finished games that everybody may know of, newest first."""
    is_public = tables.c.listed | tables.c.summary.contains('"rated":true')
    query = (
        select(tables.c.summary)
        .where(tables.c.status == "over", is_public)
        .order_by(tables.c.changed.desc())
        .limit(RECENT)
    )
    games = [json.loads(summary) for summary in connection.scalars(query)]
    return [game for game in games if game.get("points") and game["status"] == "over"]


def _records(games: list[Json]) -> list[Json]:
    """Returns the most points that a person has made, by edition and number of players."""
    best: dict[tuple[str, int], Json] = {}
    for game in reversed(games):  # the first to make so many points keeps the record
        options = game["options"]
        key = options["edition"], options["players"]
        for seat, points in zip(game["seats"], game["points"], strict=True):
            known = best.get(key)
            if seat.get("person") and (known is None or points > known["points"]):
                best[key] = {
                    "edition": key[0],
                    "players": key[1],
                    "points": points,
                    "name": seat["name"],
                    "person": seat["person"],
                    "table": game["table"],
                    "at": game["changed"],
                }
    return [best[key] for key in sorted(best)]


def _week_game(game: Json) -> Json:
    options = game["options"]
    return {
        "table": game["table"],
        "at": game["changed"],
        "edition": options["edition"],
        "players": options["players"],
        "rated": options.get("rated", False),
        "names": [seat["name"] for seat in game["seats"]],
        "points": game["points"],
        "winners": game["winners"],
    }
