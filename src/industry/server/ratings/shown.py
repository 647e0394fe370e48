"""What people see of ratings: ladder, curves, a table's forecast, and how forecasts came true."""

import math
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from sqlalchemy import Connection, Row, select

from ..store.club_schema import persons
from ..store.rating_schema import rating_games, rating_seats, ratings
from ..table import Table
from .anchors import Kind, anchors
from .counting import kind_of_row, standings_of
from .games import kind_of
from .model import NEWCOMER, Skill, after_absence, forecast

ROWS = 100
"""The most persons that a ladder shows."""
POINTS = 200
"""The most games that a curve shows."""
BINS = 10

Json = dict[str, Any]


def rating_of(skill: Skill) -> Json:
    """Returns a rating as `protocol.ratings.Rating`."""
    return {"rating": skill.shown, "doubt": skill.shown_doubt, "known": skill.is_known}


def ladder(connection: Connection, now: int) -> Json:
    """Returns `protocol.ratings.Ladder`: banned persons are not on it."""
    query = (
        select(ratings, persons.c.name)
        .join_from(ratings, persons, ratings.c.person == persons.c.id)
        .where(~persons.c.banned)
        .order_by(persons.c.name)
    )
    kinds: dict[Kind, list[tuple[Skill, Row[Any]]]] = {}
    for row in connection.execute(query):
        skill = after_absence(Skill(row.rating, row.doubt), now - row.at)
        kinds.setdefault(kind_of_row(row), []).append((skill, row))
    return {"kinds": [_ladder_of(kind, kinds[kind]) for kind in sorted(kinds)]}


def _ladder_of(kind: Kind, found: list[tuple[Skill, Row[Any]]]) -> Json:
    found.sort(key=lambda one: (not one[0].is_known, -one[0].rating))
    rows = [
        {"id": row.person, "name": row.name, "rating": rating_of(skill), "games": row.games}
        for skill, row in found[:ROWS]
    ]
    bots = [{"name": bot, "rating": rating_of(skill)} for bot, skill in anchors(kind).items()]
    return {"kind": kind._asdict(), "rows": rows, "bots": bots[::-1]}


def curves(connection: Connection, person: str, now: int) -> Json:
    """Returns a person's ratings as `protocol.ratings.PersonRatings`."""
    games: dict[Kind, list[Json]] = {}
    query = (
        select(rating_seats, rating_games)
        .join_from(rating_seats, rating_games, rating_seats.c.table_id == rating_games.c.table_id)
        .where(rating_seats.c.person == person)
        .order_by(rating_games.c.number)
    )
    for row in connection.execute(query):
        games.setdefault(kind_of_row(row), []).append(_point(row))
    found = []
    for (_, kind), standing in sorted(standings_of(connection, [person]).items()):
        points = games.get(kind, [])[-POINTS:]
        rating = rating_of(standing.now(now))
        kinds = {"kind": kind._asdict(), "now": rating, "games": standing.games}
        found.append({**kinds, "points": points})
    return {"curves": found}


def stored(connection: Connection, person: str) -> Json:
    """Returns everything that is stored about a person's ratings, for themselves."""
    tables = (ratings, rating_seats)
    queries = {part.name: select(part).where(part.c.person == person) for part in tables}
    return {
        name: [dict(row._mapping) for row in connection.execute(query)]
        for name, query in queries.items()
    }


def _point(row: Row[Any]) -> Json:
    before = Skill(row.rating_before, row.doubt_before)
    after = Skill(row.rating_after, row.doubt_after)
    return {
        "table": row.table_id,
        "at": row.ended,
        "rating": rating_of(after),
        "change": after.shown - before.shown,
        "rank": row.rank,
        "left": row.left,
    }


