"""The time budget of a decision."""

import time


def time_limit(seconds: float) -> float:
    """Returns the longest time a decision may take: ten budgets and a second."""
    return 10 * seconds + 1


class Clock:
    """Counts processor time, so that other work on the machine does not weaken a bot.

    A decision takes at most `PATIENCE` budgets of wall-clock time.
    """

    PATIENCE = 6

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._processor = time.thread_time()
        self._wall = time.perf_counter()

    @property
    def is_over(self) -> bool:
        return self.is_past(1.0)

    def is_past(self, share: float) -> bool:
        """Checks whether this share of the budget is used up."""
        seconds = share * self.seconds
        return (
            time.thread_time() - self._processor >= seconds
            or time.perf_counter() - self._wall >= self.PATIENCE * seconds
        )
