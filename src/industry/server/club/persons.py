"""Persons in the database: names, keys, sessions. Every function runs in one transaction."""

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from ..errors import Refused
from ..names import clean_name, likeness
from ..store import SeatPerson
from ..store.club_schema import invitations, passkeys, persons, sessions
from ..tokens import LETTERS

ID_LETTERS = 12
MINUTE = 60_000
DAY = 24 * 60 * MINUTE
SESSION = 60 * DAY
"""Milliseconds for which a session lasts without being used."""
INVITATION = 30 * DAY
MOST_KEYS = 20


@dataclass(frozen=True, slots=True)
class Person:
    """A person as stored; `link` is the hash of the secret link."""

    id: str
    name: str
    created: int
    seen: int
    banned: bool
    operator: bool
    link: str | None

    @property
    def seated(self) -> SeatPerson:
        """The person as others at a table see them."""
        return SeatPerson(self.id, self.name)


@dataclass(frozen=True, slots=True)
class NewKey:
    """A passkey that an authenticator has just made."""

    id: str
    public_key: bytes
    signs: int
    label: str


def digest(secret: str) -> str:
    """Returns what is stored of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    """Returns 256 random bits for a link, a session or an invitation."""
    return secrets.token_urlsafe(32)


def new_id() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(ID_LETTERS))


_COLUMNS = (
    persons.c.id,
    persons.c.name,
    persons.c.created,
    persons.c.seen,
    persons.c.banned,
    persons.c.operator,
    persons.c.link,
)


def described(person: Person) -> dict[str, Any]:
    """Returns what the operator and the person may see of a person: no keys, no link."""
    return {
        "id": person.id,
        "name": person.name,
        "created": person.created,
        "seen": person.seen,
        "banned": person.banned,
        "operator": person.operator,
        "has_link": person.link is not None,
    }


def find(connection: Connection, person: str) -> Person | None:
    """Returns the person with this id."""
    return _one(connection, persons.c.id == person)


def named(connection: Connection, name: str) -> Person | None:
    """Returns the person with this id, or with a name that looks like this."""
    return _one(connection, or_(persons.c.id == name, persons.c.likeness == likeness(name)))


def _one(connection: Connection, where: Any) -> Person | None:
    row = connection.execute(select(*_COLUMNS).where(where)).first()
    return None if row is None else Person(*row)


def everyone(connection: Connection) -> list[Person]:
    """Returns all persons in the order of their names."""
    rows = connection.execute(select(*_COLUMNS).order_by(func.lower(persons.c.name)))
    return [Person(*row) for row in rows]


def add(connection: Connection, name: str, now: int, person: str | None = None) -> Person:
    """Adds a person; raises `Refused` where the name cannot be told from another's."""
    name = clean_name(name)
    made = Person(person or new_id(), name, now, now, banned=False, operator=False, link=None)
    values = {column.name: getattr(made, column.name) for column in _COLUMNS}
    try:
        with connection.begin_nested():
            connection.execute(insert(persons).values(**values, likeness=likeness(name)))
    except IntegrityError:
        raise Refused("name_taken") from None
    return made


def rename(connection: Connection, person: str, name: str) -> None:
    """Gives a person another name; raises `Refused`."""
    name = clean_name(name)
    values = {"name": name, "likeness": likeness(name)}
    try:
        with connection.begin_nested():
            connection.execute(update(persons).where(persons.c.id == person).values(values))
    except IntegrityError:
        raise Refused("name_taken") from None


def change(connection: Connection, person: str, **values: object) -> None:
    """Sets `banned` or `operator`; a banned person is signed out everywhere."""
    connection.execute(update(persons).where(persons.c.id == person).values(values))
    if values.get("banned"):
        connection.execute(delete(sessions).where(sessions.c.person == person))


# Links


def renew_link(connection: Connection, person: str) -> str:
    """Replaces the secret link of a person; returns its secret, which is stored nowhere."""
    secret = new_secret()
    own = update(persons).where(persons.c.id == person)
    connection.execute(own.values(link=digest(secret)))
    return secret


def drop_link(connection: Connection, person: str) -> None:
    """Ends the secret link of a person; raises `Refused` where it is the last way in."""
    if not keys_of(connection, person):
        raise Refused("last_key")
    connection.execute(update(persons).where(persons.c.id == person).values(link=None))


