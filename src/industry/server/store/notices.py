"""Stores notices and where they go. Every function runs in one transaction."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, insert, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from . import club_schema, schema
from .notices_schema import channels, nights, notices


@dataclass(frozen=True, slots=True)
class Channel:
    """A device, a mail address or a webhook of an owner."""

    id: str
    owner: str
    kind: str
    digest: str
    address: str
    secret: str
    label: str
    language: str
    spare: bool
    """Told only if another channel of the same seat has failed, or there is none."""
    code: str | None
    """The hash of a code that has still to be confirmed."""
    guesses: int
    created: int


@dataclass(frozen=True, slots=True)
class Night:
    """Hours without notices, in minutes after midnight of a time zone."""

    owner: str
    begin: int
    end: int
    zone: str


@dataclass(frozen=True, slots=True)
class Notice:
    """What the holder of a place is to be told: a turn, a full table, a table of a cup that is
    ready, the end of a game.
    """

    table: str
    place: int
    kind: str
    number: int
    """The log entry that is told about."""
    seat: int
    """From 1; 0 for a host without a seat."""
    created: int


@dataclass(frozen=True, slots=True)
class DueNotice:
    notice: Notice
    tries: int
    told: tuple[str, ...]
    """Channels that have it already."""


def seat_owner(table: str, place: int) -> str:
    """Returns the owner of what is subscribed with a seat's link."""
    return f"{table}/{place}"


# Channels


def put_channel(connection: Connection, new: Channel) -> Channel:
    """Stores a channel; one of the same owner with the same address is replaced, keeping its id."""
    known = _one(connection, (channels.c.owner == new.owner) & (channels.c.digest == new.digest))
    if known is not None:
        new = replace(new, id=known.id, created=known.created)
        connection.execute(delete(channels).where(channels.c.id == known.id))
    connection.execute(insert(channels).values(_values(new)))
    return new


def channels_of(connection: Connection, owners: Collection[str]) -> list[Channel]:
    """Returns the channels of these owners, the oldest first."""
    query = select(channels).where(channels.c.owner.in_(list(owners)))
    rows = connection.execute(query.order_by(channels.c.created, channels.c.id))
    return [Channel(*row) for row in rows]


def channel(connection: Connection, owner: str, name: str) -> Channel | None:
    """Returns a channel of an owner."""
    return _one(connection, (channels.c.owner == owner) & (channels.c.id == name))


def address_of(connection: Connection, name: str) -> str | None:
    """Returns the digest of the address that a channel leads to; None if there is none."""
    return connection.scalar(select(channels.c.digest).where(channels.c.id == name))


def change_channel(connection: Connection, name: str, **values: object) -> None:
    connection.execute(update(channels).where(channels.c.id == name).values(values))


def drop_channel(connection: Connection, name: str) -> None:
    connection.execute(delete(channels).where(channels.c.id == name))


def drop_address(connection: Connection, digest: str) -> None:
    """Removes a device or an address that does not exist any more, for all owners."""
    connection.execute(delete(channels).where(channels.c.digest == digest))


def owners_with(connection: Connection, digest: str) -> list[str]:
    """Returns all owners that have subscribed the same device."""
    return list(connection.scalars(select(channels.c.owner).where(channels.c.digest == digest)))


def drop_unconfirmed(connection: Connection, before: int) -> None:
    """Removes mail addresses that nobody has confirmed."""
    own = channels.c
    connection.execute(delete(channels).where(own.code.is_not(None), own.created < before))


def _one(connection: Connection, where: ColumnElement[bool]) -> Channel | None:
    row = connection.execute(select(channels).where(where)).first()
    return None if row is None else Channel(*row)


def _values(one: Any) -> dict[str, Any]:
    return {name: getattr(one, name) for name in one.__slots__}


# Night hours


def put_night(connection: Connection, owner: str, night: Night | None) -> None:
    """Replaces the night hours of an owner; None removes them."""
    connection.execute(delete(nights).where(nights.c.owner == owner))
    if night is not None:
        connection.execute(insert(nights).values(_values(night)))


def nights_of(connection: Connection, owners: Collection[str]) -> dict[str, Night]:
    rows = connection.execute(select(nights).where(nights.c.owner.in_(list(owners))))
    return {row.owner: Night(*row) for row in rows}


# Notices


def add_notice(connection: Connection, new: Notice, due: int) -> None:
    """Records what is to be told, unless it is recorded; an older one of its kind is dropped."""
    _put(connection, new, due, notices.c.number < new.number)


def mark_seen(connection: Connection, new: Notice) -> None:
    """Records that nobody must be told: the holder has the table open."""
    _put(connection, new, None, notices.c.number <= new.number)


def open_again(connection: Connection, new: Notice, due: int) -> None:
    """Records a turn that was seen by a socket which is gone, unless somebody was told."""
    add_notice(connection, new, due)
    untold = (notices.c.number == new.number) & (notices.c.told == "[]")
    connection.execute(update(notices).where(_of(new), untold).values(due=due))


def _put(connection: Connection, new: Notice, due: int | None, where: ColumnElement[bool]) -> None:
    values = _values(new) | {"due": due, "tries": 0, "told": "[]"}
    values["table_id"] = values.pop("table")
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    added = dialect.insert(notices).values(values)
    connection.execute(
        added.on_conflict_do_update(
            index_elements=["table_id", "place", "kind"], set_=values, where=where
        )
    )


