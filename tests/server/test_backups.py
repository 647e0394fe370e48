"""P15: a backup that is made under load restores, and holds every move acknowledged before it."""

import json
import subprocess
import threading
import time
from pathlib import Path
from random import Random

import pytest

from tests.cli.running import PROGRAM, run

from .conftest import new_postgres
from .forked import Forked
from .playing import WIDE_SETTINGS, Client, Json

MOVES = 6
"""Moves at every table before the first backup, so that there is something to lose."""

PACE = 0.05
"""Seconds before each move. Without it every backup would hold hundreds of games more than the one
before, and each is replayed four times: the proof would take longer and longer.
"""

TIRELESS = WIDE_SETTINGS | {"INDUSTRY_MAX_MESSAGES": "100000"}


class Player(threading.Thread):
    """Plays all seats of one table after the other, and knows what was acknowledged."""

    def __init__(self, server: Forked, number: int) -> None:
        super().__init__(daemon=True)
        self._server = server
        self._number = number
        self._over = threading.Event()
        self.acknowledged: dict[str, int] = {}
        """By table: the newest version that its player was told is durable."""
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            game = 0
            while not self._over.is_set():
                self._play(f"player-{self._number}-game-{game}")
                game += 1
        except BaseException as error:  # told by `stop`
            self.failure = error

    def _play(self, name: str) -> None:
        seats = [{"kind": "human", "name": f"P{seat}"} for seat in (1, 2, 3)]
        wish = {"id": name, "options": {"players": 3}, "seats": seats}
        made: Json = self._server.http("POST", "/api/tables", json=wish).json()
        tokens = [held["token"] for held in made["seats"]]
        rng = Random(name)
        with Client(self._server, made["table"], tokens).ready() as client:
            while not self._over.wait(PACE) and (seat := client.until_mine()) is not None:
                answer = client.move(rng.choice(client.yours[seat]["legal"]))
                assert answer["type"] == "accepted", answer
                self.acknowledged[made["table"]] = answer["version"]
                client.until_version(answer["version"])

    def stop(self) -> None:
        self._over.set()
        self.join(60)
        if self.failure is not None:
            raise self.failure


def promised(players: list[Player]) -> dict[str, int]:
    return {table: n for player in players for table, n in list(player.acknowledged.items())}


def back_up_under_load(database: str, folder: Path, tables: int, rounds: int) -> list[Path]:
    """Backups by the command while all tables are played; each holds what was acknowledged."""
    files = []
    with Forked(folder, database, settings=TIRELESS) as server:
        server.until_ready()
        players = [Player(server, number) for number in range(tables)]
        for player in players:
            player.start()
        while any(max(p.acknowledged.values(), default=0) < MOVES for p in players):
            assert not any(player.failure for player in players), players[0].failure
            threading.Event().wait(0.05)
        for number in range(rounds):
            before = promised(players)
            begun = time.monotonic()
            files.append(folder / f"backup-{number}.jsonl.gz")
            command = [*PROGRAM, "admin", "backup", str(files[-1]), "--database", database]
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            assert (done.returncode, done.stderr) == (0, "")
            assert promised(players) != before, "nobody played while the backup was made"
            expect_all(files[-1], folder, before)
            took = time.monotonic() - begun
            print(f"backup {number}: {len(before)} tables, checked after {took:.1f} s")
        for player in players:
            player.stop()
    return files


def expect_all(file: Path, folder: Path, least: dict[str, int]) -> None:
    """The backup restores, replays, and has every table up to what was acknowledged."""
    restored = f"sqlite:///{folder / file.name}.db"
    done = run("admin", "restore", file, "--database", restored)
    assert (done.code, done.err) == (0, "")
    assert run("admin", "check", "--database", restored).code == 0
    tables = run("admin", "export", "--out", "-", "--database", restored).lines[1:-1]
    kept = {data["table"]: data["logs"][-1]["version"] for data in map(json.loads, tables)}
    assert all(kept.get(table, 0) >= version for table, version in least.items())


def test_a_backup_under_load_holds_every_acknowledged_move(tmp_path: Path) -> None:
    back_up_under_load(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path, tables=2, rounds=1)


@pytest.mark.proof
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_many_backups_under_load_all_restore_and_check(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    sqlite = f"sqlite:///{tmp_path / 'tables.db'}"
    database = sqlite if kind == "sqlite" else new_postgres(request.getfixturevalue("postgres"))
    files = back_up_under_load(database, tmp_path, tables=6, rounds=12)
    assert len(files) == 12
