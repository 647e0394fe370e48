"""The time that a bot may spend on a decision."""

import time


class Clock:
    """Counts processor time, so that other work of the machine costs no strength; but whoever
    waits for the bot waits no longer than a few budgets."""

    PATIENCE = 6

    def __init__(self, seconds: float) -> None:
        self._processor = time.thread_time() + seconds
        self._wall = time.perf_counter() + self.PATIENCE * seconds

    @property
    def is_over(self) -> bool:
        return time.thread_time() >= self._processor or time.perf_counter() >= self._wall
