"""P12: one bad client hurts only itself, and a store that fails stops nothing but moves."""

import asyncio
import json
import resource
import signal
import sqlite3
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from random import Random

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from industry.server.protocol.base import PROTOCOL
from tests.support import proof
from tests.support.postgres import start_postgres
from tests.support.waiting import until

from .conftest import new_postgres
from .forked import Forked
from .playing import Json
from .witnesses import (
    PATIENCE,
    Party,
    Witness,
    check_exactly_once,
    check_history,
    make_party,
)

MIB = 1 << 20
SAMPLES = 15
"""Round trips that a latency is taken from."""
SLOWER = 8.0
"""How much longer a healthy table may wait for its answers than one at a server beside."""
LEAST = 0.02
"""Seconds below which nobody notices a difference."""
MEMORY = 32 * MIB
"""How much more a server may occupy after any attack."""
IDLE = proof.amount(200, 1000)
SOCKET = 128 * 1024
"""Bytes that one of them may take."""
HEALTHY, HOSTILE, FLOODER = "198.51.100.7", "203.0.113.7", "203.0.113.8"
"""What one address does is held against nobody at another."""
HELLO = json.dumps({"type": "hello", "protocol": PROTOCOL})


# A healthy table beside an attack


async def latency(port: int, table: str) -> float:
    """The median of round trips of somebody who watches a table quietly."""
    times = []
    async with opened(port, table, HEALTHY) as socket:
        await socket.send(HELLO)
        for number in range(SAMPLES):
            begin = time.perf_counter()
            await socket.send(json.dumps({"type": "ping", "id": f"p{number}"}))
            while json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))["type"] != "pong":
                pass
            times.append(time.perf_counter() - begin)
            await asyncio.sleep(0.05)
    return statistics.median(times)


@asynccontextmanager
async def opened(port: int, table: str, source: str = HOSTILE) -> AsyncIterator[ClientConnection]:
    """A socket from an address, as a trusted proxy names it."""
    address = f"ws://127.0.0.1:{port}/api/tables/{table}/socket"
    async with connect(
        address,
        max_size=None,
        open_timeout=PATIENCE,
        ping_interval=None,
        close_timeout=0.2,
        additional_headers={"x-forwarded-for": source},
    ) as socket:
        yield socket


Attack = Callable[[int, str], Awaitable[None]]


async def slow_reader(port: int, table: str) -> None:
    """Asks for the longest answers and reads none of them."""
    async with opened(port, table) as socket:
        await socket.send(HELLO)
        socket.transport.pause_reading()
        with suppress(ConnectionClosed, TimeoutError):
            async with asyncio.timeout(2):
                for number in range(150):
                    field = {"type": "ask_field", "id": f"f{number}", "field": "3F"}
                    await socket.send(json.dumps(field))
                    await asyncio.sleep(0.01)


async def flooder(port: int, table: str) -> None:
    """Says as much as it can until it is sent away."""
    async with opened(port, table, FLOODER) as socket:
        await socket.send(HELLO)
        with pytest.raises(ConnectionClosed) as closed:
            async with asyncio.timeout(PATIENCE):
                for number in range(10_000):
                    await socket.send(json.dumps({"type": "ping", "id": f"p{number}"}))
                while True:
                    await socket.recv()
        # sent away, then told to wait; the line of one who goes on talking is cut
        assert closed.value.rcvd is None or closed.value.rcvd.code in (1008, 1013)


async def huge_frame(port: int, table: str) -> None:
    """One message of 10 MB."""
    async with opened(port, table) as socket:
        with pytest.raises(ConnectionClosed) as closed:
            async with asyncio.timeout(PATIENCE):
                await socket.send("[" + "1," * (5 * MIB) + "1]")
                while True:
                    await socket.recv()
        # the server may have cut the line before it could say why
        assert closed.value.rcvd is None or closed.value.rcvd.code == 1009


async def deep_json(port: int, table: str) -> None:
    """As deep as a frame allows."""
    async with opened(port, table) as socket:
        await socket.send(HELLO)
        for text in ("[" * 8000, '{"a":' * 1600, "[" * 4000 + "]" * 4000):
            await socket.send(text)
            while (message := json.loads(await socket.recv()))["type"] != "error":
                pass
            assert message["code"] == "bad_message"


ATTACKS: tuple[Attack, ...] = (slow_reader, flooder, huge_frame, deep_json)


async def again_and_again(attack: Attack, port: int, table: str, over: asyncio.Event) -> int:
    """Attack until it is over; how often it was done."""
    times = 0
    while not over.is_set():
        with suppress(WebSocketException, OSError):
            await attack(port, table)
            times += 1
    return times


@contextmanager
def forked(folder: Path) -> Iterator[Forked]:
    with Forked(folder, f"sqlite:///{folder / 'tables.db'}") as running:
        yield running.until_ready()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forked]:
    with forked(tmp_path_factory.mktemp("hostile")) as running:
        yield running


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forked]:
    """A server that nobody attacks: how long it takes is the machine's doing."""
    with forked(tmp_path_factory.mktemp("beside")) as running:
        yield running


async def latencies(server: Forked, table: str, beside: Forked) -> tuple[float, float]:
    """Of a table and, at the same time, of one at the server that nobody attacks."""
    other = await make_party(beside.port, Random(0))
    return await asyncio.gather(latency(server.port, table), latency(beside.port, other.table))


