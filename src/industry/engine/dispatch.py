"""Checks, lists and applies coded moves by calling the rule each belongs to."""

from .board import Board
from .constants import (
    COLUMNS,
    FIELDS,
    NOBODY,
    PHASE_BID,
    PHASE_DEVELOP,
    PHASE_OFFER,
    PHASE_SETTLE,
    STATUS_UNDEVELOPED,
    TOKEN_FACE_UP,
)
from .faults import NO_FAULT, Fault
from .move_codes import (
    ACTIONS,
    BID,
    CASH,
    CLAIM,
    DEVELOP,
    DONE,
    DRAW,
    OFFER,
    PASS,
    SELL,
    SUBSIDY,
    develop_code,
    developed_field,
    first_source,
    second_source,
)
from .rule import helper
from .rules.auction import (
    bid,
    bid_fault,
    claim,
    claim_fault,
    claim_payment_fault,
    offer,
    offer_fault,
    pass_bid,
    pass_fault,
    sell,
    sell_fault,
)
from .rules.cash import cash, cash_fault
from .rules.development import (
    construction_cost,
    develop,
    develop_fault,
    done,
    done_fault,
    jokers_fault,
    limit_fault,
    resource_price,
    sources_for,
)
from .rules.draw import draw, draw_fault
from .rules.subsidy import subsidy_fault, take_subsidy
from .state import State


@helper
def move_fault(board: Board, state: State, seat: int, code: int) -> Fault:
    """Returns what is wrong with a seat's move now; NONE if it is legal."""
    if code >= DRAW:
        return draw_fault(board, state, code - DRAW)
    if code >= DEVELOP:
        return develop_fault(
            board, state, seat, developed_field(code), first_source(code), second_source(code)
        )
    if code >= BID:
        return bid_fault(board, state, seat, code - BID)
    if code >= CASH:
        return cash_fault(board, state, seat, code - CASH)
    if code >= OFFER:
        return offer_fault(board, state, seat, code - OFFER)
    if code == SUBSIDY:
        return subsidy_fault(board, state, seat)
    if code == DONE:
        return done_fault(board, state, seat)
    if code == CLAIM:
        return claim_fault(board, state, seat)
    if code == SELL:
        return sell_fault(board, state, seat)
    return pass_fault(board, state, seat)


@helper
def apply_move(board: Board, state: State, seat: int, code: int) -> None:
    """Applies a legal move to the state; the caller has checked that it is legal."""
    if code >= DRAW:
        draw(board, state, code - DRAW)
    elif code >= DEVELOP:
        develop(board, state, seat, developed_field(code), first_source(code), second_source(code))
    elif code >= BID:
        bid(board, state, seat, code - BID)
    elif code >= CASH:
        cash(board, state, seat, code - CASH)
    elif code >= OFFER:
        offer(board, state, seat, code - OFFER)
    elif code == SUBSIDY:
        take_subsidy(board, state, seat)
    elif code == DONE:
        done(board, state, seat)
    elif code == CLAIM:
        claim(board, state, seat)
    elif code == SELL:
        sell(board, state, seat)
    else:
        pass_bid(board, state, seat)


@helper
def list_moves(board: Board, state: State, seat: int, moves: list[int]) -> int:
    """Writes the codes of the seat's legal moves into `moves`; returns how many.

    The lists skip checks whose answer is already known, such as whose turn it is. Tests compare
    them with `move_fault` for every code.
    """
    count = 0
    if seat == state.actor and seat != NOBODY:
        phase = state.phase
        if phase == PHASE_BID:
            count = list_bids(board, state, seat, moves, count)
        elif phase == PHASE_DEVELOP:
            count = list_developments(board, state, seat, moves, count)
        elif phase == PHASE_OFFER:
            count = list_offers(board, state, seat, moves, count)
        elif phase == PHASE_SETTLE:
            count = list_settlements(board, state, seat, moves, count)
        if state.resource_cash:
            count = list_cash(board, state, seat, moves, count)
    if seat != NOBODY and subsidy_fault(board, state, seat) == NO_FAULT:
        moves[count] = SUBSIDY
        count += 1
    return count


@helper
def list_offers(board: Board, state: State, seat: int, moves: list[int], count: int) -> int:
    """Lists an offer for every column token that is face up."""
    first = OFFER + state.era * COLUMNS
    tokens = state.tokens
    for column in range(COLUMNS):
        if tokens[column] == TOKEN_FACE_UP:
            moves[count] = first + column
            count += 1
    return count


@helper
def list_bids(board: Board, state: State, seat: int, moves: list[int], count: int) -> int:
    """Lists the pass, and every bid above the highest that the purse covers."""
    moves[count] = PASS
    count += 1
    for talers in range(state.high_bid + 1, state.talers[seat] + 1):
        moves[count] = BID + talers
        count += 1
    return count


@helper
def list_settlements(board: Board, state: State, seat: int, moves: list[int], count: int) -> int:
    """Lists the sale, and the claim if the Auctioneer can pay for it."""
    moves[count] = SELL
    count += 1
    if claim_payment_fault(board, state, seat) == NO_FAULT:
        moves[count] = CLAIM
        count += 1
    return count


@helper
def list_developments(board: Board, state: State, seat: int, moves: list[int], count: int) -> int:
    """Lists the end of the turn, and every way to develop one of the seat's fields."""
    moves[count] = DONE
    count += 1
    owner, status = state.owner, state.status
    for field in range(FIELDS):
        if (
            owner[field] == seat
            and status[field] == STATUS_UNDEVELOPED
            and limit_fault(board, state, seat, field) == NO_FAULT
        ):
            count = list_ways(board, state, seat, field, moves, count)
    return count


@helper
def list_ways(
    board: Board, state: State, seat: int, field: int, moves: list[int], count: int
) -> int:
    """Lists every combination of sources with which the seat can pay for the field."""
    left = state.talers[seat] - construction_cost(board, state, seat, field)
    if left < 0:
        return count
    first = sources_for(board, state, seat, board.need_1[field])
    second = sources_for(board, state, seat, board.need_2[field])
    if first == 0 or second == 0:
        return count
    source_1 = 0
    while first >> source_1:
        if first >> source_1 & 1:
            rest = left - resource_price(source_1)
            source_2 = 0
            while second >> source_2:
                if (
                    second >> source_2 & 1
                    and rest >= resource_price(source_2)
                    and jokers_fault(board, state, seat, source_1, source_2) == NO_FAULT
                ):
                    moves[count] = develop_code(field, source_1, source_2)
                    count += 1
                source_2 += 1
        source_1 += 1
    return count


@helper
def list_cash(board: Board, state: State, seat: int, moves: list[int], count: int) -> int:
    """Lists the raw-material tiles that the seat can turn into a Taler."""
    for position in range(board.joker_count):
        field = board.jokers[position]
        if cash_fault(board, state, seat, field) == NO_FAULT:
            moves[count] = CASH + field
            count += 1
    return count


def new_move_list() -> list[int]:
    """Returns a buffer for the longest list of moves."""
    return [0] * ACTIONS
