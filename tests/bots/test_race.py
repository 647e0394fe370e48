"""How a searching level prefers a move: only where samples leave little doubt."""

import time

import numpy as np
import numpy.typing as npt
import pytest

from industry.bots.clock import Clock
from industry.bots.race import Race

FIRST, SECOND, THIRD = 10, 20, 30


def samples(*leads: tuple[float, ...]) -> npt.NDArray[np.float64]:
    """Sums and sums of squares of the leads of each candidate over the first one."""
    return np.array([(sum(row), sum(lead * lead for lead in row)) for row in leads])


def raced(*leads: tuple[float, ...], caution: float = 2.0) -> Race:
    race = Race([FIRST, SECOND, THIRD][: len(leads)], caution)
    race.add(samples(*leads), len(leads[0]))
    return race


def test_without_samples_the_first_idea_is_played() -> None:
    assert Race([FIRST, SECOND], 2.0).winner() == FIRST


def test_a_few_samples_prove_nothing() -> None:
    assert raced((0.0,) * 4, (0.5,) * 4).winner() == FIRST


def test_a_steady_lead_is_preferred() -> None:
    assert raced((0.0,) * 16, (0.1, 0.2) * 8).winner() == SECOND


def test_a_lead_that_chance_explains_is_not_preferred() -> None:
    doubtful = (0.3, -0.25) * 8
    assert raced((0.0,) * 16, doubtful).winner() == FIRST
    assert raced((0.0,) * 16, doubtful, caution=0.0).winner() == SECOND


def test_a_candidate_far_behind_is_given_up() -> None:
    race = raced((0.0,) * 16, (-0.4, -0.3) * 8, (0.0, 0.01) * 8)
    assert race.codes == [FIRST, THIRD]
    assert not race.is_decided


def test_the_race_is_decided_when_only_the_first_idea_is_left() -> None:
    race = raced((0.0,) * 16, (-0.4, -0.3) * 8)
    assert race.is_decided
    assert race.winner() == FIRST


def test_the_clock_counts_processor_time_and_not_what_others_use() -> None:
    clock = Clock(0.05)
    time.sleep(0.06)
    assert not clock.is_over
    began = time.thread_time()
    while time.thread_time() - began < 0.06:
        pass
    assert clock.is_over


@pytest.mark.parametrize("seconds", [0.0, 0.01])
def test_whoever_waits_waits_no_longer_than_a_few_budgets(seconds: float) -> None:
    clock = Clock(seconds)
    time.sleep(Clock.PATIENCE * seconds + 0.01)
    assert clock.is_over
