"""Learning weights from points: play against oneself, note, fit, and play better.

Each generation plays games with its weights, every seat with opinions of its own (all weights
shaken a little), and notes what the features were and how many points each seat had in the end.
A ridge regression towards the handmade weights then explains the points by the features, separately
for every era and stage within a round; what a position between rounds is worth is found out by
`bots.trials`. The scatter that remains becomes the spread by which points are turned into chances.
The next generation plays with what was learned.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from industry.boards import BoardSpec
from industry.engine import Options, State, start
from industry.engine.codes import ACTIONS
from industry.engine.compiled import Records, compiled, dtype_of, generators, record_of
from industry.engine.vocabulary import MAX_SEATS

from . import loops as loops
from .desk import PLACES, SIMULATED, Desk
from .features import COUNT, ROWS, SPREAD, WIDTH
from .policy import DEEPEST
from .weights import handmade_weights, weights_from

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Floats = npt.NDArray[np.float64]
Piece = TypeVar("Piece", bound="DataclassInstance")

MAX_ROWS = 2000
"""More notes than a game gives: 60 auctions of 4 seats, and 20 rounds of 4 turns."""
SHAKEN = 0.25
RIDGE = 0.02
LOGISTIC = 0.83
"""Turns the scatter of points into the spread of the logistic chances."""
ENOUGH_NOTES = 200


@dataclass(frozen=True)
class Notes:
    """What a generation noted: features, their row of weights, and the points in the end."""

    features: npt.NDArray[np.float32]
    rows: npt.NDArray[np.int64]
    points: npt.NDArray[np.int64]


def weights_array(text: str) -> Floats:
    """The weights of a file, to go on with."""
    return np.array(weights_from(text))


class Table:
    """The arrays of games between sets of weights."""

    def __init__(self, board: BoardSpec, players: int) -> None:
        self.players = players
        self.rules: Any = compiled()
        self.boards = record_of(board.rules)
        self.openings: list[Records] = [
            record_of(start(board.rules, players, seat, Options()).state) for seat in range(players)
        ]
        self.states = np.zeros(PLACES, dtype=dtype_of(State))
        self.desks = np.zeros(1, dtype=dtype_of(Desk))
        self.moves = np.zeros((DEEPEST + 1, ACTIONS), dtype=np.int16)

    def begin(self, starter: int) -> None:
        self.states[SIMULATED] = self.openings[starter][0]

    def play(self, starter: int, by_seat: Floats, words: npt.NDArray[np.int64]) -> None:
        """A game by value, each seat by its own weights."""
        self.begin(starter)
        self.rules.play_by_value(self.boards, self.states, by_seat, self.desks, self.moves, words)

    def result(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """Points and winners by seat."""
        parts = np.zeros((1, self.players, 6), dtype=np.int64)
        winners = np.zeros((1, self.players), dtype=np.bool_)
        self.rules.score_games(self.boards, self.states[:1], parts, winners)
        return parts[0].sum(axis=1), winners[0]


def take_notes(
    board: BoardSpec, players: int, weights: Floats, seed: str, first: int, games: int
) -> Notes:
    """Play games number `first` and following of a generation, and note everything."""
    table = Table(board, players)
    features = np.zeros((MAX_ROWS, COUNT))
    rows, seats = (np.zeros(MAX_ROWS, dtype=np.int64) for _ in range(2))
    rng = np.random.default_rng(generators(seed, 1, first)[0])
    noted: list[Notes] = []
    for words in generators(f"{seed} draws", games, first):
        shaken = np.exp(SHAKEN * rng.standard_normal((MAX_SEATS, 1, WIDTH)))
        shaken[:, :, SPREAD] = 1.0
        table.begin(int(rng.integers(players)))
        count = table.rules.gather(
            table.boards,
            table.states,
            weights[None] * shaken,
            table.desks,
            table.moves,
            words,
            features,
            rows,
            seats,
        )
        points, _ = table.result()
        noted.append(
            Notes(features[:count].astype(np.float32), rows[:count].copy(), points[seats[:count]])
        )
    return joined(noted)


def joined(pieces: Sequence[Piece]) -> Piece:
    """What several pieces of work found, array by array, as if it had been one."""
    first = pieces[0]
    arrays = (np.concatenate([getattr(p, field.name) for p in pieces]) for field in fields(first))
    return type(first)(*arrays)


def fit(notes: Notes) -> Floats:
    """The weights that explain the points best without straying far from the handmade ones."""
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
    """Games won by `ours` at equal seats, six arrangements of each deal; shared ones by parts."""
    table = Table(board, players)
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
"""Who sits where: with three players both mixes of one against two."""
