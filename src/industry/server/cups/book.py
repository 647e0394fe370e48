"""Cups in the database. Every function runs in one transaction."""

from collections.abc import Iterable

from sqlalchemy import Connection, delete, insert, select, update

from ..errors import Refused
from ..store.club_schema import persons
from ..store.cup_schema import cup_players, cups
from ..store.rows import Conflict, SeatPerson
from .document import CupRound, StoredCup, stored_cup

SHOWN = 100
"""Cups that the list shows, most recently changed first."""


def find(connection: Connection, cup: str) -> StoredCup:
    """Returns the cup with this id; raises `Refused`."""
    row = connection.execute(select(cups).where(cups.c.id == cup)).first()
    if row is None:
        raise Refused("no_cup", detail=cup)
    return stored_cup(row)


def exists(connection: Connection, cup: str) -> bool:
    return connection.scalar(select(cups.c.id).where(cups.c.id == cup)) is not None


def round_of(connection: Connection, cup: str, table: str) -> CupRound | None:
    """Returns the round of a cup that a table belongs to."""
    if not exists(connection, cup):
        return None
    stored = find(connection, cup)
    for held in stored.cup.rounds:
        if any(game.table == table for game in held.games):
            is_numbered = stored.cup.rules.format != "evening"
            return CupRound(stored.terms.name, held.number if is_numbered else None)
    return None


def listed(connection: Connection, most: int = SHOWN) -> list[StoredCup]:
    """Returns cups, most recently changed first."""
    rows = connection.execute(select(cups).order_by(cups.c.changed.desc(), cups.c.id).limit(most))
    return [stored_cup(row) for row in rows]


def unfinished(connection: Connection) -> list[str]:
    """Returns the cups that may have a step to make."""
    query = select(cups.c.id).where(cups.c.status.in_(("open", "running")))
    return list(connection.scalars(query.order_by(cups.c.created)))


def count_of(connection: Connection, owner: str) -> int:
    """Counts the unfinished cups of a person."""
    query = select(cups.c.id).where(cups.c.status.in_(("open", "running")), cups.c.owner == owner)
    return len(list(connection.scalars(query)))


def add(connection: Connection, stored: StoredCup, now: int) -> None:
    """Adds a new cup."""
    values = {
        "id": stored.id,
        "status": stored.status,
        "created": stored.created,
        "changed": now,
        "revision": stored.revision,
        "document": stored.document(),
        "secret": stored.secret,
        "owner": stored.owner,
    }
    connection.execute(insert(cups).values(values))


def save(connection: Connection, changed: StoredCup, now: int) -> None:
    """Stores the next state of a cup; raises `Conflict` where it has changed since it was read."""
    own = cups.c
    query = update(cups).where(own.id == changed.id, own.revision == changed.revision)
    values = {
        "status": changed.status,
        "changed": now,
        "revision": changed.revision + 1,
        "document": changed.document(),
    }
    if connection.execute(query.values(values)).rowcount != 1:
        raise Conflict


# Who takes part


def seat_person(connection: Connection, cup: str, number: int, person: str) -> None:
    """Notes whose number in a cup it is."""
    values = {"cup_id": cup, "number": number, "person": person}
    connection.execute(insert(cup_players).values(values))


def people_of(connection: Connection, cup: str) -> dict[int, SeatPerson]:
    """Returns the persons in a cup by their numbers."""
    players = cup_players.c
    query = (
        select(players.number, persons.c.id, persons.c.name)
        .join_from(cup_players, persons, players.person == persons.c.id)
        .where(players.cup_id == cup)
    )
    return {row.number: SeatPerson(row.id, row.name) for row in connection.execute(query)}


def cups_of(connection: Connection, person: str) -> dict[str, int]:
    """Returns the cups in which a person takes part, with their number in each."""
    players = cup_players.c
    query = select(players.cup_id, players.number).where(players.person == person)
    return {row.cup_id: row.number for row in connection.execute(query)}


# When a person changes: called by `club.own_data`


def forget_person(connection: Connection, person: str) -> None:
    """Removes what says which entrants a deleted person was; their aliases stay."""
    connection.execute(delete(cup_players).where(cup_players.c.person == person))
    connection.execute(update(cups).where(cups.c.owner == person).values(owner=None))


def hand_over(connection: Connection, gone: str, kept: str) -> None:
    """Gives the places of one person in cups to another."""
    own = update(cup_players).where(cup_players.c.person == gone)
    connection.execute(own.values(person=kept))
    connection.execute(update(cups).where(cups.c.owner == gone).values(owner=kept))


def export(connection: Connection, person: str) -> list[dict[str, object]]:
    """Returns what is stored about a person's cups."""
    found: Iterable[tuple[str, int]] = sorted(cups_of(connection, person).items())
    owned = set(connection.scalars(select(cups.c.id).where(cups.c.owner == person)))
    rows = [{"cup": cup, "number": number, "owner": cup in owned} for cup, number in found]
    joined = {row["cup"] for row in rows}
    return rows + [{"cup": cup, "number": None, "owner": True} for cup in sorted(owned - joined)]
