"""Values moves and draws by lines from one position, evaluated after every round."""

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from industry.engine import COLUMNS, ERAS, MAX_SEATS, Position, record_of
from industry.engine.compiled import dtype_of, expect_compiling
from industry.engine.playout import GENERATOR_WORDS

from . import lookahead as lookahead
from .lines import BLOCK
from .net import FIRST, OUTPUTS, SEAT_INPUTS, SECOND, SHARED_INPUTS
from .opinions import OPINIONS, reference_opinions
from .round_ends import RoundEnds, included_round_ends
from .runner import CompiledRunner, Floats, opening
from .scratch import Scratch
from .search import ROOT


@dataclass(frozen=True)
class Look:
    """How far lines go, in rounds, and how much the end of each round counts."""

    seconds: float
    mixture: tuple[float, ...]
    """By round, from the current one on."""


ROUNDS = 30
"""More rounds than a game has."""
LOOKS = (
    Look(0.5, (*[0.0] * 6, 0.5, *[0.0] * (ROUNDS - 8), 0.5)),
    Look(0.1, (*[0.0] * 6, 1.0)),
    Look(0.0, (1 / 5,) * 5),
)
"""By least time budget. Rounds further on are valued more reliably, but lines scatter more there:
with few lines the mean over all rounds is best, with many the later rounds."""

JUDGED_LOOKS = (LOOKS[0], Look(0.1, (1 / 5,) * 5), Look(0.0, (1 / 3,) * 3))
"""The same for values that were learned from the judge."""


class Lines:
    """Plays lines from one position: the same draws and opinions for all candidates."""

    def __init__(
        self,
        runner: CompiledRunner,
        position: Position,
        rng: Random,
        round_ends: RoundEnds | None = None,
    ) -> None:
        self._runner = runner
        self._rng = rng
        self._scratches = np.zeros(2, dtype=dtype_of(Scratch))
        self._orders = np.zeros((BLOCK, ERAS, COLUMNS), dtype=np.int8)
        self._columns = np.zeros(COLUMNS, dtype=np.int8)
        self._era = int(position.state.era)
        self._bag = sum(1 << field % COLUMNS for field in position.bag)
        players = int(position.state.players)
        edition = int(runner.board.edition)
        self._round_ends = round_ends or included_round_ends(edition, players)
        self._opinions = reference_opinions(edition, players)
        self._turn = 2 * rng.randrange(OPINIONS // 2)
        self._used = BLOCK
        self._inputs = np.zeros(MAX_SEATS * SEAT_INPUTS + SHARED_INPUTS, dtype=np.float32)
        self._memory = np.zeros(OUTPUTS + FIRST + SECOND, dtype=np.float32)
        runner.states[ROOT] = record_of(position.state)[0]

    def play(self, codes: list[int], count: int, mixture: Floats) -> Floats:
        """Returns what `count` more lines per candidate are worth, by candidate, line and seat."""
        if self._used + count > BLOCK:
            self._deal()
        orders = self._orders[self._used :]
        worths = np.zeros((len(codes), count, MAX_SEATS))
        rules: Any = self._runner.rules
        for place, code in enumerate(codes):
            rules.value_lines(
                self._runner.boards,
                self._runner.states,
                self._round_ends.weights,
                self._opinions,
                self._scratches,
                self._runner.moves,
                orders,
                code,
                self._turn,
                mixture,
                worths[place],
                self._round_ends.net,
                self._inputs,
                self._memory,
            )
        self._used += count
        self._turn += count
        return worths

    def _deal(self) -> None:
        for era in range(self._era, ERAS):
            left = self._bag if era == self._era else (1 << COLUMNS) - 1
            if left:
                words = [self._rng.getrandbits(32) for _ in range(GENERATOR_WORDS)]
                generator: npt.NDArray[np.int64] = np.array([words])
                rules: Any = self._runner.rules
                rules.deal_orders(generator, left, self._columns, era, self._orders)
        self._used = 0


@cache
def mixture_of(seconds: float, is_judged: bool = False) -> Floats:
    """Returns how much the end of each round counts with this budget."""
    looks = JUDGED_LOOKS if is_judged else LOOKS
    return np.array(next(look.mixture for look in looks if seconds >= look.seconds))


def compile_lines() -> None:
    """Compiles the loops that valued lines need beyond those of all bots."""
    expect_compiling("value_lines", "deal_orders")
    position = opening()
    runner = CompiledRunner(position.board)
    weights = included_round_ends(int(position.board.edition), 3).weights
    code = runner.greedy_move(position, weights)
    Lines(runner, position, Random(0)).play([code], 2, mixture_of(0.0))
