"""Solves endings exactly, from the auction of the very last field on.

Everyone is assumed to play in their own interest. The bots' solver returns one number per seat for
victory and points together; playing its best moves to the end separates the two.
"""

from typing import TYPE_CHECKING

import numpy as np

from industry.bots.endgame import SAME
from industry.bots.runner import CompiledRunner
from industry.engine import PlayerMove, Position, play, player_move_of

if TYPE_CHECKING:
    from .judging import Outcomes

NODES = 20_000
"""The most positions that solving an ending may look at."""


def solve_moves(runner: CompiledRunner, position: Position) -> "dict[PlayerMove, Outcomes] | None":
    """Returns what everyone gets after each legal move, best first for the deciding seat.

    None if that is not known exactly.
    """
    worths = runner.solve(position, NODES)
    if worths is None:
        return None
    seat = position.actor
    found = {}
    for code in sorted(worths, key=lambda code: -worths[code][seat]):
        move = player_move_of(position.board, seat, code)
        outcome = _outcome(runner, play(position, move)[0])
        if outcome is None:
            return None
        found[move] = outcome
    return found


def _outcome(runner: CompiledRunner, position: Position) -> "Outcomes | None":
    """Returns how the game ends if everyone makes their best moves from here on."""
    from .judging import Outcomes, final_values

    while not position.is_over:
        worths = runner.solve(position, NODES)
        if worths is None:
            return None
        move = player_move_of(position.board, position.actor, best_code(worths, position.actor))
        position = play(position, move)[0]
    values = final_values(position)
    wins, points = ([[getattr(value, name) for value in values]] for name in ("win", "points"))
    return Outcomes(np.array(wins), np.array(points))


def best_code(worths: dict[int, tuple[float, ...]], seat: int) -> int:
    """Returns the seat's best move; of equal ones the first, as in the solver."""
    best = -1
    for code, worth in worths.items():
        if best < 0 or worth[seat] > worths[best][seat] + SAME:
            best = code
    return best
