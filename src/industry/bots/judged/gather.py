"""Siblings from which a net learns: positions between rounds that chance made differ."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from industry.boards import BoardSpec
from industry.bots import siblings as siblings
from industry.bots.features import SPREAD, WIDTH
from industry.bots.learn_from_points import Floats, SelfPlay, joined
from industry.bots.lines import BLOCK
from industry.bots.net import SEAT_INPUTS, SHARED_INPUTS
from industry.bots.opinions import OPINIONS, reference_opinions, reference_weights
from industry.bots.scratch import Scratch
from industry.bots.search import ROOT
from industry.bots.siblings import GAME_OVER
from industry.bots.weights import handmade_weights
from industry.engine import COLUMNS, ERAS, MAX_SEATS, Phase
from industry.engine.compiled import compiled_rules, dtype_of, generators, record_of
from industry.engine.constants import Token
from industry.engine.move_codes import ACTIONS
from industry.engine.playout import GENERATOR_WORDS
from industry.engine.state import State

from .training import Lesson

SIBLINGS = 4
LINES = BLOCK
"""Lines of a sibling: every token comes once at every place."""
SCATTERS = (0.1, 0.25, 0.5)
"""Standard deviations of the logarithms of factors on a seat's weights."""
HANDMADE = 0.2
"""Share of the seats that play by handmade weights."""
ROUNDS = {3: 20, 4: 15}
MOST_STEPS = 12
"""Decisions between the draw of a round and the one that siblings come from."""
PURSES, OWNER = 0.5, 0.3
"""Shares of the siblings whose purses, and one of whose owners, change."""
LEAST_CHANGE, MOST_CHANGE = -3, 4


@dataclass(frozen=True)
class Siblings:
    """Positions with their group, and the mean results of their lines by seat."""

    groups: npt.NDArray[np.int64]
    states: npt.NDArray[np.void]
    wins: npt.NDArray[np.float32]
    points: npt.NDArray[np.float32]


class SiblingMaker:
    """Makes siblings on arrays that are allocated once."""

    def __init__(self, board: BoardSpec, players: int) -> None:
        edition = int(board.rules.edition)
        self._players = players
        self._table = SelfPlay(board, players)
        self._scratches = np.zeros(2, dtype=dtype_of(Scratch))
        self._opinions = reference_opinions(edition, players)
        self._fields = reference_weights(edition, players), np.array(handmade_weights())
        self._found = np.zeros(ACTIONS, dtype=np.int16)
        self._columns = np.zeros(COLUMNS, dtype=np.int8)
        self._orders = np.zeros((LINES, ERAS, COLUMNS), dtype=np.int8)

    def group(self, number: int, words: npt.NDArray[np.int64]) -> Siblings:
        """Plays a game up to some decision and makes siblings of it.

        Siblings whose game is over are left out, and so are lone ones.
        """
        rng = np.random.default_rng(words)
        kept = np.zeros(SIBLINGS, dtype=dtype_of(State))
        wins, points = (np.zeros((SIBLINGS, MAX_SEATS)) for _ in range(2))
        going = np.zeros(SIBLINGS, dtype=bool)
        if self._reach_root(words, rng):
            self._deal(rng)
            self._play(words, rng, kept, wins, points)
            going = kept["phase"] == Phase.DRAW
            going &= going.sum() > 1
        return Siblings(
            np.full(int(going.sum()), number),
            kept[going],
            wins[going, : self._players].astype(np.float32),
            points[going, : self._players].astype(np.float32),
        )

    def _reach_root(self, words: npt.NDArray[np.int64], rng: np.random.Generator) -> bool:
        table = self._table
        scatters = rng.choice(SCATTERS, (MAX_SEATS, 1, 1))
        factors = np.exp(scatters * rng.standard_normal((MAX_SEATS, 1, WIDTH)))
        factors[:, :, SPREAD] = 1.0
        fields = [self._fields[int(rng.random() < HANDMADE)] for _ in range(MAX_SEATS)]
        table.begin(int(rng.integers(self._players)))
        played = table.rules.reach_root(
            table.boards,
            table.states,
            np.stack(fields) * factors,
            self._scratches,
            table.moves,
            words,
            int(rng.integers(ROUNDS[self._players])),
            int(rng.integers(MOST_STEPS)),
        )
        return bool(played != GAME_OVER)

    def _deal(self, rng: np.random.Generator) -> None:
        """Gives the lines their orders of tokens."""
        root = self._table.states[ROOT]
        era = int(root["era"])
        in_bag = np.flatnonzero(root["tokens"] == Token.IN_BAG)
        for later in range(era, ERAS):
            left = sum(1 << int(c) for c in in_bag) if later == era else (1 << COLUMNS) - 1
            if left:
                words = rng.integers(1 << 32, size=(1, GENERATOR_WORDS), dtype=np.int64)
                rules = self._table.rules
                rules.deal_orders(words, left, self._columns, later, self._orders)

    def _play(
        self,
        words: npt.NDArray[np.int64],
        rng: np.random.Generator,
        kept: npt.NDArray[np.void],
        wins: Floats,
        points: Floats,
    ) -> None:
        table = self._table
        interventions = (rng.random((SIBLINGS, 2)) < (PURSES, OWNER)).astype(np.int64)
        interventions[0] = 0
        table.rules.play_siblings(
            table.boards,
            table.states,
            self._opinions,
            self._scratches,
            table.moves,
            words,
            self._found,
            self._orders,
            2 * int(rng.integers(OPINIONS // 2)),
            interventions,
            LEAST_CHANGE,
            MOST_CHANGE,
            kept,
            wins,
            points,
        )


def gather_siblings(board: BoardSpec, players: int, seed: str, first: int, count: int) -> Siblings:
    """Makes groups number `first` and following of a seed."""
    maker = SiblingMaker(board, players)
    words = generators(seed, count, first)
    return joined([maker.group(first + place, words[place]) for place in range(count)])


def lesson_of(board: BoardSpec, made: Siblings) -> Lesson:
    """Returns what a net learns from siblings: their inputs and linear values, and the results."""
    players = made.wins.shape[1]
    inputs = np.zeros((len(made.states), players * SEAT_INPUTS + SHARED_INPUTS), dtype=np.float32)
    linear = np.zeros((len(made.states), MAX_SEATS), dtype=np.float32)
    rules: Any = compiled_rules()
    rules.count_leaves(
        record_of(board.rules),
        made.states,
        reference_weights(int(board.rules.edition), players),
        np.zeros(1, dtype=dtype_of(Scratch)),
        inputs,
        linear,
    )
    return Lesson(made.groups, inputs, linear[:, :players], made.wins, made.points)
