"""Solves the end of the game, from the auction of the last field on.

After the last draw nothing is hidden or random. Every seat is assumed to maximise its own result
(max^n): first its share of the victory, then its points. Of equal moves the first one listed is
taken.
"""

from industry.engine.board import Board
from industry.engine.constants import MAX_SEATS, NO_FIELD, NOBODY, Phase
from industry.engine.dispatch import apply_move, list_moves
from industry.engine.rule import helper
from industry.engine.state import State

from .greedy import only_field
from .scratch import TOP_BID, copy_place
from .search import POINT
from .values import final_shares, final_value, is_last_round

DEEPEST_LINE = 32
"""Longest line: offer, three bids and a settlement, four turns of three fields, all subsidies."""
MEMORY = (TOP_BID + 1) * MAX_SEATS * (1 << MAX_SEATS)
"""Highest bids, highest bidders and who took subsidies: the same settlement is solved once."""
SAME = 1e-9


@helper
def is_ending(board: Board, state: State) -> bool:
    """Checks whether the last field of the game is on offer, or gone."""
    if not is_last_round(board, state):
        return False
    if state.phase == Phase.OFFER:
        return only_field(state) != NO_FIELD
    if state.phase == Phase.BID or state.phase == Phase.SETTLE:
        return only_field(state) == state.offered
    return bool(state.phase == Phase.DEVELOP)


@helper
def memory_of(state: State) -> int:
    """Returns the index of this settlement in the memory; -1 for other decisions."""
    if state.phase != Phase.SETTLE or state.high_bid > TOP_BID or state.high_bidder == NOBODY:
        return -1
    takers = 0
    for seat in range(state.players):
        takers |= int(state.subsidies[seat]) << seat
    return ((int(state.high_bid) * MAX_SEATS + int(state.high_bidder)) << MAX_SEATS) + takers


@helper
def look_at(
    board: Board,
    state: State,
    moves: list[int],
    worths: list[float],
    memory: list[list[float]],
) -> int:
    """Returns how many moves must be tried here; 0 if `worths` is already known."""
    if state.phase == Phase.OVER:
        final_shares(board, state, worths)
        for seat in range(state.players):
            worths[seat] += POINT * final_value(board, state, seat)
        return 0
    slot = memory_of(state)
    if slot >= 0 and memory[slot][0] >= 0.0:
        for seat in range(state.players):
            worths[seat] = memory[slot][seat]
        return 0
    return list_moves(board, state, int(state.actor), moves)


@helper
def solve_line(
    board: Board,
    states: list[State],
    moves: list[list[int]],
    worths: list[list[float]],
    memory: list[list[float]],
    tried: list[list[int]],
    nodes: int,
) -> int:
    """Writes every seat's worth (to `worths[1]`) with best play from state 1 on.

    Returns the nodes left, or -1 where they do not suffice. `tried` counts the moves of each state
    on the line, and how many of them were tried.
    """
    depth = 1
    entering = True
    while True:
        if entering:
            tried[depth][0] = look_at(board, states[depth], moves[depth], worths[depth], memory)
            tried[depth][1] = 0
            nodes -= 1
            if nodes < 0 or depth + 1 >= DEEPEST_LINE:
                return -1
        if tried[depth][1] < tried[depth][0]:
            code = int(moves[depth][tried[depth][1]])
            tried[depth][1] += 1
            copy_place(states, depth + 1, depth)
            apply_move(board, states[depth + 1], int(states[depth].actor), code)
            depth += 1
            entering = True
            continue
        remember(states[depth], worths[depth], memory)
        if depth == 1:
            return nodes
        depth -= 1
        entering = False
        prefer(states[depth], tried[depth][1] == 1, worths[depth], worths[depth + 1])


@helper
def remember(state: State, worths: list[float], memory: list[list[float]]) -> None:
    slot = memory_of(state)
    if slot >= 0:
        for seat in range(state.players):
            memory[slot][seat] = worths[seat]


@helper
def prefer(state: State, is_first: bool, worths: list[float], other: list[float]) -> None:
    """Adopts the worths of another move if it is better for the deciding seat."""
    seat = int(state.actor)
    if is_first or other[seat] > worths[seat] + SAME:
        for place in range(state.players):
            worths[place] = other[place]


@helper
def solve_moves(
    board: Board,
    states: list[State],
    moves: list[list[int]],
    worths: list[list[float]],
    memory: list[list[float]],
    tried: list[list[int]],
    nodes: int,
    results: list[list[float]],
) -> int:
    """Writes every seat's worth after each legal move of the first state to `results`, in the order
    of `moves[0]`; returns how many moves there are, or -1 if the nodes do not suffice.
    """
    for place in range(len(memory)):
        memory[place][0] = -1.0
    seat = int(states[0].actor)
    count = list_moves(board, states[0], seat, moves[0])
    for position in range(count):
        copy_place(states, 1, 0)
        apply_move(board, states[1], seat, int(moves[0][position]))
        nodes = solve_line(board, states, moves, worths, memory, tried, nodes)
        if nodes < 0:
            return -1
        for other in range(states[0].players):
            results[position][other] = worths[1][other]
    return count
