"""Learns weights from victories: weights are shifted at random, and shifts that win are kept.

Each generation plays games in which some seats use randomly shifted weights and the others use the
handmade ones. A regression of the results on the shifts says which shifts help, and the next
generation takes a step in that direction.

Shifts are small: a seat with a large shift wins exactly those auctions that it overrates most, so
large shifts only teach that every field is overpriced.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from industry.boards import BoardSpec
from industry.engine.compiled import generators
from industry.engine.constants import ERAS, MAX_SEATS

from .features import SPREAD, STAGES, WIDTH, Feature, Stage
from .learn_from_points import Floats, SelfPlay, joined
from .weights import handmade_weights

SHIFT = (Stage.BETWEEN_ROUNDS, 2, WIDTH)
"""Shape of a shift: stages within a round, two parts (equal in all eras; growing with the era),
weights. The stage between rounds decides no move here; `learn_leaf_values` learns its weights."""
SHIFTED = 0.1
"""Standard deviation of shifts, in sizes of the handmade weights."""
LEAST_SIZE = 0.3
"""Lets features with a handmade weight of 0 shift as well."""
LEAST_SPREAD = 0.5
GROWTH = np.linspace(-1.0, 1.0, ERAS)
TRYING = 0.5
"""Share of seats with shifted weights; every game has at least one."""
POINT = 0.04
"""Share of a victory that each point above the table's average counts, to reduce noise."""
STEP = 0.75
"""Step size of the first generation; later steps are shorter."""

HANDMADE = np.array(handmade_weights())
SIZES = np.maximum(np.abs(HANDMADE), LEAST_SIZE)
SIZES[:, Feature.ONE] = 0.0  # equal for all seats


@dataclass(frozen=True)
class ShiftedSeats:
    """Results of seats with shifted weights: shift, place in the first round, gain."""

    shifts: npt.NDArray[np.float32]
    places: npt.NDArray[np.int64]
    gains: Floats


def shifted(weights: Floats, shift: Floats) -> Floats:
    """Adds a shift to the weights; those of the stage between rounds stay unchanged."""
    new = weights.copy()
    for stage, (alike, growing) in enumerate(shift):
        new[stage::STAGES] += SIZES[stage::STAGES] * (alike + GROWTH[:, None] * growing)
    new[:, SPREAD] = np.maximum(new[:, SPREAD], LEAST_SPREAD)
    return new


def play_shifted_games(
    board: BoardSpec, players: int, weights: Floats, seed: str, first: int, games: int
) -> ShiftedSeats:
    """Plays games number `first` and following of a generation."""
    table = SelfPlay(board, players)
    rng = np.random.default_rng(generators(seed, 1, first)[0])
    played: list[ShiftedSeats] = []
    for game, words in enumerate(generators(f"{seed} draws", games, first), start=first):
        shifts = SHIFTED * rng.standard_normal((players, *SHIFT))
        tries = rng.random(players) < TRYING
        tries[rng.integers(players)] = True
        by_seat = np.stack([HANDMADE] * MAX_SEATS)
        for seat in np.flatnonzero(tries):
            by_seat[seat] = shifted(weights, shifts[seat])
        table.play(game % players, by_seat, words)
        points, winners = table.result()
        gains = winners / winners.sum() + POINT * (points - points.mean())
        places = (np.arange(players) - game) % players
        played.append(ShiftedSeats(shifts[tries].astype(np.float32), places[tries], gains[tries]))
    return joined(played)


def improved(weights: Floats, contests: ShiftedSeats, generation: int) -> Floats:
    """Takes a step in the direction in which shifts won; generations count from 0."""
    worth, chance = worth_of_shifts(contests)
    found = max(float((worth**2).mean()) - chance, 0.0)
    trust = found / (found + chance) if found else 0.0
    step = STEP / (generation + 1) ** 0.5
    return shifted(weights, (step * trust * worth).reshape(SHIFT))


def worth_of_shifts(contests: ShiftedSeats) -> tuple[Floats, float]:
    """Returns the gain per unit of each part of a shift, and its mean square under pure chance."""
    shifts = contests.shifts.reshape(len(contests.shifts), -1).astype(np.float64)
    gains = contests.gains.copy()
    for place in np.unique(contests.places):  # playing first has its own value
        here = contests.places == place
        gains[here] -= gains[here].mean()
    worth: Floats = np.linalg.pinv(shifts.T @ shifts) @ (shifts.T @ gains)
    return worth, float(gains.var() / (len(gains) * SHIFTED**2))
