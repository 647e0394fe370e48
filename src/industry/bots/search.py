"""Looking ahead: try each sensible move, play on by value, and judge where everyone ends up.

Within a round nothing is left to chance, so one continuation tells all. Beyond it the tokens are
drawn anew for every sample, and all candidates meet the same draws.
"""

from industry.engine.board import Board
from industry.engine.codes import BID, SUBSIDY
from industry.engine.rule import part
from industry.engine.state import State
from industry.engine.step import carry_out, list_moves
from industry.engine.vocabulary import Phase

from .desk import SIMULATED, Desk, copy_place
from .policy import play_on
from .values import judge

ROOT = 6
"""Place of the position that is thought about."""
POINT = 0.005
"""What a point more is worth as a share of the victory: it decides where victory does not."""
MOST_BIDS = 7
"""Bids beyond so many steps above the lowest are not looked at: they only cost more."""


@part
def list_candidates(board: Board, state: State, moves: list[int]) -> int:
    """The legal moves that are worth a thought; a subsidy only where Talers are short."""
    seat = int(state.actor)
    count = list_moves(board, state, seat, moves)
    kept = 0
    for position in range(count):
        code = moves[position]
        if code >= BID and code > BID + state.high_bid + MOST_BIDS and state.phase == Phase.BID:
            continue
        if code == SUBSIDY and state.talers[seat] > 6:
            continue
        moves[kept] = code
        kept += 1
    return kept


@part
def try_candidates(
    board: Board,
    states: list[State],
    weights: list[list[float]],
    desk: Desk,
    moves: list[list[int]],
    generator: list[int],
    candidates: list[int],
    count: int,
    rounds: int,
    totals: list[float],
) -> None:
    """One sample: add to `totals` the deciding seat's chance after each candidate.

    A game that seems won or lost anyway is still played for points: the others may err.
    """
    seat = int(states[ROOT].actor)
    first, second, third, fourth = generator[0], generator[1], generator[2], generator[3]
    for candidate in range(count):
        generator[0], generator[1], generator[2], generator[3] = first, second, third, fourth
        copy_place(states, SIMULATED, ROOT)
        carry_out(board, states[SIMULATED], seat, int(candidates[candidate]))
        play_on(board, states, weights, desk, moves, generator, rounds)
        judge(board, states[SIMULATED], weights, desk.room, desk.worth, desk.shares)
        totals[candidate] += desk.shares[seat] + POINT * desk.worth[seat]