def by_link(connection: Connection, secret: str) -> Person | None:
    return _one(connection, persons.c.link == digest(secret))


# Passkeys


def keys_of(connection: Connection, person: str) -> list[dict[str, Any]]:
    """Returns the passkeys of a person in the form of `protocol.club.Passkey`."""
    key = passkeys.c
    query = select(key.id, key.label, key.created).where(key.person == person)
    rows = connection.execute(query.order_by(key.created))
    return [dict(row._mapping) for row in rows]


def add_key(connection: Connection, person: str, key: NewKey, now: int) -> None:
    """Adds a passkey; raises `Refused` where somebody has it, or the person has too many."""
    if len(keys_of(connection, person)) >= MOST_KEYS:
        raise Refused("too_fast", detail="passkeys")
    values = {name: getattr(key, name) for name in NewKey.__slots__}
    try:
        with connection.begin_nested():
            connection.execute(insert(passkeys).values(person=person, created=now, **values))
    except IntegrityError:
        raise Refused("bad_passkey") from None


def drop_key(connection: Connection, person: str, key: str) -> None:
    """Removes a passkey; raises `Refused` where it is the last way in."""
    known = [own["id"] for own in keys_of(connection, person)]
    if key not in known:
        raise Refused("not_found")
    holder = find(connection, person)
    if len(known) == 1 and (holder is None or holder.link is None):
        raise Refused("last_key")
    connection.execute(delete(passkeys).where(passkeys.c.id == key))


def key_owner(connection: Connection, key: str) -> tuple[Person, bytes, int] | None:
    """Returns whose passkey it is, its public key and its counter."""
    row = connection.execute(select(passkeys).where(passkeys.c.id == key)).first()
    owner = None if row is None else find(connection, row.person)
    return None if row is None or owner is None else (owner, row.public_key, row.signs)


def count_use(connection: Connection, key: str, signs: int) -> None:
    connection.execute(update(passkeys).where(passkeys.c.id == key).values(signs=signs))


# Sessions


def sign_in(connection: Connection, person: Person, now: int) -> str:
    """Begins a session; returns its secret. Raises `Refused` for somebody who is banned."""
    if person.banned:
        raise Refused("banned")
    connection.execute(delete(sessions).where(sessions.c.used < now - SESSION))
    secret = new_secret()
    values = {"hash": digest(secret), "person": person.id, "used": now}
    connection.execute(insert(sessions).values(values))
    return secret


def sign_out(connection: Connection, secret: str) -> None:
    connection.execute(delete(sessions).where(sessions.c.hash == digest(secret)))


def sign_out_everywhere(connection: Connection, person: str) -> None:
    connection.execute(delete(sessions).where(sessions.c.person == person))


def by_session(connection: Connection, secret: str, now: int) -> Person | None:
    """Returns who is signed in by this session."""
    own = sessions.c
    query = select(own.person).where(own.hash == digest(secret), own.used >= now - SESSION)
    person = connection.scalar(query)
    return None if person is None else find(connection, person)


def note_use(connection: Connection, secret: str, person: str, now: int) -> None:
    """Keeps a session alive, and notes that its person is here."""
    of_session = update(sessions).where(sessions.c.hash == digest(secret))
    connection.execute(of_session.values(used=now))
    connection.execute(update(persons).where(persons.c.id == person).values(seen=now))


# Invitations


def invite(connection: Connection, now: int) -> str:
    """Makes an invitation for one new person; returns its secret."""
    secret = new_secret()
    connection.execute(delete(invitations).where(invitations.c.created < now - INVITATION))
    connection.execute(insert(invitations).values(hash=digest(secret), created=now))
    return secret


def is_invited(connection: Connection, secret: str | None, now: int) -> bool:
    """Checks whether an invitation is still good."""
    own = invitations.c
    query = select(own.created).where(own.hash == digest(secret or ""))
    created = connection.scalar(query)
    return created is not None and created >= now - INVITATION


def use_invitation(connection: Connection, secret: str, now: int) -> None:
    """Uses an invitation up; raises `Refused` where it is not good, or used by somebody else."""
    if not is_invited(connection, secret, now):
        raise Refused("not_invited")
    used = connection.execute(delete(invitations).where(invitations.c.hash == digest(secret)))
    if not used.rowcount:
        raise Refused("not_invited")
