"""Logs are kept, in order and unchanged, on both databases."""

import asyncio
import gc
import sqlite3
from collections.abc import Coroutine
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import DBAPIError

from industry.server.metrics import Metrics
from industry.server.service import Service
from industry.server.store import (
    Commit,
    Conflict,
    Hook,
    IndexRow,
    LogRow,
    Store,
    StoreUnavailable,
    TokenRow,
)
from industry.server.store.access import PostgresAccess, store_url
from industry.server.store.schema import metadata
from industry.server.tuning import Tuning
from tests.support.waiting import wait_until

from .playing import PATIENCE, RandomPool, Server, play_on, served

Answer = TypeVar("Answer")
TABLE = "abcdefghijkl"

pytestmark = pytest.mark.both_stores


def with_store(database: str, work: Any) -> Any:
    async def run() -> Any:
        store = Store(database)
        await store.start()
        try:
            return await work(store)
        finally:
            await store.stop()

    return asyncio.run(run())


def commit(version: int, command: str | None = None, table: str = TABLE) -> Commit:
    row = LogRow(table, version, f"entry {version}", f"hash {version}", command)
    index = IndexRow(table, "running", True, 1, version, version * 10, f"summary {version}")
    new = {table: "ab" * 32} if version == 1 else {}
    tokens = [TokenRow("t" * 64, table, 1)] if version == 1 else []
    return Commit([row], [index], new_tables=new, tokens=tokens)


def test_what_is_appended_is_read_back_in_order(database: str) -> None:
    async def work(store: Store) -> None:
        for version in range(1, 6):
            await store.append(commit(version, f"1/{version}"))
        kept = await store.load(TABLE)
        assert kept is not None
        assert [row.version for row in kept.rows] == [1, 2, 3, 4, 5]
        assert [row.entry for row in kept.rows] == [f"entry {n}" for n in range(1, 6)]
        assert kept.secret == "ab" * 32
        assert kept.tokens == [TokenRow("t" * 64, TABLE, 1)]
        assert [row.version for row in await store.rows_after(TABLE, 3)] == [4, 5]
        assert await store.command_version(TABLE, "1/4") == 4
        assert await store.command_version(TABLE, "1/9") is None
        assert await store.lobby() == ["summary 5"]
        assert await store.due_before(50) == [TABLE]
        assert await store.due_before(49) == []
        assert await store.load("zzzzzzzzzzzz") is None

    with_store(database, work)


def test_a_version_is_written_once(database: str) -> None:
    """The key of the log decides which of two writers was first."""

    async def work(store: Store) -> None:
        await store.append(commit(1))
        await store.append(commit(2, "1/a"))
        with pytest.raises(Conflict):
            await store.append(commit(2, "1/b"))
        with pytest.raises(Conflict):
            await store.append(commit(3, "1/a"))
        assert [row.version for row in await store.rows_after(TABLE, 0)] == [1, 2]

    with_store(database, work)


def test_one_commit_in_conflict_does_not_harm_those_that_share_its_transaction(
    database: str,
) -> None:
    async def work(store: Store) -> None:
        await store.append(commit(1))
        names = [f"{letter * 12}" for letter in "bcdefgh"]
        waiting = [store.append(commit(1, table=name)) for name in names]
        waiting.insert(3, store.append(commit(1)))
        answers = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(answer) for answer in answers].count(Conflict) == 1
        for name in names:
            assert await store.load(name) is not None

    with_store(database, work)


def test_commits_that_come_close_together_share_a_transaction(tmp_path: Path) -> None:
    """Making it durable costs most of a commit, so a busy server does it for several tables."""
    metrics = Metrics()

    async def play(store: Store, table: str) -> None:
        for version in range(1, 11):
            await store.append(commit(version, table=table))
            await asyncio.sleep(0.001)

    async def work() -> None:
        store = Store(f"sqlite:///{tmp_path / 'tables.db'}", metrics)
        await store.start()
        await asyncio.gather(*(play(store, letter * 12) for letter in "abcdefgh"))
        await store.stop()

    asyncio.run(work())
    found = {s.name: s.value for f in metrics.registry.collect() for s in f.samples}
    assert found["industry_commit_entries_sum"] == 80
    assert found["industry_commit_entries_count"] <= 40


