"""Promises of the experiments from which the magnate learns what the end of a line is worth."""

import numpy as np

from industry.boards import load_board
from industry.bots.features import COUNT, SPREAD, STAGES, Feature, Stage
from industry.bots.learn_leaf_values import (
    Branches,
    caused,
    fit_between,
    likeliest_spread,
    play_branches,
)
from industry.bots.weights import handmade_weights

HANDMADE = np.array(handmade_weights())


def trials(games: int) -> Branches:
    return play_branches(load_board("industry"), 3, HANDMADE, "trials", 0, games)


def test_what_the_branches_of_a_game_have_in_common_explains_nothing() -> None:
    rng = np.random.default_rng(1)
    truth = np.array([0.5, -1.0, 2.0])
    games = np.repeat(np.arange(5_000), 4)
    luck = rng.standard_normal((5_000, 3, 1))[games]  # of a seat in all branches of its game
    features = rng.standard_normal((20_000, 3, 3)) + luck
    points = features @ truth + 5.0 * luck[:, :, 0] + rng.standard_normal((20_000, 3))
    assert np.allclose(caused(games, features, points, np.zeros(3)), truth, atol=0.05)


def test_the_spread_is_found_by_which_victories_were_drawn() -> None:
    rng = np.random.default_rng(1)
    expected = 10.0 * rng.standard_normal((20_000, 4))
    chances = np.exp(expected / 7.0)
    chances /= chances.sum(axis=1, keepdims=True)
    winners = (rng.random((20_000, 1)) > np.cumsum(chances, axis=1)[:, :3]).sum(axis=1)
    assert abs(likeliest_spread(expected, np.eye(4)[winners]) - 7.0) <= 0.5


def test_the_same_seed_makes_the_same_trials() -> None:
    one, two = trials(5), trials(5)
    assert np.array_equal(one.features, two.features)
    assert np.array_equal(one.points, two.points)


def test_a_trial_notes_all_seats_between_rounds_and_who_won() -> None:
    made = trials(20)
    assert set(made.rows % STAGES) == {Stage.BETWEEN_ROUNDS}
    assert made.features.shape[1:] == (3, COUNT)
    assert np.allclose(made.shares.sum(axis=1), 1.0)
    assert np.array_equal(made.shares == 0.0, made.points < made.points.max(axis=1, keepdims=True))


def test_chance_changes_every_purse_by_itself_and_never_below_nothing() -> None:
    purses = trials(60).features[:, :, Feature.TALERS]
    assert purses.min() == 0
    first, second = purses[:, 0], purses[:, 1]
    assert abs(float(np.corrcoef(first, second).item(1))) < 0.5


def test_only_what_is_between_rounds_is_learned_from_trials() -> None:
    learned = fit_between(HANDMADE, trials(300))
    between = np.arange(len(HANDMADE)) % STAGES == Stage.BETWEEN_ROUNDS
    assert np.array_equal(learned[~between], HANDMADE[~between])
    assert not np.array_equal(learned[between], HANDMADE[between])
    assert (learned[:, SPREAD] > 0.0).all()
