"""Connections whose other end is gone are found, and nobody is asked who shows to be there."""

import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from websockets.frames import CloseCode, Frame, Opcode

from industry.server.heartbeat import GROUPS, LONGEST, LOOKS, Heartbeat
from industry.server.service import Service
from industry.server.store import Store

from .playing import WIDE, RandomPool, Server, free_port

PATIENCE = 60
INTERVAL, TIMEOUT = 20.0, 20.0


class Clock:
    """Only what a heartbeat uses of an event loop: a timer, which rings when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0
        self._timer: tuple[float, Callable[[], None]] | None = None

    def call_later(self, seconds: float, do: Callable[[], None]) -> None:
        self._timer = self.now + seconds, do

    def run(self, seconds: float) -> None:
        until = self.now + seconds
        while self._timer is not None and self._timer[0] <= until:
            (self.now, do), self._timer = self._timer, None
            do()
        self.now = until

    @property
    def is_set(self) -> bool:
        return self._timer is not None


class Connection:
    """What happens to a connection, and when."""

    was_heard = was_told = False
    silent = untold = unanswered = 0

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.pings: list[float] = []
        self.end: float | None = None

    def ping(self) -> None:
        self.pings.append(self._clock.now)

    def cut(self) -> None:
        self.end = self.end or self._clock.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def heartbeat(clock: Clock) -> Heartbeat:
    return Heartbeat(clock, INTERVAL, TIMEOUT)  # type: ignore[arg-type]


@pytest.fixture
def connection(clock: Clock, heartbeat: Heartbeat) -> Connection:
    found = Connection(clock)
    heartbeat.join(found)
    return found


def test_a_client_that_is_gone_is_asked_once_and_cut(clock: Clock, connection: Connection) -> None:
    clock.run(3 * (INTERVAL + TIMEOUT))
    assert len(connection.pings) == 1
    assert connection.end is not None
    assert connection.end >= INTERVAL + TIMEOUT - 2 * INTERVAL / LOOKS
    assert connection.end <= INTERVAL + TIMEOUT + 2 * INTERVAL / LOOKS


def test_a_client_that_answers_is_asked_again_and_again(
    clock: Clock, connection: Connection
) -> None:
    answered = 0
    for _ in range(400):
        clock.run(0.5)
        if len(connection.pings) > answered:
            answered, connection.was_heard = len(connection.pings), True
    assert connection.end is None
    assert 200 / (2 * INTERVAL) <= answered <= 200 / INTERVAL


def test_a_client_that_sends_something_is_not_asked(clock: Clock, connection: Connection) -> None:
    for _ in range(40):
        clock.run(INTERVAL / 2)
        connection.was_heard = True
    assert connection.pings == []
    assert connection.end is None


def test_a_client_that_is_only_told_things_is_asked_more_seldom(
    clock: Clock, connection: Connection
) -> None:
    """Where a proxy acknowledges for it, nothing else would show that it is gone."""
    for _ in range(400):
        clock.run(1)
        connection.was_told = True
    assert len(connection.pings) == 1
    assert LONGEST * INTERVAL - INTERVAL / LOOKS <= connection.pings[0] <= LONGEST * INTERVAL
    assert connection.end is not None
    assert connection.end <= LONGEST * INTERVAL + TIMEOUT + INTERVAL / LOOKS


def test_connections_are_looked_at_in_groups_of_the_same_size(
    clock: Clock, heartbeat: Heartbeat
) -> None:
    connections = [Connection(clock) for _ in range(10 * GROUPS)]
    for connection in connections:
        heartbeat.join(connection)
    clock.run(2 * INTERVAL)
    times = [connection.pings[0] for connection in connections]
    assert max(times.count(at) for at in set(times)) == 10


def test_without_connections_there_is_no_timer(
    clock: Clock, heartbeat: Heartbeat, connection: Connection
) -> None:
    clock.run(INTERVAL)
    assert clock.is_set
    heartbeat.leave(connection)
    clock.run(INTERVAL)
    assert not clock.is_set


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Server]:
    """A server that expects a sign of life five times a second."""
    service = Service(Store(f"sqlite:///{tmp_path / 'tables.db'}"), RandomPool())
    server = Server(service, replace(WIDE, heartbeat=0.2), free_port())
    server.start()
    yield server
    server.stop()


def open_raw(server: Server, table: str) -> socket.socket:
    """A socket that answers nothing by itself."""
    line = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
    line.sendall(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += line.recv(1)
    assert head.startswith(b"HTTP/1.1 101 ")
    return line


def frames(line: socket.socket) -> Iterator[tuple[int, bytes]]:
    """Whatever comes, until the connection ends."""
    with line.makefile("rb") as file:
        while head := file.read(2):
            size = head[1]
            if size == 126:
                size = int.from_bytes(file.read(2), "big")
            yield head[0] & 0x0F, file.read(size)


@pytest.mark.parametrize("answers", [5, 0])
def test_who_answers_pings_stays_and_who_does_not_is_cut(quick: Server, answers: int) -> None:
    made = quick.make("human", "human", "human")
    with closing(open_raw(quick, made["table"])) as line:
        line.sendall(Frame(Opcode.TEXT, b'{"type":"hello","protocol":2}').serialize(mask=True))
        pings, code = 0, 0
        for kind, payload in frames(line):
            if kind == Opcode.PING:
                pings += 1
                if pings <= answers:
                    line.sendall(Frame(Opcode.PONG, payload).serialize(mask=True))
            elif kind == Opcode.CLOSE:
                code = int.from_bytes(payload[:2], "big")
        assert pings == answers + 1
        assert code == CloseCode.INTERNAL_ERROR
