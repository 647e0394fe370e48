"""What a stranger may try, each until it is told to stop.

`python -m tests.server.attacks.attacks PORT TABLE NETWORK NAME…` attacks until its standard input
ends. Every attack comes from addresses of its own in NETWORK, which a trusted proxy (this machine)
names: a new network has everything that a server allows its addresses. Attackers have machines of
their own, so the process leaves the processor to others where it is scarce.
"""

import asyncio
import itertools
import json
import os
import sys
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.notation.samples import finished

HOST = "127.0.0.1"
NETWORK = "203.0.113"
"""The first three numbers of the attackers' addresses."""
PATIENCE = 30.0
BROKEN = (ConnectionClosed, InvalidHandshake, OSError, TimeoutError, EOFError, httpx.HTTPError)
DOTTED = "a." * 32_000 + "a=1"
"""A key of 32,001 parts: 64 KB."""

Attack = Callable[[int, str], Coroutine[Any, Any, int]]
"""Goes on until it is cancelled; then nothing of it is left."""


def here(number: int) -> dict[str, str]:
    """The header by which a proxy names an attacker's address."""
    return {"x-forwarded-for": f"{NETWORK}.{number}"}


@asynccontextmanager
async def http(port: int, number: int) -> AsyncIterator[httpx.AsyncClient]:
    url = f"http://{HOST}:{port}"
    async with httpx.AsyncClient(base_url=url, headers=here(number), timeout=PATIENCE) as client:
        yield client


@asynccontextmanager
async def socket_of(port: int, table: str, number: int) -> AsyncIterator[ClientConnection]:
    async with connect(
        f"ws://{HOST}:{port}/api/tables/{table}/socket",
        max_size=None,
        open_timeout=PATIENCE,
        ping_interval=None,
        close_timeout=0.2,
        additional_headers=here(number),
    ) as socket:
        yield socket


async def side_by_side(number: int, work: Callable[[int], Awaitable[None]]) -> int:
    """Several workers of one attack, each again and again; how often one came through."""
    times = 0

    async def again(worker: int) -> None:
        nonlocal times
        while True:
            with suppress(*BROKEN):
                await work(worker)
                times += 1
            await asyncio.sleep(0)

    tasks = [asyncio.create_task(again(worker)) for worker in range(number)]
    try:
        await asyncio.gather(*tasks)
    except asyncio.CancelledError:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return times


# Row 1


async def deep_records(port: int, table: str) -> int:
    """Records that are one dotted key."""
    async with http(port, 1) as client:
        body = {"record": DOTTED}

        async def once(_: int) -> None:
            answer = await client.post("/api/replay", json=body)
            assert answer.status_code in (422, 429, 503), answer.text

        return await side_by_side(4, once)


# Row 2


async def endless_headers(port: int, table: str) -> int:
    """One request whose headers never end, and one whose line does not."""

    async def once(worker: int) -> None:
        _, writer = await asyncio.open_connection(HOST, port)
        try:
            writer.write(b"GET /" if worker % 2 else b"GET / HTTP/1.1\r\nX: ")
            for _ in range(400):
                writer.write(b"a" * 65_536)
                await writer.drain()
            raise AssertionError("26 MB of headers were taken")
        except OSError:
            pass
        finally:
            writer.transport.abort()

    return await side_by_side(4, once)


