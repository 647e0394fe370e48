"""Events as sentences, for logs, transcripts and the terminal."""

from industry.boards import BoardSpec
from industry.engine.events import (
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
    PointsScored,
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
from industry.engine.vocabulary import BANK
from industry.texts import DEFAULT, say

from .explain import field_name, listing, source_name


def sentence(event: Event, board: BoardSpec, language: str = DEFAULT) -> str:
    """What the event says at the table."""

    def tell(key: str, **values: object) -> str:
        return say(f"event.{key}", language, **values)

    def name(field: int) -> str:
        return field_name(board, field, language)

    def talers(count: int) -> str:
        return say("talers", language, count=count)

    def purse(seat: int, key: str) -> str:
        return tell(key) if seat == BANK else say("seat", language, seat=seat + 1)

    match event:
        case TalersMoved(source, target, amount, reason):
            payer = purse(source, "bank")
            return tell(
                "talers_moved",
                source=payer[0].upper() + payer[1:],
                target=purse(target, "to_bank"),
                talers=talers(amount),
                reason=say(f"reason.{reason.name.lower()}", language),
            )
        case RoundStarted(number, era, starting_player):
            return tell(
                "round_started", number=number, era=era + 1, starting_player=starting_player + 1
            )
        case TokensDrawn(fields):
            return tell("tokens_drawn", fields=listing([name(f) for f in fields], language))
        case FieldOffered(seat, field):
            return tell("field_offered", seat=seat + 1, field=name(field))
        case BidMade(seat, amount):
            return tell("bid_made", seat=seat + 1, talers=talers(amount))
        case BidPassed(seat):
            return tell("bid_passed", seat=seat + 1)
        case FieldSold(seat, buyer, field, price):
            return tell(
                "field_sold",
                seat=seat + 1,
                buyer=buyer + 1,
                field=name(field),
                price=talers(price),
            )
        case FieldClaimed(seat, field, price):
            return tell("field_claimed", seat=seat + 1, field=name(field), price=talers(price))
        case FieldTaken(seat, field):
            return tell("field_taken", seat=seat + 1, field=name(field))
        case AuctioneerChanged(seat):
            return tell("auctioneer_changed", seat=seat + 1)
        case ResourceProvided(seat, resource, source):
            return tell(
                "resource_provided",
                seat=seat + 1,
                resource=say(f"resource.{board.resources[resource]}", language),
                source=source_name(source, language),
            )
        case FieldDeveloped(seat, field, points):
            return tell(
                "field_developed",
                seat=seat + 1,
                field=name(field),
                points=say("points", language, count=points),
            )
        case TurnEnded(seat):
            return tell("turn_ended", seat=seat + 1)
        case SubsidyTaken(seat):
            return tell("subsidy_taken", seat=seat + 1)
        case TileCashed(seat, field):
            return tell("tile_cashed", seat=seat + 1, field=name(field))
        case StartingPlayerChanged(seat):
            return tell("starting_player_changed", seat=seat + 1)
        case EraChanged(era):
            return tell("era_changed", era=era + 1)
        case TechnologyLapsed(seat, field):
            return tell("technology_lapsed", seat=seat + 1, field=name(field))
        case PointsScored(seat, part, points):
            return tell(
                "points_scored",
                seat=seat + 1,
                part=say(f"part.{part.name.lower()}", language),
                points=say("points", language, count=points),
            )
        case GameEnded():
            return tell("game_ended")
