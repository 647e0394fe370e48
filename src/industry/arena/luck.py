"""Measures how lucky a game's draws were for each seat, to see strength in fewer games.

At each draw, the drawn tokens are compared with others that could have been drawn: a few lines
after each estimate its value to everyone. The difference is zero on average, whatever the estimates
and the players. So a result minus its luck has the same mean as the result itself (the part of
AIVAT that concerns chance).
"""

from collections.abc import Iterable
from random import Random

import numpy as np

from industry.bots.runner import CompiledRunner, Floats
from industry.bots.valued_lines import Lines, mixture_of
from industry.engine import Board, Draw, Position, apply_move, code_of


class Luck:
    """Measures games on one board. The settings are fixed before any game is played."""

    OTHERS = 4
    """Other draws that each draw is compared with."""
    LINES = 4
    """Lines after each draw."""
    SHARE = 0.3
    """How much of the measured luck counts. A few lines measure it with large errors, so counting
    all of it would make results scatter more. Chosen on games that are used for no result.
    """

    def __init__(self, board: Board) -> None:
        self.runner = CompiledRunner(board)
        self.mixture = mixture_of(0.0)

    def of_game(self, opening: Position, codes: Iterable[int], seed: str) -> tuple[float, ...]:
        """Returns the luck of every seat, in shares of a victory; it sums to 0 over the seats."""
        rng = Random(seed)
        position = opening
        total = np.zeros(int(opening.state.players))
        for code in codes:
            state = position.state.copy()
            state.events.clear()
            apply_move(opening.board, state, int(state.actor), code)
            after = Position(opening.board, state)
            if position.draw_due:
                total += self._of_draw(position, code, len(position.bag) - len(after.bag), rng)
            position = after
        return tuple((self.SHARE * total).tolist())

    def _of_draw(self, position: Position, code: int, drawn: int, rng: Random) -> Floats:
        """Returns what a draw was worth beyond the mean of other draws."""
        players = int(position.state.players)
        if drawn == len(position.bag):
            return np.zeros(players)
        others = [code_of(Draw(tuple(rng.sample(position.bag, drawn)))) for _ in range(self.OTHERS)]
        lines = Lines(self.runner, position, rng)
        worths = lines.play([code, *others], self.LINES, self.mixture).mean(axis=1)[:, :players]
        return np.asarray(worths[0] - worths[1:].mean(axis=0))
