"""A bot's desk and memory for one board: the bridge between a position and the thinking code."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from industry.boards import BOARDS, load_board
from industry.engine import Board, Draw, Options, Position, play, start
from industry.engine.codes import ACTIONS
from industry.engine.compiled import compiled, dtype_of, is_warm, record_of
from industry.engine.playout import GENERATOR_WORDS
from industry.engine.state import State

from . import loops as loops
from .desk import PLACES, SIMULATED, Desk
from .policy import DEEPEST, choose_by_value
from .search import ROOT
from .simple import choose_simply
from .weights import Weights, handmade_weights

_MOVE_ROWS = DEEPEST + 1
Policy = Callable[[Board, list[State], Weights, Desk, list[list[int]]], int]


class SlowMind:
    """Decides interpreted: at once, so that nobody waits for the compiler."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.states = [State() for _ in range(PLACES)]
        self.moves = [[0] * ACTIONS for _ in range(_MOVE_ROWS)]
        self.desk = Desk()

    def simply(self, position: Position, weights: Weights) -> int:
        return self._decide(choose_simply, position, weights)

    def by_value(self, position: Position, weights: Weights) -> int:
        return self._decide(choose_by_value, position, weights)

    def _decide(self, policy: Policy, position: Position, weights: Weights) -> int:
        self.states[SIMULATED] = position.state.copy()
        return policy(self.board, self.states, weights, self.desk, self.moves)


class FastMind:
    """Decides compiled, and can look ahead."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.rules: Any = compiled()
        self.boards = record_of(board)
        self.states = np.zeros(PLACES, dtype=dtype_of(State))
        self.desks = np.zeros(1, dtype=dtype_of(Desk))
        self.moves = np.zeros((_MOVE_ROWS, ACTIONS), dtype=np.int16)
        self.found = np.zeros(ACTIONS, dtype=np.int16)

    def simply(self, position: Position, weights: Weights) -> int:
        return self._decide(self.rules.decide_simply, position, weights)

    def by_value(self, position: Position, weights: Weights) -> int:
        return self._decide(self.rules.decide_by_value, position, weights)

    def _decide(self, loop: Any, position: Position, weights: Weights) -> int:
        self.states[SIMULATED] = record_of(position.state)[0]
        return int(loop(self.boards, self.states, np.array(weights), self.desks, self.moves))

    def candidates(self, position: Position) -> list[int]:
        """The moves worth a thought in this position, which is kept for `think`."""
        self.states[ROOT] = record_of(position.state)[0]
        count = self.rules.candidates(self.boards, self.states, self.found)
        return [int(code) for code in self.found[:count]]

    def think(
        self, weights: Weights, count: int, rounds: int, samples: int, rng: Random
    ) -> list[float]:
        """The deciding seat's summed chances after each candidate."""
        generator = np.array([rng.getrandbits(32) for _ in range(GENERATOR_WORDS)])
        totals = np.zeros(count)
        self.rules.think(
            self.boards,
            self.states,
            np.array(weights),
            self.desks,
            self.moves,
            generator,
            self.found,
            count,
            rounds,
            samples,
            totals,
        )
        return [float(total) for total in totals]


def ready_mind(board: Board) -> SlowMind | FastMind:
    """A mind that can decide at once: compiled where the machine code is there already."""
    warm = is_warm("decide_simply", "decide_by_value")
    return FastMind(board) if warm else SlowMind(board)


def compile_minds() -> None:
    """Have the machine code of everything that bots do: a minute the first time, then at once."""
    board = load_board(BOARDS[0]).rules
    position, _ = play(start(board, 3, 0, Options()), Draw((0, 1, 2)))
    mind = FastMind(board)
    weights = handmade_weights()
    mind.simply(position, weights)
    mind.by_value(position, weights)
    mind.think(weights, len(mind.candidates(position)), 1, 1, Random(0))
