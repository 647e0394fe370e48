"""What a bot is: a small class with one method."""

from collections.abc import Sequence
from random import Random
from typing import Protocol, runtime_checkable

from industry.engine import PlayerMove, Position


@runtime_checkable
class Bot(Protocol):
    """A player that chooses a move.

    A bot sees what people at the table see. The order of the bag is not in a position, so it
    cannot be peeked at. One instance plays one seat of one game.
    """

    level: int
    """0 for players that do not try; 1 to 5 for the levels of the ladder."""
    description: str
    """One sentence for people who choose an opponent."""

    def choose(
        self,
        position: Position,
        legal: Sequence[PlayerMove],
        seconds: float,
        rng: Random,
    ) -> PlayerMove:
        """One of the legal moves of the seat that must decide (`position.actor`).

        `seconds` is the time budget of this decision. All chance must come from `rng`, so that
        the same seed gives the same game.
        """
        ...