@pytest.mark.parametrize("attack", proof.cases(ATTACKS, 3), ids=lambda attack: attack.__name__)
def test_p12_a_bad_client_slows_no_other_table_and_fills_no_memory(
    server: Forked, beside: Forked, attack: Attack
) -> None:
    async def run() -> None:
        healthy, attacked = [await make_party(server.port, Random(n)) for n in (1, 2)]
        before = server.memory()
        over = asyncio.Event()
        attacker = asyncio.create_task(again_and_again(attack, server.port, attacked.table, over))
        during, quiet = await latencies(server, healthy.table, beside)
        over.set()
        times = await attacker
        grown = server.memory() - before
        print(
            f"{attack.__name__} {times} times: {during:.4f} s, beside {quiet:.4f} s, {grown} bytes"
        )
        assert times > 0
        assert during < SLOWER * max(quiet, LEAST), (quiet, during)
        assert grown < MEMORY

    asyncio.run(run())


def test_p12_idle_sockets_hurt_nobody(server: Forked, beside: Forked) -> None:
    """Each has said hello and then nothing."""

    async def run() -> None:
        healthy, crowded = [await make_party(server.port, Random(n)) for n in (3, 4)]
        before = server.memory()
        async with asyncio.timeout(PATIENCE * 2):
            sockets = [await idle(server.port, crowded.table) for _ in range(IDLE)]
        during, quiet = await latencies(server, healthy.table, beside)
        grown = server.memory() - before
        for _, writer in sockets:
            writer.transport.abort()
        print(f"{IDLE} idle sockets: {grown / IDLE / 1024:.0f} KiB each")
        assert during < SLOWER * max(quiet, LEAST), (quiet, during)
        assert grown < IDLE * SOCKET
        assert server.get(f"/api/tables/{healthy.table}")["status"] == "running"

    asyncio.run(run())


async def idle(port: int, table: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A socket without anything else around it: a thousand whole clients would be the load."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    body = HELLO.encode()
    assert len(body) < 126
    writer.write(bytes([0x81, 0x80 | len(body), 0, 0, 0, 0]) + body)
    return reader, writer


# A store that fails


Deed = Callable[[], object]


async def play_through(server: Forked, broken: Deed, mended: Deed) -> None:
    """Play; break the store: moves are refused, reads go on; mend it: play goes on by itself."""
    party = await make_party(server.port, Random(5))
    refused = asyncio.Event()

    def hear(_: Witness, message: Json) -> None:
        if message.get("code") == "store_unavailable":
            refused.set()

    for witness in party.witnesses:
        witness.on_message, witness.pause = hear, 0.05
    async with asyncio.timeout(PATIENCE * 2), asyncio.TaskGroup() as group:
        for witness in party.witnesses:
            group.create_task(witness.run())
        await until_more(party, 5)
        await asyncio.to_thread(broken)
        await refused.wait()
        known = party.account()
        view = await asyncio.to_thread(server.get, f"/api/tables/{party.table}")
        assert view["version"] >= max(known.accepted.values())
        await asyncio.to_thread(mended)
        await until_more(party, 5)
        for witness in party.witnesses:
            witness.stopping = True
    account = party.account()
    log = (await asyncio.to_thread(server.get, f"/api/tables/{party.table}/log"))["entries"]
    check_exactly_once(account, check_history(account, log))


async def until_more(party: Party, moves: int) -> None:
    goal = len(party.account().accepted) + moves
    await until(lambda: len(party.account().accepted) >= goal, "no move is accepted")


def test_moves_are_refused_while_the_disk_is_full_and_then_go_on(tmp_path: Path) -> None:
    """The process may not make any file longer than its log already is."""
    file = tmp_path / "tables.db"
    with Forked(tmp_path, f"sqlite:///{file}") as server:
        server.until_ready()
        before = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)

        def fill() -> None:
            longest = Path(f"{file}-wal").stat().st_size
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (longest, before[1]))

        def clear() -> None:
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, before)

        asyncio.run(play_through(server, fill, clear))


def test_moves_are_refused_while_the_database_is_locked_and_then_go_on(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    with Forked(tmp_path, f"sqlite:///{file}") as server:
        server.until_ready()
        lock = sqlite3.connect(
            file, isolation_level=None, timeout=PATIENCE, check_same_thread=False
        )
        asyncio.run(
            play_through(
                server,
                lambda: lock.execute("BEGIN EXCLUSIVE"),
                lambda: lock.execute("ROLLBACK"),
            )
        )
        lock.close()


@pytest.mark.proof
@pytest.mark.usefixtures("postgres")  # it outlives the one of this test, whose folder goes
def test_moves_are_refused_while_postgresql_is_gone_and_then_go_on(tmp_path: Path) -> None:
    """The database server is stopped as by its operator, and started again."""
    with tempfile.TemporaryDirectory() as folder:
        postgres = start_postgres(folder)
        try:
            with Forked(tmp_path, new_postgres(postgres.get_uri())) as server:
                server.until_ready()
                asyncio.run(play_through(server, postgres.stop, postgres.ensure_postgres_running))
                server.kill(signal.SIGTERM)
        finally:
            postgres.cleanup()
