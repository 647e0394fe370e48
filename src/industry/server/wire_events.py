"""Engine events in the form in which they are sent.

Plain data instead of models, because this runs for every move of every table. A test compares it
with the models of `protocol.events`.
"""

from collections.abc import Sequence
from typing import Any

from industry.boards.spec import FIELD_IDS
from industry.engine import (
    AuctioneerChanged,
    BidMade,
    BidPassed,
    EraChanged,
    Event,
    FieldClaimed,
    FieldDeveloped,
    FieldOffered,
    FieldSold,
    FieldTaken,
    GameEnded,
    Part,
    PointsScored,
    Reason,
    ResourceProvided,
    RoundStarted,
    StartingPlayerChanged,
    SubsidyTaken,
    TalersMoved,
    TechnologyLapsed,
    TileCashed,
    TokensDrawn,
    TurnEnded,
)
from industry.notation.move_text import source_word

Wire = dict[str, Any]

REASONS = {reason: reason.name.lower() for reason in Reason}
PART_NAMES = {part: part.name.lower() for part in Part}


def wire_event(event: Event, resources: Sequence[str]) -> Wire:
    """Returns an event in the form of its model; `resources` are those of the board.

    One case per kind of event, which makes this longer than 40 lines.
    """
    match event:
        case TalersMoved(source, target, amount, reason):
            # BANK is -1, so adding 1 gives 0, which is sent as null
            return {
                "type": "talers_moved",
                "source": source + 1 or None,
                "target": target + 1 or None,
                "amount": amount,
                "reason": REASONS[reason],
            }
        case BidMade(seat, talers):
            return {"type": "bid_made", "seat": seat + 1, "talers": talers}
        case BidPassed(seat):
            return {"type": "bid_passed", "seat": seat + 1}
        case FieldOffered(seat, field):
            return _of_field("field_offered", seat, field)
        case FieldSold(seat, buyer, field, price):
            return {
                "type": "field_sold",
                "seat": seat + 1,
                "buyer": buyer + 1,
                "field": FIELD_IDS[field],
                "price": price,
            }
        case FieldClaimed(seat, field, price):
            return _of_field("field_claimed", seat, field) | {"price": price}
        case FieldTaken(seat, field):
            return _of_field("field_taken", seat, field)
        case AuctioneerChanged(seat):
            return {"type": "auctioneer_changed", "seat": seat + 1}
        case TurnEnded(seat):
            return {"type": "turn_ended", "seat": seat + 1}
        case ResourceProvided(seat, resource, source):
            return {
                "type": "resource_provided",
                "seat": seat + 1,
                "resource": resources[resource],
                "source": source_word(source),
            }
        case FieldDeveloped(seat, field, points):
            return _of_field("field_developed", seat, field) | {"points": points}
        case SubsidyTaken(seat):
            return {"type": "subsidy_taken", "seat": seat + 1}
        case TileCashed(seat, field):
            return _of_field("tile_cashed", seat, field)
        case _:
            return _course_event(event)


def _of_field(kind: str, seat: int, field: int) -> Wire:
    return {"type": kind, "seat": seat + 1, "field": FIELD_IDS[field]}


def _course_event(
    event: RoundStarted
    | TokensDrawn
    | StartingPlayerChanged
    | EraChanged
    | TechnologyLapsed
    | PointsScored
    | GameEnded,
) -> Wire:
    """Returns events of rounds and eras, which belong to no decision."""
    match event:
        case RoundStarted(number, era, starting_player):
            return {
                "type": "round_started",
                "number": number,
                "era": era + 1,
                "starting_player": starting_player + 1,
            }
        case TokensDrawn(fields):
            return {"type": "tokens_drawn", "fields": [FIELD_IDS[field] for field in fields]}
        case StartingPlayerChanged(seat):
            return {"type": "starting_player_changed", "seat": seat + 1}
        case EraChanged(era):
            return {"type": "era_changed", "era": era + 1}
        case TechnologyLapsed(seat, field):
            return _of_field("technology_lapsed", seat, field)
        case PointsScored(seat, part, points):
            return {
                "type": "points_scored",
                "seat": seat + 1,
                "part": PART_NAMES[part],
                "points": points,
            }
        case GameEnded():
            return {"type": "game_ended"}
