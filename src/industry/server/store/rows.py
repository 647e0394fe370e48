"""What goes into the store and comes out of it, as plain values."""

from dataclasses import dataclass, field

from ..entries import How
from ..protocol.base import Status


class StoreUnavailable(Exception):
    """The database is lost, locked or full. Whether a commit under way succeeded is not known."""


class Conflict(Exception):
    """Another process has appended to the log, or the command is already in it."""


@dataclass(frozen=True, slots=True)
class LogRow:
    table: str
    version: int
    entry: str
    hash: str
    command: str | None = None
    """The command that it became; unique at its table."""


@dataclass(frozen=True, slots=True)
class IndexRow:
    """What lists of tables show, so that nobody replays logs for them."""

    table: str
    status: Status
    listed: bool
    created: int
    changed: int
    due: int | None
    """When the server must do something by itself; None where it waits for a person."""
    summary: str
    """A `protocol.http.LobbyTable` as JSON, and the `places` in which its seats joined."""


@dataclass(frozen=True, slots=True)
class TokenRow:
    """Who may act at a table. Only the token's hash is kept; place 0 is the host."""

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
    """The bag's secret of each table that is made, in hexadecimal digits."""
    boards: dict[str, str] = field(default_factory=dict)
    """Texts of board files by their hash: a game goes on where the file has changed since."""
    moves: list[How] = field(default_factory=list)
    """Who made the moves that the rows hold, to be counted when they are durable."""
    tokens: list[TokenRow] = field(default_factory=list)
    revoked: list[TokenRow] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Kept:
    """Everything that is kept of a table."""

    rows: list[LogRow]
    secret: str
    """Of the bag, in hexadecimal digits."""
    tokens: list[TokenRow]
