"""Learns the weights between rounds, where searches end, by experiment.

A seat with Talers left after a round may do well for other reasons, so self-play does not show what
a Taler causes. Therefore games branch at some round, and after the next round every purse is
changed at random before the features are stored. Branches are compared only with those of the same
game, so that the random change of the purses explains their differences.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from industry.boards import BoardSpec
from industry.engine.compiled import generators
from industry.engine.constants import ERAS, MAX_SEATS

from .features import COUNT, SPREAD, STAGES, WIDTH, Stage
from .learn_from_points import ENOUGH_NOTES, PERTURBATION, Floats, SelfPlay, joined
from .weights import handmade_weights

BRANCHES = 4
LATEST = 19
"""Games branch before this round; those that are over by then give no rows."""
LEAST_CHANGE, MOST_CHANGE = -3, 6
"""Range of the random change of a purse, in Talers."""
RIDGE = 0.002
SPREADS = np.arange(2.0, 30.0, 0.5)


@dataclass(frozen=True)
class Branches:
    """Results of branches: game, row of weights, and by seat features, points and victories."""

    games: npt.NDArray[np.int64]
    features: npt.NDArray[np.float32]
    rows: npt.NDArray[np.int64]
    points: Floats
    shares: Floats


def play_branches(
    board: BoardSpec, players: int, weights: Floats, seed: str, first: int, games: int
) -> Branches:
    """Plays games number `first` and following, with all their branches."""
    table = SelfPlay(board, players)
    rng = np.random.default_rng(generators(seed, 1, first)[0])
    made = []
    for game, words in enumerate(generators(f"{seed} draws", games, first), start=first):
        variants = weights * np.exp(PERTURBATION * rng.standard_normal((BRANCHES + 1, 1, WIDTH)))
        variants[:, :, SPREAD] = weights[:, SPREAD]
        changes = rng.integers(LEAST_CHANGE, MOST_CHANGE + 1, (BRANCHES, MAX_SEATS))
        features = np.zeros((BRANCHES, players, COUNT))
        rows = np.zeros(BRANCHES, dtype=np.int64)
        points, shares = (np.zeros((BRANCHES, players)) for _ in range(2))
        table.begin(int(rng.integers(players)))
        table.rules.branch_out(
            table.boards,
            table.states,
            variants,
            table.scratches,
            table.moves,
            words,
            int(rng.integers(LATEST)),
            changes,
            features,
            rows,
            points,
            shares,
        )
        noted = rows >= 0
        made.append(
            Branches(
                np.full(noted.sum(), game),
                features[noted].astype(np.float32),
                rows[noted],
                points[noted],
                shares[noted],
            )
        )
    return joined(made)


def fit_between(weights: Floats, trials: Branches) -> Floats:
    """Returns the weights with new ones for the stage between rounds."""
    new = np.array(weights)
    handmade = np.array(handmade_weights())
    for row in range(Stage.BETWEEN_ROUNDS, ERAS * STAGES, STAGES):
        new[row] = handmade[row]
        chosen = trials.rows == row
        if chosen.sum() < ENOUGH_NOTES:
            continue
        features = trials.features[chosen].astype(np.float64)
        games, points = trials.games[chosen], trials.points[chosen]
        new[row, :COUNT] = caused(games, features, points, handmade[row, :COUNT])
        new[row, SPREAD] = likeliest_spread(features @ new[row, :COUNT], trials.shares[chosen])
    return new


def caused(games: npt.NDArray[np.int64], features: Floats, points: Floats, guess: Floats) -> Floats:
    """Returns weights, not far from a guess, that explain the differences in points between the
    branches of one game. All other arguments are given by branch; features and points also by seat.
    """
    x = beside_others(games, features).reshape(-1, len(guess))
    y = beside_others(games, points).reshape(-1) - x @ guess
    pull = RIDGE * len(y) * np.eye(len(guess))
    found: Floats = guess + np.linalg.solve(x.T @ x + pull, x.T @ y)
    return found


def beside_others(games: npt.NDArray[np.int64], values: Floats) -> Floats:
    """Subtracts from each branch the average of the branches of its game."""
    _, places, counts = np.unique(games, return_inverse=True, return_counts=True)
    sums = np.zeros((len(counts), *values.shape[1:]))
    np.add.at(sums, places, values)
    means = sums / counts.reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray(values - means[places])


def likeliest_spread(expected: Floats, shares: Floats) -> float:
    """Returns the spread by which expected points make the victories most likely."""

    def likelihood(spread: float) -> float:
        ahead = (expected - expected.max(axis=1, keepdims=True)) / spread
        chances = np.exp(ahead) / np.exp(ahead).sum(axis=1, keepdims=True)
        return float((shares * np.log(chances)).sum())

    return float(max(SPREADS, key=likelihood))
