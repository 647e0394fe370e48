"""What the server sends through the socket of a table."""

from typing import Annotated, Any, Literal

from pydantic import Field

from .base import PROTOCOL, CommandId, FieldId, Millis, Model, SeatNumber
from .events import Entry, GameEvent
from .view import TableView, Yours

ErrorCode = Literal[
    "bad_message",
    "too_large",
    "too_many_messages",
    "too_many_sockets",
    "too_slow",
    "protocol_version",
    "hello_first",
    "hello_once",
    "no_table",
    "bad_token",
    "not_your_seat",
    "stale",
    "illegal_move",
    "bad_line",
    "not_started",
    "game_over",
    "undo_off",
    "nothing_to_undo",
    "not_absent",
    "seat_taken",
    "table_full",
    "already_started",
    "not_host",
    "bad_options",
    "unknown_bot",
    "unknown_board",
    "bad_name",
    "bad_record",
    "not_over",
    "too_many_tables",
    "store_unavailable",
    "stopping",
    "not_found",
    "internal",
]


class Welcome(Model):
    """Answer to `hello`, before the first snapshot or the missing entries."""

    type: Literal["welcome"] = "welcome"
    protocol: int = PROTOCOL
    seats: list[SeatNumber]
    """The seats that this socket may act for."""
    host: bool
    now: Millis


class Snapshot(Model):
    """The whole table; replaces all that the client knew."""

    type: Literal["snapshot"] = "snapshot"
    view: TableView
    yours: list[Yours]
    log: list[Entry]
    """Everything so far, so that a newcomer can read what happened."""


class Update(Model):
    """What happened since the version before. `changed` holds the parts of the view that differ.

    Keys of `changed` replace those of the view; keys of `changed.game` replace those of its game.
    """

    type: Literal["update"] = "update"
    version: int
    entries: list[Entry]
    changed: dict[str, Any]
    yours: list[Yours]


class Presence(Model):
    """Who is connected now, by seat, and how many watch; not part of the log."""

    type: Literal["presence"] = "presence"
    connected: list[bool]
    watching: int


class Accepted(Model):
    """The command is durable; `version` is the entry it became."""

    type: Literal["accepted"] = "accepted"
    id: CommandId
    version: int


class Refusal(Model):
    """Why the rules do not allow a move: codes, and the sentences in the asker's language."""

    code: str
    rule: str
    section: str
    rulings: list[str]
    numbers: dict[str, int | list[int]]
    remedies: list[str]
    wrong: str
    helps: str
    citation: str


class Error(Model):
    """Something was not done, and nothing was changed. Without an id it concerns the socket."""

    type: Literal["error"] = "error"
    id: CommandId | None = None
    code: ErrorCode
    refusal: Refusal | None = None
    """Of `illegal_move`."""
    version: int | None = None
    """Of `stale`: the version that the table has; the missing entries follow as an update."""


class Choice(Model):
    """A legal move and what follows at once from it, before anybody else decides."""

    line: str
    talers: list[int]
    """What changes in every purse, by seat; income of the next round not counted."""
    points: int
    """On the score track of the mover."""
    events: list[GameEvent]
    sold: list[int] | None = None
    """Of a bid: the purses' changes if it stays the highest and the Auctioneer sells."""
    claimed: list[int] | None = None
    """Of a bid: the same if the Auctioneer claims; null where he could not pay for that."""


class Choices(Model):
    type: Literal["choices"] = "choices"
    id: CommandId
    version: int
    seat: SeatNumber
    choices: list[Choice]


class Why(Model):
    """Answer to `ask_why`; null where the move is allowed."""

    type: Literal["why"] = "why"
    id: CommandId
    version: int
    refusal: Refusal | None


class Worth(Model):
    """What a field would bring a seat if it owned and developed it now."""

    seat: SeatNumber
    points: int
    """Of the cogwheel, if developed in time."""
    links: int
    """Points of links that it would complete with fields this seat has."""
    bonuses: int
    """Points of bonus fields and network factories together that would be added."""
    price: int | None
    """Talers for the development now; null where some need cannot be had."""
    sells_to: int
    """Needs of others, known so far, that its product could serve."""


class FieldWorth(Model):
    type: Literal["field"] = "field"
    id: CommandId
    version: int
    field: FieldId
    worth: list[Worth]


class Pong(Model):
    type: Literal["pong"] = "pong"
    id: CommandId
    now: Millis


ServerMessage = Annotated[
    Welcome | Snapshot | Update | Presence | Accepted | Error | Choices | Why | FieldWorth | Pong,
    Field(discriminator="type"),
]
