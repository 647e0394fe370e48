"""Compares candidates with the greedy move, sample by sample, until one is preferred."""

import math

import numpy as np
import numpy.typing as npt


class Race:
    """Compares with the first candidate. Candidates that fall behind are dropped."""

    ENOUGH = 8
    """Samples before candidates are compared."""
    HOPELESS = 2.0
    """Standard errors behind the best at which a candidate is dropped."""
    SCATTER = 0.02
    """Least standard deviation of a lead, so that a few equal samples prove nothing."""

    def __init__(self, codes: list[int], caution: float) -> None:
        """Takes `caution`, the standard errors by which a candidate must lead to be preferred."""
        self.codes = codes
        self.caution = caution
        self.taken = 0
        self._leads = np.zeros((len(codes), 2))

    @property
    def is_decided(self) -> bool:
        return len(self.codes) == 1

    def add(self, leads: npt.NDArray[np.float64], samples: int) -> None:
        """Adds samples, in the order of `codes`, and drops hopeless candidates."""
        self._leads += leads
        self.taken += samples
        if self.taken < self.ENOUGH:
            return
        means, errors = self._judged()
        best = int(np.argmax(means))
        kept = means + self.HOPELESS * np.maximum(errors, errors[best]) >= means[best]
        kept[0] = True
        self.codes = [code for code, keep in zip(self.codes, kept, strict=True) if keep]
        self._leads = self._leads[kept]

    def winner(self) -> int:
        """Returns the candidate that leads with certainty, or else the first one."""
        if self.taken < self.ENOUGH:
            return self.codes[0]
        means, errors = self._judged()
        sure = means - self.caution * errors
        sure[0] = 0.0
        return self.codes[int(np.argmax(sure))]

    def _judged(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Returns mean leads and their standard errors."""
        means = self._leads[:, 0] / self.taken
        scatter = np.maximum(self._leads[:, 1] / self.taken - means**2, self.SCATTER**2)
        return means, np.sqrt(scatter) / math.sqrt(self.taken)
