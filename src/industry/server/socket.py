"""One client's way out: a queue that a slow reader cannot make long."""

import asyncio
import contextlib
import math
import time
from collections import deque

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from .limits import Limits
from .live import Live, News
from .protocol.server import ErrorCode
from .tableview import encode
from .wire import outlet_of

POLICY = 1008
RESTART = 1012
TRY_LATER = 1013
PATIENCE = 60.0
"""Seconds within which a reader may fall behind once."""


class Socket:
    """Sends in order, at once or from a queue; forgets what a snapshot says better."""

    def __init__(self, websocket: WebSocket, limits: Limits) -> None:
        self._websocket = websocket
        self._limits = limits
        self._take = outlet_of(websocket)
        self._queue: deque[tuple[bool, str]] = deque()
        """Whether it is news, which a snapshot can stand for, and the text."""
        self._is_sending = False
        """The task has taken something from the queue that is not on its way yet."""
        self._wake = asyncio.Event()
        self._sent = asyncio.Event()
        self._behind = False
        """A snapshot stands for news that did not fit into the queue."""
        self._fell_behind = -math.inf
        self._ending: int | None = None
        self.is_ending = asyncio.Event()
        self.tokens: frozenset[str] = frozenset()
        """Hashes of the tokens that this client has shown."""
        self.greeted: frozenset[int] = frozenset()
        """The places that they belonged to then."""
        self.language = "en"
        self.live: Live | None = None
        self._held_by: dict[str, int] = {}
        """The tokens of the table, never changed but replaced, from which `_places` follow."""
        self._places: frozenset[int] = frozenset()

    @property
    def places(self) -> frozenset[int]:
        """The places that this client holds now: a token may have been revoked meanwhile."""
        if self.live is not None and self._held_by is not self.live.tokens:
            self._held_by = self.live.tokens
            self._places = self.live.places_of(self.tokens)
        return self._places

    # What goes out

    def push(self, news: News) -> None:
        """Tell of what happened at the table."""
        if not self._behind:
            self._put(True, news.text_for(self.places))

    def push_text(self, text: str) -> None:
        """Send something that is worth nothing when it comes late."""
        if not self._behind:
            self._put(True, text)

    def answer(self, text: str) -> None:
        """Send what this client has asked for."""
        self._put(False, text)

    def refuse(self, code: ErrorCode, command: str | None = None, **more: object) -> None:
        """Say that something was not done."""
        message = {"type": "error", "id": command, "code": code, "refusal": None, "version": None}
        self.answer(encode(message | more))

    def end(self, code: int) -> None:
        """Close the socket once everything is sent."""
        if self._ending is None:
            self._ending = code
            self.is_ending.set()
            self._wake.set()
            self._sent.set()

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
        """One snapshot stands for all news; whoever is too slow for that has to go."""
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

    async def room(self) -> None:
        """Wait until answers have gone out: who does not read them is not read either."""
        while len(self._queue) > self._limits.queue // 2 and self._ending is None:
            self._sent.clear()
            await self._sent.wait()

    # The task that sends

    async def send_all(self) -> None:
        """Send until the socket ends."""
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
        return self.live.snapshot(self.places)