async def half_requests(port: int, table: str) -> int:
    """Connections that begin a request and leave it at that."""
    writers = []
    try:
        for number in itertools.count():
            source = (f"127.0.1.{1 + number % 4}", 0)  # no proxy's addresses
            with suppress(OSError):
                _, writer = await asyncio.open_connection(HOST, port, local_addr=source)
                writer.write(b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Le")
                writers.append(writer)
            if len(writers) >= 600:
                writers.pop(0).transport.abort()
            await asyncio.sleep(0.001)
    except asyncio.CancelledError:
        for writer in writers:
            writer.transport.abort()
    return len(writers)


# Row 3


def new_table(*seats: str) -> dict[str, object]:
    wishes = [{"kind": s} if s in ("open", "human") else {"kind": "bot", "bot": s} for s in seats]
    options = {"players": len(seats), "listed": True}
    return {"id": str(uuid.uuid4()), "seats": wishes, "options": options}


async def table_maker(port: int, table: str) -> int:
    """Tables without end."""
    async with http(port, 3) as client:

        async def once(_: int) -> None:
            answer = await client.post("/api/tables", json=new_table("open", "open", "open"))
            assert answer.status_code in (201, 429, 503), answer.text

        return await side_by_side(4, once)


# Row 4


async def bot_tables(port: int, table: str) -> int:
    """Tables at which only the strongest bots play."""
    async with http(port, 4) as client:

        async def once(_: int) -> None:
            await client.post("/api/tables", json=new_table(*["magnate"] * 4))

        return await side_by_side(4, once)


# Row 8


async def crowd(port: int, table: str) -> int:
    """Watchers at the healthy table, from many addresses."""
    hello = json.dumps({"type": "hello", "protocol": 2})

    async def once(worker: int) -> None:
        async with socket_of(port, table, 80 + worker % 50) as socket:
            await socket.send(hello)
            while True:
                await socket.recv()

    return await side_by_side(100, once)


# Row 9


async def undoer(port: int, table: str) -> int:
    """Moves and takes back, and sits down and leaves, as fast as answers come."""
    async with http(port, 9) as client:
        wish = new_table("human", "human", "human")
        made = (await client.post("/api/tables", json=wish)).raise_for_status().json()
        tokens = [seat["token"] for seat in made["seats"]]

        async def once(worker: int) -> None:
            async with socket_of(port, made["table"], 9) as socket:
                await socket.send(json.dumps({"type": "hello", "protocol": 2, "tokens": tokens}))
                rng, version = Random(worker), 0
                while True:
                    message = json.loads(await socket.recv())
                    if message["type"] not in ("snapshot", "update"):
                        continue
                    version = message.get("version") or message["view"]["version"]
                    undo = next((y for y in message["yours"] if y["can_undo"]), None)
                    legal = [line for yours in message["yours"] for line in yours["legal"]]
                    command = {"id": str(uuid.uuid4()), "version": version}
                    if undo:
                        command |= {"type": "undo", "seat": undo["seat"]}
                    elif legal:
                        line = rng.choice(legal)
                        command |= {"type": "move", "seat": int(line[0]), "line": line}
                    else:
                        continue
                    await socket.send(json.dumps(command))

        return await side_by_side(2, once)


# Row 10


async def flooder(port: int, table: str) -> int:
    """Says as much as it can, and comes back when it is sent away."""

    async def once(worker: int) -> None:
        async with socket_of(port, table, 10) as socket:
            await socket.send(json.dumps({"type": "hello", "protocol": 2}))
            for number in range(500):
                field = {"type": "ask_field", "id": f"f{number}", "field": "3F"}
                await socket.send(json.dumps(field))
            while True:
                await socket.recv()

    return await side_by_side(20, once)


async def list_reader(port: int, table: str) -> int:
    """Asks for the list of tables all the time."""
    async with http(port, 11) as client:

        async def once(_: int) -> None:
            answer = await client.get("/api/tables")
            assert answer.status_code in (200, 429), answer.text

        return await side_by_side(16, once)


async def replayer(port: int, table: str) -> int:
    """Legal games, each another one."""
    numbers = itertools.count()
    async with http(port, 12) as client:

        async def once(_: int) -> None:
            data = finished() | {"note": next(numbers)}
            answer = await client.post("/api/replay", json={"record": json.dumps(data)})
            assert answer.status_code in (200, 429, 503), answer.text

        return await side_by_side(4, once)


ATTACKS: tuple[Attack, ...] = (
    deep_records,
    endless_headers,
    half_requests,
    table_maker,
    crowd,
    undoer,
    flooder,
    list_reader,
    replayer,
)


async def main(port: int, table: str, names: list[str]) -> None:
    attacks = [attack for attack in ATTACKS if attack.__name__ in names]
    begun = [asyncio.ensure_future(attack(port, table)) for attack in attacks]
    await asyncio.sleep(0.5)
    print("begun", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    early = [name for name, task in zip(names, begun, strict=True) if task.done()]
    for task in begun:
        task.cancel()
    results = await asyncio.gather(*begun, return_exceptions=True)
    await asyncio.sleep(0.05)
    print(json.dumps({"early": early, "results": [repr(result) for result in results]}), flush=True)


if __name__ == "__main__":
    os.nice(10)
    NETWORK = sys.argv[3]
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], sys.argv[4:]))
