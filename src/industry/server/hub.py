"""The sockets of tables: every message is checked, answered, and hurts nobody else."""

import asyncio
import contextlib
import json
import re
import time

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from industry.notation import NotationError, read_move

from .answers import choices_of, wire_refusal, worth_of
from .commands import Draft, Refused
from .keys import command_key
from .limits import Limits, Pace
from .live import HOST, Live, token_hash
from .logs import note_error
from .protocol.base import PROTOCOL, TableId
from .protocol.client import (
    AskChoices,
    AskField,
    AskWhy,
    ClientMessage,
    Command,
    Hello,
    Leave,
    Ping,
    PlayMove,
    Resign,
    Return,
    Undo,
)
from .protocol.server import ErrorCode
from .service import Service
from .socket import POLICY, RESTART, Socket
from .store import Commit, TokenRow
from .tableview import encode

CLOSING = 5.0
"""Seconds that a socket has to send its last messages."""
PRESENCE = 0.2
"""Seconds in which people who come and go are told of together."""

_messages: TypeAdapter[ClientMessage] = TypeAdapter(ClientMessage)
_table_id = TypeAdapter(TableId)
_id = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Hub:
    """All sockets of a server."""

    def __init__(self, service: Service, limits: Limits) -> None:
        self._service = service
        self._limits = limits
        self._sockets: set[Socket] = set()
        self._late: set[str] = set()
        """Tables whose audience will be told who is there."""

    async def serve(self, websocket: WebSocket, table: str) -> None:
        """One client from its first message to its last."""
        await websocket.accept()
        socket = Socket(websocket, self._limits)
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
            for task in (sender, receiver, ending):
                task.cancel()
            await asyncio.gather(sender, receiver, ending, return_exceptions=True)

    async def stop(self) -> None:
        """Send everybody away; they come back to the next process."""
        for socket in list(self._sockets):
            socket.refuse("stopping")
            socket.end(RESTART)

    # Messages

    async def _receive_all(self, websocket: WebSocket, socket: Socket, table: str) -> None:
        pace = Pace(self._limits)
        timer = asyncio.get_running_loop().call_later(
            self._limits.hello, self._expect_hello, socket
        )
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                await socket.room()
                message = await websocket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                count = pace.count()
                if count > self._limits.messages:
                    self._refuse(socket, "too_many_messages")
                    if count > 2 * self._limits.messages:
                        socket.end(POLICY)
                        break
                    continue
                await self._receive(socket, table, message.get("text"))
        timer.cancel()

    def _expect_hello(self, socket: Socket) -> None:
        if socket.live is None:
            self._refuse(socket, "hello_first")
            socket.end(POLICY)

    async def _receive(self, socket: Socket, table: str, text: str | None) -> None:
        if text is None:
            self._refuse(socket, "bad_message")
            return
        if len(text.encode(errors="replace")) > self._limits.frame_bytes:
            self._refuse(socket, "too_large")
            return
        try:
            message = _messages.validate_json(text)
        except ValidationError:
            self._refuse(socket, "bad_message", _id_in(text))
            return
        command = getattr(message, "id", None)
        try:
            await self._handle(socket, table, message)
        except Refused as refused:
            self._refuse_command(socket, message, refused)
        except Exception as error:
            note_error("message_failed", error, kind=message.type)
            self._refuse(socket, "internal", command)

    async def _handle(self, socket: Socket, table: str, message: ClientMessage) -> None:
        if isinstance(message, Ping):
            pong = {"type": "pong", "id": message.id, "now": self._service.now()}
            socket.answer(encode(pong))
        elif isinstance(message, Hello):
            await self._greet(socket, table, message)
        elif socket.live is None:
            raise Refused("hello_first")
        elif isinstance(message, Command):
            await self._command(socket, socket.live, message)
        else:
            _answer(socket, socket.live, message)

    def _refuse(self, socket: Socket, code: ErrorCode, command: str | None = None) -> None:
        self._service.metrics.errors.labels(code).inc()
        socket.refuse(code, command)

    def _refuse_command(self, socket: Socket, message: ClientMessage, refused: Refused) -> None:
        self._service.metrics.errors.labels(refused.code).inc()
        live = socket.live
        more: dict[str, object] = {}
        if live is not None and refused.refusal is not None:
            more["refusal"] = wire_refusal(refused.refusal, live.table.board, socket.language)
        if live is not None and refused.code == "stale":
            more["version"] = live.table.version
        socket.refuse(refused.code, getattr(message, "id", None), **more)
        if live is not None and refused.code == "stale" and isinstance(message, Command):
            seen = min(max(message.version, 0), live.table.version)
            socket.push(live.missing(seen))

    # Coming and going

    async def _greet(self, socket: Socket, table: str, hello: Hello) -> None:
        if socket.live is not None:
            raise Refused("hello_once")
        if hello.protocol != PROTOCOL:
            self._refuse(socket, "protocol_version")
            socket.end(POLICY)
            return
        live = await self._enter(socket, table)
        if live is None:
            return
        unknown = any(live.place_of(token) is None for token in hello.tokens)
        if unknown or (hello.version or 0) > live.table.version:
            await self._service.refresh(live)
        if any(live.place_of(token) is None for token in hello.tokens):
            raise Refused("bad_token")
        socket.tokens = frozenset(token_hash(token) for token in hello.tokens)
        places = live.places_of(socket.tokens)
        self._expect_room(live, places)
        # from here to the end nothing else happens: no news is told twice or left out
        socket.greeted, socket.language, socket.live = places, hello.language, live
        live.watchers.add(socket)
        welcome = {
            "type": "welcome",
            "protocol": PROTOCOL,
            "seats": [seat + 1 for seat in live.seats_of(places)],
            "host": HOST in places,
            "now": self._service.now(),
        }
        socket.answer(encode(welcome))
        if hello.version is not None and 0 <= hello.version <= live.table.version:
            socket.answer(live.missing(hello.version).text_for(places))
        else:
            socket.answer(live.snapshot(places))
        self._tell_presence(live)

    async def _enter(self, socket: Socket, table: str) -> Live | None:
        """The table of a socket; there is no reason to stay at one that does not exist."""
        try:
            _table_id.validate_python(table)
            return await self._service.open(table)
        except ValidationError:
            self._refuse(socket, "no_table")
        except Refused as refused:
            if refused.code != "no_table":
                raise
            self._refuse(socket, "no_table")
        socket.end(POLICY)
        return None

    def _expect_room(self, live: Live, places: frozenset[int]) -> None:
        if len(live.watchers) >= self._limits.watchers:
            raise Refused("too_many_sockets")
        for place in places:
            open_now = sum(place in watcher.places for watcher in live.watchers)
            if open_now >= self._limits.sockets_per_seat:
                raise Refused("too_many_sockets")

    def _leave(self, socket: Socket) -> None:
        live = socket.live
        if live is not None:
            live.watchers.discard(socket)
            live.used = time.monotonic()
            self._tell_presence(live)

    def _tell_presence(self, live: Live) -> None:
        if live.id not in self._late:
            self._late.add(live.id)
            asyncio.get_running_loop().call_later(PRESENCE, self._now_tell_presence, live)

    def _now_tell_presence(self, live: Live) -> None:
        self._late.discard(live.id)
        text = encode(live.presence())
        for watcher in list(live.watchers):
            watcher.push_text(text)

    # Commands

    async def _command(self, socket: Socket, live: Live, message: Command) -> None:
        begin = time.perf_counter()
        repeated = _answer_before(socket, live, message)
        if repeated is not None:
            socket.answer(encode({"type": "accepted", "id": message.id, "version": repeated}))
            return
        place = _acting_place(socket, live, message.seat)

        def do(draft: Draft) -> int:
            seat = draft.table.seat_of_place(place)
            if seat is None or seat != message.seat - 1:
                raise Refused("not_your_seat")
            return _carry_out(draft, seat, message)

        def attach(commit: Commit) -> None:
            if isinstance(message, Leave) and live.table.status == "open":
                commit.revoked.append(TokenRow("", live.id, place))

        def acknowledge(version: int) -> None:
            accepted = {"type": "accepted", "id": message.id, "version": version}
            socket.answer(encode(accepted))

        try:
            await self._service.change(
                live,
                command_key(str(place), message.id),
                do,
                seen=message.version,
                attach=attach,
                acknowledge=acknowledge,
            )
        finally:
            self._service.metrics.latency.observe(time.perf_counter() - begin)


