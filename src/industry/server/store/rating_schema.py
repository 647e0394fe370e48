"""The ratings' part of the database: counted games with all that their ratings follow from.

A row of `rating_seats` holds how a seat ended and its rating before and after, so everything can be
computed again, also when the table, or a person at it, has been deleted.
"""

from sqlalchemy import BigInteger, Boolean, Column, Double, Index, Integer, String, Table, Text

from .schema import metadata

rating_games = Table(
    "rating_games",
    metadata,
    Column("table_id", String(12), primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("edition", String(16), nullable=False),
    Column("players", Integer, nullable=False),
    Column("pace", String(8), nullable=False),
    Column("ended", BigInteger, nullable=False),
)
"""`number` is the order in which games were counted, from 1."""

rating_seats = Table(
    "rating_seats",
    metadata,
    Column("table_id", String(12), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", String(12)),
    Column("bot", String(40)),
    Column("rank", Integer, nullable=False),
    Column("won", Double, nullable=False),
    Column("left", Boolean, nullable=False),
    Column("chances", Text),
    Column("expected", Double, nullable=False),
    Column("rating_before", Double, nullable=False),
    Column("doubt_before", Double, nullable=False),
    Column("rating_after", Double, nullable=False),
    Column("doubt_after", Double, nullable=False),
    Index("ix_rating_seats_person", "person"),
)
"""Seats count from 1. `chances` are those by which somebody is rated who left, as JSON. Without
`person` and `bot` it was the seat of a person who has been deleted: its rating before stays.
"""

ratings = Table(
    "ratings",
    metadata,
    Column("person", String(12), primary_key=True),
    Column("edition", String(16), primary_key=True),
    Column("players", Integer, primary_key=True, autoincrement=False),
    Column("pace", String(8), primary_key=True),
    Column("rating", Double, nullable=False),
    Column("doubt", Double, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("games", Integer, nullable=False),
)
"""What is left to say of each person: it follows from the counted games."""

RATINGS = (rating_games, rating_seats, ratings)
