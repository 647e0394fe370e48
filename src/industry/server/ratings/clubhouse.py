"""The club page: who is here, open tables, records of the house, this week's games and the best."""

import json
from collections import defaultdict
from typing import Any

from sqlalchemy import Connection, select

from ..store.club_schema import persons
from ..store.schema import game_losses, tables

HERE = 5 * 60_000
"""Milliseconds after which somebody who does nothing is not here any more."""
WEEK = 7 * 24 * 60 * 60_000
OPEN, GAMES, RECENT = 30, 12, 2000
"""The most open tables and games that the page shows, and that it looks through."""

Json = dict[str, Any]


def clubhouse(connection: Connection, now: int) -> Json:
    """Returns `protocol.ratings.Clubhouse`. Private games are not in it."""
    finished = _finished(connection)
    week = [game for game in finished if game["changed"] >= now - WEEK]
    return {
        "here": _here(connection, now),
        "open": _open(connection),
        "records": _records(finished),
        "week": [_week_game(game) for game in week][:GAMES],
        "best": _best_reviewed(connection, finished, week),
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
    for game in reversed(games):  # the first with that many points keeps the record
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


def _best_reviewed(connection: Connection, known: list[Json], week: list[Json]) -> Json | None:
    """Returns the game of the week whose people lost least per decision, by its review.

    Kinds of games differ in how much a decision can lose, so a game is compared with the mean of
    all reviewed games of its kind.
    """
    names = [game["table"] for game in known]
    rows = connection.execute(select(game_losses).where(game_losses.c.table_id.in_(names))).all()
    kinds: dict[str, _Losses] = defaultdict(_Losses)
    own: dict[str, _Losses] = defaultdict(_Losses)
    people = {
        (game["table"], seat)
        for game in week
        for seat, sitting in enumerate(game["seats"], start=1)
        if sitting.get("person") and not sitting.get("absent")
    }
    kind_of = {}
    for row in rows:
        kinds[row.kind].add(row.loss, row.decisions)
        kind_of[row.table_id] = row.kind
        if (row.table_id, row.seat) in people:
            own[row.table_id].add(row.loss, row.decisions)

    def against_kind(game: Json) -> float:
        usual = kinds[kind_of[game["table"]]].mean
        return own[game["table"]].mean / usual if usual else 0.0

    reviewed = [game for game in week if game["table"] in own]
    best = min(reviewed, key=against_kind, default=None)
    return best and _week_game(best)


class _Losses:
    """What was lost over some decisions."""

    def __init__(self) -> None:
        self._loss = 0.0
        self._decisions = 0

    def add(self, loss: float, decisions: int) -> None:
        self._loss += loss
        self._decisions += decisions

    @property
    def mean(self) -> float:
        return self._loss / max(1, self._decisions)


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
