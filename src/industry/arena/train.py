"""Generations of learning on all cores: `bots.training` does the work, here it is shared out."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from industry.boards import BoardSpec
from industry.bots.training import Floats, Notes, compare, fit, joined, take_notes
from industry.bots.trials import Trials, fit_between, make_trials
from industry.bots.weights import DECIMALS, handmade_weights

from .executor import Executor, Processes

PIECE = 60
"""Games per piece of work."""
MEMORY = 2
"""So many generations of notes are learned from together."""
TRIALS = 7
"""Games that branch out, for each one that is noted: what one Taler causes is little."""


@dataclass(frozen=True)
class Generation:
    """What one generation learned, and how it fares against the handmade weights."""

    number: int
    weights: Floats
    win_share: float
    compared: int
    games: int


@dataclass(frozen=True)
class Course:
    """A course of training. The result depends on these values alone."""

    board: BoardSpec
    players: int
    generations: int
    games: int
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
    executor.prepare(take_notes, course.board, course.players, handmade, course.seed, 0, 1)
    executor.prepare(make_trials, course.board, course.players, handmade, course.seed, 0, 1)
    executor.prepare(compare, course.board, course.players, handmade, handmade, course.seed, 0, 1)
    weights = done[-1].weights if done else handmade
    memory: list[Notes] = []
    if done:  # the notes of the generation before are made again rather than stored
        before = done[-2].weights if len(done) > 1 else handmade
        memory.append(_notes(course, before, len(done) - 1, executor))
    for number in range(len(done), course.generations):
        memory = [*memory, _notes(course, weights, number, executor)][-MEMORY:]
        weights = fit(joined(memory))
        kept = weights.round(DECIMALS)  # trials can be repeated from the file of a generation
        weights = fit_between(weights, _trials(course, kept, number, executor))
        won = _won(course, weights, handmade, executor)
        yield Generation(
            number + 1, weights, won / course.compared, course.compared, (number + 1) * course.games
        )


def _notes(course: Course, weights: Floats, number: int, executor: Executor) -> Notes:
    jobs = _jobs(course, (weights,), f"generation {number}", course.games)
    return joined(list(executor.map(take_notes, jobs)))


def _trials(course: Course, weights: Floats, number: int, executor: Executor) -> Trials:
    jobs = _jobs(course, (weights,), f"trials {number}", TRIALS * course.games)
    return joined(list(executor.map(make_trials, jobs)))


def _won(course: Course, ours: Floats, theirs: Floats, executor: Executor) -> float:
    return sum(executor.map(compare, _jobs(course, (ours, theirs), "compare", course.compared)))


def _jobs(
    course: Course, weights: tuple[Floats, ...], purpose: str, games: int
) -> Iterator[tuple[Any, ...]]:
    """So many games in pieces, as `take_notes`, `make_trials` and `compare` ask for them."""
    for first in range(0, games, PIECE):
        count = min(PIECE, games - first)
        yield course.board, course.players, *weights, f"{course.seed}/{purpose}", first, count
