"""The club's part of the database: persons, their keys, their seats.

All of it is created when a server starts. The version before does not know these tables and can
still use the database. Logs never name a person: a seat's entry has an alias, and `person_seats`
says whose it is, so that a deleted person leaves readable games and no name.
"""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, String, Table, Text

from . import notices_schema
from .cup_schema import CUPS
from .rating_schema import RATINGS
from .schema import metadata

persons = Table(
    "persons",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("likeness", String(80), nullable=False, unique=True),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("banned", Boolean, nullable=False),
    Column("operator", Boolean, nullable=False),
    Column("link", String(64), unique=True),
)
"""`likeness` is what people see of the name, so that no two look alike; `link` is the hash of the
secret link. `seen` is exact to a minute.
"""

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String(1400), primary_key=True),
    Column("person", String(12), nullable=False, index=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("signs", BigInteger, nullable=False),
    Column("label", String(40), nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""`signs` is the authenticator's own counter, which only grows."""

sessions = Table(
    "sessions",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("person", String(12), nullable=False, index=True),
    Column("used", BigInteger, nullable=False),
)

challenges = Table(
    "challenges",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("wish", Text, nullable=False),
    Column("until", BigInteger, nullable=False, index=True),
)
"""Passkey ceremonies under way; each is used once."""

invitations = Table(
    "invitations",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("created", BigInteger, nullable=False),
)

person_seats = Table(
    "person_seats",
    metadata,
    Column("table_id", String(12), primary_key=True),
    Column("alias", String(24), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("person", String(12), nullable=False),
    Index("ix_person_seats_person", "person"),
)
"""Whose seat it is that a log names by an alias."""

CLUB = (
    *(persons, passkeys, sessions, challenges, invitations, person_seats),
    *notices_schema.NOTICES,
    *RATINGS,
)
LASTING = (persons, passkeys, invitations, person_seats, *CUPS, *RATINGS, *notices_schema.LASTING)
"""What a backup holds. Sessions and ceremonies end with their server."""
