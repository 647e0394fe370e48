"""Plain values that are written to the store and read from it."""

from dataclasses import dataclass, field
from typing import NamedTuple

from ..entries import How
from ..protocol.base import Status


class StoreUnavailable(Exception):
    """The database is lost, locked or full. A commit under way may have succeeded or not."""


class Conflict(Exception):
    """Another process has appended to the log, or the command is already in it."""


class LogRow(NamedTuple):
    table: str
    version: int
    entry: str
    hash: str
    command: str | None = None
    """The command of this entry; unique at its table."""


class IndexRow(NamedTuple):
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


@dataclass(frozen=True, slots=True)
class SeatPerson:
    """The person at a seat, as others see them."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class PersonSeat:
    """A seat that a person takes; the table's log names it by the alias only."""

    table: str
    place: int
    alias: str
    person: SeatPerson


@dataclass(frozen=True, slots=True)
class OrdersRow:
    """The standing orders of a place after their change number `revision`, as JSON."""

    table: str
    place: int
    revision: int
    command: str | None
    lines: str


@dataclass(frozen=True, slots=True)
class ObeyedOrders:
    """Orders that a commit has followed: it fails if they have changed since that revision."""

    table: str
    place: int
    revision: int


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
    seated: list[PersonSeat] = field(default_factory=list)
    unseated: list[tuple[str, int]] = field(default_factory=list)
    """Tables and places that no longer belong to a person."""
    orders: list[OrdersRow] = field(default_factory=list)
    obeyed: list[ObeyedOrders] = field(default_factory=list)

    @property
    def is_plain(self) -> bool:
        """Whether there are only entries of tables that exist, as with every move."""
        more = self.new_tables or self.boards or self.tokens or self.revoked
        return not (more or self.orders or self.obeyed)


@dataclass(frozen=True, slots=True)
class StoredTable:
    """Everything that is stored about a table."""

    rows: list[LogRow]
    secret: str
    """The bag's secret, in hexadecimal digits."""
    tokens: list[TokenRow]
    people: dict[str, SeatPerson]
    """Persons at the table, by the aliases in its log."""
    orders: list[OrdersRow] = field(default_factory=list)
