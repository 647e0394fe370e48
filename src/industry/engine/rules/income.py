"""Phase 1: income."""

from ..board import Board
from ..constants import (
    BANK,
    ERA_INCOME_TALERS,
    INCOME_TALERS,
    INDUSTRIA,
    REASON_ERA_INCOME,
    REASON_INCOME,
)
from ..raw_events import move_talers
from ..rule import rule
from ..state import State
from .draw import era_is_fresh


@rule("income.round", "phase_1", "J6")
def pay_income(board: Board, state: State) -> None:
    """Every round, each player takes 1 Taler from the bank."""
    for step in range(state.players):
        seat = (state.starting_player + step) % state.players
        move_talers(state, BANK, seat, INCOME_TALERS, REASON_INCOME)
    pay_era_income(board, state)


@rule("income.era", "phase_1", "I2")
def pay_era_income(board: Board, state: State) -> None:
    """Industria: on entering eras 3, 4 and 5, each player takes 1 Taler more."""
    if board.edition == INDUSTRIA and state.era >= 2 and era_is_fresh(state):
        for step in range(state.players):
            seat = (state.starting_player + step) % state.players
            move_talers(state, BANK, seat, ERA_INCOME_TALERS, REASON_ERA_INCOME)
