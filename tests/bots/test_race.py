"""How a searching level prefers a move: only where samples leave little doubt."""

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


class Time:
    """The two clocks of a machine, which go as far as the test says."""

    def __init__(self) -> None:
        self.processor = self.wall = 100.0

    def thread_time(self) -> float:
        return self.processor

    def perf_counter(self) -> float:
        return self.wall


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    monkeypatch.setattr("industry.bots.clock.time", time)
    return time


def test_the_clock_counts_processor_time_and_not_what_others_use(time: Time) -> None:
    clock = Clock(0.05)
    time.wall += 0.06
    assert not clock.is_over
    time.processor += 0.04
    assert not clock.is_over
    time.processor += 0.02
    assert clock.is_over


def test_no_decision_takes_longer_than_a_few_budgets(time: Time) -> None:
    clock = Clock(0.01)
    time.wall += 0.01 * (Clock.PATIENCE - 1)
    assert not clock.is_over
    time.wall += 0.02
    assert clock.is_over


def test_no_time_is_over_at_once(time: Time) -> None:
    assert Clock(0.0).is_over
