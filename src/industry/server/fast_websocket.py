"""A shortcut for sending: a message with nothing queued before it goes straight to the connection.

Through ASGI every message wakes a task, passes a dozen functions and is a separate network write,
for every player of every move. Servers without this extension only lose speed.
"""

import struct
from collections.abc import Callable
from typing import cast

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

EXTENSION = "industry.outlet"
TEXT = 0x81
"""First byte of an unfragmented text frame."""

POLICY = 1008
SMALL_FRAMES = 200
"""Pings and fragments that a socket may send per window (seconds)."""
SMALL_WINDOW = 20.0
AFTER_CLOSE = 65_536
"""Bytes that are still read after the server has closed a socket."""

DirectSend = Callable[[str], bool]
"""Takes a text to send next; returns False where it must go through ASGI."""


class FastWebSocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket protocol with direct sending for its application."""

    on_end: Callable[[], None] | None = None
    """Called when the connection has ended."""
    _is_due = False
    """Accepted messages will be written once everything that is ready now has run."""
    _after_close = 0
    _small_frames = 0
    _small_since = 0.0

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.on_end is not None:
            self.on_end()
            self.on_end = None

    def data_received(self, data: bytes) -> None:
        if self.close_sent:
            self._after_close += len(data)
            if self._after_close > AFTER_CLOSE:
                self.transport.abort()
                return
        super().data_received(data)

    def handle_ping(self) -> None:
        if self._expect_few():
            super().handle_ping()

    def handle_cont(self, event: Frame) -> None:
        if self._expect_few():
            super().handle_cont(event)

    def _expect_few(self) -> bool:
        """Counts frames that are not messages, which no other limit sees; returns False at the
        limit.
        """
        now = self.loop.time()
        if now - self._small_since > SMALL_WINDOW:
            self._small_since, self._small_frames = now, 0
        self._small_frames += 1
        if self._small_frames <= SMALL_FRAMES:
            return True
        if not self.close_sent:
            self.conn.fail(POLICY, "too many frames")
            self.handle_parser_exception()
        return False

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][EXTENSION] = {"outlet": self.take}

    def take(self, text: str) -> bool:
        """Accepts a message if the connection is open and its reader keeps up."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        if self.conn.state is not State.OPEN or self.conn.extensions:
            return False
        self.conn.writes.append(text_frame(text.encode()))
        if not self._is_due:
            # batched writes wake the readers once instead of once per message
            self._is_due = True
            self.loop.call_soon(self._write)
        return True

    def _write(self) -> None:
        self._is_due = False
        if not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))


def text_frame(payload: bytes) -> bytes:
    """Frames a whole server message as RFC 6455 says: unmasked and unfragmented."""
    size = len(payload)
    if size < 126:
        return struct.pack("!BB", TEXT, size) + payload
    if size < 1 << 16:
        return struct.pack("!BBH", TEXT, 126, size) + payload
    return struct.pack("!BBQ", TEXT, 127, size) + payload


def direct_send_of(websocket: WebSocket) -> DirectSend:
    """Returns direct sending for an accepted socket; one that never sends if unsupported."""
    extension = websocket.scope.get("extensions", {}).get(EXTENSION)
    return cast(DirectSend, extension["outlet"]) if extension else _never


def _never(text: str) -> bool:
    return False
