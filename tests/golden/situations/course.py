"""Rounds and eras: draws, income, the Auctioneer's office, technologies that lapse."""

from industry.engine import Draw, Offer, Reason
from industry.engine.events import (
    AuctioneerChanged,
    EraChanged,
    FieldTaken,
    TalersMoved,
    TechnologyLapsed,
)

from ..replays import ReplayedMove
from .register import ends_auction, happened, is_industria, situation, this_round


def paid_for(step: ReplayedMove, reason: Reason) -> bool:
    return any(isinstance(e, TalersMoved) and e.reason == reason for e in step.events)


@situation("A2, B5")
def coin_drawn(step: ReplayedMove) -> bool:
    """The token with the coin is drawn and everybody takes a Taler."""
    return paid_for(step, Reason.COIN)


@situation("I2")
def era_income(step: ReplayedMove) -> bool:
    """Industria pays the income of a new era."""
    return paid_for(step, Reason.ERA_INCOME)


@situation("I2")
def era_income_of_era_five(step: ReplayedMove) -> bool:
    """Industria with four players pays the income of a new era a third time."""
    return paid_for(step, Reason.ERA_INCOME) and step.after.state.era == 4


@situation("B2")
def four_tokens_for_three(step: ReplayedMove) -> bool:
    """Three players draw four tokens."""
    return isinstance(step.move, Draw) and len(step.move.fields) == 4 > step.before.state.players


@situation("B2")
def three_tokens_for_four(step: ReplayedMove) -> bool:
    """Four players draw three tokens."""
    return isinstance(step.move, Draw) and len(step.move.fields) == 3 < step.before.state.players


@situation("B2")
def plain_draw_in_era_five(step: ReplayedMove) -> bool:
    """With plain draws Industry draws one token per player to the end."""
    state = step.before.state
    return (
        isinstance(step.move, Draw)
        and not is_industria(step)
        and state.era == 4
        and len(step.move.fields) == state.players
    )


@situation("B4")
def office_comes_round_twice(step: ReplayedMove) -> bool:
    """The office of Auctioneer comes round to the Starting Player again within one round."""
    starting_player = step.before.state.starting_player
    return any(isinstance(e, AuctioneerChanged) and e.seat == starting_player for e in step.events)


@situation("C6")
def one_auctioneer_all_round(step: ReplayedMove) -> bool:
    """One Auctioneer sells a whole round and never hands the office on."""
    moved = (AuctioneerChanged, FieldTaken)
    return (
        ends_auction(step)
        and step.line.endswith("sell")
        and not any(happened(earlier, kind) for earlier in this_round(step) for kind in moved)
    )


@situation("C6")
def office_moves_every_time(step: ReplayedMove) -> bool:
    """Each of four players is Auctioneer for one field of a round."""
    offers = [e.move.seat for e in this_round(step) if isinstance(e.move, Offer)]
    return ends_auction(step) and len(offers) == len(set(offers)) == 4


@situation("G1")
def technology_lapsed(step: ReplayedMove) -> bool:
    """A technology lapses undeveloped at the change of era."""
    return happened(step, TechnologyLapsed)


@situation("G1")
def two_technologies_lapsed(step: ReplayedMove) -> bool:
    """Both technologies of an era lapse together."""
    return sum(isinstance(event, TechnologyLapsed) for event in step.events) >= 2


@situation("B6, I2")
def era_changed_before_income(step: ReplayedMove) -> bool:
    """The era changes after the last development turn and before the next income."""
    kinds = [type(event) for event in step.events]
    return EraChanged in kinds and TalersMoved in kinds[kinds.index(EraChanged) :]
