"""P1: no acknowledged move is ever lost, whenever the server is killed; and none is played twice.

`make proof` kills it two hundred times at random instants, `make test` a few times.
"""

import asyncio
import os
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest

from tests.support import proof
from tests.support.waiting import until

from .forked import Forked
from .playing import Json
from .witnesses import PATIENCE, Party, Witness, check_exactly_once, check_history, make_party

KILLS = proof.amount(2, 200)
TABLES = proof.amount(2, 4)


class Load:
    """Several tables that are played all the time, and what everybody was told there."""

    def __init__(self, server: Forked, rng: Random) -> None:
        self.server = server
        self.parties: list[Party] = []
        self.acknowledged = 0
        """How many moves were acknowledged, at all tables."""
        self._rng = rng
        self._stopping = False
        self.on_message: Callable[[Witness, Json], None] = lambda *_: None
        self.on_send: Callable[[Witness], None] = lambda _: None

    async def play(self) -> None:
        """One table after the other, until it is asked to stop."""
        while not self._stopping:
            party = await make_party(self.server.port, self._rng)
            self.parties.append(party)
            for witness in party.witnesses:
                witness.on_message = self._hear
                witness.on_send = lambda sender: self.on_send(sender)
                witness.stopping = self._stopping
            await asyncio.gather(*(witness.run() for witness in party.witnesses))

    def _hear(self, witness: Witness, message: Json) -> None:
        self.acknowledged += message["type"] == "accepted"
        self.on_message(witness, message)

    def stop(self) -> None:
        self._stopping = True
        for party in self.parties:
            for witness in party.witnesses:
                witness.stopping = True

    @property
    def is_waiting(self) -> bool:
        """Whether somebody has sent a command and was not answered."""
        everybody = (witness for party in self.parties for witness in party.witnesses)
        return not all(witness.is_idle for witness in everybody)

    async def until_acknowledged(self, more: int) -> None:
        """Waits until the clients have heard of this many further moves."""
        goal = self.acknowledged + more
        await until(
            lambda: self.acknowledged >= goal, lambda: self.server.log.read_text()[-2000:], 0.005
        )

    async def restart(self) -> None:
        """Reap a server that was killed, start the next and compare it with what was told."""
        self.server.kill()
        told = [party.account() for party in self.parties if not party.is_over]
        self.server.start()
        for account in told:
            check_history(account, await self.log(account.table))

    async def log(self, table: str) -> list[Json]:
        path = f"/api/tables/{table}/log"
        rows: list[Json] = (await asyncio.to_thread(self.server.get, path))["entries"]
        return rows


@asynccontextmanager
async def loaded(
    folder: Path, database: str, tables: int = TABLES, options: tuple[str, ...] = ()
) -> AsyncIterator[Load]:
    """A server under load; at the end each command must have become exactly one entry."""
    forked = Forked(folder, database)
    forked.options = options
    with forked as server:
        load = Load(server, Random(f"{folder.name} {KILLS}"))
        async with asyncio.TaskGroup() as group:
            for _ in range(tables):
                group.create_task(load.play())
            await load.until_acknowledged(1)
            yield load
            load.stop()
        for party in load.parties:
            account = party.account()
            entries = check_history(account, await load.log(party.table))
            check_exactly_once(account, entries)
        assert load.acknowledged > 0


def kills_at_random(folder: Path, database: str, kills: int) -> tuple[int, int]:
    """Kill so often, at any instant; how many moves were acknowledged at how many tables."""
    rng = Random(kills)

    async def run() -> tuple[int, int]:
        async with loaded(folder, database) as load:
            for _ in range(kills):
                await load.until_acknowledged(1)
                await asyncio.sleep(rng.uniform(0, 0.5))
                await load.restart()
        accepted = sum(len(party.account().accepted) for party in load.parties)
        return accepted, len(load.parties)

    return asyncio.run(run())


