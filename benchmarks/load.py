"""Players that move as soon as it is their turn, at many tables at once.

They implement only what they need of each protocol, over cheap sockets, because they share the
machine with the measured server.
"""

import asyncio
import json
import os
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

PLAYERS = 4
TEXT, PING, PONG = 1, 9, 10


@dataclass
class Tally:
    """Seconds from sending a move to its acknowledgement, and to each other player's screen."""

    acknowledged: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    refused: int = 0

    def clear(self) -> None:
        self.acknowledged.clear()
        self.shown.clear()
        self.refused = 0


class Gate:
    """Nobody moves before everybody is seated: otherwise the first would keep the last waiting."""

    def __init__(self) -> None:
        self._is_open = False
        self._waiting: list[Callable[[], None]] = []

    def let_through(self, move: Callable[[], None]) -> None:
        """Makes a move, now or when the gate is opened."""
        if self._is_open:
            move()
        else:
            self._waiting.append(move)

    def open(self) -> None:
        self._is_open = True
        for move in self._waiting:
            move()


@dataclass(eq=False)
class Table:
    """State shared by the players of a table: one move is in progress at a time."""

    name: str
    tally: Tally
    pace: float
    """Seconds between two moves; 0 is as fast as possible."""
    gate: Gate
    over: Callable[["Table"], None]
    next_move: float = 0.0
    sent: dict[int, float] = field(default_factory=dict)
    """When a move was sent, by the version that its author saw."""
    players: list["Player"] = field(default_factory=list)

    def end(self) -> None:
        for player in self.players:
            player.close()


class Wire(asyncio.Protocol):
    """A minimal WebSocket client, for a server that can be trusted."""

    def __init__(self, address: str, hear: Callable[[bytes], None]) -> None:
        self._address = address
        self._hear = hear
        self._buffer = bytearray()
        self._is_open = False
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        lines = [
            f"GET {self._address} HTTP/1.1",
            "Host: 127.0.0.1",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: bG9hZCBvZiBwbGF5ZXJzIQ==",
            "Sec-WebSocket-Version: 13",
        ]
        transport.write("\r\n".join([*lines, "", ""]).encode())

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._is_open:
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._is_open = True
            self._buffer = rest
            self._hear(b"")
        while (frame := self._next_frame()) is not None:
            kind, payload = frame
            if kind == TEXT:
                self._hear(payload)
            elif kind == PING:
                self.send(payload, PONG)

    def _next_frame(self) -> tuple[int, bytes] | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        size, start = buffer[1] & 127, 2
        if size > 125:
            start = 4 if size == 126 else 10
            size = int.from_bytes(buffer[2:start], "big")
        if len(buffer) < max(start, start + size):
            return None
        kind, payload = buffer[0] & 15, bytes(buffer[start : start + size])
        del buffer[: start + size]
        return kind, payload

    def send(self, payload: bytes, kind: int = TEXT) -> None:
        size = len(payload)
        head = bytes([128 | kind, 128 | size]) if size < 126 else bytes([128 | kind, 254])
        if size >= 126:
            head += size.to_bytes(2, "big")
        self._transport.write(head + b"\0\0\0\0" + payload)  # a mask of zeros changes nothing

    def close(self) -> None:
        self._transport.close()


class Player(ABC):
    """One seat of a table, with its own socket."""

    def __init__(self, table: Table, seat: int, address: str) -> None:
        self.table = table
        self.seat = seat
        self.rng = random.Random(f"{table.name} {seat}")
        self.wire = Wire(address, self.hear)
        self.moves = 0
        self._sent = 0.0
        table.players.append(self)

    async def connect(self, port: int) -> None:
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self.wire, "127.0.0.1", port)

    def close(self) -> None:
        self.wire.close()

    @abstractmethod
    def hear(self, payload: bytes) -> None:
        """Handles a message; an empty one means that the socket is open."""

    def play(self, version: int, message: Callable[[], bytes]) -> None:
        """Sends a move as soon as the table's next one is due."""
        self.table.gate.let_through(lambda: self._play_when_due(version, message))

    def _play_when_due(self, version: int, message: Callable[[], bytes]) -> None:
        if not self.table.pace:
            self._play(version, message)
            return
        table, loop = self.table, asyncio.get_running_loop()
        due = table.next_move or loop.time() + self.rng.random() * table.pace
        table.next_move = max(due, loop.time()) + table.pace
        loop.call_at(due, self._play, version, message)

    def _play(self, version: int, message: Callable[[], bytes]) -> None:
        sent = self.table.sent
        while len(sent) > PLAYERS:
            del sent[next(iter(sent))]
        self.moves += 1
        self._sent = sent[version] = time.perf_counter()
        self.wire.send(message())

    def acknowledged(self) -> None:
        self.table.tally.acknowledged.append(time.perf_counter() - self._sent)

    def shown(self, version: int) -> None:
        """Records that this screen has received an update, if somebody else moved."""
        began = self.table.sent.get(version)
        if began is not None and began != self._sent:
            self.table.tally.shown.append(time.perf_counter() - began)


