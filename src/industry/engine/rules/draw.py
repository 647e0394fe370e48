"""Phase 2: new column tokens (Industria: new tiles)."""

from ..board import Board
from ..constants import (
    BANK,
    COIN_TALERS,
    COLUMNS,
    INDUSTRY,
    PHASE_DRAW,
    PHASE_OVER,
    REASON_COIN,
    TOKEN_FACE_UP,
    TOKEN_IN_BAG,
)
from ..faults import NO_FAULT, Fault
from ..raw_events import EVENT_TOKENS_DRAWN, emit, move_talers
from ..rule import helper, rule
from ..state import State
from .turn import appoint_auctioneer


@helper
def tokens_in_bag(state: State) -> int:
    count = 0
    for column in range(COLUMNS):
        if state.tokens[column] == TOKEN_IN_BAG:
            count += 1
    return count


@helper
def era_is_fresh(state: State) -> bool:
    """Nothing has been drawn in this era yet."""
    return tokens_in_bag(state) == COLUMNS


@rule("draw.count", "phase_2", "B2", "B3", faults=(Fault.DRAW_COUNT,))
def draw_count(board: Board, state: State) -> int:
    """One token per player; recommended are 4 for three in eras 4–5, 3 for four in era 5."""
    count = int(state.players)
    if board.edition == INDUSTRY and not state.plain_draws:
        if state.players == 3 and state.era >= 3:
            count = 4
        if state.players == 4 and state.era == 4:
            count = 3
    return min(count, tokens_in_bag(state))


@helper
def draw_phase_fault(board: Board, state: State) -> Fault:
    """A draw opens a round."""
    if state.phase == PHASE_OVER:
        return Fault.GAME_OVER
    if state.phase != PHASE_DRAW:
        return Fault.NO_DRAW_DUE
    return NO_FAULT


@rule(
    "draw.token",
    "phase_2",
    "B1",
    faults=(Fault.NO_DRAW_DUE, Fault.DRAW_OTHER_ERA, Fault.DRAW_NOT_IN_BAG),
)
def token_fault(board: Board, state: State, field: int) -> Fault:
    """A token comes from the bag and stands for the field of its column in this era."""
    fault = draw_phase_fault(board, state)
    if fault != NO_FAULT:
        return fault
    if field // COLUMNS != state.era:
        return Fault.DRAW_OTHER_ERA
    if state.tokens[field % COLUMNS] != TOKEN_IN_BAG:
        return Fault.DRAW_NOT_IN_BAG
    return NO_FAULT


@rule(
    "draw.round",
    "phase_2",
    "B4",
    "J7",
    faults=(Fault.DRAW_TWICE,),
)
def draw_fault(board: Board, state: State, columns: int) -> Fault:
    """All tokens of a round are drawn at once; `columns` has one bit for each."""
    count = 0
    for column in range(COLUMNS):
        if columns >> column & 1:
            fault = token_fault(board, state, state.era * COLUMNS + column)
            if fault != NO_FAULT:
                return fault
            count += 1
    fault = draw_phase_fault(board, state)
    if fault != NO_FAULT:
        return fault
    if count != draw_count(board, state):
        return Fault.DRAW_COUNT
    return NO_FAULT


@helper
def draw(board: Board, state: State, columns: int) -> None:
    """Lays out the tokens and pays the coin; the auction begins."""
    emit(state, EVENT_TOKENS_DRAWN, columns, state.era)
    for column in range(COLUMNS):
        if columns >> column & 1:
            state.tokens[column] = TOKEN_FACE_UP
            pay_coin(board, state, column)
    appoint_auctioneer(board, state)


@rule("draw.coin", "phase_2", "A2", "B5", "J6")
def pay_coin(board: Board, state: State, column: int) -> None:
    """When the token with the coin is drawn, each player takes 1 Taler at once."""
    if board.coin[column]:
        for step in range(state.players):
            seat = (state.starting_player + step) % state.players
            move_talers(state, BANK, seat, COIN_TALERS, REASON_COIN)
