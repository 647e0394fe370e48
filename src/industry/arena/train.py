"""Trains weights generation by generation, with games on all cores."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from industry.boards import BoardSpec
from industry.bots.learn_from_points import FeatureRows, Floats, compare, fit, gather_rows, joined
from industry.bots.learn_from_wins import ShiftedSeats, improved, play_shifted_games
from industry.bots.learn_leaf_values import Branches, fit_between, play_branches
from industry.bots.weights import DECIMALS, handmade_weights
from industry.engine import expect_compiling

from .executor import Executor, Processes

PIECE = 60
"""Games per piece of work."""
MEMORY = 2
"""Generations whose rows are learned from together."""
POINTS, VICTORIES = "points", "victories"
"""What training learns from: `bots.learn_from_points` or `bots.learn_from_wins`."""
LOOPS_OF = {
    POINTS: ("gather_features", "play_greedy", "score_games", "branch_out"),
    VICTORIES: ("play_greedy", "score_games", "branch_out"),
}
"""The machine code that each way of training needs."""


@dataclass(frozen=True)
class Generation:
    """The weights of a generation, and its share of wins against the handmade weights."""

    number: int
    weights: Floats
    win_share: float


@dataclass(frozen=True)
class TrainingPlan:
    """What to train and how much; the result depends on these values alone."""

    board: BoardSpec
    players: int
    learns_from: str
    generations: int
    games: int
    trials: int
    compared: int
    seed: str


def train(
    plan: TrainingPlan,
    done: list[Generation],
    processes: int | None = None,
    executor: Executor | None = None,
) -> Generator[Generation, None, None]:
    """Yields the generations after those that are already done."""
    executor = executor or Processes(processes)
    handmade = np.array(handmade_weights())
    play = gather_rows if plan.learns_from == POINTS else play_shifted_games
    expect_compiling(*LOOPS_OF[plan.learns_from])
    executor.prepare(play, plan.board, plan.players, handmade, plan.seed, 0, 1)
    executor.prepare(compare, plan.board, plan.players, handmade, handmade, plan.seed, 0, 1)
    learn = _from_points if plan.learns_from == POINTS else _from_victories
    for number, weights in learn(plan, [handmade, *(g.weights for g in done)], executor):
        won = _won(plan, weights, handmade, executor)
        yield Generation(number, weights, won / plan.compared)


def _from_points(
    plan: TrainingPlan, before: list[Floats], executor: Executor
) -> Iterator[tuple[int, Floats]]:
    """Yields further generations; `before` are the handmade weights and the generations done.

    Weights are rounded as in their files, so that a plan can be stopped and continued.
    """
    memory: list[FeatureRows] = []
    if len(before) > 1:  # the rows of the generation before are gathered again, not stored
        memory.append(_gathered(plan, before[-2], len(before) - 1, executor))
    weights = before[-1]
    for number in range(len(before), plan.generations + 1):
        memory = [*memory, _gathered(plan, weights, number, executor)][-MEMORY:]
        weights = fit(joined(memory)).round(DECIMALS)
        yield number, weights


def _from_victories(
    plan: TrainingPlan, before: list[Floats], executor: Executor
) -> Iterator[tuple[int, Floats]]:
    weights = before[-1]
    for number in range(len(before), plan.generations + 1):
        jobs = _jobs(plan, (weights,), f"contests {number - 1}", plan.games)
        contests: ShiftedSeats = joined(list(executor.map(play_shifted_games, jobs)))
        weights = improved(weights, contests, number - 1).round(DECIMALS)
        yield number, weights


def complete(
    plan: TrainingPlan,
    last: Generation,
    processes: int | None = None,
    executor: Executor | None = None,
) -> Floats:
    """Returns the final weights of a plan: the last generation's, with those between rounds."""
    executor = executor or Processes(processes)
    executor.prepare(play_branches, plan.board, plan.players, last.weights, plan.seed, 0, 1)
    jobs = _jobs(plan, (last.weights,), f"trials {last.number - 1}", plan.trials)
    trials: Branches = joined(list(executor.map(play_branches, jobs)))
    return fit_between(last.weights, trials)


def _gathered(plan: TrainingPlan, weights: Floats, number: int, executor: Executor) -> FeatureRows:
    """Returns the rows of games that this generation learns from, played with the last weights."""
    jobs = _jobs(plan, (weights,), f"generation {number - 1}", plan.games)
    return joined(list(executor.map(gather_rows, jobs)))


def _won(plan: TrainingPlan, ours: Floats, theirs: Floats, executor: Executor) -> float:
    return sum(executor.map(compare, _jobs(plan, (ours, theirs), "compare", plan.compared)))


def _jobs(
    plan: TrainingPlan, weights: tuple[Floats, ...], purpose: str, games: int
) -> Iterator[tuple[Any, ...]]:
    """Splits games into jobs for the functions that play them."""
    for first in range(0, games, PIECE):
        count = min(PIECE, games - first)
        yield plan.board, plan.players, *weights, f"{plan.seed}/{purpose}", first, count
