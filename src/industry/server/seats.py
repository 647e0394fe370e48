"""Values of a table's state: seats, played moves, and what the server must do next."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from .entries import AbsentReason, How
from .protocol.view import SeatKind

ABSENT_STAND_IN = "foreman"
"""The bot that plays for an absent player if the table wants a bot: it decides at once."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits at a seat. `place` is where the player joined, from 1; the token belongs to it."""

    place: int
    kind: SeatKind = "open"
    name: str = ""
    bot: str | None = None
    bot_number: int | None = None
    """Which one it is of these bots at the table, from 1; None where its name does not say it."""
    randomness: str = ""
    absent: AbsentReason | None = None
    taken_back: int = 0
    """How often its player has taken a decision back."""
    hints: int = 0
    """How many steps of hints its player has asked for."""

    @property
    def is_reserved(self) -> bool:
        return self.kind == "reserved"

    @property
    def resigned(self) -> bool:
        return self.absent == "resigned"


class PlayedMove(NamedTuple):
    """A move of the game, with what undoing it needs. A draw has seat -1."""

    line: str
    seat: int
    how: How
    allowance: int
    """What was left of the time for this decision."""


untimed_move = lru_cache(1 << 16)(PlayedMove)
"""Moves without a clock are mostly the same ones at all tables: they share them in memory."""


class PendingAction(NamedTuple):
    """What the server must do next: when, and with which bot, if any."""

    at: int
    bot: str | None
