"""How one game of a tournament ended, as a value and as plain data for a file."""

from dataclasses import dataclass
from typing import Any

from .schedule import Seating
from .thinking import Thinking

ILLEGAL, ERROR, SLOW, HANG, CRASH = "illegal", "error", "slow", "hang", "crash"
"""What a bot can do wrong: the kinds of faults."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a game was lost before its end; `record` is the position as a loadable TOML text."""

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
    thinking: tuple[Thinking, ...]
    fault: Fault | None = None
    record: str | None = None
    """The game as one line of JSON, where the tournament keeps records."""

    @property
    def winners(self) -> tuple[int, ...]:
        best = min(self.ranks)
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == best)

    def data(self) -> dict[str, Any]:
        """The outcome for a file; the seating follows from the tournament and is left out."""
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
        return data


def outcome_from_data(seating: Seating, data: dict[str, Any]) -> Outcome:
    """What `Outcome.data` wrote; raises where it did not."""
    return Outcome(
        seating,
        tuple(int(points) for points in data["points"]),
        tuple(float(rank) for rank in data["ranks"]),
        tuple(Thinking(dict(bins)) for bins in data["thinking"]),
        Fault(*data["fault"]) if "fault" in data else None,
        data.get("record"),
    )
