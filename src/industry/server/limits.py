"""The limits for one client, so that misbehaviour only hurts itself."""

import time
from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits; times are in seconds. Limits per address are generous: a club may share one."""

    # One socket
    frame_bytes: int = 8192
    """Maximum size of a message, and of a request's body."""
    messages: int = 100
    window: float = 20.0
    """This many messages per window are answered; twice as many close the socket."""
    sockets_per_seat: int = 5
    queue: int = 64
    """Messages that may wait for a slow reader."""
    hello: float = 10.0
    """A socket that has not said hello by then is closed."""
    heartbeat: float = 20.0

    # One table
    watchers: int = 1000
    """Sockets of one table without a seat."""

    # One request
    head_bytes: int = 16_384
    """Maximum size of the request line and headers."""
    request_bytes: int = 1 << 20
    """Maximum size of the whole request as sent."""
    request_seconds: float = 20.0
    """Maximum time from a request's first byte to its last."""

    # One address; `address_limits.RATES` has the period of each rate
    address_connections: int = 500
    address_sockets: int = 300
    """Sockets without a seat, or that have not said hello yet."""
    address_watchers: int = 250
    """The part of them that may watch; the rest is left for players who come back to a seat."""
    address_seated: int = 500
    """Sockets that act for a seat."""
    address_messages: int = 3000
    address_requests: int = 2000
    address_tables: int = 300
    """Open and running tables created by the address."""
    address_new_tables: int = 60
    address_seats: int = 120
    """Changes of seats: taken, left, freed, given to bots, links replaced."""
    address_table_seats: int = 40
    """The same at one table, and leaving and returning during a game."""
    address_replays: int = 120
    address_reviews: int = 60
    """Games that are not reviewed yet."""
    address_hints: int = 600
    """Steps of hints, and comparisons of branches with their games."""
    address_hooks: int = 100
    address_notices: int = 200
    """Devices, mail addresses and webhooks added for notices, and test messages."""
    address_persons: int = 100
    """New persons."""
    address_sign_ins: int = 200
    """Attempts to sign in, begun and finished."""
    address_cups: int = 100
    """Cups created, joined and left."""
    address_pause: float = 10.0
    """How long an address may not open sockets after one was closed for misbehaviour."""


class Pace:
    """Counts the messages of one socket."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._times: deque[float] = deque()

    @property
    def recent(self) -> int:
        """How many messages were within the window when the last one came."""
        return len(self._times)

    def count(self) -> int:
        """Counts one more message; returns how many are within the window."""
        now = time.monotonic()
        self._times.append(now)
        while self._times[0] < now - self._limits.window:
            self._times.popleft()
        return self.recent

    def wait(self) -> float:
        """Returns the seconds until the next message is within the limit."""
        if self.recent < self._limits.messages:
            return 0.0
        oldest = self._times[self.recent - self._limits.messages]
        return max(0.0, oldest + self._limits.window - time.monotonic())
