"""Fits the linear value of positions between rounds to what the judge's lines measured."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from industry.bots.features import SPREAD as SPREAD_PLACE
from industry.bots.features import STAGES, WIDTH, Stage
from industry.bots.lookahead import SPREAD
from industry.bots.round_ends import NO_NET, Floats, Floats32
from industry.bots.weights import DECIMALS
from industry.engine import ERAS

from .training import Lesson, beside_siblings, chances, explained, train_net

RIDGE = 1e-4
"""Pull towards the weights that there were, relative to how much the features scatter."""
FLOOR = 0.01
"""Added to the scatter, so that features that never change keep their weights."""
STEPS = 12


@dataclass(frozen=True)
class Progress:
    """What share of the differences between held-back siblings is explained: 1 would be all of it,
    but luck in the lines cannot be explained.
    """

    epoch: int
    included: float
    """By the weights that come with the program."""
    linear: float
    """By the fitted ones."""
    net: float
    """By the fitted ones and the net; before the first epoch there is none."""


def train_round_ends(
    lesson: Lesson, weights: Floats, seed: int, epochs: int
) -> Iterator[tuple[Progress, Floats, Floats32]]:
    """Yields how much is explained, the rows of the fitted weights and the net: first without one,
    then after every epoch.
    """
    held = lesson.part(lesson.is_held)
    included = explained(held, chances(held.linear / SPREAD))
    rows = fitted_rows(lesson, weights).round(DECIMALS)
    lesson = revalued(lesson, rows)
    held = lesson.part(lesson.is_held)
    linear = explained(held, chances(held.linear / SPREAD))
    yield Progress(0, included, linear, linear), rows, NO_NET
    for epoch, (reached, net) in enumerate(train_net(lesson, seed, epochs), start=1):
        yield Progress(epoch, included, linear, reached), rows, net


def fitted_rows(lesson: Lesson, weights: Floats) -> Floats:
    """Returns the weights between rounds, one row per era, under which chances of winning differ
    between siblings as the lines say.

    An era without siblings to learn from keeps its row.
    """
    rows = weights[Stage.BETWEEN_ROUNDS :: STAGES].copy()
    kept = lesson.part(~lesson.is_held)
    for era in range(ERAS):
        here = kept.eras == era
        if here.any():
            rows[era, :SPREAD_PLACE] += _change(kept.part(here))
    return rows


def revalued(lesson: Lesson, rows: Floats) -> Lesson:
    """Returns the lesson with the linear values that these weights give."""
    values = np.einsum("nsf,nf->ns", lesson.features, rows[lesson.eras, : lesson.features.shape[2]])
    return replace(lesson, linear=values.astype(np.float32))


def _change(lesson: Lesson) -> Floats:
    """Returns what to add to the weights, by Gauss's and Newton's method."""
    features = lesson.features.astype(np.float64)
    wins = lesson.wins.astype(np.float64)
    pull = RIDGE * wins.size * (_beside(lesson, features).std(axis=0) + FLOOR) ** 2
    change = np.zeros(WIDTH - 1)
    for _ in range(STEPS):
        won = chances(lesson.linear / SPREAD + features @ change / SPREAD)
        mean = (won[:, :, None] * features).sum(axis=1, keepdims=True)
        slopes = _beside(lesson, won[:, :, None] * (features - mean) / SPREAD)
        rest = _beside(lesson, (wins - won)[:, :, None])[:, 0]
        curvature = slopes.T @ slopes + np.diag(pull)
        change += np.linalg.solve(curvature, slopes.T @ rest - pull * change)
    return change


def _beside(lesson: Lesson, values: Floats) -> Floats:
    """Returns one row per position and seat, without the mean of the seat's siblings."""
    return beside_siblings(lesson.groups, values).reshape(-1, values.shape[2])