def test_a_token_that_is_revoked_belongs_nowhere(database: str) -> None:
    async def work(store: Store) -> None:
        await store.append(commit(1))
        assert [row.table for row, _ in await store.tables_of_tokens(["t" * 64])] == [TABLE]
        gone = commit(2)
        gone.revoked.append(TokenRow("", TABLE, 1))
        await store.append(gone)
        assert await store.tables_of_tokens(["t" * 64]) == []

    with_store(database, work)


def test_a_webhook_is_replaced_and_ended(database: str) -> None:
    async def work(store: Store) -> None:
        await store.set_hook(Hook(TABLE, 1, "https://a.example", "s"))
        await store.set_hook(Hook(TABLE, 1, "https://b.example", "t"))
        assert [hook.url for hook in await store.hooks_of(TABLE, [0, 1])] == ["https://b.example"]
        await store.set_hook(Hook(TABLE, 1, "", ""))
        assert await store.hooks_of(TABLE, [0, 1]) == []

    with_store(database, work)


def test_all_processes_share_one_key(database: str) -> None:
    first = with_store(database, Store.shared_key)
    assert len(first) == 32
    assert with_store(database, Store.shared_key) == first


def test_the_migrations_lead_to_the_schema_of_the_code(database: str) -> None:
    async def work(store: Store) -> None:
        def differences(connection: Connection) -> list[Any]:
            return list(compare_metadata(MigrationContext.configure(connection), metadata))

        assert await store.read(differences) == []

    with_store(database, work)


def test_p6_a_database_that_this_version_has_used_can_still_be_opened_by_0_1_0(
    database: str,
) -> None:
    """During a rolling upgrade an older process may be restarted: it refuses other revisions."""

    async def work(store: Store) -> None:
        query = text("SELECT version_num FROM alembic_version")
        assert await store.read(lambda connection: connection.scalar(query)) == "0001"

    with_store(database, work)


@pytest.mark.usefixtures("durable")
def test_sqlite_waits_for_the_disk_at_every_commit(tmp_path: Path) -> None:
    """WAL with synchronous=FULL: a commit that was acknowledged survives a power cut."""
    database = f"sqlite:///{tmp_path / 'x.db'}"

    async def work(store: Store) -> tuple[str, int]:
        def pragmas(connection: Connection) -> tuple[str, int]:
            mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar()
            level = connection.exec_driver_sql("PRAGMA synchronous").scalar()
            return str(mode), int(level or 0)

        return await store.write(pragmas)

    assert with_store(database, work) == ("wal", 2)


# When the store is not there


def test_moves_are_refused_while_the_database_is_locked_and_go_on_afterwards(
    tmp_path: Path,
) -> None:
    file = tmp_path / "tables.db"
    with served(f"sqlite:///{file}", RandomPool()) as server:
        made = server.make("human", "human", "human")
        with server.client(made, 1, 2, 3).ready() as client:
            rng = Random(1)
            play_on(client, rng, moves=3)
            seat = client.until_mine()
            assert seat is not None
            line = client.yours[seat]["legal"][0]
            message = {
                "type": "move",
                "id": "late",
                "seat": seat,
                "version": client.version,
                "line": line,
            }
            lock = sqlite3.connect(file, isolation_level=None)
            lock.execute("BEGIN IMMEDIATE")
            assert client.ask(**message)["code"] == "store_unavailable"
            assert server.get(f"/api/tables/{made['table']}")["version"] == client.version
            assert client.ask(type="ask_why", line=line)["refusal"] is None
            lock.execute("ROLLBACK")
            lock.close()
            answer = client.ask(**message)
            assert answer["type"] == "accepted"
            client.until_version(answer["version"])
            assert play_on(client, rng, moves=10) == 10
    assert_one_history(server, made["table"])


