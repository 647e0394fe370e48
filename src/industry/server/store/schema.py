"""The tables of the database.

A new column that may be empty, and a new index, are added when a server starts: the version before
can still use the database. Any other change needs a migration in `migrations/versions`, which locks
older versions out.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

logs = Table(
    "logs",
    metadata,
    Column("table_id", String(12), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("entry", Text, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("command", String(80)),
    UniqueConstraint("table_id", "command"),
    sqlite_with_rowid=False,
)
"""Append-only: the primary key decides which of two writers was first."""

tables = Table(
    "tables",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("status", String(8), nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("due", BigInteger),
    Column("summary", Text, nullable=False),
    Column("maker", String(32)),
    Column("seen", BigInteger),
    Index("ix_tables_due", "due"),
    Index("ix_tables_status", "status", "listed", "changed"),
    Index("ix_tables_maker", "maker"),
)
"""What lists show. It can be recomputed from the logs, except for two columns: `maker` is a digest
of the address that created an unfinished table, `seen` when an open one last had a socket.
"""

secrets = Table(
    "secrets",
    metadata,
    Column("table_id", String(12), primary_key=True),
    Column("bag", String(64), nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("table_id", String(12), primary_key=True, index=True),
    Column("place", Integer, nullable=False),
)

hooks = Table(
    "hooks",
    metadata,
    Column("table_id", String(12), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("url", Text, nullable=False),
    Column("secret", String(64), nullable=False),
)

hook_calls = Table(
    "hook_calls",
    metadata,
    Column("table_id", String(12), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("next_at", BigInteger),
    Column("tries", Integer, nullable=False),
    Index("ix_hook_calls_next_at", "next_at"),
)
"""The last call of each webhook; it is done when `next_at` is null."""

orders = Table(
    "orders",
    metadata,
    Column("table_id", String(12), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("revision", Integer, nullable=False),
    Column("command", String(80)),
    Column("lines", Text, nullable=False),
)
"""The standing orders of a seat's holder, which nobody else may read; `revision` counts their
changes, and `command` made the last one.
"""

TABLE_DATA = (logs, secrets, tokens, hooks, hook_calls, orders)
"""What is stored about a table besides its index row, which follows from the log."""

boards = Table(
    "boards",
    metadata,
    Column("hash", String(80), primary_key=True),
    Column("text", Text, nullable=False),
)

server = Table(
    "server",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)
"""What all processes share, such as the key from which tokens are derived."""

reviews = Table(
    "reviews",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("version", String(80), nullable=False),
    Column("table_id", String(12), index=True),
    Column("record", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger, nullable=False),
    Column("due", BigInteger),
    Column("tries", Integer, nullable=False),
    Column("lines", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("sketch", LargeBinary),
    Column("found", LargeBinary),
    Index("ix_reviews_due", "due"),
)
"""Reviews of games and the jobs that compute them: a process may take a job when it is `due`, and
delays that while it works on it. Null if there is nothing more to do. `sketch` and `found` are
compressed JSON.
"""

review_pieces = Table(
    "review_pieces",
    metadata,
    Column("review", String(32), primary_key=True),
    Column("first", Integer, primary_key=True, autoincrement=False),
    Column("items", LargeBinary, nullable=False),
)
"""What is computed of unfinished reviews."""

game_losses = Table(
    "game_losses",
    metadata,
    Column("table_id", String(12), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("lines", Integer, nullable=False),
    Column("values", String(80), nullable=False),
    Column("loss", Float, nullable=False),
    Column("decisions", Integer, nullable=False),
)
"""What each seat (from 1) lost in a game by its review, which may be deleted sooner than the table.
`kind` is edition and number of players, `values` the version of the judge's values.
"""

ADDED = (reviews, review_pieces, game_losses, orders)
"""Tables that are created when a server starts: the version before, which does not know them, can
still use the database.
"""
