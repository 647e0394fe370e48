"""Shortcuts past ASGI: messages go straight to the connection, and come straight from it.

Through ASGI every message wakes a task, passes a dozen functions and is a separate network write,
for every player of every move; one that comes stops and restarts the reading. Servers without this
extension only lose speed.
"""

import struct
from collections.abc import Callable
from typing import cast

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from .heartbeat import Heartbeat, end_if_unacknowledged, heartbeat_of

try:
    from websockets.speedups import apply_mask
except ImportError:
    from websockets.utils import apply_mask

EXTENSION = "industry.outlet"
TEXT = 0x81
"""First byte of an unfragmented text frame."""
SHORT, MIDDLE, LONG = (struct.Struct(head).pack for head in ("!BB", "!BBH", "!BBQ"))
"""Writes the heads of frames by the size of their content."""
PONG = b"\x8a\x80"
"""How the answer to a ping without content begins; four bytes of its mask follow."""

POLICY = 1008
SMALL_FRAMES = 200
"""Pings and fragments that a socket may send per window (seconds)."""
SMALL_WINDOW = 20.0
AFTER_CLOSE = 65_536
"""Bytes that are still read after the server has closed a socket."""

DirectSend = Callable[[str], bool]
"""Takes a text to send next; returns False where it must go through ASGI."""
DirectReceive = Callable[[str], bool]
"""Takes a message that has come; returns False where it must go through ASGI."""


class FastWebSocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket protocol with direct sending for its application."""

    on_end: Callable[[], None] | None = None
    """Called when the connection has ended."""
    _receive: DirectReceive | None = None
    _after_close = 0
    _small_frames = 0
    _small_since = 0.0
    _heartbeat: Heartbeat | None = None
    was_heard = was_told = False
    silent = untold = unanswered = 0

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.on_end is not None:
            self.on_end()
            self.on_end = None

    # Keeping alive

    def start_keepalive(self) -> None:
        """Has the connection looked at with all others of the server, instead of by its timers."""
        interval, timeout = self.ping_interval, self.ping_timeout
        if interval and timeout:
            self._heartbeat = heartbeat_of(self.config, self.loop, interval, timeout)
            self._heartbeat.join(self)
            end_if_unacknowledged(self.transport, interval + timeout)

    def stop_keepalive(self) -> None:
        if self._heartbeat is not None:
            self._heartbeat.leave(self)
            self._heartbeat = None

    def ping(self) -> None:
        """Asks the client for a sign of life."""
        if self.conn.state is State.OPEN and not self.transport.is_closing():
            self.conn.send_ping(b"")
            self.transport.write(b"".join(self.conn.data_to_send()))

    def cut(self) -> None:
        """Ends the connection of a client that has given no sign of life."""
        self.stop_keepalive()
        self.keepalive_timeout()

    # Receiving

    def data_received(self, data: bytes) -> None:
        self.was_heard = True
        if self.close_sent:
            self._after_close += len(data)
            if self._after_close > AFTER_CLOSE:
                self.transport.abort()
                return
        elif self._receive is not None and data[0] == TEXT:
            text = self._whole_message(data)
            if text is not None and self._receive(text):
                return
        elif len(data) == 6 and data[:2] == PONG and not self._has_unread():
            return
        super().data_received(data)

    def _has_unread(self) -> bool:
        """Checks whether a frame or message has come in part, or the connection is ending."""
        conn = self.conn
        unfinished = bool(conn.reader.buffer) or conn.current_size is not None
        return unfinished or conn.state is not State.OPEN

    def _whole_message(self, data: bytes) -> str | None:
        """Returns the text of data that is one short message, with nothing unread before it."""
        conn, size = self.conn, data[1] & 0x7F
        start = 6 if size < 126 else 8
        if size == 126:
            size = int.from_bytes(data[2:4], "big")
        if size == 127 or not data[1] & 0x80 or len(data) != start + size:
            return None
        if self._has_unread():
            return None
        if size > self.config.ws_max_size or conn.extensions or not self.queue.empty():
            return None
        try:
            return apply_mask(data[start:], data[start - 4 : start]).decode()
        except UnicodeDecodeError:
            return None

    def listen(self, receive: DirectReceive) -> None:
        """Passes whole messages on as soon as they come, past the queue of ASGI."""
        self._receive = receive

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
            self.scope["extensions"][EXTENSION] = {"outlet": self.take, "inlet": self.listen}

    def take(self, text: str) -> bool:
        """Accepts a message if the connection is open and its reader keeps up."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        if self.conn.state is not State.OPEN or self.conn.extensions:
            return False
        self.was_told = True
        # uvloop writes at the end of its turn, which wakes each reader once for all messages
        self.transport.write(text_frame(text.encode()))
        return True


def text_frame(payload: bytes) -> bytes:
    """Frames a whole server message as RFC 6455 says: unmasked and unfragmented."""
    size = len(payload)
    if size < 126:
        return SHORT(TEXT, size) + payload
    if size < 1 << 16:
        return MIDDLE(TEXT, 126, size) + payload
    return LONG(TEXT, 127, size) + payload


def direct_send_of(websocket: WebSocket) -> DirectSend:
    """Returns direct sending for an accepted socket; one that never sends if unsupported."""
    extension = websocket.scope.get("extensions", {}).get(EXTENSION)
    return cast(DirectSend, extension["outlet"]) if extension else _never


def receive_directly(websocket: WebSocket, receive: DirectReceive) -> None:
    """Has messages passed on as soon as they come, where that is supported."""
    extension = websocket.scope.get("extensions", {}).get(EXTENSION)
    if extension:
        extension["inlet"](receive)


def _never(text: str) -> bool:
    return False