def is_recorded(connection: Connection, table: str, place: int, kind: str) -> bool:
    """Checks whether a notice of a kind was recorded for a place, told or not."""
    one = notices.c
    query = select(one.number).where(one.table_id == table, one.place == place, one.kind == kind)
    return connection.scalar(query) is not None


def put_off(connection: Connection, notice: Notice, due: int | None) -> None:
    """Records when to try a notice again for which it is too early; None means never."""
    connection.execute(update(notices).where(_of(notice)).values(due=due))


def take(connection: Connection, now: int, until: int, most: int) -> list[DueNotice]:
    """Returns due notices; other processes leave them alone until the given time."""
    query = (
        select(notices)
        .where(notices.c.due <= now)
        .order_by(notices.c.due)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    found = []
    for row in connection.execute(query).all():
        notice = Notice(row.table_id, row.place, row.kind, row.number, row.seat, row.created)
        connection.execute(update(notices).where(_of(notice)).values(due=until))
        found.append(DueNotice(notice, row.tries, tuple(json.loads(row.told))))
    return found


def settle(
    connection: Connection, notice: Notice, tries: int, told: Iterable[str], due: int | None
) -> None:
    """Records who was told, and when to go on; None means never."""
    same = _of(notice) & (notices.c.number == notice.number)
    values = {"tries": tries, "told": json.dumps(sorted(told)), "due": due}
    connection.execute(update(notices).where(same).values(values))


def _of(notice: Notice) -> ColumnElement[bool]:
    own = notices.c
    return (own.table_id == notice.table) & (own.place == notice.place) & (own.kind == notice.kind)


# Owners and tables


def persons_at(connection: Connection, table: str, place: int) -> list[str]:
    """Returns whose seat a place was when it was taken."""
    seats = club_schema.person_seats.c
    query = select(seats.person).where(seats.table_id == table, seats.place == place)
    return list(connection.scalars(query))


def subscribed_tables(connection: Connection) -> list[str]:
    """Returns running tables of which somebody wants notices."""
    seats, tables = club_schema.person_seats.c, schema.tables.c
    owners = list(connection.scalars(select(channels.c.owner).distinct()))
    named = {owner.partition("/")[0] for owner in owners if "/" in owner}
    of_persons = select(seats.table_id).where(seats.person.in_(select(channels.c.owner)))
    wanted = or_(tables.id.in_(sorted(named)), tables.id.in_(of_persons))
    return list(connection.scalars(select(tables.id).where(tables.status == "running", wanted)))


def waiting_seats(connection: Connection, owners: Iterable[str]) -> list[tuple[str, int]]:
    """Returns the tables and places of these owners at which a decision waits for them."""
    seats, tables = club_schema.person_seats.c, schema.tables.c
    named = [owner.split("/") for owner in owners if "/" in owner]
    places = {(table, int(place)) for table, place in named}
    persons = [owner for owner in owners if "/" not in owner]
    query = select(seats.table_id, seats.place).where(seats.person.in_(persons))
    places |= {(row.table_id, row.place) for row in connection.execute(query)}
    rows = connection.execute(
        select(tables.id, tables.summary).where(
            tables.status == "running", tables.id.in_(sorted({table for table, _ in places}))
        )
    )
    summaries = {row.id: json.loads(row.summary) for row in rows}
    return [(t, p) for t, p in sorted(places) if t in summaries and _waits(summaries[t], p)]


def _waits(summary: dict[str, Any], place: int) -> bool:
    actor = summary.get("actor")
    return actor is not None and summary["places"][actor - 1] == place


def forget_owner(connection: Connection, owner: str) -> None:
    """Removes everything that an owner has subscribed."""
    for part in (channels, nights):
        connection.execute(delete(part).where(part.c.owner == owner))


def forget_tables(connection: Connection, tables: Any) -> None:
    """Removes what belongs to tables: their names, or a query for them."""
    connection.execute(delete(notices).where(notices.c.table_id.in_(tables)))
    owners = set(connection.scalars(select(channels.c.owner).distinct()))
    owners |= set(connection.scalars(select(nights.c.owner)))
    seated = [owner for owner in owners if "/" in owner]
    if not seated:
        return
    gone = set(tables if isinstance(tables, list) else connection.scalars(tables))
    for owner in seated:
        if owner.partition("/")[0] in gone:
            forget_owner(connection, owner)


def exported(connection: Connection, owner: str) -> dict[str, Any]:
    """Returns everything that an owner has subscribed, for the owner; no key of a device."""
    shown = ("kind", "address", "label", "language", "spare", "created")
    found = channels_of(connection, [owner])
    night = nights_of(connection, [owner]).get(owner)
    return {
        "channels": [{name: getattr(one, name) for name in shown} for one in found],
        "night": night and {"begin": night.begin, "end": night.end, "zone": night.zone},
    }


def move_owner(connection: Connection, gone: str, kept: str) -> None:
    """Gives the channels of one person to the person they are merged into."""
    own = {one.digest for one in channels_of(connection, [kept])}
    for one in channels_of(connection, [gone]):
        if one.digest not in own:
            change_channel(connection, one.id, owner=kept)
    forget_owner(connection, gone)
