"""Counts of move sequences: two programs that agree on them agree on the rules.

A sequence is a way to make this many moves from a position, one after the other, each of the seat
that must decide (subsidies out of turn are left out). Where a draw is due, each set of tokens that
the bag can give is one move, in whatever order it comes. Beyond the end of the game there are no
moves, so a sequence that would reach beyond it does not count.
"""

from itertools import combinations

from industry.engine import (
    COLUMNS,
    Board,
    Move,
    Phase,
    Position,
    State,
    Token,
    apply_move,
    draw_count,
    list_moves,
    move_codes,
    move_of,
    new_move_list,
)

MAX_DEPTH = 20
"""Deeper counts would not end in a lifetime."""


def perft(position: Position, depth: int) -> int:
    """Returns how many sequences of `depth` moves there are."""
    return _count(position.board, position.state, depth, new_move_list())


def divide(position: Position, depth: int) -> list[tuple[Move, int]]:
    """Returns the same count, split by the first move; `depth` is at least 1."""
    board, state, buffer = position.board, position.state, new_move_list()
    return [
        (
            move_of(board, int(state.actor), code, int(state.era)),
            _count(board, _after(board, state, code), depth - 1, buffer),
        )
        for code in _codes(board, state, buffer)
    ]


def _count(board: Board, state: State, depth: int, buffer: list[int]) -> int:
    if depth == 0:
        return 1
    codes = _codes(board, state, buffer)
    if depth == 1:
        return len(codes)
    return sum(_count(board, _after(board, state, code), depth - 1, buffer) for code in codes)


def _after(board: Board, state: State, code: int) -> State:
    twin = state.copy()
    apply_move(board, twin, int(state.actor), code)
    return twin


def _codes(board: Board, state: State, buffer: list[int]) -> list[int]:
    """Returns the codes of all moves from here; `buffer` is scratch memory for the list."""
    if state.phase == Phase.DRAW:
        bag = [1 << column for column in range(COLUMNS) if state.tokens[column] == Token.IN_BAG]
        return [
            move_codes.DRAW + sum(drawn) for drawn in combinations(bag, draw_count(board, state))
        ]
    return buffer[: list_moves(board, state, int(state.actor), buffer)]
