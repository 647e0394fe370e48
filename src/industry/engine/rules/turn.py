"""The course of a round: whose decision it is."""

from ..board import Board
from ..constants import PHASE_DRAW, PHASE_OFFER, PHASE_OVER
from ..faults import NO_FAULT, Fault
from ..rule import helper, rule
from ..state import State


@helper
def left_of(state: State, seat: int) -> int:
    """The neighbour to the left: play goes clockwise."""
    return seat + 1 if seat + 1 < state.players else 0


@rule(
    "turn.order",
    "course",
    faults=(
        Fault.NO_SEAT,
        Fault.GAME_OVER,
        Fault.DRAW_DUE,
        Fault.NOT_YOUR_DECISION,
        Fault.NOT_THIS_DECISION,
    ),
)
def turn_fault(board: Board, state: State, seat: int, phase: int) -> Fault:
    """One phase is completed before the next, and only the seat whose decision it is may act."""
    if not 0 <= seat < state.players:
        return Fault.NO_SEAT
    if state.phase == PHASE_OVER:
        return Fault.GAME_OVER
    if state.phase == PHASE_DRAW:
        return Fault.DRAW_DUE
    if seat != state.actor:
        return Fault.NOT_YOUR_DECISION
    if phase != state.phase:
        return Fault.NOT_THIS_DECISION
    return NO_FAULT


@rule("auction.first", "phase_3")
def appoint_auctioneer(board: Board, state: State) -> None:
    """The Starting Player is the first Auctioneer of a round."""
    state.auctioneer = state.starting_player
    state.actor = state.auctioneer
    state.phase = PHASE_OFFER
