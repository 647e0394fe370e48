"""A histogram of thinking times: fine enough for medians, small enough to store and add."""

import math
from collections import Counter
from collections.abc import Mapping

WIDTH = math.log(1.02)
"""Each bin is 2 % wider than the one before, so a quantile is right to 1 %."""
SHORTEST = 1e-7


class TimeHistogram:
    """Counts decisions by the time they took."""

    def __init__(self, bins: Mapping[int, int] | None = None) -> None:
        self.bins = Counter(bins or {})

    def add(self, seconds: float) -> None:
        self.bins[int(math.log(max(seconds, SHORTEST) / SHORTEST) / WIDTH)] += 1

    def merge(self, other: "TimeHistogram") -> None:
        self.bins.update(other.bins)

    @property
    def decisions(self) -> int:
        return self.bins.total()

    def quantile(self, share: float) -> float | None:
        """Returns the time in seconds within which this share of decisions was made, or None."""
        below = 0
        for number in sorted(self.bins):
            below += self.bins[number]
            if below >= share * self.decisions:
                return SHORTEST * math.exp((number + 0.5) * WIDTH)
        return None
