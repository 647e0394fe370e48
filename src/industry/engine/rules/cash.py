"""A raw-material tile for a Taler (Industria, by option)."""

from ..board import Board
from ..constants import (
    BANK,
    CASH_TALERS,
    INDUSTRY,
    KIND_JOKER,
    REASON_CASH,
    STATUS_HELD,
    STATUS_SPENT,
)
from ..faults import NO_FAULT, Fault
from ..raw_events import EVENT_TILE_CASHED, emit, move_talers
from ..rule import helper, rule
from ..state import State
from .turn import turn_fault


@rule(
    "cash.tile",
    "option",
    "I5",
    faults=(Fault.CASH_EDITION, Fault.CASH_OFF, Fault.CASH_NOT_HELD),
)
def cash_fault(board: Board, state: State, seat: int, field: int) -> Fault:
    """By option, a raw-material tile becomes 1 Taler at any decision of its owner."""
    if board.edition == INDUSTRY:
        return Fault.CASH_EDITION
    if not state.resource_cash:
        return Fault.CASH_OFF
    fault = turn_fault(board, state, seat, int(state.phase))
    if fault != NO_FAULT:
        return fault
    if (
        board.kind[field] != KIND_JOKER
        or state.owner[field] != seat
        or state.status[field] != STATUS_HELD
    ):
        return Fault.CASH_NOT_HELD
    return NO_FAULT


@helper
def cash(board: Board, state: State, seat: int, field: int) -> None:
    """The tile leaves the game; the decision stays with the seat."""
    state.status[field] = STATUS_SPENT
    emit(state, EVENT_TILE_CASHED, seat, field)
    move_talers(state, BANK, seat, CASH_TALERS, REASON_CASH)
