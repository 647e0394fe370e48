"""A short way out of sockets: what nothing else waits before goes straight to the connection.

By ASGI alone every message wakes a task, passes a dozen functions and is a write to the network of
its own, for every player of every move. Servers without this extension lose only speed.
"""

import struct
from collections.abc import Callable
from typing import cast

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

EXTENSION = "industry.outlet"
TEXT = 0x81
"""First byte of a text that is whole."""

Outlet = Callable[[str], bool]
"""Takes a text to be sent next; False where it must go the usual way."""


class WireProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's own protocol, with an outlet for its application."""

    _is_due = False
    """What was taken will be written as soon as everything that is ready now has run."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][EXTENSION] = {"outlet": self.take}

    def take(self, text: str) -> bool:
        """Only an open connection whose reader keeps up takes anything."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        if self.conn.state is not State.OPEN or self.conn.extensions:
            return False
        self.conn.writes.append(text_frame(text.encode()))
        if not self._is_due:
            # writes one after the other wake the readers once; between moves, each time
            self._is_due = True
            self.loop.call_soon(self._write)
        return True

    def _write(self) -> None:
        self._is_due = False
        if not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))


def text_frame(payload: bytes) -> bytes:
    """A whole message of a server as RFC 6455 frames it: never masked, in one piece."""
    size = len(payload)
    if size < 126:
        return struct.pack("!BB", TEXT, size) + payload
    if size < 1 << 16:
        return struct.pack("!BBH", TEXT, 126, size) + payload
    return struct.pack("!BBQ", TEXT, 127, size) + payload


def outlet_of(websocket: WebSocket) -> Outlet:
    """The outlet of an accepted socket; one that never sends where the server has none."""
    extension = websocket.scope.get("extensions", {}).get(EXTENSION)
    return cast(Outlet, extension["outlet"]) if extension else _never


def _never(text: str) -> bool:
    return False
