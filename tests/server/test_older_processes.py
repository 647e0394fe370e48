"""Beside a process of version 0.1.0 nothing is written that it cannot read (P6).

A connection that listens without a name stands for the older process. The released code itself runs
in `test_rolling_upgrade.py`.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import psycopg
import pytest

from industry.boards import BoardSpec
from industry.notation import Record
from industry.server.bot_process import ChosenMove
from tests.support.waiting import wait_until

from .playing import QUICK, Json, RandomPool, Server, play_on, served
from .test_seats import act, again, over


@pytest.fixture
def beside_an_old_one(postgres_database: str) -> Iterator[Server]:
    """A server, and a connection that listens as version 0.1.0 does: without a name."""
    with (
        psycopg.connect(postgres_database, autocommit=True) as old,
        served(postgres_database, RandomPool()) as server,
    ):
        old.execute("LISTEN industry")
        yield server


def test_nothing_is_written_that_an_older_process_could_not_read(
    beside_an_old_one: Server, postgres_database: str
) -> None:
    server = beside_an_old_one
    made, tokens = over(server)
    new = again(server, made, tokens[0])
    assert server.get(f"/api/tables/{new['table']}")["status"] == "running"
    waiting = server.make("human", "human", "open")
    act(server, waiting, "free", waiting["host"], 2)
    assert act(server, waiting, "link", waiting["host"], 2)["code"] == "newer_version"
    entries = [entry for table in (made, new, waiting) for entry in server.log(table["table"])]
    assert not {entry["kind"] for entry in entries} - KINDS_OF_0_1_0
    assert not any("scheme" in entry for entry in entries)
    options = [entry["options"].keys() for entry in entries if entry["kind"] == "created"]
    assert all(keys == OPTIONS_OF_0_1_0 for keys in options)


def test_commands_whose_entries_an_older_process_could_not_read_are_refused(
    beside_an_old_one: Server,
) -> None:
    """Seating a stand-in, by a player or the host, and taking back alone past the bots' moves."""
    server = beside_an_old_one
    made = server.make("human", "human", "human")
    with server.client(made, 1, 2, 3).ready() as client:
        late = client.actor() or 0
        asked = client.command("stand_in", late % 3 + 1, target=late)
        assert asked["code"] == "newer_version"
    path, wish = f"/api/tables/{made['table']}/stand_in", {"id": "host", "seat": late}
    answer = server.http("POST", path, made["host"], json=wish)
    assert answer.json()["code"] == "newer_version"
    alone = server.post(
        "/api/tables",
        id="alone",
        options={"players": 3},
        seats=[{"kind": "human"}, *[{"kind": "bot", "bot": "random"}] * 2],
    )
    with server.client(alone, 1).ready() as client:
        play_on(client, Random(3), 1)
        seat = client.until_mine()
        assert seat is not None
        assert client.yours[seat]["can_undo"]
        assert client.command("undo", seat)["code"] == "newer_version"
    entries = [entry for table in (made, alone) for entry in server.log(table["table"])]
    assert not {entry["kind"] for entry in entries} - KINDS_OF_0_1_0


@pytest.mark.parametrize("options", [{"patience": "2m"}, {"chat": False}], ids=str)
def test_options_that_an_older_process_does_not_know_are_refused(
    beside_an_old_one: Server, options: Json
) -> None:
    seats = [{"kind": "open"}] * 3
    body = {"id": "new", "options": {"players": 3} | options, "seats": seats}
    answer = beside_an_old_one.http("POST", "/api/tables", json=body)
    assert (answer.status_code, answer.json()["code"]) == (503, "newer_version")


def test_a_daily_deal_is_refused_beside_an_older_process(beside_an_old_one: Server) -> None:
    date = beside_an_old_one.get("/api/daily")["date"]
    wish = {"id": "daily", "date": date, "name": "Ana"}
    answer = beside_an_old_one.http("POST", "/api/daily", json=wish)
    assert (answer.status_code, answer.json()["code"]) == (503, "newer_version")


class StandingIn(RandomPool):
    """Bots for which another one decides, as while machine code is compiled."""

    async def choose(
        self, bot: str, record: Record, board: BoardSpec, seed: str, share: float = 1.0
    ) -> ChosenMove:
        chosen = await super().choose(bot, record, board, seed, share)
        return ChosenMove(chosen.line, "engineer")


def stand_ins(server: Server, name: str) -> set[object]:
    """The stand-ins that the log names after some moves of bots."""
    wish = [{"kind": "bot", "bot": "magnate"}] * 3
    made = server.post("/api/tables", id=name, options={"players": 3}, seats=wish)

    def bots_moved() -> list[Json]:
        return [entry for entry in server.log(made["table"]) if entry.get("how") == "bot"]

    wait_until(lambda: len(bots_moved()) > 5)
    return {entry.get("stand_in") for entry in bots_moved()}


def test_the_log_names_no_stand_ins_while_an_older_process_reads_it(
    postgres_database: str,
) -> None:
    with served(postgres_database, StandingIn()) as server:
        with psycopg.connect(postgres_database, autocommit=True) as old:
            old.execute("LISTEN industry")
            assert stand_ins(server, "beside") == {None}
        assert stand_ins(server, "alone") == {"engineer"}


def test_no_table_is_closed_while_an_older_process_reads_it(postgres_database: str) -> None:
    tuning = replace(QUICK, sweep=0.05, open_idle=0.0)
    with served(postgres_database, RandomPool(), tuning=tuning) as server:
        with psycopg.connect(postgres_database, autocommit=True) as old:
            old.execute("LISTEN industry")
            asked = server.service.store.level
            sweeps: list[int] = []

            async def counted() -> int:
                sweeps.append(await asked())
                return sweeps[-1]

            server.service.store.level = counted  # type: ignore[method-assign]
            made = server.make("human", "open", "open")
            already = len(sweeps)
            wait_until(lambda: len(sweeps) > already + 3)
            assert {entry["kind"] for entry in server.log(made["table"])} <= KINDS_OF_0_1_0
        wait_until(lambda: server.log(made["table"])[-1]["kind"] == "closed")


OPTIONS_OF_0_1_0 = {
    *("edition", "players", "board", "rules", "seating", "undo", "auto_forced", "clock", "zombie"),
    "listed",
}
KINDS_OF_0_1_0 = {
    *("created", "seat_taken", "seat_left", "seat_to_bot", "started", "move", "undone"),
    *("absent", "returned", "era_revealed", "bag_revealed", "rematch"),
}


def test_once_the_older_process_has_gone_new_tables_are_made_as_usual(
    postgres_database: str,
) -> None:
    with served(postgres_database, RandomPool()) as server:
        with psycopg.connect(postgres_database, autocommit=True) as old:
            old.execute("LISTEN industry")
            before = server.make("human", "open", "open")
        after = server.post(
            "/api/tables", id="after", options={"players": 3}, seats=[{"kind": "open"}] * 3
        )
        proofs = [server.get(f"/api/tables/{m['table']}/proof") for m in (before, after)]
    assert [proof["scheme"] for proof in proofs] == [1, 2]