class IndustryPlayer(Player):
    """Any legal move of those that the server offers."""

    def __init__(self, table: Table, seat: int, token: str) -> None:
        super().__init__(table, seat, f"/api/tables/{table.name}/socket")
        self._token = token

    def hear(self, payload: bytes) -> None:
        if not payload:
            hello = {"type": "hello", "protocol": 2, "tokens": [self._token]}
            self.wire.send(json.dumps(hello).encode())
        elif payload.startswith(b'{"type":"accepted"'):
            self.acknowledged()
        elif payload.startswith(b'{"type":"update"'):
            self._take_update(payload)
        elif payload.startswith(b'{"type":"snapshot"'):
            snapshot = json.loads(payload)
            self._choose(snapshot["view"]["version"], snapshot["yours"][0])
        elif payload.startswith(b'{"type":"error"'):
            self.table.tally.refused += 1

    def _take_update(self, payload: bytes) -> None:
        first = _number(payload, b'"steps":[{"entry":{"version":')
        self.shown(first - 1)
        yours = payload[payload.rindex(b'"yours":') + 8 : -1]
        if b'"legal":["' in yours:
            self._choose(_number(payload, b'"version":'), json.loads(yours)[0])
        elif b'"status":"over"' in payload and self.seat == 0:
            self.table.over(self.table)

    def _choose(self, version: int, yours: dict[str, object]) -> None:
        legal = yours["legal"]
        assert isinstance(legal, list)
        if legal:
            move = {"type": "move", "id": str(self.moves), "seat": yours["seat"]}
            move |= {"version": version, "line": self.rng.choice(legal)}
            self.play(version, lambda: json.dumps(move).encode())


class PeerPlayer(Player):
    """A bid whenever boardgame.io says that it is this player's turn, over Socket.IO."""

    ROOM = "/load,"

    def __init__(self, table: Table, seat: int) -> None:
        super().__init__(table, seat, "/socket.io/?EIO=4&transport=websocket")

    def hear(self, payload: bytes) -> None:
        if payload.startswith(b"0"):
            self.wire.send(f"40{self.ROOM}".encode())
        elif payload == b"2":
            self.wire.send(b"3")
        elif payload.startswith(b"40"):
            self._emit("sync", self.table.name, str(self.seat), None, PLAYERS)
        elif payload.startswith(b'42/load,["update"'):
            version = _number(payload, b'"_stateID":')
            if self.table.sent.get(version - 1) == self._sent:
                self.acknowledged()
            self.shown(version - 1)
            self._bid(version, payload)
        elif payload.startswith(b'42/load,["sync"'):
            self._bid(_number(payload, b'"_stateID":'), payload)

    def _emit(self, *message: object) -> None:
        self.wire.send(f"42{self.ROOM}{json.dumps(message)}".encode())

    def _bid(self, version: int, payload: bytes) -> None:
        if b'"currentPlayer":"%d"' % self.seat in payload:
            bid = {"type": "bid", "args": [self.rng.randrange(20)], "playerID": str(self.seat)}
            action = {"type": "MAKE_MOVE", "payload": bid | {"credentials": None}}
            message = ("update", action, version, self.table.name, str(self.seat))
            text = f"42{self.ROOM}{json.dumps(message)}".encode()
            self.play(version, lambda: text)


def _number(payload: bytes, key: bytes) -> int:
    """Returns the number after a key, without parsing the rest."""
    start = payload.index(key) + len(key)
    end = start
    while payload[end] in b"-0123456789":
        end += 1
    return int(payload[start:end])


def cpu_seconds(process: int) -> float:
    """Returns the processor time used so far by a process and its children."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    started = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return own + sum(cpu_seconds(int(child)) for child in started)


def resident_bytes(process: int) -> int:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
