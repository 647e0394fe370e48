"""Returns how strong the bots are, by the measured ladder that comes with the program."""

from typing import Any

from .protocol.http import Measured


def measured_strengths(steps: list[dict[str, Any]]) -> dict[str, Measured]:
    """Returns by bot what its games against the level below came to; the lowest has the next above.

    A step of the ladder is one edition with one number of players; the span goes over all of them.
    """
    shares: dict[tuple[str, str], list[float]] = {}
    for step in steps:
        shares.setdefault((step["upper"], step["lower"]), []).append(float(step["win_share"]))
    found: dict[str, Measured] = {}
    for (upper, lower), won in shares.items():
        low, high = min(won), max(won)
        found[upper] = Measured(other=lower, wins=True, low=low, high=high)
        found.setdefault(lower, Measured(other=upper, wins=False, low=low, high=high))
    return found
