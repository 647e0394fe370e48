"""The table's log and the game's events on the wire: what happened, in order."""

from typing import Annotated, Any, Literal

from pydantic import Field

from .base import FieldId, Millis, Model, SeatNumber

How = Literal["player", "order", "bot", "automatic", "zombie", "chance", "given"]
"""Who made a move: the seat's holder, its bot, the server because it was forced, the server for an
absent seat, or the bag; `given`: it was made in the game that this one branched off."""


class TalersMoved(Model):
    type: Literal["talers_moved"] = "talers_moved"
    source: SeatNumber | None
    """Null is the bank, here and in `target`."""
    target: SeatNumber | None
    amount: int
    reason: str


class RoundStarted(Model):
    type: Literal["round_started"] = "round_started"
    number: int
    era: int
    starting_player: SeatNumber


class TokensDrawn(Model):
    type: Literal["tokens_drawn"] = "tokens_drawn"
    fields: list[FieldId]


class FieldOffered(Model):
    type: Literal["field_offered"] = "field_offered"
    seat: SeatNumber
    field: FieldId


class BidMade(Model):
    type: Literal["bid_made"] = "bid_made"
    seat: SeatNumber
    talers: int


class BidPassed(Model):
    type: Literal["bid_passed"] = "bid_passed"
    seat: SeatNumber


class FieldSold(Model):
    type: Literal["field_sold"] = "field_sold"
    seat: SeatNumber
    buyer: SeatNumber
    field: FieldId
    price: int


class FieldClaimed(Model):
    type: Literal["field_claimed"] = "field_claimed"
    seat: SeatNumber
    field: FieldId
    price: int


class FieldTaken(Model):
    type: Literal["field_taken"] = "field_taken"
    seat: SeatNumber
    field: FieldId


class AuctioneerChanged(Model):
    type: Literal["auctioneer_changed"] = "auctioneer_changed"
    seat: SeatNumber


class ResourceProvided(Model):
    type: Literal["resource_provided"] = "resource_provided"
    seat: SeatNumber
    resource: str
    source: str
    """`own`, `bank`, `joker`, `any` or the number of the seat that sold it."""


class FieldDeveloped(Model):
    type: Literal["field_developed"] = "field_developed"
    seat: SeatNumber
    field: FieldId
    points: int


class TurnEnded(Model):
    type: Literal["turn_ended"] = "turn_ended"
    seat: SeatNumber


class SubsidyTaken(Model):
    type: Literal["subsidy_taken"] = "subsidy_taken"
    seat: SeatNumber


class TileCashed(Model):
    type: Literal["tile_cashed"] = "tile_cashed"
    seat: SeatNumber
    field: FieldId


class StartingPlayerChanged(Model):
    type: Literal["starting_player_changed"] = "starting_player_changed"
    seat: SeatNumber


class EraChanged(Model):
    type: Literal["era_changed"] = "era_changed"
    era: int


class TechnologyLapsed(Model):
    type: Literal["technology_lapsed"] = "technology_lapsed"
    seat: SeatNumber
    field: FieldId


class PointsScored(Model):
    type: Literal["points_scored"] = "points_scored"
    seat: SeatNumber
    part: str
    points: int


class GameEnded(Model):
    type: Literal["game_ended"] = "game_ended"


GameEvent = Annotated[
    TalersMoved
    | RoundStarted
    | TokensDrawn
    | FieldOffered
    | BidMade
    | BidPassed
    | FieldSold
    | FieldClaimed
    | FieldTaken
    | AuctioneerChanged
    | ResourceProvided
    | FieldDeveloped
    | TurnEnded
    | SubsidyTaken
    | TileCashed
    | StartingPlayerChanged
    | EraChanged
    | TechnologyLapsed
    | PointsScored
    | GameEnded,
    Field(discriminator="type"),
]

EntryKind = Literal[
    "created",
    "seat_taken",
    "seat_left",
    "seat_freed",
    "seat_reserved",
    "link_renewed",
    "seat_to_bot",
    "started",
    "move",
    "undone",
    "absent",
    "returned",
    "stand_in_asked",
    "era_revealed",
    "bag_revealed",
    "rematch",
    "hint_used",
    "branched",
    "unknown",
    "closed",
]
"""`unknown`: of a newer version, and without effect on anything that is shown here."""


class Entry(Model):
    """One entry of the table's log, as everyone may see it."""

    version: int
    at: Millis
    kind: EntryKind
    seat: SeatNumber | None = None
    """Whom it concerns."""
    how: How | None = None
    """Of moves."""
    stand_in: str | None = None
    """Of a bot's move: the bot that decided for it, as its machine code was not there yet."""
    line: str | None = None
    """Of moves: the line of the record. Of `undone`: the last line that remains taken back."""
    moves: int | None = None
    """Of `undone`: how many lines of the record are left. Of `branched`: how many were taken."""
    step: int | None = None
    """Of `hint_used`: which one of the three."""
    reason: Literal["left", "clock", "resigned", "voted", "never_started", "abandoned"] | None = (
        None
    )
    """Of `absent`, and the last two of `closed`."""
    target: SeatNumber | None = None
    """Of `stand_in_asked`: for whom."""
    name: str | None = None
    """Of `seat_taken` and `seat_to_bot`: who sits there now; of `seat_reserved`: who shall."""
    events: list[GameEvent] = []


class Step(Model):
    """An entry and what it changed in the view of the table: the same at tables and in replays.

    Keys of `changed` replace those of the view, those of `changed.game` the keys of its game, and
    those of `fields` and `market` in it only themselves; a field that is null has no owner any
    more. Before the start of a game there is none, and `changed.game` is the whole of the first.
    """

    entry: Entry
    changed: dict[str, Any]
