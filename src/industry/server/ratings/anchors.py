"""The bots as anchors: fixed ratings from the measured ladder that comes with the program.

Games of persons never change them, so a rating means the same in every club.
"""

import json
import math
from functools import cache
from importlib.resources import files
from statistics import fmean
from typing import Any, NamedTuple

from ..protocol.base import Clock, Edition
from ..protocol.ratings import Pace
from .model import BETA, Skill

LADDER = "ladder.json"
"""In the arena's folder. Importing the arena would load numpy."""


class Kind(NamedTuple):
    """Games that have ratings of their own."""

    edition: Edition
    players: int
    pace: Pace


def pace_of(clock: Clock) -> Pace:
    """Returns the pace of a table: over days, or in one sitting, with or without a clock."""
    return "days" if clock == "days" else "live"


def anchors(kind: Kind) -> dict[str, Skill]:
    """Returns the fixed ratings of the bots, weakest first; the pace does not matter to them."""
    return _anchors(kind.edition, kind.players)


@cache
def _anchors(edition: str, players: int) -> dict[str, Skill]:
    """Returns the ladder's ratings, spaced as the bots' games of this kind demand.

    The ladder has one rating for each bot over all kinds of games. Their mean is kept; the
    distances between levels are those that give the win shares measured in games of this kind.
    """
    ladder = _ladder()
    steps = [s for s in ladder["steps"] if (s["edition"], s["players"]) == (edition, players)]
    heights = {steps[0]["lower"]: 0.0}
    for step in steps:
        distance = BETA * math.sqrt(players) * log_odds(step["win_share"], players)
        heights[step["upper"]] = heights[step["lower"]] + distance
    published = ladder["ratings"]
    shift = fmean(published[bot]["rating"] for bot in heights) - fmean(heights.values())
    return {bot: Skill(h + shift, published[bot]["sigma"]) for bot, h in heights.items()}


def log_odds(share: float, players: int) -> float:
    """Returns by how much, in the model's units, the upper level is stronger if it wins this share.

    With four players two of each level play; with three players each level is alone in half of
    the games.
    """
    low, high = -20.0, 20.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if _share(middle, players) > share else (middle, high)
    return (low + high) / 2


def _share(odds: float, players: int) -> float:
    """Returns which share of the games a level wins that is stronger by so much."""
    mixes = [(2, 2)] if players == 4 else [(1, 2), (2, 1)]
    strength = math.exp(odds)
    return fmean(own * strength / (own * strength + others) for own, others in mixes)


@cache
def _ladder() -> dict[str, Any]:
    text = files("industry").joinpath("arena", LADDER).read_text(encoding="utf-8")
    ladder: dict[str, Any] = json.loads(text)
    return ladder
