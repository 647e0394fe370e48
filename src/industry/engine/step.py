"""Ask the rules about any coded move, list those that are legal, and carry one out."""

from .board import Board
from .codes import (
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
from .faults import Fault
from .rule import part
from .rules.auction import (
    bid,
    bid_fault,
    claim,
    claim_fault,
    offer,
    offer_fault,
    pass_bid,
    pass_fault,
    sell,
    sell_fault,
)
from .rules.cash import cash, cash_fault
from .rules.development import (
    develop,
    develop_fault,
    done,
    done_fault,
    payment_fault,
    source_fault,
    target_fault,
)
from .rules.draw import draw, draw_fault
from .rules.subsidy import subsidy_fault, take_subsidy
from .state import State
from .vocabulary import COLUMNS, FIELDS, NO_RESOURCE, NOBODY, SOURCES, Phase, Source, Status


@part
def move_fault(board: Board, state: State, seat: int, code: int) -> Fault:
    """What is wrong with this move of this seat now; NONE where it is legal."""
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


@part
def carry_out(board: Board, state: State, seat: int, code: int) -> None:
    """Change the state by a legal move; legality was asked before."""
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


@part
def list_moves(board: Board, state: State, seat: int, moves: list[int]) -> int:
    """Write the codes of all legal moves of the seat into `moves`; return how many."""
    count = 0
    if seat == state.actor and seat != NOBODY:
        if state.phase == Phase.OFFER:
            count = list_offers(board, state, seat, moves, count)
        elif state.phase == Phase.BID:
            count = list_bids(board, state, seat, moves, count)
        elif state.phase == Phase.SETTLE:
            count = list_settlements(board, state, seat, moves, count)
        elif state.phase == Phase.DEVELOP:
            count = list_developments(board, state, seat, moves, count)
        if state.resource_cash:
            count = list_cash(board, state, seat, moves, count)
    if seat != NOBODY and subsidy_fault(board, state, seat) == Fault.NONE:
        moves[count] = SUBSIDY
        count += 1
    return count


@part
def list_offers(board: Board, state: State, seat: int, moves: list[int], count: int) -> int:
    for column in range(COLUMNS):
        field = state.era * COLUMNS + column
        if offer_fault(board, state, seat, field) == Fault.NONE:
            moves[count] = OFFER + field
            count += 1
    return count


@part
def list_bids(board: Board, state: State, seat: int, moves: list[int], count: int) -> int:
    if pass_fault(board, state, seat) == Fault.NONE:
        moves[count] = PASS
        count += 1
    talers = int(state.high_bid) + 1
    while bid_fault(board, state, seat, talers) == Fault.NONE:
        moves[count] = BID + talers
        count += 1
        talers += 1
    return count


@part
def list_settlements(board: Board, state: State, seat: int, moves: list[int], count: int) -> int:
    if sell_fault(board, state, seat) == Fault.NONE:
        moves[count] = SELL
        count += 1
    if claim_fault(board, state, seat) == Fault.NONE:
        moves[count] = CLAIM
        count += 1
    return count


@part
def list_developments(board: Board, state: State, seat: int, moves: list[int], count: int) -> int:
    if done_fault(board, state, seat) == Fault.NONE:
        moves[count] = DONE
        count += 1
    for field in range(FIELDS):
        if (
            state.owner[field] == seat
            and state.status[field] == Status.UNDEVELOPED
            and target_fault(board, state, seat, field) == Fault.NONE
        ):
            count = list_ways(board, state, seat, field, moves, count)
    return count


@part
def list_ways(
    board: Board, state: State, seat: int, field: int, moves: list[int], count: int
) -> int:
    """Every combination of sources in which the seat can pay for the field."""
    first = sources_for(board, state, seat, int(board.need_1[field]))
    second = sources_for(board, state, seat, int(board.need_2[field]))
    for source_1 in range(SOURCES):
        if first >> source_1 & 1:
            for source_2 in range(SOURCES):
                if (
                    second >> source_2 & 1
                    and payment_fault(board, state, seat, field, source_1, source_2) == Fault.NONE
                ):
                    moves[count] = develop_code(field, source_1, source_2)
                    count += 1
    return count


@part
def sources_for(board: Board, state: State, seat: int, need: int) -> int:
    """One bit per source that gives the needed resource; for no need, OWN stands for nothing."""
    if need == NO_RESOURCE:
        return 1 << Source.OWN
    found = 0
    for source in range(SOURCES):
        if source_fault(board, state, seat, need, source) == Fault.NONE:
            found |= 1 << source
    return found


@part
def list_cash(board: Board, state: State, seat: int, moves: list[int], count: int) -> int:
    for position in range(board.joker_count):
        field = board.jokers[position]
        if cash_fault(board, state, seat, field) == Fault.NONE:
            moves[count] = CASH + field
            count += 1
    return count


def new_move_list() -> list[int]:
    """Room for the longest list of moves."""
    return [0] * ACTIONS
