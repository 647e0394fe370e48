"""Candidates measured against a first idea, sample by sample, until one is preferred."""

import math

import numpy as np
import numpy.typing as npt


class Race:
    """The first candidate is the standard. Those that fall behind are not looked at again."""

    ENOUGH = 8
    """Samples before anything is judged."""
    HOPELESS = 2.0
    """Standard errors behind the best at which a candidate is given up."""
    SCATTER = 0.02
    """What a lead scatters at least, so that a few equal samples prove nothing."""

    def __init__(self, codes: list[int], caution: float) -> None:
        """`caution`: standard errors by which a candidate must lead to be preferred."""
        self.codes = codes
        self.caution = caution
        self.taken = 0
        self._leads = np.zeros((len(codes), 2))

    @property
    def is_decided(self) -> bool:
        return len(self.codes) == 1

    def add(self, leads: npt.NDArray[np.float64], samples: int) -> None:
        """Count more samples, in the order of `codes`, and give up what is hopeless."""
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
        """The candidate that leads for certain, or else the first idea."""
        if self.taken < self.ENOUGH:
            return self.codes[0]
        means, errors = self._judged()
        sure = means - self.caution * errors
        sure[0] = 0.0
        return self.codes[int(np.argmax(sure))]

    def _judged(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Mean leads and their standard errors."""
        means = self._leads[:, 0] / self.taken
        scatter = np.maximum(self._leads[:, 1] / self.taken - means**2, self.SCATTER**2)
        return means, np.sqrt(scatter) / math.sqrt(self.taken)
