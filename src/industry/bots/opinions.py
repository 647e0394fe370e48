"""The reference policy: the learned weights in slightly different variants, called opinions.

A line is played by one opinion: a set of weights, each a little higher or lower than the learned
ones. Opinions come in pairs that err in opposite directions, and the lines of a position use all of
them in turn, so that their errors mostly cancel out.
"""

import hashlib
from functools import cache
from math import exp
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from .features import SPREAD, WIDTH
from .weights import learned_weights

OPINIONS = 64
SCATTER = 0.15
"""Standard deviation of the logarithm of a factor."""
DECIMALS = 6
"""Factors are rounded, so that they are equal on every machine."""


@cache
def reference_weights(edition: int, players: int) -> npt.NDArray[np.float64]:
    """Returns the average weights of the reference policy."""
    return np.array(learned_weights(edition, players))


@cache
def reference_opinions(edition: int, players: int) -> npt.NDArray[np.float64]:
    """Returns all opinions of the reference policy: pairs in opposite directions."""
    factors = np.ones((OPINIONS, 1, WIDTH))
    for pair in range(OPINIONS // 2):
        for place in range(WIDTH):
            if place != SPREAD:
                shift = SCATTER * _normal(pair, place)
                factors[2 * pair, 0, place] = round(exp(shift), DECIMALS)
                factors[2 * pair + 1, 0, place] = round(exp(-shift), DECIMALS)
    return reference_weights(edition, players)[None] * factors


def _normal(pair: int, place: int) -> float:
    """Returns a normally distributed number that depends only on its place."""
    digest = hashlib.blake2b(f"opinion {pair}/{place}".encode(), digest_size=4).digest()
    return NormalDist().inv_cdf((int.from_bytes(digest, "little") + 0.5) / 2**32)


@cache
def policy_version(edition: int, players: int) -> str:
    """Returns a short hash of the reference policy's values, for what is stored with a verdict."""
    values = reference_opinions(edition, players).round(DECIMALS)
    return hashlib.blake2b(values.tobytes(), digest_size=6).hexdigest()
