"""Plain values that go into the store and come out of it."""

from dataclasses import dataclass, field

from ..entries import How
from ..protocol.base import Status


class StoreUnavailable(Exception):
    """The database is lost, locked or full. A commit under way may have succeeded or not."""


class Conflict(Exception):
    """Another process has appended to the log, or the command is already in it."""


@dataclass(frozen=True, slots=True)
class LogRow:
    table: str
    version: int
    entry: str
    hash: str
    command: str | None = None
    """The command of this entry; unique at its table."""


@dataclass(frozen=True, slots=True)
class IndexRow:
    """What lists show of a table, so that nobody replays logs for them."""

    table: str
    status: Status
    listed: bool
    created: int
    changed: int
    due: int | None
    """When the server must act; None while it waits for a person."""
    summary: str
    """A `protocol.http.LobbyTable` as JSON, and the `places` at which its seats joined."""


@dataclass(frozen=True, slots=True)
class TokenRow:
    """Who may act at a table. Only the token's hash is stored; place 0 is the host."""

    hash: str
    table: str
    place: int


@dataclass(frozen=True, slots=True)
class Hook:
    """A webhook of a seat's holder, or of the host (place 0)."""

    table: str
    place: int
    url: str
    secret: str


@dataclass(slots=True)
class Commit:
    """What becomes durable together or not at all."""

    rows: list[LogRow]
    index: list[IndexRow]
    new_tables: dict[str, str] = field(default_factory=dict)
    """The bag's secret of each new table, in hexadecimal digits."""
    boards: dict[str, str] = field(default_factory=dict)
    """Board files by hash: a game continues even if its file has changed since."""
    makers: dict[str, str] = field(default_factory=dict)
    """By new table: a digest of the address that creates it."""
    moves: list[How] = field(default_factory=list)
    """Who made the moves in the rows, counted once they are durable."""
    tokens: list[TokenRow] = field(default_factory=list)
    revoked: list[TokenRow] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class StoredTable:
    """Everything that is stored about a table."""

    rows: list[LogRow]
    secret: str
    """The bag's secret, in hexadecimal digits."""
    tokens: list[TokenRow]
