"""Auctions: forced offers and takes, prices, who may claim and who gets what."""

from industry.engine import Bid, Claim, Fault, Kind, Offer, Pass, Reason, Sell
from industry.engine.events import FieldClaimed, FieldSold, FieldTaken, TalersMoved

from ..replays import ReplayedMove
from .register import ends_auction, fault_of, happened, is_industria, situation, this_round


def net_price(step: ReplayedMove) -> int:
    """What a claim takes from the Auctioneer's hand (C3)."""
    price = int(step.before.state.high_bid)
    return price - price // int(step.before.state.players)


def winners_of_round(step: ReplayedMove) -> list[int]:
    """Who got a field in this round, one entry per field."""
    won: list[int] = []
    for event in (event for earlier in this_round(step) for event in earlier.events):
        if isinstance(event, FieldSold):
            won.append(event.buyer)
        elif isinstance(event, FieldClaimed | FieldTaken):
            won.append(event.seat)
    return won


@situation("C6")
def forced_take(step: ReplayedMove) -> bool:
    """Nobody bids and the Auctioneer must take the field."""
    return happened(step, FieldTaken)


@situation("C6")
def nobody_bids_all_round(step: ReplayedMove) -> bool:
    """Nobody bids on three fields of one round."""
    return sum(happened(earlier, FieldTaken) for earlier in this_round(step)) >= 3


@situation("C7")
def last_field_forced(step: ReplayedMove) -> bool:
    """Only one field is left to offer."""
    offers = [move for move in step.before.legal_moves if isinstance(move, Offer)]
    return isinstance(step.move, Offer) and len(offers) == 1


@situation("C1, C5")
def sold_for_one(step: ReplayedMove) -> bool:
    """A field goes for the lowest bid of 1 Taler."""
    return any(isinstance(event, FieldSold) and event.price == 1 for event in step.events)


@situation("C2")
def whole_purse_bid(step: ReplayedMove) -> bool:
    """Somebody bids all the Talers in the purse, and more than a few."""
    move = step.move
    return isinstance(move, Bid) and 5 <= move.talers == step.before.state.talers[move.seat]


@situation("C1")
def everybody_bids(step: ReplayedMove) -> bool:
    """Each of three bidders beats the one before."""
    state = step.before.state
    bids = [bid for bid in state.bids[: state.players] if bid > 0]
    return isinstance(step.move, Sell | Claim) and len(bids) == 3


@situation("C2, F2")
def pass_without_talers(step: ReplayedMove) -> bool:
    """A seat with an empty purse passes although the subsidy is still there to take."""
    state = step.before.state
    return (
        isinstance(step.move, Pass)
        and not is_industria(step)
        and state.talers[step.move.seat] == 0
        and not state.subsidies[step.move.seat]
    )


@situation("C8")
def former_auctioneer_buys(step: ReplayedMove) -> bool:
    """A player who was Auctioneer earlier in the round buys a field."""
    offered = {e.move.seat for e in this_round(step) if isinstance(e.move, Offer)}
    return any(isinstance(event, FieldSold) and event.buyer in offered for event in step.events)


@situation("C8")
def three_fields_in_one_round(step: ReplayedMove) -> bool:
    """One player gets three fields in one round."""
    won = winners_of_round(step)
    return any(won.count(seat) >= 3 for seat in won)


@situation("C8")
def empty_handed_round(step: ReplayedMove) -> bool:
    """A player gets no field in a round that has one for everybody."""
    won = winners_of_round(step)
    return ends_auction(step) and len(set(won)) < step.before.state.players <= len(won)


@situation("C3")
def auctioneer_priced_out(step: ReplayedMove) -> bool:
    """The highest bid is more than the Auctioneer could pay out in a claim."""
    move = step.move
    return (
        isinstance(move, Sell)
        and not step.before.state.full_price
        and fault_of(step.before, Claim(move.seat)) == Fault.CLAIM_TOO_DEAR
    )


@situation("C3")
def priced_out_by_full_price(step: ReplayedMove) -> bool:
    """Only the house rule of the full price keeps the Auctioneer from claiming."""
    move = step.move
    return (
        isinstance(move, Sell)
        and fault_of(step.before, Claim(move.seat)) == Fault.CLAIM_TOO_DEAR
        and step.before.state.talers[move.seat] >= net_price(step)
    )


@situation("C3")
def claim_below_the_full_price(step: ReplayedMove) -> bool:
    """A claim by an Auctioneer who does not hold the highest bid, only what leaves the hand."""
    move = step.move
    return (
        isinstance(move, Claim)
        and not is_industria(step)
        and step.before.state.talers[move.seat] < step.before.state.high_bid
    )


@situation("C3")
def claim_with_the_last_taler(step: ReplayedMove) -> bool:
    """A claim leaves the Auctioneer without a Taler."""
    move = step.move
    return (
        isinstance(move, Claim)
        and not is_industria(step)
        and step.after.state.talers[move.seat] == 0
    )


@situation("C4")
def claim_pays_more_than_one(step: ReplayedMove) -> bool:
    """A claim pays more than one coin to a seat."""
    return any(
        isinstance(event, TalersMoved) and event.reason == Reason.CLAIM and event.amount > 1
        for event in step.events
    )


@situation("C4")
def claim_at_a_multiple(step: ReplayedMove) -> bool:
    """A claim at a price that the number of players divides: the Auctioneer gets the last coin."""
    state = step.before.state
    return (
        isinstance(step.move, Claim)
        and not is_industria(step)
        and state.high_bid % state.players == 0
    )


@situation("C4")
def claim_leaves_a_seat_empty(step: ReplayedMove) -> bool:
    """A claim is so cheap that not every other player gets a coin."""
    paid = [e for e in step.events if isinstance(e, TalersMoved) and e.reason == Reason.CLAIM]
    return happened(step, FieldClaimed) and 0 < len(paid) < step.before.state.players - 1


@situation("C9, I3")
def free_claim_beyond_the_purse(step: ReplayedMove) -> bool:
    """In Industria a claim is free, also at a bid that the Auctioneer could not pay."""
    move = step.move
    return (
        isinstance(move, Claim)
        and is_industria(step)
        and step.before.state.talers[move.seat] < step.before.state.high_bid
    )


@situation("C4, E8")
def joker_claimed(step: ReplayedMove) -> bool:
    """The Auctioneer claims a joker."""
    return isinstance(step.move, Claim) and _is_joker_offered(step)


@situation("C5, E8")
def joker_sold(step: ReplayedMove) -> bool:
    """A joker is sold to the highest bidder."""
    return isinstance(step.move, Sell) and _is_joker_offered(step)


def _is_joker_offered(step: ReplayedMove) -> bool:
    return step.before.board.kind[step.before.state.offered] == Kind.JOKER
