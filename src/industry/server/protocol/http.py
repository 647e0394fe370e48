"""Requests and answers of the HTTP interface: the lobby, seats, records, boards and bots.

Requests for a seat or as host carry `Authorization: Bearer TOKEN`.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from .base import (
    CommandId,
    FieldId,
    Millis,
    Model,
    PlayerName,
    Randomness,
    SeatNumber,
    Status,
    TableId,
    Token,
)
from .server import ErrorCode
from .view import SeatView, TableOptions


class SeatWish(Model):
    """How a seat of a new table is filled."""

    kind: Literal["open", "reserved", "human", "bot"] = "open"
    """`human`: the maker of the table takes it, at this screen (several: hot-seat).
    `reserved`: only who has the seat's own link may take it."""
    name: PlayerName | None = None
    as_person: bool = False
    """Of one `human` seat: the person who is signed in sits there."""
    bot: str | None = None
    randomness: Randomness | None = None


class NewTable(Model):
    id: CommandId
    options: TableOptions = TableOptions()
    seats: Annotated[list[SeatWish], Field(min_length=3, max_length=4)]


class HeldSeat(Model):
    seat: SeatNumber
    """The place in which one joined; a random seating moves it at the start. The token stays."""
    token: Token
    commitment: str
    """The promise about the bag. Keep it with the token: only you can compare it later."""


class TableMade(Model):
    table: TableId
    host: Token
    """May start the table, put bots on open seats, free seats, and set the table's webhook."""
    seats: list[HeldSeat]
    reserved: list[HeldSeat] = []
    """Links for others: who bears such a token may take that seat."""


class TakeSeat(Model):
    """Take an open seat: this one, or the first that is free.

    Who bears the token of a reserved seat takes that one, and keeps the token.
    """

    id: CommandId
    name: PlayerName
    as_person: bool = False
    """Sit down as the person who is signed in; then `name` does not matter."""
    seat: SeatNumber | None = None
    randomness: Randomness | None = None


class SeatToBot(Model):
    """Host only: put a bot on an open seat before the start."""

    id: CommandId
    seat: SeatNumber
    bot: str


class FreeSeat(Model):
    """Host only: frees a taken seat, before the start."""

    id: CommandId
    seat: SeatNumber


class SeatStandIn(Model):
    """Host only: let a stand-in decide for a seat that has not for too long."""

    id: CommandId
    seat: SeatNumber


class NewLink(Model):
    """A new link for a seat; the old one holds no longer.

    The seat's holder may ask for one at any time. The host may before the start, which also
    reserves an open seat, and later while the seat is played for.
    """

    id: CommandId
    seat: SeatNumber


class Rematch(Model):
    """A holder of a seat of a finished game asks for another; seats rotate by one.

    Seats of people are reserved for them: each takes his own with his token, and adds to the bag.
    It begins when all have come, or after a minute: then somebody plays for those who have not.
    """

    id: CommandId


class Webhook(Model):
    """Called once per turn of the seat (host: of every seat); an empty address ends it."""

    id: CommandId
    url: Annotated[str, StringConstraints(max_length=500)]


class WebhookSet(Model):
    secret: str | None
    """The calls are signed with it: `Industry-Signature: sha256=…` over the body."""


class NetworkWish(Model):
    """Open the server of `industry play` to the network, or close it again."""

    open: bool


class NetworkState(Model):
    available: bool
    """Whether the asker may open it: the person at the machine, under `industry play`."""
    address: str = ""
    """Where others in the network reach it; empty while it is closed."""
    found: list[str] = []
    """The addresses of this machine in its networks."""


class Mine(Model):
    """Asks about the tables that the holder of these tokens sits at."""

    tokens: Annotated[list[Token], Field(max_length=100)]


class LobbyTable(Model):
    table: TableId
    status: Status
    options: TableOptions
    created: Millis
    changed: Millis
    seats: list[SeatView]
    actor: SeatNumber | None
    round: int | None
    era: int | None
    points: list[int] = []
    """Of a game that is over, by seat; empty for tables that ended before this was kept."""
    winners: list[SeatNumber] = []


class MyTable(Model):
    """One of the asker's own seats. `token` is the place of its token in the question."""

    token: int
    seat: SeatNumber | None
    """Null: this is the host's token and no seat's."""
    your_turn: bool
    table: LobbyTable


class Tables(Model):
    tables: list[LobbyTable]


class MyTables(Model):
    tables: list[MyTable]


class Measured(Model):
    """What a bot's games against its neighbour on the ladder came to, at equal seats."""

    other: str
    wins: bool
    """Whether this bot is the stronger one."""
    low: float
    """The share of games that the stronger one won: at the table where it won least …"""
    high: float
    """… and where it won most; 0 to 1."""


class BotInfo(Model):
    name: str
    level: int
    description: str
    rating: float | None
    measured: Measured | None = None


class Bots(Model):
    bots: list[BotInfo]


class BonusInfo(Model):
    network: str
    points: int


class FieldInfo(Model):
    """One field as its board file states it; `attested` names the values with a source."""

    id: FieldId
    kind: Literal["joker", "bonus", "factory", "technology"]
    name: dict[str, str]
    cost: int
    needs: list[str]
    makes: str | None
    points: int
    discount: int
    networks: list[str]
    joker: str | None
    bonus: BonusInfo | None
    attested: list[str]
    source: str
    picture: str = ""
    """The drawing among the symbols of `boards/picture`; empty for jokers."""


class WayInfo(Model):
    """A network or link as lines across the board, in the coordinates of `Layout`."""

    name: str
    """The network, `road` or `line`."""
    ends: list[FieldId]
    """Of a link: the two fields it joins. Of a network: all its fields."""
    lines: list[list[tuple[float, float]]]
    """Polylines: trunk, lanes and stubs."""
    badges: list[tuple[float, float]]
    """Where the sign of the network stands, one per stub."""


class LayoutInfo(Model):
    """Where everything lies, for a picture of `width` by `height`."""

    width: float
    height: float
    card_width: float
    card_height: float
    card_x: list[float]
    card_y: list[float]
    ways: list[WayInfo]


class BoardInfo(Model):
    id: str
    hash: str
    edition: str
    status: Literal["reconstruction", "verified"]
    coin_columns: list[str]
    resources: list[str]
    networks: list[str]
    fields: list[FieldInfo]
    links: list[tuple[FieldId, FieldId]]
    layout: LayoutInfo
    signs: dict[str, str] = {}
    """By network: the symbol in its badges."""


class BoardName(Model):
    id: str
    edition: str
    status: str
    hash: str


class Boards(Model):
    boards: list[BoardName]


class Problem(Model):
    """Every answer that is not a success: a stable code, never exception text."""

    code: ErrorCode
    detail: str = ""
    """Which key of the request is wrong, where that is it."""
    retry_after: int | None = None
    """Where something was too much or too fast: seconds to wait, as in the header `Retry-After`."""


class LogLine(Model):
    """An entry of the log. Each hash is SHA-256 over the one before, a line end and the entry."""

    entry: str
    """Canonical JSON, as it is stored."""
    hash: str


class TableLog(Model):
    """The whole log; the first entry is chained to SHA-256 of `industry table` and its name."""

    entries: list[LogLine]
