"""Events as sentences, for logs, transcripts and the terminal."""

from collections.abc import Sequence

from industry.boards import BoardSpec
from industry.engine import (
    BANK,
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
from industry.texts import DEFAULT, say

from .explain import field_name, join_words, seat_name, source_name


def sentence(
    event: Event, board: BoardSpec, language: str = DEFAULT, names: Sequence[str] = ()
) -> str:
    """Describes an event in a sentence; seats without a name are called by their number.

    One case per kind of event, which makes this longer than 40 lines.
    """

    def text(key: str, **values: object) -> str:
        said = say(f"event.{key}", language, **values)
        return said if names else said[0].upper() + said[1:]

    def name(field: int) -> str:
        return field_name(board, field, language)

    def talers(count: int) -> str:
        return say("talers", language, count=count)

    def who(seat: int) -> str:
        return seat_name(seat, language, names)

    def purse(seat: int, key: str) -> str:
        return say(f"event.{key}", language) if seat == BANK else who(seat)

    match event:
        case TalersMoved(source, target, amount, reason):
            return text(
                "talers_moved",
                source=purse(source, "bank"),
                target=purse(target, "to_bank"),
                talers=talers(amount),
                reason=say(f"reason.{reason.name.lower()}", language),
            )
        case RoundStarted(number, era, starting_player):
            return text(
                "round_started", number=number, era=era + 1, starting_player=who(starting_player)
            )
        case TokensDrawn(fields):
            return text("tokens_drawn", fields=join_words([name(f) for f in fields], language))
        case FieldOffered(seat, field):
            return text("field_offered", seat=who(seat), field=name(field))
        case BidMade(seat, amount):
            return text("bid_made", seat=who(seat), talers=talers(amount))
        case BidPassed(seat):
            return text("bid_passed", seat=who(seat))
        case FieldSold(seat, buyer, field, price):
            return text(
                "field_sold",
                seat=who(seat),
                buyer=who(buyer),
                field=name(field),
                price=talers(price),
            )
        case FieldClaimed(seat, field, price):
            return text("field_claimed", seat=who(seat), field=name(field), price=talers(price))
        case FieldTaken(seat, field):
            return text("field_taken", seat=who(seat), field=name(field))
        case AuctioneerChanged(seat):
            return text("auctioneer_changed", seat=who(seat))
        case ResourceProvided(seat, resource, source):
            return text(
                "resource_provided",
                seat=who(seat),
                resource=say(f"resource.{board.resources[resource]}", language),
                source=source_name(source, language, names),
            )
        case FieldDeveloped(seat, field, points):
            return text(
                "field_developed",
                seat=who(seat),
                field=name(field),
                points=say("points", language, count=points),
            )
        case TurnEnded(seat):
            return text("turn_ended", seat=who(seat))
        case SubsidyTaken(seat):
            return text("subsidy_taken", seat=who(seat))
        case TileCashed(seat, field):
            return text("tile_cashed", seat=who(seat), field=name(field))
        case StartingPlayerChanged(seat):
            return text("starting_player_changed", seat=who(seat))
        case EraChanged(era):
            return text("era_changed", era=era + 1)
        case TechnologyLapsed(seat, field):
            return text("technology_lapsed", seat=who(seat), field=name(field))
        case PointsScored(seat, part, points):
            return text(
                "points_scored",
                seat=who(seat),
                part=say(f"part.{part.name.lower()}", language),
                points=say("points", language, count=points),
            )
        case GameEnded():
            return text("game_ended")
