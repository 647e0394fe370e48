"""Phase 3: auction."""

from ..board import Board
from ..constants import (
    COLUMNS,
    INDUSTRIA,
    INDUSTRY,
    KIND_JOKER,
    LOWEST_BID,
    NO_FIELD,
    NOBODY,
    PHASE_BID,
    PHASE_OFFER,
    PHASE_SETTLE,
    REASON_CLAIM,
    REASON_SALE,
    STATUS_HELD,
    STATUS_UNDEVELOPED,
    TOKEN_FACE_DOWN,
    TOKEN_FACE_UP,
    TOKEN_IN_BAG,
)
from ..faults import NO_FAULT, Fault
from ..raw_events import (
    EVENT_AUCTIONEER_CHANGED,
    EVENT_BID_MADE,
    EVENT_BID_PASSED,
    EVENT_FIELD_CLAIMED,
    EVENT_FIELD_OFFERED,
    EVENT_FIELD_SOLD,
    EVENT_FIELD_TAKEN,
    emit,
    move_talers,
)
from ..rule import helper, rule
from ..state import State
from .development import begin_development
from .turn import left_of, turn_fault


@rule(
    "auction.offer.available",
    "phase_3",
    "C7",
    faults=(Fault.OFFER_OTHER_ERA, Fault.OFFER_NOT_DRAWN, Fault.OFFER_GONE),
)
def offer_fault(board: Board, state: State, seat: int, field: int) -> Fault:
    """The Auctioneer offers an available field: current era, column token face up."""
    fault = turn_fault(board, state, seat, PHASE_OFFER)
    if fault != NO_FAULT:
        return fault
    if field // COLUMNS != state.era:
        return Fault.OFFER_OTHER_ERA
    token = state.tokens[field % COLUMNS]
    if token == TOKEN_IN_BAG:
        return Fault.OFFER_NOT_DRAWN
    if token == TOKEN_FACE_DOWN:
        return Fault.OFFER_GONE
    return NO_FAULT


@helper
def clear_bids(state: State) -> None:
    state.high_bid = 0
    state.high_bidder = NOBODY
    for seat in range(state.players):
        state.bids[seat] = -1


@helper
def offer(board: Board, state: State, seat: int, field: int) -> None:
    state.offered = field
    emit(state, EVENT_FIELD_OFFERED, seat, field)
    state.phase = PHASE_BID
    state.actor = left_of(state, seat)


@rule(
    "auction.bid.higher",
    "phase_3",
    "C1",
    "C2",
    "C8",
    faults=(Fault.BID_TOO_LOW, Fault.BID_NOT_HIGHER, Fault.BID_OVER_PURSE),
)
def bid_fault(board: Board, state: State, seat: int, talers: int) -> Fault:
    """A bid is at least 1, beats the highest bid so far and is covered by the bidder's purse."""
    fault = turn_fault(board, state, seat, PHASE_BID)
    if fault != NO_FAULT:
        return fault
    if talers < LOWEST_BID:
        return Fault.BID_TOO_LOW
    if talers <= state.high_bid:
        return Fault.BID_NOT_HIGHER
    if talers > state.talers[seat]:
        return Fault.BID_OVER_PURSE
    return NO_FAULT


@helper
def bid(board: Board, state: State, seat: int, talers: int) -> None:
    state.bids[seat] = talers
    state.high_bid = talers
    state.high_bidder = seat
    emit(state, EVENT_BID_MADE, seat, talers)
    ask_next_bidder(board, state, seat)


@rule("auction.bid.once", "phase_3", "C8")
def pass_fault(board: Board, state: State, seat: int) -> Fault:
    """Each player but the Auctioneer bids once or passes, in turn from the Auctioneer's left."""
    return turn_fault(board, state, seat, PHASE_BID)


@helper
def pass_bid(board: Board, state: State, seat: int) -> None:
    state.bids[seat] = 0
    emit(state, EVENT_BID_PASSED, seat)
    ask_next_bidder(board, state, seat)


@helper
def ask_next_bidder(board: Board, state: State, seat: int) -> None:
    state.actor = left_of(state, seat)
    if state.actor != state.auctioneer:
        return
    if state.high_bid > 0:
        state.phase = PHASE_SETTLE
    else:
        take_without_bids(board, state)


@rule("auction.nobids", "phase_3", "C6")
def take_without_bids(board: Board, state: State) -> None:
    """Where nobody bids, the Auctioneer must take the field, free, and the office moves left."""
    seat = int(state.auctioneer)
    field = int(state.offered)
    emit(state, EVENT_FIELD_TAKEN, seat, field)
    take_field(board, state, seat, field)
    pass_office(board, state)


