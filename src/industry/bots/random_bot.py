"""A player of random moves, with which all others are compared."""

from collections.abc import Sequence
from random import Random

from industry.engine import PlayerMove, Position


class RandomBot:
    """Any legal move, each equally likely."""

    level = 0
    description = "Plays any legal move, each equally likely."

    def choose(
        self, position: Position, legal: Sequence[PlayerMove], seconds: float, rng: Random
    ) -> PlayerMove:
        return rng.choice(legal)
