"""`industry admin rating`, and what a backup holds of ratings."""

import json
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from industry.server.store.rating_schema import RATINGS, ratings
from tests.cli.running import Outcome, run

from ..conftest import copy_of
from ..playing import Json, RandomPool, Server, served
from .members import Member
from .rated import counted, game, in_database


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database with two counted games of three persons."""
    database = f"sqlite:///{tmp_path_factory.mktemp('ratings') / 'tables.db'}"
    with served(database, RandomPool(), persons="open") as server:
        people = [Member(server, name).me["id"] for name in ("Ana", "Bo", "Cy")]
        now = server.service.now()
        counted(server, game("a" * 12, people, (1, 2, 3), ended=now))
        counted(server, game("b" * 12, people, (1, 3, 2), ended=now, left={2: (0.2, 0.5, 0.3)}))
    return database


@pytest.fixture
def database(first: str, tmp_path: Path) -> str:
    return copy_of(first, tmp_path)


def rating(database: str, *args: object) -> Outcome:
    return run("admin", "rating", *args, "--database", database)


def told(database: str, *args: object) -> Json:
    outcome = rating(database, *args, "--json")
    assert outcome.code == 0, outcome.err
    found: Json = json.loads(outcome.out)
    return found


def rows(server: Server) -> dict[str, list[tuple[object, ...]]]:
    def work(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
        return {
            part.name: [tuple(row) for row in connection.execute(select(part))] for part in RATINGS
        }

    return in_database(server, work)


def test_the_ladder_is_listed_best_first(database: str) -> None:
    out = rating(database, "list").out
    assert out.index("Ana") < out.index("Bo") and "2 games were counted." in out
    lines = rating(database, "list", "--json").out.splitlines()
    assert json.loads(lines[0])["name"] == "Ana"


def test_a_person_is_shown_with_games(database: str) -> None:
    assert "place 2, left" in rating(database, "show", "cy").out
    assert told(database, "show", "Ana")["curves"][0]["games"] == 2
    assert "there is no person Zoe" in rating(database, "show", "Zoe").err


def test_recompute_gives_the_same_numbers_and_mends_others(database: str) -> None:
    expected = {"games": 2, "ratings": 3, "changed": 0, "most": 0.0}
    assert told(database, "recompute") == expected
    with served(database, RandomPool(), persons="open") as server:
        before = rows(server)
        in_database(server, lambda c: c.execute(ratings.update().values(rating=0.0)))
        assert told(database, "recompute") == expected  # through the server that runs
        assert rows(server) == before
    assert "nothing changed" in rating(database, "recompute").out


def test_a_backup_restores_ratings(database: str, tmp_path: Path) -> None:
    file, other = tmp_path / "backup.jsonl.gz", f"sqlite:///{tmp_path / 'restored.db'}"
    assert run("admin", "backup", file, "--database", database).code == 0
    assert run("admin", "restore", file, "--database", other).code == 0
    assert rating(other, "list").out == rating(database, "list").out
    assert told(other, "recompute")["changed"] == 0


def test_a_backup_made_after_a_deletion_holds_no_trace_in_ratings(
    database: str, tmp_path: Path
) -> None:
    ana = told(database, "show", "Ana")["id"]
    assert run("admin", "person", "delete", "Ana", "--yes", "--database", database).code == 0
    file = tmp_path / "backup.jsonl"
    assert run("admin", "backup", file, "--database", database).code == 0
    assert ana not in file.read_text() and "rating_seats" in file.read_text()
    assert told(database, "recompute")["changed"] == 0
