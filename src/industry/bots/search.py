"""Looks ahead: plays each sensible move, continues greedily and evaluates the resulting position.

Within a round nothing is random, but one Taler more or less can change everybody's play. So every
sample continues with another variant of the weights and other draws. All candidates of a sample get
the same variant and the same draws, and are compared with the first candidate.
"""

from industry.engine.board import Board
from industry.engine.constants import Phase
from industry.engine.dispatch import apply_move, list_moves
from industry.engine.move_codes import BID, SUBSIDY
from industry.engine.rule import helper
from industry.engine.state import State

from .greedy import play_on
from .scratch import SIMULATED, Scratch, copy_place
from .values import evaluate

ROOT = 6
"""Index of the position that is searched."""
POINT = 0.005
"""Share of a victory that each point counts, so that points decide between equal chances."""
MOST_BIDS = 7
"""Bids further above the highest bid are not searched: they only cost more."""
FULL_PURSE = 6
"""With more Talers than this a subsidy is not searched."""


@helper
def is_sensible(state: State, seat: int, code: int) -> bool:
    """Rejects bids far above the highest one and subsidies for a full purse."""
    if state.phase == Phase.BID and code >= BID:
        return bool(code <= BID + state.high_bid + MOST_BIDS)
    return code != SUBSIDY or bool(state.talers[seat] <= FULL_PURSE)


@helper
def list_candidates(board: Board, state: State, moves: list[int], first: int) -> int:
    """Lists the legal moves that are worth searching, `first` before all others."""
    seat = int(state.actor)
    count = list_moves(board, state, seat, moves)
    kept = 0
    place = 0
    for position in range(count):
        code = moves[position]
        if code == first:
            place = kept
        elif not is_sensible(state, seat, code):
            continue
        moves[kept] = code
        kept += 1
    moves[place] = moves[0]
    moves[0] = first
    return kept


@helper
def try_candidates(
    board: Board,
    states: list[State],
    weights: list[list[float]],
    variant: list[list[float]],
    scratch: Scratch,
    moves: list[list[int]],
    generator: list[int],
    candidates: list[int],
    count: int,
    rounds: int,
    leads: list[list[float]],
) -> None:
    """Takes one sample: adds each candidate's lead over the first one, and its square, to `leads`.

    Points count a little even in games that seem decided, since other players may err.
    """
    seat = int(states[ROOT].actor)
    words = generator[0], generator[1], generator[2], generator[3]
    standard = 0.0
    for candidate in range(count):
        generator[0], generator[1], generator[2], generator[3] = words
        copy_place(states, SIMULATED, ROOT)
        apply_move(board, states[SIMULATED], seat, int(candidates[candidate]))
        play_on(board, states, variant, scratch, moves, generator, rounds)
        evaluate(board, states[SIMULATED], weights, scratch, scratch.expected, scratch.shares)
        worth = scratch.shares[seat] + POINT * scratch.expected[seat]
        if candidate == 0:
            standard = worth
        leads[candidate][0] += worth - standard
        leads[candidate][1] += (worth - standard) * (worth - standard)