def _acting_place(socket: Socket, live: Live, seat: int) -> int:
    """The place under which this socket may act for a seat (from 1)."""
    for place in socket.places:
        if live.table.seat_of_place(place) == seat - 1:
            return place
    raise Refused("not_your_seat")


def _answer_before(socket: Socket, live: Live, message: Command) -> int | None:
    """What a repeated command became by which its author gave up the seat."""
    if not isinstance(message, Leave | Resign):
        return None
    keys = [command_key(str(place), message.id) for place in socket.greeted]
    return next((live.recent[key] for key in keys if key in live.recent), None)


def _carry_out(draft: Draft, seat: int, message: Command) -> int:
    match message:
        case PlayMove():
            return draft.move(seat, message.line)
        case Undo():
            return draft.undo(seat)
        case Leave():
            return draft.leave(seat)
        case Resign():
            return draft.resign(seat)
        case Return():
            return draft.come_back(seat)
    raise AssertionError(message.id)


def _answer(socket: Socket, live: Live, question: AskChoices | AskWhy | AskField) -> None:
    """Answer a question about the position as it is."""
    table = live.table
    position = table.position
    if position is None:
        raise Refused("not_started")
    head: dict[str, object] = {"id": question.id, "version": table.version}
    match question:
        case AskChoices(seat=seat):
            _acting_place(socket, live, seat)
            choices = choices_of(position, table.board, seat - 1)
            head |= {"type": "choices", "seat": seat, "choices": choices}
        case AskWhy(line=line):
            try:
                refusal = position.refusal(read_move(line, table.board))
            except NotationError:
                raise Refused("bad_line") from None
            board, language = table.board, socket.language
            why = wire_refusal(refusal, board, language) if refusal else None
            head |= {"type": "why", "refusal": why}
        case AskField(field=field):
            head |= {"type": "field", "field": field, "worth": worth_of(position, field)}
    socket.answer(encode(head))


def _id_in(text: str) -> str | None:
    """The id of a message that is wrong in another way, so that its author knows which."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = data.get("id") if isinstance(data, dict) else None
    return found if isinstance(found, str) and _id.fullmatch(found) else None
