"""What the server sends through the socket of a table."""

from typing import Annotated, Literal

from pydantic import Field

from .base import PROTOCOL, CommandId, Emote, FieldId, Millis, Model, SeatNumber
from .events import Entry, Step
from .orders import OrdersPreview
from .view import TableView, Yours

ErrorCode = Literal[
    "bad_message",
    "too_large",
    "too_many_messages",
    "too_fast",
    "busy",
    "too_many_sockets",
    "too_many_watchers",
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
    "too_early",
    "chat_off",
    "no_coach",
    "hints_off",
    "not_your_turn",
    "too_fast",
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
    "too_many_undos",
    "table_closed",
    "name_taken",
    "wrong_host",
    "no_network",
    "persons_off",
    "not_signed_in",
    "not_invited",
    "banned",
    "bad_passkey",
    "last_key",
    "not_operator",
    "cups_off",
    "no_cup",
    "cup_full",
    "cup_started",
    "cup_over",
    "cup_too_small",
    "in_cup",
    "not_in_cup",
    "not_cup_owner",
    "too_many_cups",
    "sealed",
    "store_unavailable",
    "stopping",
    "newer_version",
    "not_found",
    "internal",
]


class Reserved(Model):
    """A seat that waits for the bearer of a token; `token` is its place in `hello`."""

    seat: SeatNumber
    token: int


class Welcome(Model):
    """Answer to `hello`, before the first snapshot or the missing entries."""

    type: Literal["welcome"] = "welcome"
    protocol: int = PROTOCOL
    seats: list[SeatNumber]
    """The seats that this socket may act for."""
    reserved: list[Reserved] = []
    """The seats that its tokens may still take: `POST /api/tables/T/seats`."""
    host: bool
    now: Millis


class Snapshot(Model):
    """The whole table; replaces all that the client knew."""

    type: Literal["snapshot"] = "snapshot"
    view: TableView
    yours: list[Yours]
    log: list[Entry]
    """The last 500 entries; `ask_steps` tells those before the first of them."""


class Update(Model):
    """What happened since the version that the client has, one step after the other."""

    type: Literal["update"] = "update"
    version: int
    """That of the last step; of the table where there is none."""
    steps: list[Step]
    yours: list[Yours]
    """After the last step."""


class Warming(Model):
    """Machine code is being compiled, which happens once; meanwhile another bot stands in."""

    ready: int
    """How many of its parts are there."""
    total: int
    bots: list[str]
    """The bots that need it, by their installed names."""
    stand_in: str
    """The bot that decides for them meanwhile."""
    failed: bool = False
    """It could not be compiled: the stand-in goes on."""


class Presence(Model):
    """Who is connected now, by seat, and how many watch; not part of the log."""

    type: Literal["presence"] = "presence"
    connected: list[bool]
    watching: int
    warming: Warming | None = None
    """Null when no bot waits for machine code."""


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
    retry_after: int | None = None
    """Where something was too much or too fast: seconds to wait."""


class Why(Model):
    """Answer to `ask_why`; null where the move is allowed."""

    type: Literal["why"] = "why"
    id: CommandId
    version: int
    refusal: Refusal | None


class Worth(Model):
    """What a field would add for a seat that owned it and developed all it owns."""

    seat: SeatNumber
    points: int
    """Of the cogwheel, if developed in time; of a joker, if it stays unused."""
    links: int
    """Points of links that it would complete with fields this seat has."""
    bonuses: int
    """Points of bonus fields and network factories together that would be added."""
    price: int | None
    """Talers for the development now, jokers spent last; null where it is not possible."""
    jokers: int
    """How many jokers that price includes."""
    sells_to: int
    """Undeveloped fields of others, known so far, that its product could serve."""


class Demand(Model):
    """How many fields can still use a resource."""

    resource: str
    fields: int
    """All that need it and can still be developed."""
    to_come: int
    """Of them, those that will still be auctioned."""
    seats: list[SeatNumber]
    """Who owns such a field and does not make the resource."""


class NetworkProspects(Model):
    """What can still come together on a network; the field asked about is not counted."""

    network: str
    factories: list[int]
    """By seat: how many factories it owns there."""
    factories_to_come: int
    bonuses: list[int]
    """By seat: points per factory of the bonus fields it owns."""
    bonuses_to_come: int


class Neighbour(Model):
    """The field at the other end of a road or line, if it still can count."""

    field: FieldId
    owner: SeatNumber | None
    to_come: bool


class Prospects(Model):
    """What decides how much a field may become worth."""

    demand: Demand | None
    """For what a factory makes or a joker stands for."""
    networks: list[NetworkProspects]
    neighbours: list[Neighbour]


class FieldWorth(Model):
    type: Literal["field"] = "field"
    id: CommandId
    version: int
    field: FieldId
    worth: list[Worth]
    prospects: Prospects
    claim_limit: int | None
    """Of the field on offer: the highest bid at which the Auctioneer can still claim."""


class StepsPart(Model):
    """Answer to `ask_steps`: steps in their order, the first one right after the version asked."""

    type: Literal["steps"] = "steps"
    id: CommandId
    version: int
    steps: list[Step]


class Said(Model):
    """Somebody has said something; kept while the table is in use, and in no record."""

    type: Literal["said"] = "said"
    number: int
    """Counts from 1; after a reconnect some come again."""
    at: Millis
    seat: SeatNumber
    text: str
    emote: Emote | None


class Pong(Model):
    type: Literal["pong"] = "pong"
    id: CommandId
    now: Millis


ServerMessage = Annotated[
    Welcome
    | Snapshot
    | Update
    | Presence
    | Accepted
    | Error
    | Why
    | FieldWorth
    | StepsPart
    | OrdersPreview
    | Said
    | Pong,
    Field(discriminator="type"),
]
