"""Computes the time to think, only from the log's timestamps (ruling J2).

Each decision has a fresh allowance; time beyond it comes out of the seat's reserve. Undoing a move
gives no new allowance, so nobody gains time by it.
"""

from dataclasses import dataclass
from typing import NamedTuple

from .protocol.base import Clock, Patience

SECOND = 1000
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE


@dataclass(frozen=True, slots=True)
class Preset:
    """Milliseconds: `allowance` per decision, `reserve` per game, the least `return_reserve` of a
    player who comes back, and the `pause` between decisions where nobody is at the table.
    """

    allowance: int
    reserve: int
    return_reserve: int
    pause: int


PRESETS: dict[Clock, Preset | None] = {
    "none": None,
    "live": Preset(20 * SECOND, 3 * MINUTE, 1 * MINUTE, 15 * SECOND),
    "days": Preset(3 * DAY, 0, 0, 60 * MINUTE),
}
PATIENCE: dict[Patience, int | None] = {
    "2m": 2 * MINUTE,
    "10m": 10 * MINUTE,
    "1h": 60 * MINUTE,
    "1d": DAY,
    "never": None,
}
UNTIMED_PAUSE = 15 * SECOND
"""Pause between two decisions of stand-ins at an untimed table that everyone has left."""


class Times(NamedTuple):
    """The reserve of each seat, and what is left of the allowance of the decision made since
    `since`.
    """

    preset: Preset | None
    reserves: tuple[int, ...]
    since: int
    allowance: int = 0

    @classmethod
    def at_start(cls, clock: Clock, players: int, now: int) -> "Times":
        preset = PRESETS[clock]
        if preset is None:
            return cls(None, (0,) * players, now)
        return cls(preset, (preset.reserve,) * players, now, preset.allowance)

    def next_decision(self, now: int) -> "Times":
        """Returns the times at the start of a new decision."""
        allowance = self.preset.allowance if self.preset else 0
        return Times(self.preset, self.reserves, now, allowance)

    def charged(self, seat: int, now: int) -> "Times":
        """Returns the times after the seat has used what passed since the decision began."""
        spent = now - self.since
        over = max(0, spent - self.allowance)
        left = max(0, self.reserves[seat] - over)
        reserves = (*self.reserves[:seat], left, *self.reserves[seat + 1 :])
        return Times(self.preset, reserves, now, max(0, self.allowance - spent))

    def taken_back(self, seat: int, allowance: int, now: int) -> "Times":
        """Returns the times when a seat reconsiders a decision with this allowance left."""
        return self._replace(allowance=allowance).charged(seat, now)

    def returned(self, seat: int, deciding: bool, now: int) -> "Times":
        """Returns the times after a player came back: a minimum reserve, and a fresh allowance if
        deciding.
        """
        least = max(self.reserves[seat], self.preset.return_reserve if self.preset else 0)
        reserves = (*self.reserves[:seat], least, *self.reserves[seat + 1 :])
        fresh = self._replace(reserves=reserves)
        return fresh.next_decision(now) if deciding else fresh

    def deadline(self, seat: int) -> int | None:
        """Returns when the server will play for the deciding seat (from 0)."""
        if self.preset is None:
            return None
        return self.since + self.allowance + self.reserves[seat]

    def remaining(self, actor: int | None) -> list[int]:
        """Returns each seat's time when the decision began; empty without a clock."""
        if self.preset is None:
            return []
        return [
            reserve + (self.allowance if seat == actor else self.preset.allowance)
            for seat, reserve in enumerate(self.reserves)
        ]

    @property
    def lonely_deadline(self) -> int:
        """Returns when a stand-in continues at a table where nobody is left."""
        return self.since + (self.preset.pause if self.preset else UNTIMED_PAUSE)
