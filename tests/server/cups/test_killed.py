"""A server is killed while it starts a round and seats its tables: nothing is doubled or lost.

The server is a process of its own. What it has written is read beside it, so that each kill hits a
certain step: the round is stored and has no table, some of its tables, a result, all results.
"""

import json
import os
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from tests.support.waiting import wait_until

from ..forked import Forked
from ..playing import WIDE_SETTINGS, Json, Server
from ..test_crashes import beside
from .holding import games, named, new_cup, play_games, until, until_over

SETTINGS = WIDE_SETTINGS | {
    "INDUSTRY_PERSONS": "open",
    "INDUSTRY_CUPS": "persons",
    "INDUSTRY_ADDRESS_CUPS": "100000",
    "INDUSTRY_MAX_MESSAGES": "100000",
}
MOST_CUPS = 5
"""Cups that are tried until a kill has hit between two of a round's tables."""


class Witness:
    """Reads what the server has written about one cup."""

    def __init__(self, connection: Any, cup: str) -> None:
        self._connection = connection
        self._cup = cup

    def document(self) -> Json:
        query = f"SELECT document FROM cups WHERE id = '{self._cup}'"
        found: Json = json.loads(self._connection.execute(query).fetchone()[0])
        return found

    def tables(self, number: int) -> list[str]:
        """The tables of a round, made or not."""
        rounds = self.document()["rounds"][number - 1 :]
        return [game["table"] for game in rounds[0]["games"]] if rounds else []

    def made(self, number: int) -> int:
        """How many tables of a round exist; -1 before the round is stored."""
        names = self.tables(number)
        listed = ",".join(f"'{name}'" for name in names)
        query = f"SELECT count(*) FROM tables WHERE id IN ({listed})"
        return int(self._connection.execute(query).fetchone()[0]) if names else -1

    def summary(self, table: str) -> Json:
        """What the lists show of a table."""
        query = f"SELECT summary FROM tables WHERE id = '{table}'"
        found: Json = json.loads(self._connection.execute(query).fetchone()[0])
        return found

    def results(self) -> int:
        """How many games have their result in the cup."""
        return sum(game["result"] is not None for game in games(self.document()))

    def all_tables(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM tables").fetchone()[0])

    def announced(self) -> int:
        """How many people were to be told that their table is ready."""
        query = "SELECT count(*) FROM notices WHERE kind = 'cup'"
        return int(self._connection.execute(query).fetchone()[0])


@contextmanager
def witnessed(database: str, cup: str) -> Iterator[Witness]:
    connection = beside(database)
    try:
        yield Witness(connection, cup)
    finally:
        connection.close()


def kill_when(server: Forked, is_now: Callable[[], bool]) -> None:
    """Kills the server at the moment something is so of its database, and starts it again."""
    wait_until(is_now, lambda: server.log.read_text()[-2000:], 0.001)
    os.kill(server.pid, signal.SIGKILL)
    server.kill()  # reap it


@contextmanager
def meanwhile(act: Callable[[], object]) -> Iterator[None]:
    """Does something in a thread, which a killed server may leave without an answer."""

    def attempt() -> None:
        with suppress(httpx.TransportError):
            act()

    thread = threading.Thread(target=attempt)
    thread.start()
    yield
    thread.join(60)
    assert not thread.is_alive()


@pytest.fixture
def killed(tmp_path: Path, database: str) -> Iterator[Forked]:
    with Forked(tmp_path, database, settings=SETTINGS) as server:
        yield server.until_ready()


def log_of(server: Forked, table: str) -> list[Json]:
    rows = server.get(f"/api/tables/{table}/log")["entries"]
    return [json.loads(row["entry"]) for row in rows]


def check_round(witness: Witness, cup: Json, number: int) -> None:
    """Each table was made once, and each entrant sits at one of them."""
    held = cup["rounds"][number - 1]
    tables = [game["table"] for game in held["games"]]
    assert len(set(tables)) == len(tables)
    seats = Counter(entrant for game in held["games"] for entrant in game["seats"])
    assert all(seats[one["number"]] == 1 for one in cup["entrants"])
    for game in held["games"]:
        sitting = [seat.get("person") for seat in witness.summary(game["table"])["seats"]]
        people = [cup["entrants"][one - 1]["person"] if one else None for one in game["seats"]]
        assert sitting == people


def check_log(server: Forked, table: str, cup: Json, *revealed: str) -> None:
    log = log_of(server, table)
    kinds = Counter(entry["kind"] for entry in log)
    assert all(kinds[kind] == 1 for kind in ("created", "started", *revealed)), kinds
    assert log[0]["options"]["cup"] == cup["id"]


def seat_and_kill(server: Forked, number: int) -> list[int]:
    """Starts a cup of six tables and kills the server after each of them; how many existed then."""
    ana = named(cast(Server, server), f"Ana {number}")
    wish: Json = {"bots": ["foreman"] * 16, "places": 20, "size": 3, "rounds": 1}
    made, hits = new_cup(ana, **wish), []
    with witnessed(server.database, made["id"]) as witness:
        before = witness.all_tables()
        with meanwhile(lambda: ana.ask("POST", f"cups/{made['id']}/start")):
            for least in range(6):
                kill_when(server, lambda least=least: witness.made(1) >= least)  # type: ignore[misc]
                hits.append(witness.made(1))
                server.start()
                server.until_ready()
        cup = until(ana, made["id"], lambda found: witness.made(1) == 6)
        later = new_cup(ana, **wish)
        ana.post(f"cups/{later['id']}/start")
        with witnessed(server.database, later["id"]) as other:
            wait_until(lambda: other.made(1) == 6, "the next cup has no tables")
        assert witness.all_tables() == before + 12
        check_round(witness, cup, 1)
    for game in games(cup):
        check_log(server, game["table"], cup)
    return hits


@pytest.mark.timeout(900)
def test_a_server_killed_while_it_seats_a_round_makes_each_table_once(
    killed: Forked, record_property: Callable[[str, object], None]
) -> None:
    hits: list[int] = []
    for number in range(MOST_CUPS):
        hits += seat_and_kill(killed, number)
        if any(0 < hit < 6 for hit in hits):
            break
    print(f"tables that existed when the server was killed: {hits}")
    record_property("hits", hits)
    assert any(0 < hit < 6 for hit in hits), hits


@pytest.mark.proof
@pytest.mark.timeout(900)
def test_a_server_killed_at_each_step_of_a_cup_loses_no_round_and_no_result(killed: Forked) -> None:
    """Six people play two duplicate rounds at two tables; the server dies at every step."""
    people = [named(cast(Server, killed), name) for name in ("Ana", "Bo", "Cy", "Di", "Eve", "Flo")]
    ana = people[0]
    made = new_cup(ana, places=6, size=3, rounds=2, duplicate=True)
    for person in people[1:-1]:
        person.post(f"cups/{made['id']}/join")
    with witnessed(killed.database, made["id"]) as witness:
        with meanwhile(lambda: people[-1].ask("POST", f"cups/{made['id']}/join")):
            for least in (0, 1, 2):
                kill_when(killed, lambda least=least: witness.made(1) >= least)  # type: ignore[misc]
                killed.start()
                killed.until_ready()
        for number in (1, 2):
            found = until(ana, made["id"], lambda _, n=number: witness.made(n) == 2)  # type: ignore[misc]
            check_round(witness, found, number)
            before = witness.results()
            play_games(made["id"], *people)
            for step in steps(witness, number, before):
                kill_when(killed, step)
                killed.start()
                killed.until_ready()
        cup = until_over(ana, made["id"])
        assert witness.announced() == 12
        assert witness.all_tables() == 4
    assert [len(held["games"]) for held in cup["rounds"]] == [2, 2]
    assert all(len(game["points"]) == 3 for game in games(cup))
    assert all(row["games"] == 2 for row in cup["standings"])
    for game in games(cup):
        check_log(killed, game["table"], cup, "bag_revealed")


def steps(witness: Witness, number: int, before: int) -> list[Callable[[], bool]]:
    """What is so of the database, one after the other, once the games of a round are over."""
    found: list[Callable[[], bool]] = [lambda: witness.results() > before]
    if number == 1:
        found += [lambda: witness.made(2) >= 0, lambda: witness.made(2) >= 1]
    return found
