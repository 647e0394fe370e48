"""The tables of notices. The version before does not know them and can still use the database.

An owner is a person (its id) or a place at a table (`TABLE/PLACE`). Nothing here is ever shown to
anybody else.
"""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, String, Table, Text

from .schema import metadata

channels = Table(
    "notice_channels",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("owner", String(20), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("address", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("label", String(40), nullable=False),
    Column("language", String(2), nullable=False),
    Column("spare", Boolean, nullable=False),
    Column("code", String(64)),
    Column("guesses", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
    Index("ix_notice_channels_owner", "owner", "digest", unique=True),
    Index("ix_notice_channels_digest", "digest"),
)
"""Where notices go. `digest` is that of the address; `secret` are the keys of a device, or what
signs the calls of a webhook. `code` is the hash of what a mail address has still to confirm.
"""

nights = Table(
    "notice_nights",
    metadata,
    Column("owner", String(20), primary_key=True),
    Column("begin", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("zone", String(64), nullable=False),
)
"""When an owner wants no notices, in minutes after midnight."""

notices = Table(
    "notices",
    metadata,
    Column("table_id", String(12), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(4), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("due", BigInteger),
    Column("tries", Integer, nullable=False),
    Column("told", Text, nullable=False),
    Index("ix_notices_due", "due"),
)
"""The last notice of each kind to a place, which one process takes at a time; it is done when `due`
is null. `number` is the log entry that brought the turn, `told` the channels that have it.
"""

NOTICES = (channels, nights, notices)
LASTING = (channels, nights, notices)
"""What a backup holds."""