@pytest.mark.timeout(600 + 30 * KILLS)
def test_p1_nothing_acknowledged_is_lost_when_the_server_is_killed_at_random(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    accepted, tables = kills_at_random(tmp_path, database, KILLS)
    print(f"{KILLS} kills, {tables} tables, {accepted} acknowledged moves, 0 lost, 0 twice")
    record_property("acknowledged", accepted)
    assert accepted >= KILLS


@pytest.mark.timeout(600 + 30 * KILLS)
def test_p1_nothing_acknowledged_is_lost_on_postgresql_either(
    tmp_path: Path, postgres_database: str
) -> None:
    kills = max(1, KILLS // 5)
    accepted, tables = kills_at_random(tmp_path, postgres_database, kills)
    print(f"{kills} kills, {tables} tables, {accepted} acknowledged moves, 0 lost, 0 twice")
    assert accepted >= kills


# At each step of a command's way


async def before_check(load: Load) -> None:
    """The server has the command in its hands and has not looked at it."""
    sent = asyncio.Event()

    def stop(_: Witness) -> None:
        os.kill(load.server.pid, signal.SIGSTOP)
        sent.set()

    load.on_send = stop
    await asyncio.wait_for(sent.wait(), PATIENCE)
    await asyncio.sleep(0.01)  # the command is in the socket of a process that stands still


async def before_commit(load: Load) -> None:
    """The command is computed and waits for the store, which somebody else keeps."""
    with blocked(load.server.database):
        await asyncio.sleep(0.3)
        await until(lambda: load.is_waiting, "nobody sent a command")
        os.kill(load.server.pid, signal.SIGKILL)


async def after_commit(load: Load) -> None:
    """The move is durable; as soon as anybody can see that, the server is gone."""
    with peeking(load.server.database) as rows:
        before = rows()
        await until(lambda: rows() != before, "nobody moved", pause=0)


async def after_acknowledge(load: Load) -> None:
    """The author has been told, and others perhaps not."""
    await _heard(load, lambda message: message["type"] == "accepted")


async def after_broadcast(load: Load) -> None:
    """Somebody else has seen the move, and others perhaps not."""
    await _heard(load, lambda message: message["type"] == "update" and bool(message["steps"]))


async def _heard(load: Load, is_it: Callable[[Json], bool]) -> None:
    heard = asyncio.Event()

    def kill(_: Witness, message: Json) -> None:
        if is_it(message) and not heard.is_set():
            os.kill(load.server.pid, signal.SIGKILL)
            heard.set()

    load.on_message = kill
    await asyncio.wait_for(heard.wait(), PATIENCE)


def beside(database: str) -> Any:
    """A connection of somebody else to the database."""
    if database.startswith("sqlite"):
        file = database.removeprefix("sqlite:///")
        return sqlite3.connect(file, isolation_level=None, timeout=PATIENCE)
    return psycopg.connect(database, autocommit=True)


@contextmanager
def blocked(database: str) -> Iterator[None]:
    """Nobody else can write to the database."""
    with closing(beside(database)) as connection:
        if database.startswith("sqlite"):
            connection.execute("BEGIN IMMEDIATE")
        else:
            connection.execute("BEGIN")
            connection.execute("LOCK TABLE logs IN EXCLUSIVE MODE")
        yield
        connection.execute("ROLLBACK")


@contextmanager
def peeking(database: str) -> Iterator[Callable[[], int]]:
    """How many entries all logs have together."""
    with closing(beside(database)) as connection:
        yield lambda: int(connection.execute("SELECT count(*) FROM logs").fetchone()[0])


STEPS = (before_check, before_commit, after_commit, after_acknowledge, after_broadcast)


def test_p1_nothing_acknowledged_is_lost_at_any_step_of_a_command(
    tmp_path: Path, database: str
) -> None:
    async def run() -> None:
        async with loaded(tmp_path, database, tables=2) as load:
            for step in STEPS:
                await load.until_acknowledged(1)
                await step(load)
                load.on_message, load.on_send = (lambda *_: None), (lambda _: None)
                with suppress(ProcessLookupError):
                    os.kill(load.server.pid, signal.SIGKILL)
                await load.restart()

    asyncio.run(run())
