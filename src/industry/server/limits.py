"""How much one client may ask for, so that it hurts nobody but itself."""

import time
from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Times in seconds."""

    frame_bytes: int = 8192
    """Of a message, and of the body of a request."""
    messages: int = 100
    window: float = 20.0
    """So many messages in so long a time; twice as many end the socket."""
    sockets_per_seat: int = 5
    watchers: int = 1000
    """Sockets of one table."""
    queue: int = 64
    """Messages that may wait for a slow reader."""
    hello: float = 10.0
    """A socket that has not said hello by then is closed."""
    heartbeat: float = 20.0


class Pace:
    """Counts the messages of one socket."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._times: deque[float] = deque()

    def count(self) -> int:
        """Count one more; how many there were within the window, itself included."""
        now = time.monotonic()
        self._times.append(now)
        while self._times[0] < now - self._limits.window:
            self._times.popleft()
        return len(self._times)
