"""Running games survive an upgrade, and finished ones never change (P6).

The databases and backups were left behind by earlier versions: see `databases/README.md`.
"""

import gzip
import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from industry.notation import record_from_toml, verify
from tests.cli.running import run

from .playing import Client, Json, RandomPool, Server, play_on, served

FOLDER = Path(__file__).parent / "databases"
VERSIONS = sorted(file.stem for file in FOLDER.glob("*.json"))


@dataclass(frozen=True)
class Left:
    """What an earlier version left behind."""

    version: str
    tables: dict[str, Json]
    at: int

    def database(self, folder: Path) -> str:
        """The database as that version left it, as a file of one's own."""
        file = folder / "tables.db"
        text = gzip.decompress((FOLDER / f"{self.version}.sql.gz").read_bytes()).decode()
        with closing(sqlite3.connect(file)) as database:
            database.executescript(text)
        return f"sqlite:///{file}"

    def restored(self, database: str) -> str:
        """A database made of that version's backup."""
        backup = FOLDER / f"{self.version}.jsonl.gz"
        done = run("admin", "restore", backup, "--database", database)
        assert (done.code, done.err) == (0, "")
        return database

    def now(self) -> int:
        """The club upgrades at once: no table is abandoned meanwhile, whenever this test runs."""
        return self.at + 60_000


@pytest.fixture(params=VERSIONS)
def left(request: pytest.FixtureRequest) -> Left:
    facts = json.loads((FOLDER / f"{request.param}.json").read_text("utf-8"))
    return Left(request.param, facts["tables"], facts["at"])


def record_of(server: Server, table: str) -> str:
    return server.http("GET", f"/api/tables/{table}/record").text


def expect_unchanged(server: Server, left: Left) -> None:
    """Every table has the history that the earlier version wrote, and the same record."""
    for name, known in left.tables.items():
        entries = server.get(f"/api/tables/{known['table']}/log")["entries"]
        assert entries[known["version"] - 1]["hash"] == known["head"], name
        if name != "bots":  # the foreman plays on as soon as a server runs
            assert len(entries) == known["version"], name
            assert server.get(f"/api/tables/{known['table']}")["status"] == known["status"]
            if known["record"] is not None:
                assert record_of(server, known["table"]) == known["record"], name


def play_all(server: Server, left: Left) -> None:
    """Play every unfinished game to its end, with the seats' old secrets."""
    waiting = left.tables["waiting"]
    guests = [
        server.post(f"/api/tables/{waiting['table']}/seats", id=name, name=name)["token"]
        for name in ("Dee", "Eli")
    ]
    for number, (name, known) in enumerate(left.tables.items()):
        tokens = [*known["tokens"], *(guests if name == "waiting" else ())]
        with Client(server, known["table"], tokens).ready() as client:
            play_on(client, Random(number))
            assert client.view["status"] == "over", name
        record = record_from_toml(record_of(server, known["table"]))
        assert record.proof is not None
        assert record.proof.secret is not None
        assert verify(record, server.service.catalogue.by_name[record.edition]) is None, name


def test_an_upgraded_database_is_played_on_to_the_end(left: Left, tmp_path: Path) -> None:
    database = left.database(tmp_path)
    before = run("admin", "check", "--database", database)
    assert before.lines == [f"{len(left.tables)} tables replayed: all right."]
    with served(database, RandomPool(), clock=left.now) as server:
        expect_unchanged(server, left)
        play_all(server, left)
    assert run("admin", "check", "--database", database).code == 0


def test_a_backup_of_an_earlier_version_restores_into_both_kinds_of_database(
    left: Left, database: str
) -> None:
    with served(left.restored(database), RandomPool(), clock=left.now) as server:
        expect_unchanged(server, left)
        running = left.tables["running"]
        with Client(server, running["table"], running["tokens"]).ready() as client:
            assert play_on(client, Random(1), 10) == 10


def test_an_upgrade_may_happen_twice(left: Left, tmp_path: Path) -> None:
    """A server that is stopped right after the upgrade has changed nothing that it needs."""
    database = left.database(tmp_path)
    for _ in range(2):
        with served(database, RandomPool(), clock=left.now) as server:
            expect_unchanged(server, left)
