"""A bot's desk and memory for one board: the bridge between a position and the thinking code."""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from industry.boards import BOARDS, load_board
from industry.engine import Board, Draw, Options, Position, play, start
from industry.engine.codes import ACTIONS
from industry.engine.compiled import compiled, dtype_of, is_warm, record_of
from industry.engine.playout import GENERATOR_WORDS
from industry.engine.state import State
from industry.engine.vocabulary import MAX_SEATS

from . import loops as loops
from .desk import PLACES, SIMULATED, Desk
from .endgame import DEEPEST_LINE, MEMORY
from .features import SPREAD, WIDTH
from .policy import DEEPEST, choose_by_value
from .search import ROOT
from .simple import choose_simply
from .weights import Weights, handmade_weights, learned_weights

_MOVE_ROWS = DEEPEST + 1
Floats = npt.NDArray[np.float64]
Policy = Callable[[Board, list[State], Weights, Desk, list[list[int]]], int]


class Outlook:
    """Weights as arrays: for the first idea and the end of a line, and shaken ones for the moves of
    samples."""

    OPINIONS = 64
    SHAKEN = 0.15

    def __init__(self, weights: Weights) -> None:
        self.weights = np.array(weights)
        factors = np.exp(
            self.SHAKEN * np.random.default_rng(1).standard_normal((self.OPINIONS, 1, WIDTH))
        )
        factors[0] = 1.0
        factors[:, :, SPREAD] = 1.0
        self.opinions = self.weights[None] * factors


@cache
def handmade_outlook() -> Outlook:
    return Outlook(handmade_weights())


@cache
def learned_outlook(edition: int, players: int) -> Outlook:
    return Outlook(learned_weights(edition, players))


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
        self._lines = np.zeros(DEEPEST_LINE, dtype=dtype_of(State))
        self._line_moves = np.zeros((DEEPEST_LINE, ACTIONS), dtype=np.int16)
        self._worths = np.zeros((DEEPEST_LINE, MAX_SEATS))
        self._tried = np.zeros((DEEPEST_LINE, 2), dtype=np.int64)
        self._memory = np.zeros((MEMORY, MAX_SEATS))
        self._results = np.zeros((ACTIONS, MAX_SEATS))

    def simply(self, position: Position, weights: Weights | Floats) -> int:
        return self._decide(self.rules.decide_simply, position, weights)

    def by_value(self, position: Position, weights: Weights | Floats) -> int:
        return self._decide(self.rules.decide_by_value, position, weights)

    def _decide(self, loop: Any, position: Position, weights: Weights | Floats) -> int:
        self.states[SIMULATED] = record_of(position.state)[0]
        return int(loop(self.boards, self.states, np.asarray(weights), self.desks, self.moves))

    def candidates(self, position: Position, first: int) -> list[int]:
        """The moves worth a thought in this position, `first` before all others."""
        self.states[ROOT] = record_of(position.state)[0]
        count = self.rules.candidates(self.boards, self.states, self.found, first)
        return [int(code) for code in self.found[:count]]

    def think(
        self, outlook: Outlook, codes: list[int], rounds: int, taken: int, samples: int, rng: Random
    ) -> Floats:
        """Sums of each candidate's leads over the first one, and of their squares.

        The position is the one whose candidates were asked for; `taken` samples went before.
        """
        generator = np.array([rng.getrandbits(32) for _ in range(GENERATOR_WORDS)])
        leads = np.zeros((len(codes), 2))
        self.found[: len(codes)] = codes
        self.rules.think(
            self.boards,
            self.states,
            outlook.weights,
            outlook.opinions,
            self.desks,
            self.moves,
            generator,
            self.found,
            len(codes),
            rounds,
            taken,
            samples,
            leads,
        )
        return leads

    def solve(self, position: Position, nodes: int) -> dict[int, tuple[float, ...]] | None:
        """Everyone's worth after each legal move of an ending, by code; None where that takes more
        nodes, or where the game is not at its end."""
        self._lines[0] = record_of(position.state)[0]
        count = self.rules.solve_ending(
            self.boards,
            self._lines,
            self._line_moves,
            self._worths,
            self._memory,
            self._tried,
            nodes,
            self._results,
        )
        if count < 0:
            return None
        players = int(position.state.players)
        codes = self._line_moves[0, :count].tolist()
        return {
            code: tuple(self._results[place, :players].tolist()) for place, code in enumerate(codes)
        }


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
    codes = mind.candidates(position, mind.by_value(position, weights))
    mind.think(handmade_outlook(), codes, 1, 0, 1, Random(0))
    mind.solve(position, 0)
