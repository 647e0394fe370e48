"""Time to think, computed from the log's timestamps alone (ruling J2).

Every decision has an allowance that is new each time; what goes beyond it comes out of the seat's
reserve. Taking back a move gives no new allowance, so that nobody gains time by it.
"""

from dataclasses import dataclass, field, replace

from .protocol.base import Clock

SECOND = 1000
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE


@dataclass(frozen=True, slots=True)
class Preset:
    """Milliseconds: `allowance` per decision, `reserve` per game, `return_reserve` at least for
    somebody who comes back, `pause` of each decision where nobody at all is at the table.
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
UNTIMED_PAUSE = 15 * SECOND
"""Between two decisions of stand-ins at a table without a clock that everyone has left."""


@dataclass(frozen=True, slots=True)
class Times:
    """What is left to each seat, and of the allowance of the decision that began at `since`."""

    preset: Preset | None
    reserves: tuple[int, ...]
    since: int
    allowance: int = field(default=0)

    @classmethod
    def at_start(cls, clock: Clock, players: int, now: int) -> "Times":
        preset = PRESETS[clock]
        if preset is None:
            return cls(None, (0,) * players, now)
        return cls(preset, (preset.reserve,) * players, now, preset.allowance)

    def next_decision(self, now: int) -> "Times":
        """Somebody has a new decision, with all the time that it gives."""
        allowance = self.preset.allowance if self.preset else 0
        return Times(self.preset, self.reserves, now, allowance)

    def charged(self, seat: int, now: int) -> "Times":
        """What passed since the decision began comes out of allowance and reserve of the seat."""
        spent = now - self.since
        over = max(0, spent - self.allowance)
        left = max(0, self.reserves[seat] - over)
        reserves = (*self.reserves[:seat], left, *self.reserves[seat + 1 :])
        return Times(self.preset, reserves, now, max(0, self.allowance - spent))

    def taken_back(self, seat: int, allowance: int, now: int) -> "Times":
        """The seat thinks again about a decision of which it had this allowance left."""
        return replace(self, allowance=allowance).charged(seat, now)

    def returned(self, seat: int, deciding: bool, now: int) -> "Times":
        """Somebody is back: with a little reserve, and all his time where he must decide."""
        least = max(self.reserves[seat], self.preset.return_reserve if self.preset else 0)
        reserves = (*self.reserves[:seat], least, *self.reserves[seat + 1 :])
        fresh = replace(self, reserves=reserves)
        return fresh.next_decision(now) if deciding else fresh

    def deadline(self, seat: int) -> int | None:
        """When the deciding seat (from 0) will be played for."""
        if self.preset is None:
            return None
        return self.since + self.allowance + self.reserves[seat]

    def remaining(self, actor: int | None) -> list[int]:
        """Allowance and reserve of each seat when the decision began; empty without a clock."""
        if self.preset is None:
            return []
        return [
            reserve + (self.allowance if seat == actor else self.preset.allowance)
            for seat, reserve in enumerate(self.reserves)
        ]

    @property
    def lonely_deadline(self) -> int:
        """When a stand-in goes on at a table where nobody is left to see it."""
        return self.since + (self.preset.pause if self.preset else UNTIMED_PAUSE)
