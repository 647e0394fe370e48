"""A raw-material tile for a Taler (Industria, by option)."""

from ..board import Board
from ..faults import Fault
from ..happenings import Happening, move_talers, note
from ..rule import part, rule
from ..state import State
from ..vocabulary import BANK, CASH_TALERS, Edition, Kind, Phase, Reason, Status


@rule(
    "cash.tile",
    "option",
    "I5",
    faults=(Fault.CASH_EDITION, Fault.CASH_OFF, Fault.CASH_NOT_HELD),
)
def cash_fault(board: Board, state: State, seat: int, field: int) -> Fault:
    """By option, a raw-material tile becomes 1 Taler at one's own decision."""
    if board.edition == Edition.INDUSTRY:
        return Fault.CASH_EDITION
    if not state.resource_cash:
        return Fault.CASH_OFF
    if state.phase == Phase.OVER:
        return Fault.GAME_OVER
    if state.phase == Phase.DRAW:
        return Fault.DRAW_DUE
    if seat != state.actor:
        return Fault.NOT_YOUR_DECISION
    if (
        board.kind[field] != Kind.JOKER
        or state.owner[field] != seat
        or state.status[field] != Status.HELD
    ):
        return Fault.CASH_NOT_HELD
    return Fault.NONE


@part
def cash(board: Board, state: State, seat: int, field: int) -> None:
    """The tile leaves the game; the decision stays with the seat."""
    state.status[field] = Status.SPENT
    note(state, Happening.TILE_CASHED, seat, field)
    move_talers(state, BANK, seat, CASH_TALERS, Reason.CASH)
