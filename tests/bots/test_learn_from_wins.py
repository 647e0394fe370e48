"""Promises of learning from wins."""

from math import prod

import numpy as np
import numpy.typing as npt

from industry.boards import load_board
from industry.bots.features import SPREAD, STAGES, Feature, Stage
from industry.bots.learn_from_wins import (
    LEAST_SPREAD,
    SHIFT,
    SHIFTED,
    ShiftedSeats,
    improved,
    play_shifted_games,
    shifted,
    worth_of_shifts,
)
from industry.bots.weights import handmade_weights

HANDMADE = np.array(handmade_weights())
SEATS = 8_000


def contests(games: int, first: int = 0) -> ShiftedSeats:
    return play_shifted_games(load_board("industria"), 3, HANDMADE, "contests", first, games)


def imagined(truth: npt.NDArray[np.float64]) -> ShiftedSeats:
    """Seats that won by their shifts, by their places, and by chance."""
    rng = np.random.default_rng(1)
    shifts = SHIFTED * rng.standard_normal((SEATS, *SHIFT))
    places = rng.integers(3, size=SEATS)
    gains = shifts.reshape(SEATS, -1) @ truth + 0.3 * places + 0.4 * rng.standard_normal(SEATS)
    return ShiftedSeats(shifts.astype(np.float32), places, gains)


def test_the_worth_of_shifts_is_found_in_any_order_of_finish() -> None:
    truth = np.zeros(prod(SHIFT))
    truth[[3, 50, 99]] = 0.8, -0.5, 0.3
    worth, chance = worth_of_shifts(imagined(truth))
    assert np.abs(worth - truth).max() < 5 * chance**0.5
    assert abs(((worth - truth) ** 2).mean() / chance - 1.0) < 0.3


def test_a_step_is_short_where_shifts_win_nothing() -> None:
    truth = np.zeros(prod(SHIFT))
    idle = np.abs(improved(HANDMADE, imagined(truth), 0) - HANDMADE).max()
    truth[Feature.TALERS] = 0.8
    step = improved(HANDMADE, imagined(truth), 0) - HANDMADE
    assert step[0, Feature.TALERS] > 10 * idle


def test_later_generations_go_less_far() -> None:
    truth = np.zeros(prod(SHIFT))
    truth[Feature.TALERS] = 0.8
    first, fourth = (improved(HANDMADE, imagined(truth), g) - HANDMADE for g in (0, 3))
    assert np.allclose(fourth, first / 2)


def test_a_shift_leaves_what_is_between_rounds() -> None:
    new = shifted(HANDMADE, np.full(SHIFT, -3.0))
    between = np.arange(len(HANDMADE)) % STAGES == Stage.BETWEEN_ROUNDS
    assert np.array_equal(new[between], HANDMADE[between])
    assert (new[~between, Feature.POINTS] != HANDMADE[~between, Feature.POINTS]).any()
    assert new[:, SPREAD].min() == LEAST_SPREAD


def test_somebody_tries_a_shifted_opinion_in_every_game() -> None:
    for game in range(20):
        assert len(contests(1, game).gains) >= 1


def test_the_same_seed_plays_the_same_contests() -> None:
    one, two = contests(5), contests(5)
    assert np.array_equal(one.shifts, two.shifts)
    assert np.array_equal(one.gains, two.gains)
