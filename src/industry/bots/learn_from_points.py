"""Learns weights from final points by self-play and regression.

Each generation plays games with its weights, perturbed a little for every seat, and stores the
features of each seat together with the points it had in the end. A ridge regression towards the
handmade weights then explains the points by the features, separately for every era and stage.
The residual scatter becomes the spread that turns points into winning chances. The next generation
plays with the new weights. Weights for the stage between rounds come from `learn_leaf_values`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from industry.boards import BoardSpec
from industry.engine import Options, State, start
from industry.engine.compiled import Records, compiled_rules, dtype_of, generators, record_of
from industry.engine.constants import MAX_SEATS
from industry.engine.move_codes import ACTIONS

from . import loops as loops
from .features import COUNT, ROWS, SPREAD, WIDTH
from .greedy import DEEPEST
from .scratch import PLACES, SIMULATED, Scratch
from .weights import handmade_weights, weights_from

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Floats = npt.NDArray[np.float64]
Piece = TypeVar("Piece", bound="DataclassInstance")

MAX_ROWS = 2000
"""More rows than a game gives: 60 auctions of 4 seats, and 20 rounds of 4 turns."""
PERTURBATION = 0.25
RIDGE = 0.02
LOGISTIC = 0.83
"""Turns the scatter of points into the spread of the logistic chances."""
ENOUGH_NOTES = 200


@dataclass(frozen=True)
class FeatureRows:
    """Features of seats, the row of weights that applies to each, and the final points."""

    features: npt.NDArray[np.float32]
    rows: npt.NDArray[np.int64]
    points: npt.NDArray[np.int64]


def weights_array(text: str) -> Floats:
    """Returns the weights of a file as an array."""
    return np.array(weights_from(text))


class SelfPlay:
    """Plays games between sets of weights on arrays that are allocated once."""

    def __init__(self, board: BoardSpec, players: int) -> None:
        self.players = players
        self.rules: Any = compiled_rules()
        self.boards = record_of(board.rules)
        self.openings: list[Records] = [
            record_of(start(board.rules, players, seat, Options()).state) for seat in range(players)
        ]
        self.states = np.zeros(PLACES, dtype=dtype_of(State))
        self.scratches = np.zeros(1, dtype=dtype_of(Scratch))
        self.moves = np.zeros((DEEPEST + 1, ACTIONS), dtype=np.int16)

    def begin(self, starter: int) -> None:
        self.states[SIMULATED] = self.openings[starter][0]

    def play(self, starter: int, by_seat: Floats, words: npt.NDArray[np.int64]) -> None:
        """Plays a game greedily, each seat by its own weights."""
        self.begin(starter)
        self.rules.play_greedy(self.boards, self.states, by_seat, self.scratches, self.moves, words)

    def result(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """Returns points and winners by seat."""
        parts = np.zeros((1, self.players, 6), dtype=np.int64)
        winners = np.zeros((1, self.players), dtype=np.bool_)
        self.rules.score_games(self.boards, self.states[:1], parts, winners)
        return parts[0].sum(axis=1), winners[0]


def gather_rows(
    board: BoardSpec, players: int, weights: Floats, seed: str, first: int, games: int
) -> FeatureRows:
    """Plays games number `first` and following of a generation and stores their features."""
    table = SelfPlay(board, players)
    features = np.zeros((MAX_ROWS, COUNT))
    rows, seats = (np.zeros(MAX_ROWS, dtype=np.int64) for _ in range(2))
    rng = np.random.default_rng(generators(seed, 1, first)[0])
    noted: list[FeatureRows] = []
    for words in generators(f"{seed} draws", games, first):
        perturbed = np.exp(PERTURBATION * rng.standard_normal((MAX_SEATS, 1, WIDTH)))
        perturbed[:, :, SPREAD] = 1.0
        table.begin(int(rng.integers(players)))
        count = table.rules.gather_features(
            table.boards,
            table.states,
            weights[None] * perturbed,
            table.scratches,
            table.moves,
            words,
            features,
            rows,
            seats,
        )
        points, _ = table.result()
        noted.append(
            FeatureRows(
                features[:count].astype(np.float32), rows[:count].copy(), points[seats[:count]]
            )
        )
    return joined(noted)


def joined(pieces: Sequence[Piece]) -> Piece:
    """Concatenates the results of several jobs array by array."""
    first = pieces[0]
    arrays = (np.concatenate([getattr(p, field.name) for p in pieces]) for field in fields(first))
    return type(first)(*arrays)


def fit(notes: FeatureRows) -> Floats:
    """Fits weights that explain the points, by ridge regression towards the handmade ones."""
    weights = np.array(handmade_weights())
    for row in range(ROWS):
        chosen = notes.rows == row
        count = int(chosen.sum())
        if count < ENOUGH_NOTES:
            continue
        x = notes.features[chosen].astype(np.float64)
        y = notes.points[chosen] - x @ weights[row, :COUNT]
        pull = RIDGE * count * np.eye(COUNT)
        weights[row, :COUNT] += np.linalg.solve(x.T @ x + pull, x.T @ y)
        rest = notes.points[chosen] - x @ weights[row, :COUNT]
        weights[row, SPREAD] = LOGISTIC * rest.std()
    return weights


def compare(
    board: BoardSpec, players: int, ours: Floats, theirs: Floats, seed: str, first: int, games: int
) -> float:
    """Returns the games won by `ours` at equal seats; a shared victory counts in part."""
    table = SelfPlay(board, players)
    won = 0.0
    for game in range(first, first + games):
        pattern = ARRANGEMENTS[players][game % 6]
        by_seat = np.stack([ours if mine else theirs for mine in pattern])
        table.play(game // 6 % players, by_seat, generators(seed, 1, game // 6)[0])
        _, winners = table.result()
        mine = np.array(pattern[:players], dtype=bool)
        won += float(winners[mine].sum() / winners.sum())
    return won


ARRANGEMENTS = {
    3: [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 1, 0, 0), (1, 0, 1, 0), (0, 1, 1, 0)],
    4: [(1, 1, 0, 0), (1, 0, 1, 0), (1, 0, 0, 1), (0, 1, 1, 0), (0, 1, 0, 1), (0, 0, 1, 1)],
}
"""Seats of `ours`: with three players both mixes of one against two."""
