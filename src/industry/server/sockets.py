"""Serves the sockets of tables: every message is checked and answered, and can hurt nobody else."""

import asyncio
import contextlib
import re
import time
from collections.abc import Coroutine
from functools import partial
from typing import Any

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from .address_limits import AddressLimiter, Kind, address_of
from .client_socket import POLICY, RESTART, TRY_LATER, ClientSocket
from .errors import Refused
from .fast_websocket import receive_directly
from .inbox import Inbox
from .live_table import HOST, SHOWN, LiveTable, token_hash
from .permissions import expect_public
from .protocol.base import PROTOCOL, TableId
from .protocol.client import (
    ClientMessage,
    Command,
    Hello,
    Hurry,
    Ping,
    PlayMove,
    Say,
)
from .protocol.orders import SetOrders
from .protocol.server import ErrorCode
from .questions import acting_place, answer_question
from .service import Service
from .socket_commands import SocketCommands
from .socket_refusals import SocketRefusals, id_in
from .table_view import encode

QUESTION = 5.0
"""A question that must be computed costs as much as this many messages."""
BREATH = 1.0
"""Seconds for which nothing more is read from a socket whose address has sent too much."""
CLOSING = 5.0
"""Seconds that a closing socket has to send its last messages."""
PRESENCE = 0.2
"""Seconds in which changes of presence are collected into one message."""

_messages: TypeAdapter[ClientMessage] = TypeAdapter(ClientMessage)
_table_id = TypeAdapter(TableId)
_id = re.compile(r"[A-Za-z0-9_-]{1,64}")


