"""A short way out of sockets: what nothing else waits before goes straight to the connection.

By ASGI alone every message wakes a task, passes a dozen functions and is a write to the network of
its own, for every player of every move. Servers without this extension lose only speed.
"""

from collections.abc import Callable
from typing import cast

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.http11 import Request

EXTENSION = "industry.outlet"

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
        try:
            self.conn.send_text(text.encode())
        except InvalidState:
            return False
        if not self._is_due:
            # writes one after the other wake the readers once; between moves, each time
            self._is_due = True
            self.loop.call_soon(self._write)
        return True

    def _write(self) -> None:
        self._is_due = False
        if not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))


def outlet_of(websocket: WebSocket) -> Outlet:
    """The outlet of an accepted socket; one that never sends where the server has none."""
    extension = websocket.scope.get("extensions", {}).get(EXTENSION)
    return cast(Outlet, extension["outlet"]) if extension else _never


def _never(text: str) -> bool:
    return False
