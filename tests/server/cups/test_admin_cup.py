"""`industry admin cup`, and what a backup holds of cups."""

import json
from pathlib import Path

import pytest

from tests.cli.running import Outcome, run

from ..conftest import STORES, new_postgres
from ..playing import Json, RandomPool, served
from .holding import named, new_cup, until_over

YEAR_2100 = 4_102_444_800_000


def cup(database: str, *args: object) -> Outcome:
    return run("admin", "cup", *args, "--database", database)


def told(database: str, *args: object) -> Json:
    outcome = cup(database, *args, "--json")
    assert outcome.code == 0, outcome.err
    found: Json = json.loads(outcome.out)
    return found


@pytest.fixture(params=STORES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.db'}"
    return new_postgres(request.getfixturevalue("postgres"))


def test_cups_are_listed_shown_started_and_exported(database: str, tmp_path: Path) -> None:
    with served(database, RandomPool(), persons="open") as server:
        ana = named(server, "Ana")
        made = new_cup(
            ana, name="Winter", bots=["foreman"] * 3, places=9, take_part=False, starts=YEAR_2100
        )
    out = cup(database, "list").out
    assert "Winter" in out and "3 of 9" in out and "1 cup." in out
    assert "starts 2100-01-01 00:00" in out
    assert told(database, "show", made["id"])["owner"] == ana.me["id"]
    assert told(database, "start", made["id"])["status"] == "running"
    assert "has started already" in cup(database, "start", made["id"]).err
    with served(database, RandomPool(), persons="open") as server:
        ana.server = server
        until_over(ana, made["id"])
    file = tmp_path / "cup.json"
    assert cup(database, "export", made["id"], "--out", file).code == 0
    found = json.loads(file.read_text("utf-8"))
    assert found["status"] == "over" and len(found["rounds"]) == 2
    assert "is over" in cup(database, "cancel", made["id"]).err
    assert "no cup" in cup(database, "show", "a" * 12).err


@pytest.mark.both_stores
def test_a_backup_brings_a_running_cup_to_another_database(database: str, tmp_path: Path) -> None:
    with served(database, RandomPool(), persons="open") as server:
        ana = named(server, "Ana")
        made = new_cup(ana, bots=["foreman"] * 3, places=9)
        link = ana.link
    file, other = tmp_path / "backup", f"sqlite:///{tmp_path / 'other.db'}"
    assert run("admin", "backup", file, "--database", database).code == 0
    assert run("admin", "restore", file, "--database", other).code == 0
    with served(other, RandomPool(), persons="open") as server:
        from ..club.members import Member

        again = Member(server, link=link)
        found = again.get(f"cups/{made['id']}")
        assert found == made | {"me": 4}
        assert again.post(f"cups/{made['id']}/cancel")["status"] == "cancelled"