@rule("auction.sell", "phase_3", "C5", "C6")
def sell_fault(board: Board, state: State, seat: int) -> Fault:
    """The Auctioneer may sell to the highest bidder, is paid by him and stays Auctioneer."""
    return turn_fault(board, state, seat, PHASE_SETTLE)


@helper
def sell(board: Board, state: State, seat: int) -> None:
    field = int(state.offered)
    buyer = int(state.high_bidder)
    emit(state, EVENT_FIELD_SOLD, seat, buyer, field, state.high_bid)
    move_talers(state, buyer, seat, int(state.high_bid), REASON_SALE)
    take_field(board, state, buyer, field)
    offer_next_field(board, state)


@helper
def claim_share(price: int, players: int, steps_left: int) -> int:
    """Returns how many coins of a claim reach the seat that many steps to the Auctioneer's left;
    the Auctioneer is last (C4).
    """
    return (price - steps_left + players) // players


@helper
def claim_change(board: Board, state: State, seat: int, price: int) -> int:
    """Returns by how many Talers a claim at this price changes the purse of a seat (C4, I3)."""
    if board.edition == INDUSTRIA:
        return 0
    players = int(state.players)
    steps = (seat - int(state.auctioneer) + players) % players
    if steps == 0:
        return claim_share(price, players, players) - price
    return claim_share(price, players, steps)


@helper
def claim_purse(board: Board, state: State, price: int) -> int:
    """The Talers that the Auctioneer must hold to claim at this price."""
    if board.edition == INDUSTRIA:
        return 0
    if state.full_price:
        return price
    return price - claim_share(price, int(state.players), int(state.players))


@rule("auction.claim.afford", "phase_3", "C3", "C9", "I3", faults=(Fault.CLAIM_TOO_DEAR,))
def claim_fault(board: Board, state: State, seat: int) -> Fault:
    """The Auctioneer may claim the field if he can make all payments that leave his hand."""
    fault = turn_fault(board, state, seat, PHASE_SETTLE)
    if fault != NO_FAULT:
        return fault
    return claim_payment_fault(board, state, seat)


@helper
def claim_payment_fault(board: Board, state: State, seat: int) -> Fault:
    """Refuses a claim that the Auctioneer cannot pay for."""
    if state.talers[seat] < claim_purse(board, state, int(state.high_bid)):
        return Fault.CLAIM_TOO_DEAR
    return NO_FAULT


@helper
def claim(board: Board, state: State, seat: int) -> None:
    field = int(state.offered)
    emit(state, EVENT_FIELD_CLAIMED, seat, field, state.high_bid)
    if board.edition == INDUSTRY:
        pay_claim(board, state, seat, int(state.high_bid))
    take_field(board, state, seat, field)
    pass_office(board, state)


@rule("auction.claim.payment", "phase_3", "C4")
def pay_claim(board: Board, state: State, seat: int, price: int) -> None:
    """The Auctioneer pays coin by coin from his left, himself included, up to the highest bid."""
    players = int(state.players)
    for step in range(1, players):
        receiver = (seat + step) % players
        move_talers(state, seat, receiver, claim_share(price, players, step), REASON_CLAIM)


@rule("auction.field.taken", "phase_3", "D2", "I4")
def take_field(board: Board, state: State, seat: int, field: int) -> None:
    """A won field is owned and undeveloped; of a joker field only the joker is taken."""
    state.owner[field] = seat
    if board.kind[field] == KIND_JOKER:
        state.status[field] = STATUS_HELD
    else:
        state.status[field] = STATUS_UNDEVELOPED
    state.tokens[field % COLUMNS] = TOKEN_FACE_DOWN
    state.offered = NO_FIELD


@helper
def field_remains(state: State) -> bool:
    """Some column token is still face up."""
    for column in range(COLUMNS):
        if state.tokens[column] == TOKEN_FACE_UP:
            return True
    return False


@rule("auction.office", "phase_3", "B4", "C6")
def pass_office(board: Board, state: State) -> None:
    """After a claim or without bids the left neighbour becomes Auctioneer; the marker stays."""
    state.auctioneer = left_of(state, int(state.auctioneer))
    if field_remains(state):
        emit(state, EVENT_AUCTIONEER_CHANGED, state.auctioneer)
    offer_next_field(board, state)


@rule("auction.end", "phase_3", "C7")
def offer_next_field(board: Board, state: State) -> None:
    """The phase goes on until all available fields are gone."""
    clear_bids(state)
    if field_remains(state):
        state.phase = PHASE_OFFER
        state.actor = state.auctioneer
    else:
        state.auctioneer = NOBODY
        begin_development(board, state)
