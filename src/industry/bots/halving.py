"""Compares candidates on the same lines and repeatedly drops the worse half."""

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class Halving:
    """Sequential halving: every stage has an equal share of the budget, so that the candidates that
    are hard to tell apart get the most lines.

    Candidates far behind are dropped at once. All that are left have played the same lines.
    """

    ENOUGH = 12
    """Lines before a candidate is dropped between stages."""
    HOPELESS = 2.0
    """Standard errors behind the best at which a candidate is dropped."""
    SCATTER = 0.02
    """Least standard deviation of a lead, so that a few equal lines prove nothing."""

    def __init__(self, codes: list[int]) -> None:
        self.codes = codes
        self.stages = max(1, math.ceil(math.log2(len(codes))))
        self._worths = np.zeros((len(codes), 0))

    @property
    def is_decided(self) -> bool:
        return len(self.codes) == 1

    @property
    def taken(self) -> int:
        """Lines that each remaining candidate has played."""
        return int(self._worths.shape[1])

    def add(self, worths: Floats) -> None:
        """Adds lines, by candidate in the order of `codes`, and drops hopeless candidates."""
        self._worths = np.concatenate([self._worths, worths], axis=1)
        if self.taken < self.ENOUGH:
            return
        means = self._worths.mean(axis=1)
        best = int(np.argmax(means))
        scatter = np.maximum((self._worths[best] - self._worths).std(axis=1), self.SCATTER)
        self._keep(means[best] - means <= self.HOPELESS * scatter / math.sqrt(self.taken))

    def halve(self) -> None:
        """Drops the worse half of the candidates."""
        means = self._worths.mean(axis=1)
        kept = np.zeros(len(means), dtype=bool)
        kept[np.argsort(-means, kind="stable")[: (len(means) + 1) // 2]] = True
        self._keep(kept)

    def winner(self) -> int:
        """Returns the best candidate, or the first where no lines were played."""
        return (
            self.codes[int(np.argmax(self._worths.mean(axis=1)))] if self.taken else self.codes[0]
        )

    def _keep(self, kept: npt.NDArray[np.bool_]) -> None:
        self.codes = [code for code, keep in zip(self.codes, kept, strict=True) if keep]
        self._worths = self._worths[kept]
