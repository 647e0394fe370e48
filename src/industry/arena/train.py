"""Generations of learning on all cores: `bots.training` does the work, here it is shared out."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from industry.boards import BoardSpec
from industry.bots.contests import Contests, contest, improved
from industry.bots.training import Floats, Notes, compare, fit, joined, take_notes
from industry.bots.trials import Trials, fit_between, make_trials
from industry.bots.weights import DECIMALS, handmade_weights

from .executor import Executor, Processes

PIECE = 60
"""Games per piece of work."""
MEMORY = 2
"""So many generations of notes are learned from together."""
POINTS, VICTORIES = "points", "victories"
"""What a course learns from: `bots.training` or `bots.contests`."""


@dataclass(frozen=True)
class Generation:
    """What one generation learned, and how it fares against the handmade weights."""

    number: int
    weights: Floats
    win_share: float


@dataclass(frozen=True)
class Course:
    """A course of training. The result depends on these values alone."""

    board: BoardSpec
    players: int
    learns_from: str
    generations: int
    games: int
    trials: int
    compared: int
    seed: str


def train(
    course: Course,
    done: list[Generation],
    processes: int | None = None,
    executor: Executor | None = None,
) -> Generator[Generation, None, None]:
    """The generations that are still to come after those that are done."""
    executor = executor or Processes(processes)
    handmade = np.array(handmade_weights())
    play = take_notes if course.learns_from == POINTS else contest
    executor.prepare(play, course.board, course.players, handmade, course.seed, 0, 1)
    executor.prepare(compare, course.board, course.players, handmade, handmade, course.seed, 0, 1)
    learn = _from_points if course.learns_from == POINTS else _from_victories
    for number, weights in learn(course, [handmade, *(g.weights for g in done)], executor):
        won = _won(course, weights, handmade, executor)
        yield Generation(number, weights, won / course.compared)


def _from_points(
    course: Course, before: list[Floats], executor: Executor
) -> Iterator[tuple[int, Floats]]:
    """Further generations and their numbers; `before` are the handmade weights and those done.

    Weights are rounded as in their files, so that a course can be stopped and continued.
    """
    memory: list[Notes] = []
    if len(before) > 1:  # the notes of the generation before are made again rather than stored
        memory.append(_notes(course, before[-2], len(before) - 1, executor))
    weights = before[-1]
    for number in range(len(before), course.generations + 1):
        memory = [*memory, _notes(course, weights, number, executor)][-MEMORY:]
        weights = fit(joined(memory)).round(DECIMALS)
        yield number, weights


def _from_victories(
    course: Course, before: list[Floats], executor: Executor
) -> Iterator[tuple[int, Floats]]:
    weights = before[-1]
    for number in range(len(before), course.generations + 1):
        jobs = _jobs(course, (weights,), f"contests {number - 1}", course.games)
        contests: Contests = joined(list(executor.map(contest, jobs)))
        weights = improved(weights, contests, number - 1).round(DECIMALS)
        yield number, weights


def complete(
    course: Course,
    last: Generation,
    processes: int | None = None,
    executor: Executor | None = None,
) -> Floats:
    """The weights of a course whose last generation is this, with those between rounds."""
    executor = executor or Processes(processes)
    executor.prepare(make_trials, course.board, course.players, last.weights, course.seed, 0, 1)
    jobs = _jobs(course, (last.weights,), f"trials {last.number - 1}", course.trials)
    trials: Trials = joined(list(executor.map(make_trials, jobs)))
    return fit_between(last.weights, trials)


def _notes(course: Course, weights: Floats, number: int, executor: Executor) -> Notes:
    """What the generation with this number learns from, played with the weights before it."""
    jobs = _jobs(course, (weights,), f"generation {number - 1}", course.games)
    return joined(list(executor.map(take_notes, jobs)))


def _won(course: Course, ours: Floats, theirs: Floats, executor: Executor) -> float:
    return sum(executor.map(compare, _jobs(course, (ours, theirs), "compare", course.compared)))


def _jobs(
    course: Course, weights: tuple[Floats, ...], purpose: str, games: int
) -> Iterator[tuple[Any, ...]]:
    """So many games in pieces, as `take_notes`, `contest`, `make_trials` and `compare` ask."""
    for first in range(0, games, PIECE):
        count = min(PIECE, games - first)
        yield course.board, course.players, *weights, f"{course.seed}/{purpose}", first, count
