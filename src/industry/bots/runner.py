"""Runs the bots' decision functions on a position, compiled or interpreted."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from industry.boards import BOARDS, load_board
from industry.engine import Board, Draw, Offer, Options, Position, play, start
from industry.engine.compiled import (
    compiled_rules,
    dtype_of,
    expect_compiling,
    is_compiled,
    record_of,
)
from industry.engine.constants import MAX_SEATS, NO_FIELD
from industry.engine.move_codes import ACTIONS
from industry.engine.playout import GENERATOR_WORDS
from industry.engine.state import State

from . import loops as loops
from .auction import appraise_field, purse_length
from .endgame import DEEPEST_LINE, MEMORY
from .features import SPREAD, WIDTH
from .greedy import DEEPEST, choose_greedy
from .heuristic import choose_heuristic
from .scratch import PLACES, SIMULATED, Scratch
from .search import ROOT
from .weights import Weights, handmade_weights, learned_weights

_MOVE_ROWS = DEEPEST + 1
Floats = npt.NDArray[np.float64]
RUNNER_LOOPS = (
    "decide_heuristic",
    "decide_greedy",
    "appraise_offer",
    "candidates",
    "think",
    "solve_ending",
)
"""All machine code that a `CompiledRunner` needs."""
Policy = Callable[[Board, list[State], Weights, Scratch, list[list[int]]], int]


class WeightSet:
    """Weights as arrays: `weights` for first moves and leaf values, `variants` for sampled play.

    The variants are perturbed copies of the weights; each sample of a search plays by another one.
    """

    VARIANTS = 64
    PERTURBATION = 0.15

    def __init__(self, weights: Weights) -> None:
        self.weights = np.array(weights)
        factors = np.exp(
            self.PERTURBATION * np.random.default_rng(1).standard_normal((self.VARIANTS, 1, WIDTH))
        )
        factors[0] = 1.0
        factors[:, :, SPREAD] = 1.0
        self.variants = self.weights[None] * factors


@cache
def handmade_weight_set() -> WeightSet:
    return WeightSet(handmade_weights())


@cache
def learned_weight_set(edition: int, players: int) -> WeightSet:
    return WeightSet(learned_weights(edition, players))


@dataclass(frozen=True)
class Appraisal:
    """Worth of the field on offer: points it adds to each seat; points of a purse by Talers."""

    gains: tuple[float, ...]
    purse: tuple[float, ...]


class InterpretedRunner:
    """Decides interpreted, so that nobody waits for the compiler."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.states = [State() for _ in range(PLACES)]
        self.moves = [[0] * ACTIONS for _ in range(_MOVE_ROWS)]
        self.scratch = Scratch()

    def heuristic_move(self, position: Position, weights: Weights) -> int:
        return self._decide(choose_heuristic, position, weights)

    def greedy_move(self, position: Position, weights: Weights) -> int:
        return self._decide(choose_greedy, position, weights)

    def appraise(self, position: Position, weights: Weights) -> Appraisal:
        """Values the field that is on offer for every seat."""
        _check_offer(position)
        state = position.state.copy()
        appraise_field(self.board, state, int(state.offered), weights, self.scratch)
        return _appraisal(position, self.scratch.gain, self.scratch.purse)

    def _decide(self, policy: Policy, position: Position, weights: Weights) -> int:
        self.states[SIMULATED] = position.state.copy()
        return policy(self.board, self.states, weights, self.scratch, self.moves)


