"""Games can be deleted while the server runs: by hand, or when they are older than they may be."""

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from industry.server.tokens import TokenKeys

from .forked import Forked
from .playing import QUICK, WIDE_SETTINGS, Client, Json, RandomPool, Server, play_on, served
from .test_admin import admin

DAY = 24 * 60 * 60 * 1000
HOOK = {"id": "hook", "url": "https://hooks.example.org/x"}


def finished(server: Server) -> Json:
    made = server.make("human", "human", "human")
    with server.client(made, 1, 2, 3).ready() as client:
        play_on(client, Random(1))
    return made


def sweep(server: Server) -> int:
    done = asyncio.run_coroutine_threadsafe(server.service.retention.sweep(), server.loop)
    return done.result(20)


def status(server: Server, made: Json) -> int:
    return server.http("GET", f"/api/tables/{made['table']}").status_code


def hooks(server: Server, made: Json) -> int:
    found = server.service.store.hooks_of(made["table"], range(5))
    return len(asyncio.run_coroutine_threadsafe(found, server.loop).result(20))


@pytest.mark.both_stores
def test_finished_games_are_deleted_after_the_days_that_the_operator_sets(database: str) -> None:
    now = [1_800_000_000_000]
    tuning = replace(QUICK, retention_days=30)
    with served(database, RandomPool(), tuning=tuning, clock=lambda: now[0]) as server:
        old, running = finished(server), server.make("human", "human", "human")
        now[0] += 20 * DAY
        young = finished(server)
        assert sweep(server) == 0
        now[0] += 11 * DAY
        assert sweep(server) == 1
        assert [status(server, made) for made in (old, running, young)] == [404, 200, 200]
    listed = admin("list", "--json", "--database", database)
    assert old["table"] not in listed.out
    assert admin("check", "--database", database).lines == ["2 tables replayed: all right."]


def test_without_the_setting_games_stay_and_webhooks_go_a_day_after_the_game(
    tmp_path: Path,
) -> None:
    now = [1_800_000_000_000]
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool(), clock=lambda: now[0]) as server:
        over, running = finished(server), server.make("human", "human", "human")
        for made in (over, running):
            server.post(f"/api/tables/{made['table']}/webhook", made["host"], **HOOK)
        sweep(server)
        assert [hooks(server, made) for made in (over, running)] == [1, 1]
        now[0] += 400 * DAY
        assert sweep(server) == 0
        assert [hooks(server, made) for made in (over, running)] == [0, 1]
        assert [status(server, made) for made in (over, running)] == [200, 200]


def test_a_table_is_deleted_while_its_server_runs_and_people_sit_at_it(tmp_path: Path) -> None:
    """The file belongs to the server: the command asks it, with a signature by the file's key."""
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    wish = {"options": {"players": 3}, "seats": [{"kind": "human", "name": "Ana"}] * 3}
    public = {"INDUSTRY_PUBLIC_URL": "https://games.example.org"}  # not reached from here
    with Forked(tmp_path, database, settings=WIDE_SETTINGS | public) as server:
        server.until_ready()
        gone, stays = (
            server.http("POST", "/api/tables", json={"id": name, **wish}).json()
            for name in ("gone", "stays")
        )
        tokens = [[held["token"] for held in made["seats"]] for made in (gone, stays)]
        with (
            Client(server, gone["table"], tokens[0]).ready() as there,
            Client(server, stays["table"], tokens[1]).ready() as here,
        ):
            found = admin("list", "--player", "Ana", "--json", "--database", database)
            assert len(found.lines) == 2
            file = tmp_path / "export.jsonl"
            assert admin("export", gone["table"], "--out", file, "--database", database).code == 0
            deleted = admin("delete", gone["table"], "--yes", "--database", database)
            assert (deleted.code, deleted.lines) == (0, ["1 table deleted."])
            assert there.closed_with() == 1012
            play_on(here, Random(2), 3)
        assert server.http("GET", f"/api/tables/{gone['table']}").json()["code"] == "no_table"
    assert admin("check", "--database", database).lines == ["1 table replayed: all right."]


def test_nobody_else_can_have_a_table_deleted(sqlite_server: Server) -> None:
    server, made = sqlite_server, sqlite_server.make("human", "human", "human")
    keys, tables = server.service.keys, [made["table"]]
    now = time.time_ns() // 1_000_000
    wishes = [
        (now, TokenKeys(bytes(32)).deletion(tables, now)),
        (now, keys.deletion(["abcdefghijkl"], now)),
        (now - 120_000, keys.deletion(tables, now - 120_000)),
        (now, keys.deletion(tables, now - 1)),
    ]
    for at, signature in wishes:
        body = {"tables": tables, "at": at, "signature": signature}
        assert server.http("POST", "/api/admin/delete", json=body).json()["code"] == "bad_token"
    assert status(server, made) == 200


def test_processes_that_share_a_database_all_forget_a_deleted_table(postgres_database: str) -> None:
    with (
        served(postgres_database, RandomPool()) as one,
        served(postgres_database, RandomPool()) as other,
    ):
        made = one.make("human", "human", "human")
        with (
            one.client(made, 1).ready() as here,
            other.client(made, 2).ready() as there,
        ):
            assert (
                admin("delete", made["table"], "--yes", "--database", postgres_database).code == 0
            )
            assert (here.closed_with(), there.closed_with()) == (1012, 1012)
        assert [status(server, made) for server in (one, other)] == [404, 404]
    assert admin("check", "--database", postgres_database).lines == [
        "0 tables replayed: all right."
    ]
