"""Processes that share a PostgreSQL hear of each other, whatever else is said or written there."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import psycopg
import pytest

from industry.boards import load_board
from industry.server.entries import NewerEntry, chained
from industry.server.new_table import new_table
from industry.server.protocol.view import TableOptions
from industry.server.store import notifications
from industry.server.table import Table
from tests.support.waiting import wait_until

from .playing import Client, Json, RandomPool, Server, play_on, served
from .test_processes import at


@pytest.fixture
def pair(postgres_database: str) -> Iterator[tuple[Server, Server]]:
    with (
        served(postgres_database, RandomPool()) as one,
        served(postgres_database, RandomPool()) as other,
    ):
        yield one, other


def expect_heard(one: Server, other: Server, made: Json) -> None:
    """Moves at one process are shown at once by the other."""
    with at(one, made, 1, 2, 3) as here, at(other, made) as there:
        play_on(here, Random(1), 3)
        there.until_version(here.version)


def append(database: str, table: str, **entry: Any) -> int:
    """Write an entry into a log as another process would, with its hash; returns its version."""
    with psycopg.connect(database, autocommit=True) as connection:
        query = "SELECT version, hash FROM logs WHERE table_id = %s ORDER BY version DESC LIMIT 1"
        found = connection.execute(query, [table]).fetchone()
        assert found is not None
        version, head = found[0] + 1, found[1]
        at = time.time_ns() // 1_000_000
        text = json.dumps({"version": version, "at": at} | entry, sort_keys=True)
        row = (table, version, text, chained(head, text))
        connection.execute(
            "INSERT INTO logs (table_id, version, entry, hash) VALUES (%s, %s, %s, %s)", row
        )
        connection.execute("SELECT pg_notify('industry', %s)", [f"{table} {version} elsewhere"])
    return int(version)


ODD = ("", "x", "a b", "abcdefghijkl twelve x", "1 2 3 4 5", "\x01 \x02")


def test_odd_notifications_are_passed_over(
    pair: tuple[Server, Server], postgres_database: str
) -> None:
    made = pair[0].make("human", "human", "human")
    for odd in ODD:
        with psycopg.connect(postgres_database, autocommit=True) as connection:
            connection.execute("SELECT pg_notify('industry', %s)", [odd])
        expect_heard(*pair, made)


def test_a_bad_row_ends_the_audience_of_its_table_and_of_no_other(
    pair: tuple[Server, Server], postgres_database: str
) -> None:
    one, other = pair
    bad, good = (one.make("human", "human", "human") for _ in range(2))
    with at(other, bad) as watcher:
        append(postgres_database, bad["table"], kind="move", line="9 dances", how="player", seat=9)
        assert watcher.closed_with() == 1012
    assert other.http("GET", f"/api/tables/{bad['table']}").json()["code"] == "internal"
    expect_heard(one, other, good)


def test_an_entry_of_a_newer_version_that_may_be_passed_over_is(
    pair: tuple[Server, Server], postgres_database: str
) -> None:
    """A later version has marked it so: the game goes on here, before and behind it."""
    one, other = pair
    made = one.make("human", "human", "human")
    with at(other, made) as watcher:
        version = append(
            postgres_database, made["table"], kind="applause", seat=1, loud="very", optional=True
        )
        watcher.until_version(version)
        assert watcher.entries[-1]["kind"] == "unknown"
        expect_heard(one, other, made)
        watcher.until_version(version + 3)


def test_a_table_that_only_a_newer_version_can_read_is_left_to_it(
    pair: tuple[Server, Server], postgres_database: str
) -> None:
    one, other = pair
    new, old = (one.make("human", "human", "human") for _ in range(2))
    with at(other, new) as watcher:
        append(postgres_database, new["table"], kind="earthquake", magnitude=7)
        assert watcher.closed_with() == 1012  # the next process may know it
    refused = other.http("GET", f"/api/tables/{new['table']}")
    assert (refused.status_code, refused.json()["code"]) == (503, "newer_version")
    with Client(other, new["table"], []) as late:
        assert late.welcome["code"] == "newer_version"
        assert late.closed_with() == 1012
    expect_heard(one, other, old)


def test_a_new_key_of_a_known_entry_counts_as_newer(
    pair: tuple[Server, Server], postgres_database: str
) -> None:
    one, other = pair
    made = one.make("human", "open", "open")
    with at(other, made) as watcher:
        append(postgres_database, made["table"], kind="seat_left", seat=1, by="storm")
        assert watcher.closed_with() == 1012


def test_a_new_option_of_a_table_counts_as_newer() -> None:
    """A newer process has made the table: the others leave it to that one."""
    board = load_board("industry")
    draft = new_table("abcdefghijkl", TableOptions(), {"industry": board}, bytes(32), now=1)
    (created,) = [step.entry for step in draft.steps]
    options = created.what.options | {"weather": "wet"}  # type: ignore[union-attr]
    what = replace(created.what, options=options)  # type: ignore[arg-type]
    newer = created._replace(what=what)
    with pytest.raises(NewerEntry, match="weather"):
        Table("abcdefghijkl", {board.hash: board}).apply(newer)


def test_after_a_gap_everything_is_read_again_and_meanwhile_health_says_so(
    pair: tuple[Server, Server], postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifications, "OUT_OF_TOUCH_AFTER", 0.1)
    monkeypatch.setattr(notifications, "PAUSE", 0.05)
    one, other = pair
    listener = other.service.store._listener
    assert listener is not None
    made = one.make("human", "human", "human")
    with at(other, made) as watcher, at(one, made, 1, 2, 3) as player:
        address, listener._url = listener._url, "postgresql://127.0.0.1:1/none"
        cut_off(postgres_database)
        wait_until(lambda: other.http("GET", "/healthz").status_code == 503)
        assert "industry_listener_up 0.0" in other.http("GET", "/metrics").text
        play_on(player, Random(4), 4)
        listener._url = address
        watcher.until_version(player.version)  # nobody has told: it was read after the gap
        wait_until(lambda: other.http("GET", "/healthz").status_code == 200)
        assert one.http("GET", "/healthz").status_code == 200
    expect_heard(one, other, made)


def cut_off(database: str) -> None:
    """End all listening connections; a server whose address still holds comes back by itself."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        )
