"""Cups in the database. They are created when a server starts; the version before does not know
them and can still use the database.

`document` has everything about a cup that may stay for good: it names entrants by numbers and
aliases. Which person an entrant is stands in `cup_players` only, so that a deleted person leaves a
cup that can still be read.
"""

from sqlalchemy import BigInteger, Column, Index, Integer, String, Table, Text

from .schema import metadata

cups = Table(
    "cups",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("status", String(10), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("document", Text, nullable=False),
    Column("secret", String(64), nullable=False),
    Column("owner", String(12)),
    Index("ix_cups_status", "status", "changed"),
)
"""`revision` counts the changes: of two processes that make the same step, one is too late. Bags of
duplicate rounds follow from `secret`, which is published when a cup is over.
"""

cup_players = Table(
    "cup_players",
    metadata,
    Column("cup_id", String(12), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("person", String(12), nullable=False),
    Index("ix_cup_players_person", "person"),
)

CUPS = (cups, cup_players)
