"""What a position between rounds is worth, found out by experiment: lines of search end there.

Who has Talers left after a round may do well for other reasons, so what self-play shows is not what
a Taler causes. Therefore games branch out at some round, everyone's purse is changed at random
after the next one, and only then the features are noted. Branches are compared with those of the
same game alone: what they have in common explains nothing, and what chance put into the purses has
no other reason.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from industry.boards import BoardSpec
from industry.engine.compiled import generators
from industry.engine.vocabulary import ERAS, MAX_SEATS

from .features import BETWEEN, COUNT, SPREAD, STAGES, WIDTH
from .training import ENOUGH_NOTES, SHAKEN, Floats, Table, joined
from .weights import handmade_weights

BRANCHES = 4
LATEST = 19
"""Games branch out before this round; some are over by then, which gives no notes."""
LEAST_CHANGE, MOST_CHANGE = -3, 6
"""Talers that chance takes or gives."""
RIDGE = 0.002
SPREADS = np.arange(2.0, 30.0, 0.5)


@dataclass(frozen=True)
class Trials:
    """What the branches noted: their game, the row of weights, and by seat features, points and
    victories."""

    games: npt.NDArray[np.int64]
    features: npt.NDArray[np.float32]
    rows: npt.NDArray[np.int64]
    points: Floats
    shares: Floats


def make_trials(
    board: BoardSpec, players: int, weights: Floats, seed: str, first: int, games: int
) -> Trials:
    """Play games number `first` and following, with all their branches."""
    table = Table(board, players)
    rng = np.random.default_rng(generators(seed, 1, first)[0])
    made = []
    for game, words in enumerate(generators(f"{seed} draws", games, first), start=first):
        opinions = weights * np.exp(SHAKEN * rng.standard_normal((BRANCHES + 1, 1, WIDTH)))
        opinions[:, :, SPREAD] = weights[:, SPREAD]
        changes = rng.integers(LEAST_CHANGE, MOST_CHANGE + 1, (BRANCHES, MAX_SEATS))
        features = np.zeros((BRANCHES, players, COUNT))
        rows = np.zeros(BRANCHES, dtype=np.int64)
        points, shares = (np.zeros((BRANCHES, players)) for _ in range(2))
        table.begin(int(rng.integers(players)))
        table.rules.branch_out(
            table.boards,
            table.states,
            opinions,
            table.desks,
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
            Trials(
                np.full(noted.sum(), game),
                features[noted].astype(np.float32),
                rows[noted],
                points[noted],
                shares[noted],
            )
        )
    return joined(made)


def fit_between(weights: Floats, trials: Trials) -> Floats:
    """The weights with new ones between rounds."""
    new = np.array(weights)
    handmade = np.array(handmade_weights())
    for row in range(BETWEEN, ERAS * STAGES, STAGES):
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
    """Weights that explain by how many points the branches of one game differ, not far from a
    guess. All else is given by branch, features and points by seat."""
    x = beside_others(games, features).reshape(-1, len(guess))
    y = beside_others(games, points).reshape(-1) - x @ guess
    pull = RIDGE * len(y) * np.eye(len(guess))
    found: Floats = guess + np.linalg.solve(x.T @ x + pull, x.T @ y)
    return found


def beside_others(games: npt.NDArray[np.int64], values: Floats) -> Floats:
    """What each branch has more than the branches of its game on average."""
    _, places, counts = np.unique(games, return_inverse=True, return_counts=True)
    sums = np.zeros((len(counts), *values.shape[1:]))
    np.add.at(sums, places, values)
    means = sums / counts.reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray(values - means[places])


def likeliest_spread(expected: Floats, shares: Floats) -> float:
    """The spread by which expected points make the victories most likely."""

    def likelihood(spread: float) -> float:
        ahead = (expected - expected.max(axis=1, keepdims=True)) / spread
        chances = np.exp(ahead) / np.exp(ahead).sum(axis=1, keepdims=True)
        return float((shares * np.log(chances)).sum())

    return float(max(SPREADS, key=likelihood))
