"""The nets that come with the program, by edition and number of players."""

from functools import cache
from importlib.resources import as_file, files

import numpy as np
import numpy.typing as npt

from industry.engine import Edition

from .net import FIRST, OUTPUTS, SEAT_INPUTS, SECOND, SHARED_INPUTS

Floats32 = npt.NDArray[np.float32]
NO_NET: Floats32 = np.zeros(0, dtype=np.float32)
"""Stands for the linear value alone."""


class NetError(ValueError):
    """A file of a net that does not fit this program."""


def net_size(players: int) -> int:
    """Returns how many weights a net for this number of players has."""
    width = players * SEAT_INPUTS + SHARED_INPUTS
    return (width + 1) * FIRST + (FIRST + 1) * SECOND + (SECOND + 1) * OUTPUTS


@cache
def learned_net(edition: int, players: int) -> Floats32:
    """Returns the net that was trained for an edition and a number of players, if there is one."""
    name = f"{Edition(edition).name.lower()}-{players}.npz"
    with as_file(files(__package__).joinpath("learned", name)) as path:
        if not path.exists():
            return NO_NET
        with np.load(path) as kept:
            net: Floats32 = kept["net"].astype(np.float32)
    if net.shape != (net_size(players),):
        raise NetError(f"{name} was trained for other inputs: train it again.")
    return net