class SocketServer:
    """All sockets of a server."""

    def __init__(self, service: Service, limiter: AddressLimiter) -> None:
        self._service = service
        self._limiter = limiter
        self._commands = SocketCommands(service, limiter)
        self._inbox = Inbox(self._take)
        self._refusals = SocketRefusals(service.metrics)
        self._limits = limiter.limits
        self._sockets: set[ClientSocket] = set()
        self._late: set[str] = set()
        """Tables whose clients will be sent who is present."""
        service.warming_changed = self._tell_everyone

    async def serve(self, websocket: WebSocket, table: str) -> None:
        """Serves one client from its first message to its last."""
        await websocket.accept()
        socket = ClientSocket(websocket, self._limits, address_of(websocket))
        try:
            self._limiter.check_not_paused(socket.address)
            self._hold(socket, "sockets")
            await self._serve(websocket, socket, table)
        except Refused as refused:
            self._refusals.refuse(socket, refused.code, retry_after=refused.retry_after)
            socket.end(TRY_LATER)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSING):
                    await socket.send_all()
        finally:
            for kind in socket.held:
                self._limiter.release(socket.address, kind)

    def _hold(self, socket: ClientSocket, kind: Kind) -> None:
        """Counts a socket against its address's limit; raises `Refused`."""
        if not self._limiter.acquire(socket.address, kind):
            code: ErrorCode = "too_many_watchers" if kind == "watchers" else "too_fast"
            raise Refused(code, retry_after=self._limits.address_pause)
        socket.held.append(kind)

    async def _serve(self, websocket: WebSocket, socket: ClientSocket, table: str) -> None:
        self._sockets.add(socket)
        self._service.metrics.sockets.inc()
        sender = asyncio.create_task(socket.send_all())
        receiver = asyncio.create_task(self._receive_all(websocket, socket, table))
        ending = asyncio.create_task(socket.is_ending.wait())
        try:
            await asyncio.wait({sender, receiver, ending}, return_when="FIRST_COMPLETED")
            if ending.done():
                await asyncio.wait({sender}, timeout=CLOSING)
        finally:
            self._sockets.discard(socket)
            self._service.metrics.sockets.dec()
            self._leave(socket)
            socket.is_closed = True
            tasks = [task for task in (sender, receiver, ending, socket.work) if task is not None]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def stop(self) -> None:
        """Asks every client to reconnect, to the next process."""
        for socket in list(self._sockets):
            socket.dismiss()

    # Messages

    async def _receive_all(self, websocket: WebSocket, socket: ClientSocket, table: str) -> None:
        socket.table = table
        timer = asyncio.get_running_loop().call_later(
            self._limits.hello, self._expect_hello, socket
        )
        receive_directly(websocket, partial(self._inbox.take, socket))
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                message = await websocket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                await self._inbox.put_and_wait(socket, message.get("text"))
        timer.cancel()

    def _refuse_pace(self, socket: ClientSocket, text: str | None) -> None:
        """Refuses a message that came too fast; closes a socket that sends far too many."""
        pace = socket.pace
        if pace.recent > 2 * self._limits.messages:
            self._send_away(socket)
            return
        command = id_in(text or "")
        self._refusals.refuse(socket, "too_many_messages", command, retry_after=pace.wait())

    def _send_away(self, socket: ClientSocket) -> None:
        """Closes a socket for misbehaviour; its address cannot reconnect at once."""
        self._limiter.pause(socket.address)
        self._limiter.record_refusal(socket.address, "pause")
        socket.end(POLICY)

    def _expect_hello(self, socket: ClientSocket) -> None:
        if socket.live is None:
            self._refusals.refuse(socket, "hello_first")
            socket.end(POLICY)

    def _take(self, socket: ClientSocket, text: str | None) -> bool:
        """Handles a message; returns False where it is handed to a task of its own."""
        if socket.is_closed:
            return True
        if socket.is_congested:
            return self._spawn(socket, self._take_later(socket, text))
        if socket.pace.count() > self._limits.messages:
            self._refuse_pace(socket, text)
            return True
        message: ClientMessage | None = None
        try:
            message = self._read(socket, text)
            return message is None or self._begin(socket, message)
        except Refused as refused:
            if message is not None:
                self._refusals.refuse_command(socket, message, refused)
                return True
            self._refusals.refuse(
                socket, refused.code, id_in(text or ""), retry_after=refused.retry_after
            )
            return self._spawn(socket, asyncio.sleep(BREATH))
        except Exception as error:
            self._refusals.report(socket, message, error)
            return True

    async def _take_later(self, socket: ClientSocket, text: str | None) -> None:
        await socket.room()
        socket.inbox.appendleft(text)

    def _spawn(self, socket: ClientSocket, work: Coroutine[Any, Any, None]) -> bool:
        """Continues in a task; the socket's next message waits for it."""

        def end(task: asyncio.Task[None]) -> None:
            socket.work = None
            if not task.cancelled():
                self._inbox.done(socket)

        socket.work = asyncio.create_task(work)
        socket.work.add_done_callback(end)
        return False

    def _read(self, socket: ClientSocket, text: str | None) -> ClientMessage | None:
        """Reads a message; None if it was not one and its author was told. Raises `Refused`."""
        if text is None:
            self._refusals.refuse(socket, "bad_message")
            return None
        if len(text) > self._limits.frame_bytes // 4 and (
            len(text.encode(errors="replace")) > self._limits.frame_bytes
        ):
            self._refusals.refuse(socket, "too_large", id_in(text))
            return None
        self._limiter.spend(socket.address, "messages")
        try:
            return _messages.validate_json(text)
        except ValidationError:
            self._refusals.refuse(socket, "bad_message", id_in(text))
            return None

    def _begin(self, socket: ClientSocket, message: ClientMessage) -> bool:
        """Handles a message at once if it must wait for nothing; else in a task."""
        if isinstance(message, PlayMove) and socket.live is not None:

            def done(error: Exception | None) -> None:
                if error is not None:
                    self._refusals.fail(socket, message, error)
                self._inbox.done(socket)

            if self._commands.begin(socket, socket.live, message, done):
                return False
        return self._spawn(socket, self._handle_or_refuse(socket, message))

    async def _handle_or_refuse(self, socket: ClientSocket, message: ClientMessage) -> None:
        try:
            await self._handle(socket, message)
        except Exception as error:
            self._refusals.fail(socket, message, error)

    async def _handle(self, socket: ClientSocket, message: ClientMessage) -> None:
        if isinstance(message, Ping):
            pong = {"type": "pong", "id": message.id, "now": self._service.now()}
            socket.answer(encode(pong))
        elif isinstance(message, Hello):
            await self._limiter.wait_common_turn()
            await self._greet(socket, message)
        elif socket.live is None:
            raise Refused("hello_first")
        elif isinstance(message, Hurry):
            socket.hurried = message.on
        elif isinstance(message, Say):
            await self._say(socket, socket.live, message)
        elif isinstance(message, SetOrders):
            await self._commands.set_orders(socket, socket.live, message)
        elif isinstance(message, Command):
            await self._commands.carry_out(socket, socket.live, message)
        else:
            self._limiter.spend(socket.address, "messages", QUESTION)
            await self._limiter.wait_common_turn()
            answer_question(socket, socket.live, message)

    # Joining and leaving

    async def _greet(self, socket: ClientSocket, hello: Hello) -> None:
        if socket.live is not None:
            raise Refused("hello_once")
        if hello.protocol != PROTOCOL:
            self._refusals.refuse(socket, "protocol_version")
            socket.end(POLICY)
            return
        live = await self._enter(socket, socket.table)
        if live is None:
            return
        unknown = any(live.place_of(token) is None for token in hello.tokens)
        if unknown or (hello.version or 0) > live.table.version:
            await self._service.refresh(live)
        if any(live.place_of(token) is None for token in hello.tokens):
            raise Refused("bad_token")
        socket.tokens = frozenset(token_hash(token) for token in hello.tokens)
        places = live.places_of(socket.tokens)
        self._expect_room(live, places, socket)
        # no await from here on, so that no update is sent twice or left out
        socket.greeted, socket.language, socket.live = places, hello.language, live
        socket.wants_choices = hello.choices
        live.watchers.add(socket)
        welcome = {
            "type": "welcome",
            "protocol": PROTOCOL,
            "seats": [seat + 1 for seat in live.seats_of(places)],
            "reserved": live.reserved_for(hello.tokens),
            "host": HOST in places,
            "now": self._service.now(),
        }
        socket.answer(encode(welcome))
        version = live.table.version
        if hello.version is not None and max(0, version - SHOWN) <= hello.version <= version:
            socket.answer(live.missing(hello.version).text_for(places, hello.choices))
        else:
            socket.answer(live.snapshot(places, hello.choices))
        for line in live.chat.lines:
            socket.answer(encode(line))
        self._tell_presence(live)
        self._service.on_watch(live, places)

    async def _enter(self, socket: ClientSocket, table: str) -> LiveTable | None:
        """Returns the table of a socket; closes the socket if there is none."""
        try:
            _table_id.validate_python(table)
            return await self._service.open(table)
        except ValidationError:
            self._refusals.refuse(socket, "no_table")
        except Refused as refused:
            if refused.code == "newer_version":  # another process may be newer
                self._refusals.refuse(socket, refused.code)
                socket.end(RESTART)
                return None
            if refused.code != "no_table":
                raise
            self._refusals.refuse(socket, "no_table")
        socket.end(POLICY)
        return None

    def _expect_room(self, live: LiveTable, places: frozenset[int], socket: ClientSocket) -> None:
        """Checks who may watch, and the limits of sockets; seats have their own, so that watchers
        keep nobody out.
        """
        if not places:
            expect_public(live.table)
        for place in places:
            open_now = sum(place in watcher.places for watcher in live.watchers)
            if open_now >= self._limits.sockets_per_seat:
                raise Refused("too_many_sockets")
        if places:
            self._hold(socket, "seated")
            socket.held.remove("sockets")
            self._limiter.release(socket.address, "sockets")
            return
        if sum(not watcher.places for watcher in live.watchers) >= self._limits.watchers:
            raise Refused("too_many_watchers", retry_after=self._limits.address_pause)
        self._hold(socket, "watchers")

    def _leave(self, socket: ClientSocket) -> None:
        live = socket.live
        if live is not None:
            live.watchers.discard(socket)
            live.used = time.monotonic()
            self._tell_presence(live)

    def _tell_presence(self, live: LiveTable) -> None:
        if live.id not in self._late:
            self._late.add(live.id)
            asyncio.get_running_loop().call_later(PRESENCE, self._now_tell_presence, live)

    def _tell_everyone(self) -> None:
        for live in {socket.live for socket in self._sockets if socket.live is not None}:
            self._tell_presence(live)

    def _now_tell_presence(self, live: LiveTable) -> None:
        self._late.discard(live.id)
        text = encode(live.presence() | {"warming": self._service.warming})
        for watcher in list(live.watchers):
            watcher.push_text(text)

    async def _say(self, socket: ClientSocket, live: LiveTable, message: Say) -> None:
        """Sends a chat line to everyone at the table; it is never stored."""
        acting_place(socket, live, message.seat)
        if not live.table.options.chat:
            raise Refused("chat_off")
        line = live.chat.say(message, self._service.now())
        live.show_chat(line)
        await self._service.share_chat(live, line)
