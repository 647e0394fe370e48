"""Learning weights from victories: opinions that win are worth holding.

Each generation plays games in which some seats hold shifted opinions: whatever decides their moves
is worth a little more or less to them than the generation believes. The other seats play by the
handmade weights. A regression of what the shifted seats won by their shifts says which opinions
help, and the next generation goes a step that way.

Shifts are small: whoever misjudges a lot wins the auctions that he misjudges most, so that among
wild opinions it pays to distrust them all.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from industry.boards import BoardSpec
from industry.engine.compiled import generators
from industry.engine.vocabulary import ERAS, MAX_SEATS

from .features import BETWEEN, SPREAD, STAGES, WIDTH, Feature
from .training import Floats, Table, joined
from .weights import handmade_weights

SHIFT = (BETWEEN, 2, WIDTH)
"""A shift of opinions: by stage within a round, for all eras alike and growing over the eras. What
is between rounds decides no move of these games; `bots.trials` finds out what it is worth."""
SHIFTED = 0.1
"""Standard deviation of shifts, in sizes of the handmade weights."""
LEAST_SIZE = 0.3
"""Also what is worth nothing by hand may turn out to be worth something."""
LEAST_SPREAD = 0.5
GROWTH = np.linspace(-1.0, 1.0, ERAS)
TRYING = 0.5
"""How many of the seats hold a shifted opinion; one does in every game."""
POINT = 0.04
"""Victories that a point ahead of the average counts as: points tell more than victories do."""
STEP = 0.75
"""How far the first generation goes; later ones go less far."""

HANDMADE = np.array(handmade_weights())
SIZES = np.maximum(np.abs(HANDMADE), LEAST_SIZE)
SIZES[:, Feature.ONE] = 0.0  # everyone has it


@dataclass(frozen=True)
class Contests:
    """Seats that held shifted opinions: the shifts, the place in the first round, what they won."""

    shifts: npt.NDArray[np.float32]
    places: npt.NDArray[np.int64]
    gains: Floats


def shifted(weights: Floats, shift: Floats) -> Floats:
    """The weights with a shift of opinions; those between rounds stay as they are."""
    new = weights.copy()
    for stage, (alike, growing) in enumerate(shift):
        new[stage::STAGES] += SIZES[stage::STAGES] * (alike + GROWTH[:, None] * growing)
    new[:, SPREAD] = np.maximum(new[:, SPREAD], LEAST_SPREAD)
    return new


def contest(
    board: BoardSpec, players: int, weights: Floats, seed: str, first: int, games: int
) -> Contests:
    """Play games number `first` and following of a generation."""
    table = Table(board, players)
    rng = np.random.default_rng(generators(seed, 1, first)[0])
    played: list[Contests] = []
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
        played.append(Contests(shifts[tries].astype(np.float32), places[tries], gains[tries]))
    return joined(played)


def improved(weights: Floats, contests: Contests, generation: int) -> Floats:
    """The weights, a step further in the direction in which shifts won; generations from 0."""
    worth, chance = worth_of_shifts(contests)
    found = max(float((worth**2).mean()) - chance, 0.0)
    trust = found / (found + chance) if found else 0.0
    step = STEP / (generation + 1) ** 0.5
    return shifted(weights, (step * trust * worth).reshape(SHIFT))


def worth_of_shifts(contests: Contests) -> tuple[Floats, float]:
    """What each part of a shift wins by its size, and the square of what would be found on average
    if nothing mattered."""
    shifts = contests.shifts.reshape(len(contests.shifts), -1).astype(np.float64)
    gains = contests.gains.copy()
    for place in np.unique(contests.places):  # to come first is worth something by itself
        here = contests.places == place
        gains[here] -= gains[here].mean()
    worth: Floats = np.linalg.pinv(shifts.T @ shifts) @ (shifts.T @ gains)
    return worth, float(gains.var() / (len(gains) * SHIFTED**2))
