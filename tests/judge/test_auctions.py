"""The sheet of the auctions: what it costs a seat which rival gets the field."""

import numpy as np
import pytest

from industry.judge.auctions import _denial
from industry.judge.judging import Outcomes

LINES = 32


def owned(rng: np.random.Generator, chances: list[float]) -> list[Outcomes]:
    """Lines by owner of the field, in which seat 1 wins with these chances."""
    found = []
    for chance in chances:
        wins = np.zeros((LINES, 4))
        wins[:, 0] = rng.random(LINES) < chance
        found.append(Outcomes(wins, wins))
    return found


def test_rivals_that_are_equally_dangerous_leave_little_to_deny() -> None:
    """The largest of three noisy chances is 14 points above the smallest."""
    rng = np.random.default_rng(1)
    cases = [owned(rng, [0.3] * 4) for _ in range(400)]
    naive = np.mean([np.ptp([one.win[0] for one in case[1:]]) for case in cases])
    assert naive > 0.12
    assert np.mean([_denial(case, 0) for case in cases]) < naive / 2


def test_the_danger_of_a_rival_is_stated_as_it_is() -> None:
    rng = np.random.default_rng(2)
    cases = [owned(rng, [0.9, 0.1, 0.7, 0.4]) for _ in range(400)]
    assert np.mean([_denial(case, 0) for case in cases]) == pytest.approx(0.6, abs=0.03)
