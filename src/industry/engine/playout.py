"""Random games, one or many: loops that are worth compiling.

The engine has no randomness of its own: a generator is four numbers that the caller owns and seeds,
and the same numbers give the same game interpreted and compiled. It is xoshiro128++ (Blackman and
Vigna) in 32-bit steps, so that Python's integers and machine words agree.
"""

from .board import Board
from .constants import COLUMNS, NOBODY, PHASE_DRAW, PHASE_OVER, TOKEN_IN_BAG
from .dispatch import apply_move, list_moves, move_fault
from .faults import NO_FAULT, Fault
from .move_codes import DRAW
from .rule import helper
from .rules.draw import draw_count, tokens_in_bag
from .rules.scoring import is_ahead
from .state import State

WORD = 0xFFFFFFFF
GENERATOR_WORDS = 4


@helper
def next_word(generator: list[int]) -> int:
    """Returns the next 32 random bits."""
    a, b, c, d = generator[0], generator[1], generator[2], generator[3]
    sum_ = (a + d) & WORD
    word = ((sum_ << 7 | sum_ >> 25) + a) & WORD
    shifted = b << 9 & WORD
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11 | d >> 21) & WORD
    generator[0], generator[1], generator[2], generator[3] = a, b, c, d
    return word


@helper
def random_below(generator: list[int], limit: int) -> int:
    """Returns a number from 0 to limit - 1, each equally likely."""
    while True:
        scaled = next_word(generator) * limit
        # Only the lowest 2**32 % limit words would cause a bias; dividing is slow.
        if scaled & WORD >= limit or scaled & WORD >= (WORD + 1) % limit:
            return scaled >> 32


@helper
def random_draw(board: Board, state: State, generator: list[int]) -> int:
    """Returns the code of a draw: each set of tokens in the bag is equally likely."""
    wanted = draw_count(board, state)
    left = tokens_in_bag(state)
    columns = 0
    for column in range(COLUMNS):
        if state.tokens[column] == TOKEN_IN_BAG:
            if random_below(generator, left) < wanted:
                columns |= 1 << column
                wanted -= 1
            left -= 1
    return DRAW + columns


@helper
def random_step(board: Board, state: State, generator: list[int], moves: list[int]) -> int:
    """Makes one uniformly random move (or the draw that is due); returns its code."""
    if state.phase == PHASE_DRAW:
        code = random_draw(board, state, generator)
        apply_move(board, state, NOBODY, code)
        return code
    seat = int(state.actor)
    count = list_moves(board, state, seat, moves)
    code = int(moves[random_below(generator, count)])
    apply_move(board, state, seat, code)
    return code


@helper
def playout(board: Board, state: State, generator: list[int], moves: list[int]) -> int:
    """Plays at random to the end of the game; returns the number of the players' decisions."""
    decisions = 0
    while state.phase != PHASE_OVER:
        if random_step(board, state, generator, moves) < DRAW:
            decisions += 1
    return decisions


@helper
def is_winner(board: Board, state: State, seat: int) -> bool:
    """Checks that no other seat is ahead of this one."""
    for other in range(state.players):
        if is_ahead(board, state, other, seat):
            return False
    return True


@helper
def recorded_playout(
    board: Board,
    state: State,
    generator: list[int],
    moves: list[int],
    codes: list[int],
    seats: list[int],
    counts: list[int],
) -> int:
    """Plays to the end at random; records code, seat (-1: draw) and legal moves of each step."""
    steps = 0
    while state.phase != PHASE_OVER and steps < len(codes):
        seat = int(state.actor)
        counts[steps] = list_moves(board, state, seat, moves)
        seats[steps] = seat
        codes[steps] = random_step(board, state, generator, moves)
        steps += 1
    return steps


@helper
def step(board: Board, state: State, code: int, generator: list[int]) -> Fault:
    """Makes the deciding seat's move and the draws that follow, or refuses it."""
    fault = move_fault(board, state, int(state.actor), code)
    if fault == NO_FAULT:
        apply_move(board, state, int(state.actor), code)
        while state.phase == PHASE_DRAW:
            apply_move(board, state, NOBODY, random_draw(board, state, generator))
    return fault
