"""Extra money: the subsidy of Industry, raw-material tiles of Industria turned into Talers."""

from industry.engine import Bid, Cash, Claim, Develop, Phase, Subsidy
from industry.engine.rules.era import is_last_era

from ..replays import ReplayedMove
from .register import enabled_by, situation


@situation("F2")
def subsidy_to_bid(step: ReplayedMove) -> bool:
    """A subsidy is taken for a bid that the purse did not cover."""
    return isinstance(step.move, Bid) and enabled_by(step, Subsidy)


@situation("F2")
def subsidy_to_claim(step: ReplayedMove) -> bool:
    """A subsidy is taken for a claim that was too dear."""
    return isinstance(step.move, Claim) and enabled_by(step, Subsidy)


@situation("F2")
def subsidy_to_develop(step: ReplayedMove) -> bool:
    """A subsidy is taken for a development that was too dear."""
    return isinstance(step.move, Develop) and enabled_by(step, Subsidy)


@situation("F2")
def subsidy_before_choosing_a_field(step: ReplayedMove) -> bool:
    """The Auctioneer takes a subsidy before putting up a field."""
    before = step.before
    return isinstance(step.move, Subsidy) and (before.phase, before.actor) == (
        Phase.OFFER,
        step.move.seat,
    )


@situation("F2")
def subsidy_between_developments(step: ReplayedMove) -> bool:
    """A subsidy is taken between the first and the second development of a turn."""
    state = step.before.state
    own = state.phase == Phase.DEVELOP and state.actor == getattr(step.move, "seat", None)
    return isinstance(step.move, Subsidy) and own and sum(state.built) == 1


@situation("F2")
def subsidy_where_the_decision_is_forced(step: ReplayedMove) -> bool:
    """A subsidy is taken where nothing else but one forced move was legal."""
    legal = step.before.legal_moves
    return isinstance(step.move, Subsidy) and step.move in legal and len(legal) == 2


@situation("F2")
def subsidy_out_of_turn(step: ReplayedMove) -> bool:
    """By option, a subsidy is taken while another player decides."""
    actor = step.before.actor
    return isinstance(step.move, Subsidy) and 0 <= actor != step.move.seat


@situation("F2")
def subsidy_before_a_draw(step: ReplayedMove) -> bool:
    """By option, a subsidy is taken while a draw is due."""
    return isinstance(step.move, Subsidy) and step.before.draw_due


@situation("F3")
def subsidy_in_the_last_round(step: ReplayedMove) -> bool:
    """A subsidy is taken in the last round of the game."""
    before = step.before
    last = is_last_era(before.board, before.state) and not before.bag
    return isinstance(step.move, Subsidy) and last


@situation("F1")
def everybody_takes_the_subsidy(step: ReplayedMove) -> bool:
    """Every player takes a subsidy."""
    state = step.after.state
    return isinstance(step.move, Subsidy) and sum(state.subsidies) == state.players


@situation("I5")
def tile_cashed(step: ReplayedMove) -> bool:
    """By option, a raw-material tile is turned into a Taler."""
    return isinstance(step.move, Cash)


@situation("I5")
def tile_cashed_to_bid(step: ReplayedMove) -> bool:
    """A raw-material tile pays for a bid that the purse did not cover."""
    return isinstance(step.move, Bid) and enabled_by(step, Cash)


@situation("I5")
def tile_cashed_to_develop(step: ReplayedMove) -> bool:
    """A raw-material tile pays for a development that was too dear."""
    return isinstance(step.move, Develop) and enabled_by(step, Cash)


@situation("I5, H4")
def tile_cashed_for_a_point(step: ReplayedMove) -> bool:
    """A raw-material tile makes up three Talers in the last development turn."""
    before = step.before
    last = is_last_era(before.board, before.state) and not before.bag
    return (
        isinstance(step.move, Cash)
        and before.phase == Phase.DEVELOP
        and last
        and step.after.state.talers[step.move.seat] % 3 == 0
    )
