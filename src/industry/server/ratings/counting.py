"""Counts games: the ratings before and after each one, in the order in which they were counted.

The same function rates a game when it ends and when everything is computed again.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, delete, func, insert, select, text, update

from ..store.club_schema import persons
from ..store.rating_schema import rating_games, rating_seats, ratings
from .anchors import Kind, anchors
from .games import FinishedGame, FinishedSeat, is_countable
from .model import NEWCOMER, Skill, after_absence, after_game, after_leaving, forecast

LOCK = 7_302_551
"""An arbitrary number: who counts games holds this lock of a PostgreSQL database."""


class Standing(NamedTuple):
    """A person's rating in games of a kind, as the last game left it at its end."""

    skill: Skill
    at: int
    games: int

    def now(self, time: int) -> Skill:
        """Returns the rating at a later time."""
        return after_absence(self.skill, time - self.at)


@dataclass(frozen=True, slots=True)
class RatedSeat:
    """A seat of a counted game: its rating before and after, and its chance of winning."""

    ended: FinishedSeat
    before: Skill
    after: Skill
    expected: float


Owner = tuple[str, Kind]
Standings = dict[Owner, Standing]


def rate(
    game: FinishedGame, standings: Mapping[Owner, Standing], fixed: Mapping[int, Skill]
) -> list[RatedSeat]:
    """Returns a game's seats with their ratings; `fixed` are those of deleted persons, by seat.

    Players who stayed are compared with each other. A player who left is rated by the chances at
    that moment: what a stand-in does counts for nobody.
    """
    before = [_before(game, number, standings, fixed) for number in range(len(game.seats))]
    expected = forecast(before)
    after = list(before)
    stayed = [number for number, seat in enumerate(game.seats) if seat.chances is None]
    skills = [before[number] for number in stayed]
    ranks = [game.seats[number].rank for number in stayed]
    for number, skill in zip(stayed, after_game(skills, ranks, game.kind.players), strict=True):
        after[number] = skill
    for number, seat in enumerate(game.seats):
        if seat.chances is not None:
            after[number] = after_leaving(before, number, seat.chances)
        if seat.person is None:
            after[number] = before[number]
    rows = zip(game.seats, before, after, expected, strict=True)
    return [RatedSeat(*row) for row in rows]


def _before(
    game: FinishedGame, number: int, standings: Mapping[Owner, Standing], fixed: Mapping[int, Skill]
) -> Skill:
    seat = game.seats[number]
    if seat.bot is not None:
        return anchors(game.kind)[seat.bot]
    if seat.person is None:
        return fixed.get(number, NEWCOMER)
    standing = standings.get((seat.person, game.kind))
    return NEWCOMER if standing is None else standing.now(game.ended)


def advance(standings: Standings, game: FinishedGame, rated: Sequence[RatedSeat]) -> None:
    """Changes the standings as a counted game does."""
    for seat in rated:
        if seat.ended.person is not None:
            owner = (seat.ended.person, game.kind)
            known = standings.get(owner)
            at = game.ended if known is None else max(known.at, game.ended)
            standings[owner] = Standing(seat.after, at, 1 + (known.games if known else 0))


# In the database


