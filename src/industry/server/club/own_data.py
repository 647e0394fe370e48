"""What the database knows about a person: tables, games, export, merging, deleting."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from industry.cups import Result
from industry.cups.scoring import places

from ..cups import book as cup_book
from ..ratings import counting, shown
from ..seat_links import person_row
from ..store import club_schema, schema
from ..store import notices as notice_book
from ..store.club_schema import passkeys, person_seats, persons, sessions
from ..tokens import TokenKeys
from . import persons as book
from .persons import Person

SHOWN = 30
"""Past games that a profile lists."""
FAVOURITES = 5

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sitting:
    """A seat of a person: where, under which alias, and what lists show of the table."""

    table: str
    place: int
    alias: str
    summary: Json

    @property
    def seat(self) -> int | None:
        """The seat from 1."""
        places = self.summary["places"]
        return places.index(self.place) + 1 if self.place in places else None


def sittings(connection: Connection, person: str) -> list[Sitting]:
    """Returns all seats of a person, those of recently changed tables first."""
    seats, tables = person_seats.c, schema.tables.c
    query = (
        select(seats.table_id, seats.place, seats.alias, tables.summary)
        .join_from(person_seats, schema.tables, seats.table_id == tables.id)
        .where(seats.person == person)
        .order_by(tables.changed.desc(), tables.id)
    )
    rows = connection.execute(query)
    return [Sitting(row[0], row[1], row[2], json.loads(row[3])) for row in rows]


def own_tables(connection: Connection, keys: TokenKeys, person: str) -> list[Json]:
    """Returns the tables at which a person still sits, as `protocol.club.OwnTable`."""
    found = sittings(connection, person)
    held = _held(connection, [sitting.table for sitting in found])
    tables = []
    for sitting in found:
        token = keys.person_token(sitting.table, sitting.place, person)
        if person_row(keys, sitting.table, sitting.place, person).hash not in held:
            continue  # the seat has another holder now
        table = {name: value for name, value in sitting.summary.items() if name != "places"}
        seat = sitting.seat
        your_turn = seat is not None and table["actor"] == seat
        tables.append({"seat": seat, "token": token, "your_turn": your_turn, "table": table})
    return tables


def _held(connection: Connection, tables: Iterable[str]) -> set[str]:
    tokens = schema.tokens.c
    query = select(tokens.hash).where(tokens.table_id.in_(list(tables)))
    return set(connection.scalars(query))


# Profile


def past_games(connection: Connection, person: str) -> list[Json]:
    """Returns all finished games of a person, as `protocol.club.PastGame` and who played."""
    games = []
    for sitting in sittings(connection, person):
        summary, seat = sitting.summary, sitting.seat
        points = summary.get("points") or []
        if summary["status"] != "over" or seat is None or not points:
            continue
        options = summary["options"]
        games.append(
            {
                "table": sitting.table,
                "ended": summary["changed"],
                "edition": options["edition"],
                "players": options["players"],
                "rated": options.get("rated", False),
                "rank": places(Result(tuple(points), tuple(summary["winners"])))[seat - 1],
                "points": points[seat - 1],
                "public": options.get("listed", False) or options.get("rated", False),
                "seats": summary["seats"],
            }
        )
    return games


def profile(connection: Connection, person: Person, *, own: bool) -> Json:
    """Returns `protocol.club.Profile`; only the person sees games that were private."""
    games = past_games(connection, person.id)
    shown = [game for game in games if own or game["public"]][:SHOWN]
    kept = ("table", "ended", "edition", "players", "rated", "rank", "points")
    return {
        "id": person.id,
        "name": person.name,
        "created": person.created,
        "games": len(games),
        "won": sum(game["rank"] == 1 for game in games),
        "opponents": _favourites(games, person.id),
        "past": [{name: game[name] for name in kept} for game in shown],
    }


def _favourites(games: list[Json], person: str) -> list[Json]:
    met: Counter[str] = Counter()
    names: dict[str, str] = {}
    for game in games:
        for seat in game["seats"]:
            other = seat.get("person")
            if other and other != person:
                met[other] += 1
                names.setdefault(other, seat["name"])
    common = met.most_common(FAVOURITES)
    return [{"id": one, "name": names[one], "games": count} for one, count in common]


def export(connection: Connection, person: Person) -> Json:
    """Returns everything that is stored about a person, for that person."""
    seats = select(person_seats).where(person_seats.c.person == person.id)
    open_sessions = select(sessions.c.used).where(sessions.c.person == person.id)
    return {
        **book.described(person),
        "passkeys": book.keys_of(connection, person.id),
        "sessions": [{"used": used} for used in connection.scalars(open_sessions)],
        "seats": [dict(row._mapping) for row in connection.execute(seats)],
        "games": past_games(connection, person.id),
        "cups": cup_book.export(connection, person.id),
        "notices": notice_book.exported(connection, person.id),
        "ratings": shown.stored(connection, person.id),
    }


# Changes that reach into tables: each returns the tables that must be shown again


def rename(connection: Connection, person: str, name: str) -> list[str]:
    """Gives a person another name, also in lists; raises `Refused`."""
    book.rename(connection, person, name)
    renamed = book.find(connection, person)
    assert renamed is not None
    return _show(connection, sittings(connection, person), renamed)


def merge(connection: Connection, keys: TokenKeys, gone: Person, kept: Person) -> list[str]:
    """Gives everything of one person to another, and deletes the first."""
    counting.merge(connection, gone.id, kept.id)
    moved = sittings(connection, gone.id)
    tables = _show(connection, moved, kept)
    own = update(person_seats).where(person_seats.c.person == gone.id)
    connection.execute(own.values(person=kept.id))
    connection.execute(update(passkeys).where(passkeys.c.person == gone.id).values(person=kept.id))
    notice_book.move_owner(connection, gone.id, kept.id)
    held = _held(connection, tables)
    for sitting in moved:
        old = person_row(keys, sitting.table, sitting.place, gone.id)
        new = person_row(keys, sitting.table, sitting.place, kept.id)
        if old.hash in held:  # the seat is still theirs
            own_token = update(schema.tokens).where(schema.tokens.c.hash == old.hash)
            connection.execute(own_token.values(hash=new.hash))
    cup_book.hand_over(connection, gone.id, kept.id)
    remove(connection, keys, gone)
    return tables


def remove(connection: Connection, keys: TokenKeys, person: Person) -> list[str]:
    """Deletes a person: names in tables become aliases, which belong to nobody any more."""
    counting.forget(connection, person.id)
    left = sittings(connection, person.id)
    tables = _show(connection, left, None)
    for sitting in left:
        row = person_row(keys, sitting.table, sitting.place, person.id)
        connection.execute(delete(schema.tokens).where(schema.tokens.c.hash == row.hash))
    for part in (passkeys, sessions, person_seats):
        connection.execute(delete(part).where(part.c.person == person.id))
    cup_book.forget_person(connection, person.id)
    notice_book.forget_owner(connection, person.id)
    connection.execute(delete(persons).where(persons.c.id == person.id))
    return tables


def _show(connection: Connection, seats: Iterable[Sitting], person: Person | None) -> list[str]:
    """Shows seats in lists under a person's name, or under their aliases."""
    tables = []
    for sitting in seats:
        if (number := sitting.seat) is None:
            continue
        seat = sitting.summary["seats"][number - 1]
        shown = sitting.alias if person is None else person.name
        seat |= {"name": shown, "person": None if person is None else person.id}
        text = json.dumps(sitting.summary, ensure_ascii=False, separators=(",", ":"))
        own = update(schema.tables).where(schema.tables.c.id == sitting.table)
        connection.execute(own.values(summary=text))
        tables.append(sitting.table)
    return tables


# Backups


def kept_rows(connection: Connection) -> Iterator[tuple[str, Json]]:
    """Yields everything of the club that a backup holds: the name of its SQL table, and a row."""
    for part in club_schema.LASTING:
        for row in connection.execute(select(part).order_by(*part.primary_key)):
            yield part.name, dict(row._mapping)


def restore_rows(connection: Connection, rows: Iterable[tuple[str, Json]]) -> None:
    """Inserts what a backup holds of the club, after its tables, and shows names in lists."""
    parts = {part.name: part for part in club_schema.LASTING}
    for name, row in rows:
        connection.execute(insert(parts[name]).values(row))
    for person in book.everyone(connection):
        _show(connection, sittings(connection, person.id), person)
