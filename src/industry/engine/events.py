"""Events: what people at the table would see, in order. Seats, eras and fields count from 0."""

from dataclasses import dataclass
from functools import lru_cache

from .constants import COLUMNS, Part, Reason
from .raw_events import EventKind


@dataclass(frozen=True, slots=True)
class TalersMoved:
    """`source` and `target` are seats or BANK (-1)."""

    source: int
    target: int
    amount: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class RoundStarted:
    number: int
    era: int
    starting_player: int


@dataclass(frozen=True, slots=True)
class TokensDrawn:
    fields: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FieldOffered:
    seat: int
    field: int


@dataclass(frozen=True, slots=True)
class BidMade:
    seat: int
    talers: int


@dataclass(frozen=True, slots=True)
class BidPassed:
    seat: int


@dataclass(frozen=True, slots=True)
class FieldSold:
    seat: int
    buyer: int
    field: int
    price: int


@dataclass(frozen=True, slots=True)
class FieldClaimed:
    """The Auctioneer claims the field; `price` is the highest bid."""

    seat: int
    field: int
    price: int


@dataclass(frozen=True, slots=True)
class FieldTaken:
    """Nobody bid: the Auctioneer has to take the field, free."""

    seat: int
    field: int


@dataclass(frozen=True, slots=True)
class AuctioneerChanged:
    seat: int


@dataclass(frozen=True, slots=True)
class ResourceProvided:
    """`source` is a `Source`, or `Source.SEAT` + the seat that sold it."""

    seat: int
    resource: int
    source: int


@dataclass(frozen=True, slots=True)
class FieldDeveloped:
    seat: int
    field: int
    points: int


@dataclass(frozen=True, slots=True)
class TurnEnded:
    seat: int


@dataclass(frozen=True, slots=True)
class SubsidyTaken:
    seat: int


@dataclass(frozen=True, slots=True)
class TileCashed:
    seat: int
    field: int


@dataclass(frozen=True, slots=True)
class StartingPlayerChanged:
    seat: int


@dataclass(frozen=True, slots=True)
class EraChanged:
    era: int


@dataclass(frozen=True, slots=True)
class TechnologyLapsed:
    seat: int
    field: int


@dataclass(frozen=True, slots=True)
class PointsScored:
    """A part of the final scoring; development was scored when it happened."""

    seat: int
    part: Part
    points: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    pass


Event = (
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
    | GameEnded
)


@lru_cache(maxsize=8192)
def event_of(raw: tuple[int, ...]) -> Event:
    """Returns the typed event for a raw event; equal ones are the same object.

    One case per kind of event, which makes this longer than 40 lines.
    """
    kind, a, b, c, d = raw
    match kind:
        case EventKind.TALERS_MOVED:
            return TalersMoved(a, b, c, Reason(d))
        case EventKind.ROUND_STARTED:
            return RoundStarted(a, b, c)
        case EventKind.TOKENS_DRAWN:
            return TokensDrawn(tuple(b * COLUMNS + k for k in range(COLUMNS) if a >> k & 1))
        case EventKind.FIELD_OFFERED:
            return FieldOffered(a, b)
        case EventKind.BID_MADE:
            return BidMade(a, b)
        case EventKind.BID_PASSED:
            return BidPassed(a)
        case EventKind.FIELD_SOLD:
            return FieldSold(a, b, c, d)
        case EventKind.FIELD_CLAIMED:
            return FieldClaimed(a, b, c)
        case EventKind.FIELD_TAKEN:
            return FieldTaken(a, b)
        case EventKind.AUCTIONEER_CHANGED:
            return AuctioneerChanged(a)
        case EventKind.RESOURCE_PROVIDED:
            return ResourceProvided(a, b, c)
        case EventKind.FIELD_DEVELOPED:
            return FieldDeveloped(a, b, c)
        case EventKind.TURN_ENDED:
            return TurnEnded(a)
        case EventKind.SUBSIDY_TAKEN:
            return SubsidyTaken(a)
        case EventKind.TILE_CASHED:
            return TileCashed(a, b)
        case EventKind.STARTING_PLAYER_CHANGED:
            return StartingPlayerChanged(a)
        case EventKind.ERA_CHANGED:
            return EraChanged(a)
        case EventKind.TECHNOLOGY_LAPSED:
            return TechnologyLapsed(a, b)
        case EventKind.POINTS_SCORED:
            return PointsScored(a, Part(b), c)
        case EventKind.GAME_ENDED:
            return GameEnded()
    raise AssertionError(f"unknown kind of event {kind}")