def table_rating(connection: Connection, table: Table, now: int) -> Json:
    """Returns `protocol.ratings.TableRating`."""
    kind = kind_of(table)
    query = select(rating_seats).where(rating_seats.c.table_id == table.id)
    rows = connection.execute(query.order_by(rating_seats.c.seat)).all()
    if rows:
        return _answer("counted", kind, [_counted_seat(row) for row in rows])
    if not table.is_rated or table.status == "closed":
        return _answer("unrated", kind, [])
    counted = select(rating_games.c.number).where(rating_games.c.table_id == table.id)
    if connection.scalar(counted) is not None:  # a game that says nothing
        return _answer("unrated", kind, [])
    skills = _skills(connection, table, kind, now)
    known = [skill for skill in skills if skill is not None]
    chances = forecast(known) if len(known) == len(skills) else None
    seats = [
        _seat(number, skill, chances[number] if chances else None)
        for number, skill in enumerate(skills)
    ]
    return _answer("waiting" if table.status == "over" else "expected", kind, seats)


def _answer(status: str, kind: Kind, seats: Sequence[Json]) -> Json:
    return {"status": status, "kind": kind._asdict(), "seats": list(seats)}


def _skills(connection: Connection, table: Table, kind: Kind, now: int) -> list[Skill | None]:
    """Returns the rating of every seat; None where nobody sits, or nobody knows who."""
    people = [table.person_at(seat) for seat in table.seats]
    standings = standings_of(connection, [person.id for person in people if person])
    found: list[Skill | None] = []
    for seat, person in zip(table.seats, people, strict=True):
        if seat.kind == "bot":
            found.append(anchors(kind).get(seat.bot or ""))
        elif person is None or seat.kind != "human":
            found.append(None)
        else:
            standing = standings.get((person.id, kind))
            found.append(NEWCOMER if standing is None else standing.now(now))
    return found


def _seat(number: int, skill: Skill | None, chance: float | None) -> Json:
    rating = None if skill is None else rating_of(skill)
    seat = {"seat": number + 1, "rating": rating, "chance": chance}
    return {**seat, "change": None, "left": False}


def _counted_seat(row: Row[Any]) -> Json:
    before = Skill(row.rating_before, row.doubt_before)
    after = Skill(row.rating_after, row.doubt_after)
    is_person = row.person is not None
    is_shown = is_person or row.bot is not None
    return {
        "seat": row.seat,
        "rating": rating_of(after) if is_shown else None,
        "chance": row.expected,
        "change": after.shown - before.shown if is_person else None,
        "left": row.left,
    }


def forecasts(connection: Connection) -> Json:
    """Returns `protocol.ratings.Forecasts`, of games that nobody left."""
    query = select(rating_seats.c.table_id, rating_seats.c.expected, rating_seats.c.won)
    left = select(rating_seats.c.table_id).where(rating_seats.c.left)
    games: dict[str, list[tuple[float, float]]] = {}
    for table, expected, won in connection.execute(
        query.where(~query.selected_columns[0].in_(left))
    ):
        games.setdefault(table, []).append((expected, won))
    seats = [seat for game in games.values() for seat in game]
    bins = _bins(seats)
    gap = sum(one["seats"] * abs(one["expected"] - one["won"]) for one in bins)
    return {
        "games": len(games),
        "bins": bins,
        "error": gap / len(seats) if seats else None,
        "log_loss": fmean(_surprise(game) for game in games.values()) if games else None,
        "even_log_loss": fmean(math.log(len(g)) for g in games.values()) if games else None,
    }


def _bins(seats: Sequence[tuple[float, float]]) -> list[Json]:
    bins: dict[int, list[tuple[float, float]]] = {}
    for expected, won in seats:
        bins.setdefault(min(BINS - 1, int(expected * BINS)), []).append((expected, won))
    return [
        {
            "seats": len(found),
            "expected": fmean(expected for expected, _ in found),
            "won": fmean(won for _, won in found),
        }
        for _, found in sorted(bins.items())
    ]


def _surprise(game: Sequence[tuple[float, float]]) -> float:
    return -sum(won * math.log(max(expected, 1e-12)) for expected, won in game)
