"""How one game of a tournament ended, as a value and as plain data for a file."""

from dataclasses import dataclass
from typing import Any

from .schedule import Seating
from .time_histogram import TimeHistogram

ILLEGAL, ERROR, SLOW, HANG, CRASH = "illegal", "error", "slow", "hang", "crash"
"""The ways in which a bot can forfeit a game."""


@dataclass(frozen=True, slots=True)
class BotFault:
    """Why a bot forfeited a game; `record` is the position as loadable TOML text."""

    bot: str
    seat: int
    kind: str
    detail: str
    record: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one game ended, by seat. Seats that tie share the mean of their ranks."""

    seating: Seating
    points: tuple[int, ...]
    ranks: tuple[float, ...]
    thinking: tuple[TimeHistogram, ...]
    fault: BotFault | None = None
    record: str | None = None
    """The game as one line of JSON, where the tournament keeps records."""
    luck: tuple[float, ...] | None = None
    """By seat, in shares of a victory, where the tournament adjusts its results."""

    @property
    def winners(self) -> tuple[int, ...]:
        best = min(self.ranks)
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == best)

    def data(self) -> dict[str, Any]:
        """Returns plain data for a file, without the seating, which follows from the tournament."""
        data: dict[str, Any] = {
            "points": self.points,
            "ranks": self.ranks,
            "thinking": [list(entry.bins.items()) for entry in self.thinking],
        }
        if self.fault is not None:
            fault = self.fault
            data["fault"] = [fault.bot, fault.seat, fault.kind, fault.detail, fault.record]
        if self.record is not None:
            data["record"] = self.record
        if self.luck is not None:
            data["luck"] = [round(value, 5) for value in self.luck]
        return data


def outcome_from_data(seating: Seating, data: dict[str, Any]) -> Outcome:
    """Parses what `Outcome.data` wrote; raises if it did not."""
    return Outcome(
        seating,
        tuple(int(points) for points in data["points"]),
        tuple(float(rank) for rank in data["ranks"]),
        tuple(TimeHistogram(dict(bins)) for bins in data["thinking"]),
        BotFault(*data["fault"]) if "fault" in data else None,
        data.get("record"),
        tuple(float(value) for value in data["luck"]) if "luck" in data else None,
    )
