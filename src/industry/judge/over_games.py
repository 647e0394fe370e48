"""Computes sums over games with standard errors: games are independent, their moves are not."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

Z_95 = NormalDist().inv_cdf(0.975)
"""A 95 % interval reaches this many standard errors to either side."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """The ratio of two sums over games, with its standard error."""

    value: float
    error: float

    @property
    def is_known(self) -> bool:
        """False for a single game, which does not show how much games differ."""
        return self.error < float("inf")

    @property
    def half(self) -> float:
        """Half the width of the 95 % interval."""
        return Z_95 * self.error


def ratio(parts: Sequence[float], wholes: Sequence[float]) -> Ratio:
    """Returns the sum of `parts` divided by that of `wholes`; both have one entry per game.

    The error of a single game is infinite.
    """
    above, below = np.asarray(parts, dtype=np.float64), np.asarray(wholes, dtype=np.float64)
    total = float(below.sum())
    if total == 0:
        return Ratio(0.0, 0.0)
    value = float(above.sum()) / total
    if len(above) < 2:
        return Ratio(value, float("inf"))
    spread = float(np.std(above - value * below, ddof=1))
    return Ratio(value, spread * len(above) ** 0.5 / total)


def share_of_variance(
    parts: Sequence[Sequence[float]], changes: Sequence[Sequence[float]]
) -> Ratio:
    """Returns the share of the variance of results that one part, such as luck, explains.

    `parts` and `changes` are by game and seat; a change is the result less the chance at the start.
    The share is the sum of part times change, divided by that of change times change, so that the
    shares of all parts add up to 1. Errors in the estimates of a part do not change the share on
    average, because they are independent of the result.
    """
    products, squares = [], []
    for part, change in zip(parts, changes, strict=True):
        products.append(float(np.dot(part, change)))
        squares.append(float(np.dot(change, change)))
    return ratio(products, squares)