class CompiledRunner:
    """Decides compiled, and can look ahead."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.rules: Any = compiled_rules()
        self.boards = record_of(board)
        self.states = np.zeros(PLACES, dtype=dtype_of(State))
        self.scratches = np.zeros(1, dtype=dtype_of(Scratch))
        self.moves = np.zeros((_MOVE_ROWS, ACTIONS), dtype=np.int16)
        self.found = np.zeros(ACTIONS, dtype=np.int16)
        self._lines = np.zeros(DEEPEST_LINE, dtype=dtype_of(State))
        self._line_moves = np.zeros((DEEPEST_LINE, ACTIONS), dtype=np.int16)
        self._worths = np.zeros((DEEPEST_LINE, MAX_SEATS))
        self._tried = np.zeros((DEEPEST_LINE, 2), dtype=np.int64)
        self._memory = np.zeros((MEMORY, MAX_SEATS))
        self._results = np.zeros((ACTIONS, MAX_SEATS))
        self._converted: tuple[Weights | None, Floats] = (None, np.zeros(0))

    def heuristic_move(self, position: Position, weights: Weights | Floats) -> int:
        return self._decide(self.rules.decide_heuristic, position, weights)

    def greedy_move(self, position: Position, weights: Weights | Floats) -> int:
        return self._decide(self.rules.decide_greedy, position, weights)

    def appraise(self, position: Position, weights: Weights | Floats) -> Appraisal:
        """Values the field that is on offer for every seat."""
        _check_offer(position)
        self.states[SIMULATED] = record_of(position.state)[0]
        self.rules.appraise_offer(self.boards, self.states, self._array(weights), self.scratches)
        scratch = self.scratches[0]
        return _appraisal(position, scratch["gain"].tolist(), scratch["purse"].tolist())

    def _decide(self, loop: Any, position: Position, weights: Weights | Floats) -> int:
        self.states[SIMULATED] = record_of(position.state)[0]
        return int(loop(self.boards, self.states, self._array(weights), self.scratches, self.moves))

    def _array(self, weights: Weights | Floats) -> Floats:
        """Returns weights as an array; the last list is converted once, so it must not change."""
        if isinstance(weights, np.ndarray):
            return weights
        if weights is not self._converted[0]:
            self._converted = weights, np.array(weights)
        return self._converted[1]

    def candidates(self, position: Position, first: int) -> list[int]:
        """Returns the moves worth searching in this position, `first` before all others."""
        self.states[ROOT] = record_of(position.state)[0]
        count = self.rules.candidates(self.boards, self.states, self.found, first)
        return [int(code) for code in self.found[:count]]

    def think(
        self,
        weight_set: WeightSet,
        codes: list[int],
        rounds: int,
        taken: int,
        samples: int,
        rng: Random,
    ) -> Floats:
        """Returns sums of each candidate's leads over the first one, and of their squares.

        The position is the one whose candidates were asked for; `taken` samples went before.
        """
        generator = np.array([rng.getrandbits(32) for _ in range(GENERATOR_WORDS)])
        leads = np.zeros((len(codes), 2))
        self.found[: len(codes)] = codes
        self.rules.think(
            self.boards,
            self.states,
            weight_set.weights,
            weight_set.variants,
            self.scratches,
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
        """Returns every seat's worth after each legal move of an ending, by code.

        Returns None if that takes more nodes, or if this is not an ending.
        """
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


def _check_offer(position: Position) -> None:
    if position.state.offered == NO_FIELD:
        raise ValueError("no field is on offer in this position")


def _appraisal(position: Position, gain: list[float], purse: list[float]) -> Appraisal:
    """Returns the part of the scratch memory that this position has filled."""
    talers = position.state.talers[: int(position.state.players)]
    return Appraisal(tuple(gain[: len(talers)]), tuple(purse[: purse_length(max(talers))]))


def ready_runner(board: Board, *loops: str) -> InterpretedRunner | CompiledRunner:
    """Returns a runner that answers at once: compiled where the machine code already exists.

    `loops` are the entry points that will be used; by default those of decisions.
    """
    warm = is_compiled(*(loops or ("decide_heuristic", "decide_greedy")))
    return CompiledRunner(board) if warm else InterpretedRunner(board)


def compile_runners() -> None:
    """Compiles everything that bots need: a minute the first time, then loaded from the cache."""
    expect_compiling(*RUNNER_LOOPS)
    position = opening()
    runner = CompiledRunner(position.board)
    weights = handmade_weights()
    runner.heuristic_move(position, weights)
    runner.greedy_move(position, weights)
    codes = runner.candidates(position, runner.greedy_move(position, weights))
    runner.think(handmade_weight_set(), codes, 1, 0, 1, Random(0))
    runner.solve(position, 0)
    runner.appraise(_offered(position), weights)


def compile_appraisal() -> None:
    """Compiles what `CompiledRunner.appraise` needs."""
    expect_compiling("appraise_offer")
    position = _offered(opening())
    CompiledRunner(position.board).appraise(position, handmade_weights())


def _offered(position: Position) -> Position:
    """Returns the position after the Auctioneer has offered a field."""
    offers = [move for move in position.legal_moves if isinstance(move, Offer)]
    return play(position, offers[0])[0]


def opening() -> Position:
    """Returns a first position with decisions, to compile on."""
    position, _ = play(start(load_board(BOARDS[0]).rules, 3, 0, Options()), Draw((0, 1, 2)))
    return position
