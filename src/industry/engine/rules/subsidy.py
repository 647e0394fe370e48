"""The subsidy (Industry)."""

from ..board import Board
from ..constants import (
    BANK,
    INDUSTRIA,
    PHASE_OVER,
    REASON_SUBSIDY,
    SUBSIDY_TALERS,
)
from ..faults import NO_FAULT, Fault
from ..raw_events import EVENT_SUBSIDY_TAKEN, emit, move_talers
from ..rule import helper, rule
from ..state import State


@rule(
    "subsidy.once",
    "subsidy",
    "F1",
    "F3",
    "I2",
    faults=(Fault.SUBSIDY_EDITION, Fault.SUBSIDY_TAKEN),
)
def subsidy_fault(board: Board, state: State, seat: int) -> Fault:
    """Each player may take one subsidy in the game, until the last development phase is over."""
    if board.edition == INDUSTRIA:
        return Fault.SUBSIDY_EDITION
    if state.phase == PHASE_OVER:
        return Fault.GAME_OVER
    if state.subsidies[seat]:
        return Fault.SUBSIDY_TAKEN
    return subsidy_timing_fault(board, state, seat)


@rule("subsidy.timing", "subsidy", "F2", faults=(Fault.SUBSIDY_NOT_NOW,))
def subsidy_timing_fault(board: Board, state: State, seat: int) -> Fault:
    """It is taken at the player's own decisions; with `any_time` between any two moves."""
    if state.any_time or seat == state.actor:
        return NO_FAULT
    return Fault.SUBSIDY_NOT_NOW


@helper
def take_subsidy(board: Board, state: State, seat: int) -> None:
    """3 Talers at once; the decision stays with the seat that had it."""
    state.subsidies[seat] = 1
    emit(state, EVENT_SUBSIDY_TAKEN, seat)
    move_talers(state, BANK, seat, SUBSIDY_TALERS, REASON_SUBSIDY)
