"""Finds connections whose other end is gone, with one timer for all of them.

A ping goes only to a client of whom nothing else shows that it is there: one that has sent nothing
and was sent nothing for an interval. What is sent to a client that is gone stays unacknowledged,
and then the operating system ends the connection (`TCP_USER_TIMEOUT`). Behind a proxy only the
proxy acknowledges, so nobody stays without a ping for more than `LONGEST` intervals.
"""

import asyncio
import contextlib
import socket
from typing import Protocol
from weakref import WeakKeyDictionary

LOOKS = 4
"""How often per interval each connection is looked at."""
GROUPS = 20
"""Connections are looked at in this many groups, so that the event loop is never held up."""
LONGEST = 3
"""After this many intervals a client that only listens is pinged, however much it is sent."""


class Beating(Protocol):
    """A connection as the heartbeat sees it."""

    was_heard: bool
    """Something came from it since the last look."""
    was_told: bool
    """Something was sent to it since the last look."""
    silent: int
    """For how many looks nothing has come from it."""
    untold: int
    """For how many looks nothing was sent to it."""
    unanswered: int
    """For how many looks a ping has been waiting for an answer; 0 if none is."""

    def ping(self) -> None: ...

    def cut(self) -> None: ...


class Heartbeat:
    """Looks at all connections of a server, a group at a time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, interval: float, timeout: float) -> None:
        """A quiet connection is pinged after `interval` seconds and cut after `timeout` more."""
        self._loop = loop
        self._pause = interval / LOOKS / GROUPS
        self._patience = max(1, round(timeout / interval * LOOKS))
        self._groups: list[set[Beating]] = [set() for _ in range(GROUPS)]
        self._next = 0
        self._timer: asyncio.TimerHandle | None = None

    def join(self, connection: Beating) -> None:
        """Starts looking at a connection."""
        min(self._groups, key=len).add(connection)
        if self._timer is None:
            self._timer = self._loop.call_later(self._pause, self._look)

    def leave(self, connection: Beating) -> None:
        """Stops looking at a connection."""
        for group in self._groups:
            group.discard(connection)

    def _look(self) -> None:
        group = self._groups[self._next]
        self._next = (self._next + 1) % GROUPS
        for connection in list(group):
            self._look_at(connection)
        is_needed = any(self._groups)
        self._timer = self._loop.call_later(self._pause, self._look) if is_needed else None

    def _look_at(self, one: Beating) -> None:
        one.untold = 0 if one.was_told else one.untold + 1
        one.was_told = False
        if one.was_heard:
            one.was_heard, one.silent, one.unanswered = False, 0, 0
            return
        one.silent += 1
        if one.unanswered:
            one.unanswered += 1
            if one.unanswered > self._patience:
                one.cut()
        elif min(one.silent, one.untold) >= LOOKS or one.silent >= LONGEST * LOOKS:
            one.unanswered = 1
            one.ping()


_heartbeats: WeakKeyDictionary[object, Heartbeat] = WeakKeyDictionary()


def heartbeat_of(
    server: object, loop: asyncio.AbstractEventLoop, interval: float, timeout: float
) -> Heartbeat:
    """Returns the heartbeat of all connections of one server."""
    if server not in _heartbeats:
        _heartbeats[server] = Heartbeat(loop, interval, timeout)
    return _heartbeats[server]


def end_if_unacknowledged(transport: asyncio.BaseTransport, seconds: float) -> None:
    """Ends a connection when what was sent is not acknowledged in time, where that is possible."""
    connection = transport.get_extra_info("socket")
    option = getattr(socket, "TCP_USER_TIMEOUT", None)  # only Linux has it
    if connection is not None and option is not None:
        with contextlib.suppress(OSError):
            connection.setsockopt(socket.IPPROTO_TCP, option, round(seconds * 1000))