def lock(connection: Connection) -> None:
    """Lets one process at a time change ratings, until the end of the transaction."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))


def is_counted(connection: Connection, table: str) -> bool:
    query = select(rating_games.c.number).where(rating_games.c.table_id == table)
    return connection.scalar(query) is not None


def count_game(connection: Connection, game: FinishedGame) -> bool:
    """Counts a game, unless it has been counted; returns whether it did."""
    lock(connection)
    if is_counted(connection, game.table):
        return False
    game = _without_deleted(connection, game)
    number = 1 + (connection.scalar(select(func.max(rating_games.c.number))) or 0)
    values = {"table_id": game.table, "number": number, "ended": game.ended, **game.kind._asdict()}
    connection.execute(insert(rating_games).values(values))
    if not is_countable(game):
        return True
    standings = standings_of(connection, [seat.person for seat in game.seats if seat.person])
    rated = rate(game, standings, {})
    connection.execute(insert(rating_seats), [_row(game, n, s) for n, s in enumerate(rated)])
    advance(standings, game, rated)
    for seat in game.seats:
        if seat.person is not None:
            owner = (seat.person, game.kind)
            _put_standing(connection, owner, standings[owner])
    return True


def _without_deleted(connection: Connection, game: FinishedGame) -> FinishedGame:
    """Returns a game without the persons who have been deleted since it was read."""
    wanted = [seat.person for seat in game.seats if seat.person]
    query = select(persons.c.id).where(persons.c.id.in_(wanted)).with_for_update()
    known = set(connection.scalars(query))
    seats = (s if s.person in known else replace(s, person=None) for s in game.seats)
    return replace(game, seats=tuple(seats))


def standings_of(connection: Connection, wanted: Iterable[str] | None = None) -> Standings:
    """Returns the ratings of some persons, or of all."""
    query = select(ratings)
    if wanted is not None:
        query = query.where(ratings.c.person.in_(list(wanted)))
    return {
        (row.person, kind_of_row(row)): Standing(Skill(row.rating, row.doubt), row.at, row.games)
        for row in connection.execute(query)
    }


def kind_of_row(row: Row[Any]) -> Kind:
    return Kind(row.edition, row.players, row.pace)


def _put_standing(connection: Connection, owner: Owner, standing: Standing) -> None:
    person, kind = owner
    own = ratings.c
    same = (own.person == person) & (own.edition == kind.edition)
    same &= (own.players == kind.players) & (own.pace == kind.pace)
    connection.execute(delete(ratings).where(same))
    connection.execute(insert(ratings).values(_standing_row(owner, standing)))


def _standing_row(owner: Owner, standing: Standing) -> dict[str, Any]:
    person, kind = owner
    values = {"rating": standing.skill.rating, "doubt": standing.skill.doubt}
    return {
        "person": person,
        **kind._asdict(),
        **values,
        "at": standing.at,
        "games": standing.games,
    }


def _row(game: FinishedGame, number: int, seat: RatedSeat) -> dict[str, Any]:
    ended = seat.ended
    return {
        "table_id": game.table,
        "seat": number + 1,
        "person": ended.person,
        "bot": ended.bot,
        "rank": ended.rank,
        "won": ended.won,
        "left": ended.chances is not None,
        "chances": None if ended.chances is None else json.dumps(ended.chances),
        **_numbers(seat),
    }


def _numbers(seat: RatedSeat) -> dict[str, float]:
    """Returns what is computed of a seat, by column."""
    return {
        "expected": seat.expected,
        "rating_before": seat.before.rating,
        "doubt_before": seat.before.doubt,
        "rating_after": seat.after.rating,
        "doubt_after": seat.after.doubt,
    }


# Everything again


@dataclass(frozen=True, slots=True)
class Recomputed:
    """How many games and ratings there are, and how far the old numbers were off."""

    games: int
    ratings: int
    changed: int
    """Seats of games whose numbers are others now."""
    most: float
    """The largest change of a rating, in points of the model."""


def recompute(connection: Connection) -> Recomputed:
    """Computes all ratings again from the counted games, in their order."""
    lock(connection)
    standings: Standings = {}
    changed, most = 0, 0.0
    games = counted_games(connection)
    for game, rows in games:
        fixed = {
            row.seat - 1: Skill(row.rating_before, row.doubt_before)
            for row in rows
            if row.person is None and row.bot is None
        }
        rated = rate(game, standings, fixed) if rows else []
        for row, seat in zip(rows, rated, strict=True):
            numbers = _numbers(seat)
            if any(numbers[name] != getattr(row, name) for name in numbers):
                changed += 1
                most = max(most, abs(seat.after.rating - row.rating_after))
                own = (rating_seats.c.table_id == row.table_id) & (rating_seats.c.seat == row.seat)
                connection.execute(update(rating_seats).where(own).values(numbers))
        advance(standings, game, rated)
    connection.execute(delete(ratings))
    if standings:
        rows_of = [_standing_row(owner, standing) for owner, standing in standings.items()]
        connection.execute(insert(ratings), rows_of)
    return Recomputed(len(games), len(standings), changed, most)


def counted_games(connection: Connection) -> list[tuple[FinishedGame, list[Row[Any]]]]:
    """Returns all counted games in their order, with the rows of their seats."""
    seats: dict[str, list[Row[Any]]] = {}
    order = (rating_seats.c.table_id, rating_seats.c.seat)
    for row in connection.execute(select(rating_seats).order_by(*order)):
        seats.setdefault(row.table_id, []).append(row)
    found = []
    for row in connection.execute(select(rating_games).order_by(rating_games.c.number)):
        rows = seats.get(row.table_id, [])
        ended = tuple(_ended(seat) for seat in rows)
        found.append((FinishedGame(row.table_id, kind_of_row(row), row.ended, ended), rows))
    return found


def _ended(row: Row[Any]) -> FinishedSeat:
    chances = None if row.chances is None else tuple(json.loads(row.chances))
    return FinishedSeat(row.person, row.bot, row.rank, row.won, chances)


# Persons who go

_NOBODY = {
    "person": None,
    "rating_after": rating_seats.c.rating_before,
    "doubt_after": rating_seats.c.doubt_before,
}
"""What becomes of a seat whose person is deleted: a rating that others met, and nothing more."""


def forget(connection: Connection, person: str) -> None:
    """Takes a person out of all counted games; what they say about others stays as it is."""
    lock(connection)
    own = update(rating_seats).where(rating_seats.c.person == person)
    connection.execute(own.values(_NOBODY))
    connection.execute(delete(ratings).where(ratings.c.person == person))


def merge(connection: Connection, gone: str, kept: str) -> None:
    """Gives the games of one person to another and computes everything again.

    Where both played, the game stays with the one who remains: nobody plays against themselves.
    """
    lock(connection)
    seats = rating_seats.c
    both = select(seats.table_id).where(seats.person == kept)
    own = update(rating_seats).where(seats.person == gone)
    connection.execute(own.where(seats.table_id.in_(both)).values(_NOBODY))
    connection.execute(own.values(person=kept))
    recompute(connection)
