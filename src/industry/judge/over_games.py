"""Sums over many games, with errors: games are independent, the moves of one game are not."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

Z_95 = NormalDist().inv_cdf(0.975)
"""Standard errors that a 95 % interval reaches to either side."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A sum over games divided by another one, with its standard error."""

    value: float
    error: float

    @property
    def is_known(self) -> bool:
        """One game says nothing about how games differ, so its error is not known."""
        return self.error < float("inf")

    @property
    def half(self) -> float:
        """Half the width of the 95 % interval."""
        return Z_95 * self.error


def ratio(parts: Sequence[float], wholes: Sequence[float]) -> Ratio:
    """Returns the sum of `parts` over that of `wholes`, with one of each for every game.

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
    """Returns which share of the variance of results one of their parts explains.

    By game and seat: the part, such as luck, and the result less the chance at the start. The share
    is the sum of part times change over that of change times change, so that the shares of all
    parts add up to 1. Noise in the estimates of a part does not change it on average: it has
    nothing to do with the result.
    """
    products, squares = [], []
    for part, change in zip(parts, changes, strict=True):
        products.append(float(np.dot(part, change)))
        squares.append(float(np.dot(change, change)))
    return ratio(products, squares)
