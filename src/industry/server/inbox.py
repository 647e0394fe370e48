"""Queues messages: addresses take turns, and nobody can block the event loop.

Every round handles one message of each address. However much arrives at once, everything else of
the server runs after a short while.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable

from .client_socket import ClientSocket

SLICE = 0.002
"""Seconds of messages before the event loop gets its turn."""

Handle = Callable[[ClientSocket, str | None], bool]
"""Handles one message; returns whether it is done with. If not, `Inbox.done` says so later."""


class Inbox:
    """The messages of all sockets, each socket's in order and one at a time."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._ready: dict[str, deque[ClientSocket]] = {}
        """By address, the sockets whose next message can be handled."""
        self._is_due = False

    def take(self, socket: ClientSocket, text: str) -> bool:
        """Takes a message that has come whole, if no earlier one of its socket waits."""
        if socket.is_busy or socket.is_congested:
            return False
        self.put(socket, text)
        return True

    def put(self, socket: ClientSocket, text: str | None) -> None:
        """Adds a message; None is one that is not text."""
        socket.inbox.append(text)
        if not socket.is_busy:
            self._line_up(socket)

    async def put_and_wait(self, socket: ClientSocket, text: str | None) -> None:
        """Adds a message; returns once all messages of its socket are handled."""
        socket.handled.clear()
        self.put(socket, text)
        await socket.handled.wait()

    def done(self, socket: ClientSocket) -> None:
        """Continues with a socket's next message."""
        if socket.inbox:
            self._line_up(socket)
        else:
            socket.is_busy = False
            socket.handled.set()

    def _line_up(self, socket: ClientSocket) -> None:
        socket.is_busy = True
        sockets = self._ready.get(socket.address)
        if sockets is None:
            sockets = self._ready[socket.address] = deque()
        sockets.append(socket)
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._run)

    def _run(self) -> None:
        end = time.monotonic() + SLICE
        ready = self._ready
        while ready:
            address = next(iter(ready))
            sockets = ready.pop(address)
            socket = sockets.popleft()
            if sockets:
                ready[address] = sockets  # behind all other addresses
            if self._handle(socket, socket.inbox.popleft()):
                self.done(socket)
            if time.monotonic() > end:
                break
        self._is_due = bool(ready)
        if ready:
            asyncio.get_running_loop().call_soon(self._run)
