"""Version 0.1.0 and this one share a PostgreSQL while a club upgrades, and nobody notices (P6).

The released code itself runs here. `test_older_processes.py` tests what this version leaves
unwritten meanwhile, `test_listener.py` what an older process does with newer entries.
"""

import json
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from industry.boards import load_board
from industry.notation import record_from_toml, verify
from tests.cli.running import run

from .make_database import PEOPLE, Remote, serving, tokens_of
from .playing import PATIENCE, Client, Json, play_on


def play_at_both(made: Json, servers: tuple[Remote, Remote], moves: int) -> None:
    """Moves through one process and the other in turn; watchers at both see the same history."""
    tokens = tokens_of(made)
    with ExitStack() as stack:
        players = [stack.enter_context(s.client(made["table"], tokens)) for s in servers]
        watchers = [stack.enter_context(s.client(made["table"], [])) for s in servers]
        rng = Random(made["table"])
        for number in range(moves):
            mover = players[number % 2]
            play_on(mover, rng, 1)
            for client in (*players, *watchers):
                client.until_version(mover.version)
        assert same_history(*(watcher.entries for watcher in watchers))
    logs = [server.get(f"/api/tables/{made['table']}/log") for server in servers]
    assert logs[0] == logs[1]


def same_history(one: list[Json], other: list[Json]) -> bool:
    """Whether watchers were told the same; a newer version may add keys, which are empty here."""
    told = [{key: value for key, value in entry.items() if value} for entry in (*one, *other)]
    return told[: len(one)] == told[len(one) :]


def finish(server: Remote, made: Json) -> None:
    """Play to the end; the record proves itself."""
    with server.client(made["table"], tokens_of(made)) as client:
        play_on(client, Random(7))
        assert client.view["status"] == "over"


@pytest.mark.proof
def test_two_versions_side_by_side_show_one_history(
    released: Path, postgres_database: str, tmp_path: Path
) -> None:
    with serving(postgres_database) as new:
        with serving(postgres_database, released) as old:
            first = old.make("first", PEOPLE)
            play_at_both(first, (old, new), 40)
            second = new.make("second", PEOPLE)  # readable by both
            play_at_both(second, (new, old), 40)
            guests(new, old)
        with serving(postgres_database, released) as again:  # an old one may also come back
            play_at_both(first, (again, new), 10)
        third = new.make("third", PEOPLE)
        assert [new.get(f"/api/tables/{m['table']}/proof")["scheme"] for m in (second, third)] == [
            1,
            2,
        ]
        for made in (first, second, third):
            finish(new, made)
    checked = run("admin", "check", "--database", postgres_database)
    assert checked.lines == ["4 tables replayed: all right."]
    records = tmp_path / "records.jsonl"
    run("admin", "export", "--records", "--out", records, "--database", postgres_database)
    assert run("verify", records).code == 0


def guests(new: Remote, old: Remote) -> None:
    """Seats are taken, left and freed at one process, and the other one knows."""
    wish: Json = {"kind": "open"}
    made = new.make("guests", [PEOPLE[0], wish, wish])
    address = f"/api/tables/{made['table']}"
    taken = old.post(f"{address}/seats", id="bo", name="Bo", randomness="b0")
    with Client(new, made["table"], [taken["token"]]).ready() as client:
        assert client.welcome["seats"] == [2]
    new.post(f"{address}/free", made["host"], id="free", seat=2)
    deadline = time.monotonic() + PATIENCE  # the other process hears of it a moment later
    while [seat["kind"] for seat in old.get(address)["seats"]] != ["human", "open", "open"]:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_records_of_the_released_version_still_verify() -> None:
    """Finished games never change: those that version 0.1.0 left behind prove their bag as ever."""
    facts = json.loads((Path(__file__).parent / "databases" / "0.1.0.json").read_text("utf-8"))
    records = [table["record"] for table in facts["tables"].values() if table["record"]]
    assert len(records) == 5
    for text in records:
        record = record_from_toml(text)
        assert verify(record, load_board(record.edition)) is None
        assert record.data()["proof"]["scheme"] == "industry-bag-1"
