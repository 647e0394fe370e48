"""A sequential test: stop as soon as the games so far decide between two hypotheses."""

import math
from dataclasses import dataclass

ACCEPTED, REJECTED = "accepted", "rejected"
FEWEST = 8
"""Deals before the first decision: the spread of fewer is not known."""
GREATEST_VARIANCE = 0.25
"""Of a score between 0 and 1."""


@dataclass
class Sprt:
    """Tests whether a bot's win share is p1 (accept) or p0 (reject).

    This is Wald's test on the scores of whole deals. The games of a deal share their draws and
    mirror their seats, so only deals are independent. Scores are treated as normal with the
    variance seen so far (a generalised SPRT), which accounts for shared victories and for any
    dependence within a deal. `alpha` bounds the risk of accepting if p0 is true, `beta` that of
    rejecting if p1 is true.
    """

    p0: float = 0.50
    p1: float = 0.55
    alpha: float = 0.05
    beta: float = 0.05
    deals: int = 0
    _sum: float = 0.0
    _squares: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.p0 < self.p1 < 1:
            raise ValueError("p0 and p1 are win shares between 0 and 1, the smaller one first.")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta are risks between 0 and 0.5.")

    def add(self, score: float) -> None:
        """Counts a deal by its score: the share of its games that the bot won."""
        self.deals += 1
        self._sum += score
        self._squares += score * score

    @property
    def mean(self) -> float:
        return self._sum / self.deals if self.deals else (self.p0 + self.p1) / 2

    @property
    def variance(self) -> float:
        """Returns the variance of a deal's score, kept above 0 by a fictitious extreme deal."""
        seen = self._squares - self.deals * self.mean**2
        return (max(0.0, seen) + GREATEST_VARIANCE) / (self.deals + 1)

    @property
    def bounds(self) -> tuple[float, float]:
        """Returns the log-likelihood ratios at which the test rejects and accepts."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of p1 to p0."""
        distance = (self.p1 - self.p0) * (2 * self.mean - self.p0 - self.p1)
        return self.deals * distance / (2 * self.variance)

    @property
    def decision(self) -> str | None:
        if self.deals < FEWEST:
            return None
        low, high = self.bounds
        if self.llr >= high:
            return ACCEPTED
        return REJECTED if self.llr <= low else None
