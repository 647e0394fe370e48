"""What is seen of a table: the same for everyone, and never anything about undrawn tokens."""

from typing import Annotated, Literal

from pydantic import StringConstraints

from .base import (
    Clock,
    DateText,
    Edition,
    FieldId,
    Millis,
    Model,
    Patience,
    PersonId,
    SeatNumber,
    Status,
    TableId,
    Zombie,
)
from .events import GameEvent
from .orders import SeatOrders

SeatKind = Literal["open", "reserved", "human", "bot"]
"""`reserved`: nobody sits there yet, and only who has the seat's link may."""
PhaseName = Literal["draw", "offer", "bid", "settle", "develop", "over"]
TokenPlace = Literal["bag", "up", "down"]
FieldStatus = Literal["undeveloped", "developed", "lapsed", "held", "spent", "hidden"]
"""Fields without an owner are not listed. `hidden`: in somebody's closed hand (Industria)."""


class TableOptions(Model):
    """Everything that is decided when a table is made (rulings, table L)."""

    edition: Edition = "industry"
    players: Literal[3, 4] = 4
    board: str = ""
    """Name of a board that the server has; empty: that of the edition."""
    rules: dict[str, str] = {}
    """Options that change the rules, as in the game record; missing ones have their default."""
    seating: Literal["random", "as_joined"] = "random"
    undo: Literal["own_last", "off"] = "own_last"
    auto_forced: bool = True
    clock: Clock = "none"
    zombie: Zombie = "passive"
    patience: Patience = "10m"
    chat: bool = True
    """Whether people at the table can write to each other."""
    listed: bool = False
    """Shown in the lobby; else only who has the link finds it."""
    daily: DateText = ""
    """Of a daily deal: its date. Only `POST /api/daily` makes such a table."""
    rated: bool = False
    """Counts for the ratings of its players: no hints, no undo."""
    hints: Literal["auto", "on", "off"] = "auto"
    """Whether players may ask for hints; `auto`: only somebody who plays against bots alone."""
    what_if: bool = False
    """A branch of another game. Only `POST /api/what-if` makes such a table."""
    cup: Annotated[str, StringConstraints(pattern=r"^([a-z0-9]{12})?$")] = ""
    """The cup that the game belongs to. Only cups make such a table."""
    duplicate: bool = False
    """The other tables of the round have the same bag: until all of them are over, its draws are
    proven to nobody, and nobody but the players can watch.
    """


class SeatView(Model):
    seat: SeatNumber
    kind: SeatKind
    name: str
    """Empty while the seat is open; of a reserved one, whom a rematch waits for."""
    person: PersonId | None = None
    """The person who sits here; null for guests and bots."""
    bot: str | None = None
    """The bot that plays here, by its installed name."""
    bot_number: int | None = None
    """Which one it is of these bots at the table, from 1, so that a client can name it in its own
    language; null where `name` stands as it is."""
    absent: bool = False
    """A stand-in plays for the seat until its holder returns."""
    claimed: bool = False
    """Somebody holds the seat's secret."""
    taken_back: int = 0
    """How often its holder has taken a decision back."""
    hints: int = 0
    """How many steps of hints its holder has asked for."""


class ClockView(Model):
    """Time left per seat; `deadline` is when the deciding seat will be played for."""

    remaining: list[Millis] = []
    deadline: Millis | None = None
    stand_in_at: Millis | None = None
    """From when on others may seat a stand-in for the deciding seat; null where they may not."""
    stand_in_asked: list[SeatNumber] = []
    """Who has asked for it."""


class Proof(Model):
    """The fair bag: the promise before the first draw, and what has been revealed since."""

    scheme: Literal[1, 2] = 2
    """How keys follow from the secret: `industry-bag-1` or `industry-bag-2`."""
    rules_version: int = 1
    commitment: str = ""
    places: list[int] = []
    """For each seat the place in which its player joined."""
    shuffled: bool = False
    """Whether the bag decided who sits where."""
    contributions: list[str] = []
    """What each seat added, in seat order; fixed when the game starts."""
    era_keys: list[str] = []
    """Keys of the eras that are over."""
    secret: str | None = None
    """Revealed when the game is over."""
    daily: DateText = ""
    """The date from which this bag follows: it is public, and no secret was promised."""


class OwnedField(Model):
    owner: SeatNumber | None
    status: FieldStatus


class Market(Model):
    """Where a resource can be had now."""

    makers: list[SeatNumber]
    bank: bool
    bank_era: int
    """The era from which on the bank sells it."""


class Parts(Model):
    """The six parts of a seat's points, as in the game record."""

    development: int
    money: int
    links: int
    bonuses: int
    jokers: int
    subsidy: int
    points: int


class Auction(Model):
    """The auction that runs; `order` is who speaks in turn, the Auctioneer last."""

    field: FieldId
    auctioneer: SeatNumber
    order: list[SeatNumber]
    bids: list[int | None]
    """By seat: null not asked yet, 0 passed."""
    high_bid: int
    high_bidder: SeatNumber | None


class GameView(Model):
    """The position, as far as people at the table see it."""

    moves: int
    """Lines of the record so far."""
    round: int
    era: int
    phase: PhaseName
    actor: SeatNumber | None
    """Who must decide; null where a draw is due or all is over."""
    starting_player: SeatNumber
    auctioneer: SeatNumber | None
    auction: Auction | None
    available: list[FieldId]
    """Fields of the face-up tokens."""
    tokens: dict[str, TokenPlace]
    """By column letter, of the current era."""
    talers: list[int]
    points: list[int]
    """The score track."""
    subsidies: list[int]
    hands: list[int]
    """How many tiles each seat hides; all 0 unless hands are closed."""
    fields: dict[FieldId, OwnedField]
    market: dict[str, Market]
    score: list[Parts]
    """By seat, as if the game ended now."""
    winners: list[SeatNumber]
    """Empty while the game runs."""


class BranchView(Model):
    """Where a branch comes from: a moment of another game."""

    moves: int
    """After how many of its moves."""
    line: str
    """What was played there; empty at the end of an unfinished game."""
    players: list[str]
    """Who played it, by seat."""
    origin: TableId | None
    """Its table, where it has one here."""


class TableView(Model):
    """A table as everyone sees it after the log entry `version`."""

    table: TableId
    version: int
    status: Status
    options: TableOptions
    board_hash: str
    created: Millis
    seats: list[SeatView]
    clock: ClockView
    proof: Proof
    next_table: TableId | None = None
    """The rematch."""
    branch: BranchView | None = None
    """Of a branch: where it comes from."""
    hints: bool = False
    """Whether players may ask for hints here."""
    game: GameView | None = None
    """Null until the game has started."""


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


class Yours(Model):
    """What only the holder of a seat is told."""

    seat: SeatNumber
    legal: list[str]
    """The lines that this seat may send now."""
    can_undo: bool
    hand: list[FieldId] = []
    """Industria with closed hands: the tiles that the others do not see."""
    choices: list[Choice] = []
    """What each line of `legal` would bring; empty unless `hello` asked for it."""
    orders: SeatOrders | None = None
    """Null where the seat never had any."""
