"""Sending to one client: a queue that a slow reader cannot make long."""

import asyncio
import contextlib
import math
import time
from collections import deque

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from .address_limits import Kind
from .fast_websocket import direct_send_of
from .limits import Limits, Pace
from .live_table import LiveTable, UpdateFrame
from .protocol.server import ErrorCode
from .table_view import encode

POLICY = 1008
RESTART = 1012
TRY_LATER = 1013
PATIENCE = 60.0
"""Seconds in which a reader may fall behind once."""


class Incoming:
    """What one client has sent that has not been handled yet."""

    def __init__(self, limits: Limits, address: str) -> None:
        self.address = address
        self.table = ""
        """The table that its path names."""
        self.pace = Pace(limits)
        self.inbox: deque[str | None] = deque()
        """Messages that wait to be handled."""
        self.is_busy = False
        """A message is being handled, or waits for its turn."""
        self.handled = asyncio.Event()
        """Set when no message waits."""
        self.is_closed = False
        """The connection has ended: what it sent before is no longer needed."""
        self.work: asyncio.Task[None] | None = None
        """The task that handles a message which must wait for something."""


class ClientSocket(Incoming):
    """Sends in order, directly or from a queue; drops updates that a snapshot replaces."""

    def __init__(self, websocket: WebSocket, limits: Limits, address: str = "") -> None:
        """`address` is the key under which its client's address is counted."""
        super().__init__(limits, address)
        self.held: list[Kind] = []
        """The limits of its address that this socket counts against."""
        self._websocket = websocket
        self._limits = limits
        self._take = direct_send_of(websocket)
        self._queue: deque[tuple[bool, str]] = deque()
        """Whether it is an update, which a snapshot can replace, and the text."""
        self._is_sending = False
        """The task has taken a message from the queue and not sent it yet."""
        self._wake = asyncio.Event()
        self._sent = asyncio.Event()
        self._behind = False
        """A snapshot will replace updates that did not fit into the queue."""
        self._fell_behind = -math.inf
        self._ending: int | None = None
        self.is_ending = asyncio.Event()
        self.tokens: frozenset[str] = frozenset()
        """Hashes of the tokens this client has presented."""
        self.greeted: frozenset[int] = frozenset()
        """The places those tokens belonged to at the time."""
        self.language = "en"
        self.hurried = False
        """This client wants bots to answer at once."""
        self.wants_choices = False
        """This client wants to know what each legal move would bring."""
        self.live: LiveTable | None = None
        self._held_by: dict[str, int] = {}
        """The token map from which `_places` was computed; the table replaces it and never mutates
        it.
        """
        self._places: frozenset[int] = frozenset()

    @property
    def places(self) -> frozenset[int]:
        """The places this client holds now: a token may have been revoked meanwhile."""
        if self.live is not None and self._held_by is not self.live.tokens:
            self._held_by = self.live.tokens
            self._places = self.live.places_of(self.tokens)
        return self._places

    # Sending

    def push(self, news: UpdateFrame) -> None:
        """Sends an update of the table."""
        if not self._behind:
            self._put(True, news.text_for(self.places, self.wants_choices))

    def push_text(self, text: str) -> None:
        """Sends something that is useless if it comes late."""
        if not self._behind:
            self._put(True, text)

    def answer(self, text: str) -> None:
        """Sends what this client asked for."""
        self._put(False, text)

    def refuse(self, code: ErrorCode, command: str | None = None, **more: object) -> None:
        """Sends an error."""
        message = {"type": "error", "id": command, "code": code, "refusal": None, "version": None}
        self.answer(encode(message | more))

    def end(self, code: int) -> None:
        """Closes the socket once everything is sent."""
        if self._ending is None:
            self._ending = code
            self.is_ending.set()
            self._wake.set()
            self._sent.set()

    def dismiss(self) -> None:
        """Asks the client to reconnect at once, perhaps to another process."""
        self.refuse("stopping")
        self.end(RESTART)

    def _put(self, is_news: bool, text: str) -> None:
        if self._ending is not None:
            return
        nothing_before = not (self._queue or self._behind or self._is_sending)
        if nothing_before and self._take(text):
            return
        if len(self._queue) >= self._limits.queue:
            self._make_room()
            if self._ending is not None or (is_news and self._behind):
                return
        self._queue.append((is_news, text))
        self._wake.set()

    def _make_room(self) -> None:
        """Replaces all updates by one snapshot; closes a socket that is too slow even for that."""
        answers = [message for message in self._queue if not message[0]]
        again = time.monotonic() - self._fell_behind < PATIENCE
        if self._behind or again or len(answers) >= self._limits.queue:
            self._queue.clear()
            self.refuse("too_slow")
            self.end(TRY_LATER)
            return
        self._queue = deque(answers)
        self._behind = True
        self._fell_behind = time.monotonic()

    @property
    def is_congested(self) -> bool:
        """Whether too many answers wait for this client to read them."""
        return len(self._queue) > self._limits.queue // 2 and self._ending is None

    async def room(self) -> None:
        """Waits until answers are sent: a client that does not read is not read from."""
        while self.is_congested:
            self._sent.clear()
            await self._sent.wait()

    # The sending task

    async def send_all(self) -> None:
        """Sends until the socket ends."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            while True:
                self._is_sending = True
                while self._queue or self._behind:
                    await self._websocket.send_text(self._next())
                    self._sent.set()
                self._is_sending = False
                if self._ending is not None:
                    break
                self._wake.clear()
                await self._wake.wait()
            if self._websocket.application_state == WebSocketState.CONNECTED:
                await self._websocket.close(self._ending)

    def _next(self) -> str:
        if self._queue:
            return self._queue.popleft()[1]
        self._behind = False
        assert self.live is not None
        return self.live.snapshot(self.places, self.wants_choices)
