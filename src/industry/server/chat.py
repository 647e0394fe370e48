"""Chat at a table: kept in memory only, never in the log or the record.

Processes that share a PostgreSQL send each line to the others as a notification, which the database
does not store either. A process knows the lines since it has had the table in memory.
"""

import time
from collections import deque

from .errors import Refused
from .names import BadName, clean
from .protocol.base import MAX_CHAT
from .protocol.client import Say
from .wire_events import Wire

KEPT = 50
"""How many lines are kept for people who join later."""
MOST, WITHIN = 5, 10.0
"""How many lines one seat may write, and in how many seconds."""


class Chat:
    """The chat lines of one table while it is in use."""

    def __init__(self) -> None:
        self.lines: deque[Wire] = deque(maxlen=KEPT)
        self._number = 0
        self._times: dict[int, deque[float]] = {}

    def say(self, message: Say, now: int) -> Wire:
        """Adds a line, in the form of `protocol.server.Said`; raises `Refused`."""
        if (message.emote is None) == (not message.text.strip()):
            raise Refused("bad_message", detail="text")
        try:
            text = "" if message.emote else clean(message.text, MAX_CHAT)
        except BadName:
            raise Refused("bad_message", detail="text") from None
        self._expect_calm(message.seat)
        self._number += 1
        line = {
            "type": "said",
            "number": self._number,
            "at": now,
            "seat": message.seat,
            "text": text,
            "emote": message.emote,
        }
        self.lines.append(line)
        return line

    def add(self, line: Wire) -> Wire:
        """Adds a line of another process under the next number here; returns it."""
        self._number = max(int(line["number"]), self._number + 1)
        line = line | {"number": self._number}
        self.lines.append(line)
        return line

    def _expect_calm(self, seat: int) -> None:
        times, now = self._times.setdefault(seat, deque()), time.monotonic()
        while times and times[0] < now - WITHIN:
            times.popleft()
        if len(times) >= MOST:
            raise Refused("too_fast", retry_after=WITHIN)
        times.append(now)
