"""`industry serve --processes N`: one port, several processes, and any of them may fail.

`make proof` kills one of two processes two hundred times, `make test` once.
"""

import asyncio
import json
import os
import signal
import socket
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

import httpx
import psycopg
import pytest

from industry.server.processes.router import Worker, preferred, table_in
from tests.cli.running import run
from tests.support import proof
from tests.support.waiting import until

from .test_crashes import Load, loaded

KILLS = proof.amount(1, 200)
PAUSE = 60
"""Seconds for which a process stands still."""
TWO = ("--processes", "2")
AGAIN = proof.amount(20, 5)
"""Seconds within which a table of a killed process answers elsewhere; beside other tests longer."""


def test_several_processes_need_a_database_that_they_can_share(tmp_path: Path) -> None:
    outcome = run("serve", "--processes", "2", "--database", f"sqlite:///{tmp_path / 'a.db'}")
    assert outcome.code == 1
    assert "several processes need PostgreSQL" in outcome.err


@pytest.mark.parametrize(
    ("head", "table"),
    [
        (b"GET /api/tables/abcdefghijk1/socket HTTP/1.1\r\n", b"abcdefghijk1"),
        (b"GET /table/abcdefghijk1?x=1 HTTP/1.1\r\n", b"abcdefghijk1"),
        (b"GET /table/abcdefghijk1 HTTP/1.1\r\n", b"abcdefghijk1"),
        (b"GET / HTTP/1.1\r\nReferer: /table/abcdefghijk1\r\n", None),
        (b"POST /api/tables HTTP/1.1\r\n", None),
        (b"\x16\x03\x01", None),
    ],
)
def test_a_request_is_routed_by_the_table_in_its_path(head: bytes, table: bytes | None) -> None:
    assert table_in(head) == table


def test_tables_of_a_lost_process_spread_and_the_others_stay() -> None:
    workers = [Worker(n, None, None) for n in range(4)]  # type: ignore[arg-type]
    tables = [f"table{n:07}".encode() for n in range(400)]
    before = {table: preferred(table, workers)[0].number for table in tables}
    after = {table: preferred(table, workers[1:])[0].number for table in tables}
    moved = [table for table in tables if before[table] != after[table]]
    assert all(before[table] == 0 for table in moved)
    assert {after[table] for table in moved} == {1, 2, 3}
    assert 60 < len(moved) < 140


def children(parent: int) -> list[int]:
    """The processes that a process has started, in order of age."""
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):  # it has just ended
            text = status.read_text(encoding="utf-8")
            if f"\nPPid:\t{parent}\n" in text and "\nState:\tZ" not in text:
                found.append(int(status.parent.name))
    return sorted(found)


async def until_two(load: Load) -> list[int]:
    """Wait until both processes have told the parent that they are ready."""
    ready = b"by 2 processes"
    await until(lambda: ready in load.server.log.read_bytes(), load.server.log.read_text, 0.05)
    return children(load.server.pid)


@pytest.mark.timeout(300 + 30 * KILLS)
def test_p1_a_killed_process_loses_nothing_and_others_serve_its_tables(
    tmp_path: Path, postgres_database: str
) -> None:
    rng = Random(KILLS)

    async def play() -> float:
        longest = 0.0
        async with loaded(tmp_path, postgres_database, options=TWO) as load:
            await until_two(load)
            for _ in range(KILLS):
                await until(lambda: len(children(load.server.pid)) == 2, lambda: "one is missing")
                await load.until_acknowledged(3)
                os.kill(rng.choice(children(load.server.pid)), signal.SIGKILL)
                waiting = [party for party in load.parties if not party.is_over]
                answers = (_seconds_until_log(load, party.table) for party in waiting)
                longest = max(longest, *await asyncio.gather(*answers))
                await load.until_acknowledged(len(waiting))
        return longest

    longest = asyncio.run(play())
    print(f"{KILLS} kills of one of two processes; tables answered within {longest:.1f} s")
    assert longest < AGAIN


async def _seconds_until_log(load: Load, table: str) -> float:
    began = time.monotonic()
    await load.log(table)
    return time.monotonic() - began


@pytest.mark.proof
def test_a_process_that_stood_still_does_no_harm_when_it_wakes_up(
    tmp_path: Path, postgres_database: str
) -> None:
    """While it sleeps, the others play on; afterwards it knows what it missed."""

    async def play() -> None:
        async with loaded(tmp_path, postgres_database, options=TWO) as load:
            sleeper = (await until_two(load))[0]
            for party in load.parties:
                for witness in party.witnesses:
                    witness.silence = 2.0  # as a client that pings
            os.kill(sleeper, signal.SIGSTOP)
            await load.until_acknowledged(10)
            await asyncio.sleep(PAUSE)
            os.kill(sleeper, signal.SIGCONT)
            await load.until_acknowledged(10)

    asyncio.run(play())


def test_processes_are_replaced_one_after_the_other_without_a_lost_move(
    tmp_path: Path, postgres_database: str
) -> None:
    async def play() -> None:
        async with loaded(tmp_path, postgres_database, options=TWO) as load:
            before = await until_two(load)
            os.kill(load.server.pid, signal.SIGHUP)
            await until(
                lambda: (
                    not set(before) & set(found := children(load.server.pid)) and len(found) == 2
                ),
                lambda: load.server.log.read_text()[-2000:],
                0.1,
            )
            await load.until_acknowledged(10)

    asyncio.run(play())


@pytest.mark.proof
def test_a_lost_database_connection_is_opened_again_in_every_process(
    tmp_path: Path, postgres_database: str
) -> None:
    """All connections are cut at once, as by a restart of PostgreSQL."""

    async def play() -> None:
        async with loaded(tmp_path, postgres_database, options=TWO) as load:
            await until_two(load)
            for _ in range(proof.amount(1, 3)):
                await asyncio.to_thread(_cut, postgres_database)
                await load.until_acknowledged(10)
            for party in load.parties:
                path = f"{load.server.url}/api/tables/{party.table}/log"
                await until(partial(_is_answered, path), lambda: "no log", 0.1)

    asyncio.run(play())


def _is_answered(address: str) -> bool:
    return httpx.get(address).is_success


def _cut(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_whoever_says_nothing_keeps_nobody_waiting(tmp_path: Path, postgres_database: str) -> None:
    """Silent connections stay with the parent, half a request goes to some process."""

    async def play() -> None:
        async with loaded(tmp_path, postgres_database, tables=1, options=TWO) as load:
            await until_two(load)
            place = ("127.0.0.1", load.server.port)
            silent = [socket.create_connection(place) for _ in range(50)]
            silent[0].sendall(b"G")
            silent[1].sendall(bytes(range(256)))
            await load.until_acknowledged(5)
            told = await asyncio.to_thread(load.server.get, "/healthz")
            assert json.dumps(told) == '{"status": "ok"}'
            for connection in silent:
                connection.close()

    asyncio.run(play())
