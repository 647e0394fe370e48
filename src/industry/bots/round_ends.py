"""Values of positions between two rounds, where the challenger's lines are valued."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files

import numpy as np
import numpy.typing as npt

from industry.engine import ERAS, Edition

from .features import STAGES, WIDTH, Stage
from .net import FIRST, OUTPUTS, SEAT_INPUTS, SECOND, SHARED_INPUTS
from .opinions import reference_weights

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
NO_NET: Floats32 = np.zeros(0, dtype=np.float32)
"""Stands for the linear value alone."""


class RoundEndsError(ValueError):
    """A file of values that does not fit this program."""


@dataclass(frozen=True)
class RoundEnds:
    """A full set of weights, of which those between rounds count, and a net that corrects them."""

    weights: Floats
    net: Floats32


def net_size(players: int) -> int:
    """Returns how many weights a net for this number of players has."""
    width = players * SEAT_INPUTS + SHARED_INPUTS
    return (width + 1) * FIRST + (FIRST + 1) * SECOND + (SECOND + 1) * OUTPUTS


def with_rows(weights: Floats, rows: Floats) -> Floats:
    """Returns weights with other rows, one per era, between rounds."""
    changed = weights.copy()
    changed[Stage.BETWEEN_ROUNDS :: STAGES] = rows
    return changed


@cache
def included_round_ends(edition: int, players: int) -> RoundEnds:
    """Returns the values by the learned weights, as the judge uses them."""
    return RoundEnds(reference_weights(edition, players), NO_NET)


@cache
def judged_round_ends(edition: int, players: int, *, has_net: bool = True) -> RoundEnds:
    """Returns the values that were learned from the judge, with their net if they have one."""
    name = f"{Edition(edition).name.lower()}-{players}.npz"
    with (
        as_file(files(__package__).joinpath("learned", name)) as path,
        np.load(path) as kept,
    ):
        rows: Floats = kept["rows"]
        net: Floats32 = kept["net"]
    if rows.shape != (ERAS, WIDTH) or net.shape not in (NO_NET.shape, (net_size(players),)):
        raise RoundEndsError(f"{name} was trained for other features: train it again.")
    return RoundEnds(
        with_rows(reference_weights(edition, players), rows), net if has_net else NO_NET
    )