def test_moves_are_refused_while_the_disk_is_full_and_go_on_afterwards(tmp_path: Path) -> None:
    """SQLite is told that its file may not grow, as a full disk would."""
    with served(f"sqlite:///{tmp_path / 'tables.db'}", RandomPool()) as server:
        made = server.make("human", "human", "human")

        def limit(pages: int) -> None:
            def work(connection: Connection) -> None:
                connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")

            future: Coroutine[Any, Any, None] = server.service.store.write(work)
            asyncio.run_coroutine_threadsafe(future, server.loop).result(PATIENCE)

        with server.client(made, 1, 2, 3).ready() as client:
            limit(1)
            codes = set()
            for _ in range(200):
                seat = client.until_mine()
                assert seat is not None
                answer = client.move(client.yours[seat]["legal"][0])
                codes.add(answer.get("code"))
                if answer["type"] == "error":
                    break
                client.until_version(answer["version"])
            assert "store_unavailable" in codes
            limit(1_000_000)
            assert play_on(client, Random(2), moves=10) == 10


def assert_one_history(server: Server, table: str) -> None:
    """The file holds an unbroken log of the table."""
    engine = create_engine(store_url(str(server.service.store.url)))
    with engine.connect() as connection:
        rows = connection.exec_driver_sql(
            f"SELECT version FROM logs WHERE table_id = '{table}' ORDER BY version"
        )
        versions = [row[0] for row in rows]
    engine.dispose()
    assert versions == list(range(1, len(versions) + 1))


def test_a_lost_postgresql_refuses_moves_and_comes_back(postgres_database: str) -> None:
    """All connections are cut; the next command after that succeeds."""
    import psycopg

    with served(postgres_database, RandomPool()) as server:
        made = server.make("human", "human", "human")
        with server.client(made, 1, 2, 3).ready() as client:
            rng = Random(3)
            for _ in range(3):
                play_on(client, rng, moves=3)
                with psycopg.connect(postgres_database, autocommit=True) as admin:
                    admin.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    )
                seat = client.until_mine()
                assert seat is not None
                for _ in range(20):
                    answer = client.move(client.yours[seat]["legal"][0])
                    if answer["type"] == "accepted":
                        break
                    assert answer["code"] == "store_unavailable"
                assert answer["type"] == "accepted"
                client.until_version(answer["version"])


def test_no_connection_is_left_open_after_a_loss_in_the_middle_of_other_work(
    postgres_database: str,
) -> None:
    """What others hold while the pool is renewed ends with it, not when garbage is collected."""
    import psycopg

    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    sleeps = "query LIKE '%pg_sleep%'"

    async def work(admin: psycopg.Connection[Any]) -> None:
        access = PostgresAccess(store_url(postgres_database))

        async def sleep(seconds: float) -> None:
            await access.read(lambda found: found.execute(text(f"SELECT pg_sleep({seconds})")))

        await asyncio.gather(*(sleep(0.1) for _ in range(3)))  # as many connections
        held = asyncio.create_task(sleep(1))
        while not admin.execute(f"SELECT 1 {others} AND {sleeps} AND state = 'active'").fetchall():
            await asyncio.sleep(0.01)
        admin.execute(f"SELECT pg_terminate_backend(pid) {others} AND state = 'idle'")
        with pytest.raises(DBAPIError):
            await access.run([("SELECT %s", [(1,)])])
        await held
        await access.run([("SELECT %s", [(1,)])])
        await access.close()

    gc.disable()
    try:
        with psycopg.connect(postgres_database, autocommit=True) as admin:
            asyncio.run(work(admin))
            wait_until(lambda: not admin.execute(f"SELECT 1 {others}").fetchall(), "one is open")
    finally:
        gc.enable()


def test_a_changed_log_is_not_played_on(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    with served(f"sqlite:///{file}", RandomPool()) as server:
        made = server.make("human", "human", "human")
        with server.client(made, 1, 2, 3).ready() as client:
            play_on(client, Random(4), moves=3)
    connection = sqlite3.connect(file)
    connection.execute(
        "UPDATE logs SET entry = replace(entry, 'Player 1', 'Player 9') WHERE version = 2"
    )
    connection.commit()
    connection.close()
    with served(f"sqlite:///{file}", RandomPool()) as server:
        answer = server.http("GET", f"/api/tables/{made['table']}")
        assert (answer.status_code, answer.json()["code"]) == (500, "internal")
        assert "Player" not in answer.text


def test_a_store_that_cannot_be_reached_says_so_at_the_start() -> None:
    async def run() -> None:
        service = Service(
            Store("postgresql://nobody@127.0.0.1:1/none"), RandomPool(), tuning=Tuning()
        )
        with pytest.raises(StoreUnavailable):
            await service.start()

    asyncio.run(run())
