"""The account of a game: where every seat's result comes from, to the last decimal.

Let W be everyone's chance of winning before an event. A draw changes it by luck. A decision changes
it by what its mover lost against the best move, by what that gave to or took from the others, and
by what the reference policy had not seen: W after the best move less W before. For every seat, the
sum of all terms is the result less the chance at the start.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Vector = Sequence[float]

THRESHOLDS = (("blunder", 0.10), ("mistake", 0.05), ("small", 0.02))
BEST, CLOSE, FORCED = "best", "close", "forced"
VERDICTS = (FORCED, BEST, CLOSE, *(name for name, _ in reversed(THRESHOLDS)))


def verdict_of(loss: float, error: float) -> str:
    """Returns the word for a loss: `best` for none, and `close` for one that is small or uncertain.

    A threshold's word is used only if the loss exceeds half of it by two standard errors.
    """
    if loss <= 0:
        return BEST
    for name, least in THRESHOLDS:
        if loss >= least and loss - 2 * error > least / 2:
            return name
    return CLOSE


@dataclass
class Account:
    """Adds up events and says where every seat's result comes from."""

    start: Vector
    luck: list[float] = field(init=False)
    own: list[float] = field(init=False)
    gifts: list[list[float]] = field(init=False)
    unexplained: list[float] = field(init=False)
    now: list[float] = field(init=False)
    """Everyone's chance after the events so far."""

    def __post_init__(self) -> None:
        seats = range(len(self.start))
        self.now = list(self.start)
        self.luck, self.own, self.unexplained = ([0.0 for _ in seats] for _ in range(3))
        self.gifts = [[0.0 for _ in seats] for _ in seats]

    def draw(self, after: Vector) -> None:
        """Counts a draw that leads to these chances."""
        for seat, chance in enumerate(after):
            self.luck[seat] += chance - self.now[seat]
        self.now = list(after)

    def decision(self, mover: int, best: Vector, after: Vector) -> None:
        """Counts a decision of a seat: everyone's chances after the best move and after its own."""
        for seat, chance in enumerate(after):
            self.unexplained[seat] += best[seat] - self.now[seat]
            if seat == mover:
                self.own[seat] += chance - best[seat]
            else:
                self.gifts[mover][seat] += chance - best[seat]
        self.now = list(after)

    def seats(self) -> list[dict[str, Any]]:
        """Returns the account of every seat; its parts add up to the result."""
        return [
            {
                "seat": seat + 1,
                "start": self.start[seat],
                "luck": self.luck[seat],
                "own": self.own[seat],
                "gifts": sum(given[seat] for given in self.gifts),
                "unexplained": self.unexplained[seat],
                "result": self.now[seat],
            }
            for seat in range(len(self.start))
        ]

    def given(self) -> list[dict[str, Any]]:
        """Returns who gave (or, below 0, took from) whom how much of a victory."""
        return [
            {"from": giver + 1, "to": seat + 1, "amount": amount}
            for giver, row in enumerate(self.gifts)
            for seat, amount in enumerate(row)
            if giver != seat
        ]
