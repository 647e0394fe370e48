"""`industry admin person`, and what a backup holds of persons."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import Outcome, run

from ..conftest import STORES, copy_of, new_postgres
from ..playing import Client, Json, RandomPool, served
from .members import Member


@pytest.fixture(scope="module", params=STORES)
def first(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Json]:
    """A database with two persons at one table, and how Ana signs in."""
    if request.param == "sqlite":
        database = f"sqlite:///{tmp_path_factory.mktemp('club') / 'tables.db'}"
    else:
        database = new_postgres(request.getfixturevalue("postgres"))
    with served(database, RandomPool(), persons="open") as server:
        ana, bo = Member(server, "Ana"), Member(server, "Bo")
        made = ana.open_table("open", "open", listed=True)
        bo.sit(made["table"])
        return database, {"link": ana.link, "bo": bo.link, "table": made["table"]}


@pytest.fixture
def stored(first: tuple[str, Json], tmp_path: Path) -> Iterator[tuple[str, Json]]:
    database, known = first
    yield copy_of(database, tmp_path), known


def person(database: str, *args: object) -> Outcome:
    return run("admin", "person", *args, "--database", database)


def told(database: str, *args: object) -> Json:
    outcome = person(database, *args, "--json")
    assert outcome.code == 0, outcome.err
    found: Json = json.loads(outcome.out)
    return found


def test_persons_are_listed_and_shown(stored: tuple[str, Json]) -> None:
    database, _ = stored
    out = person(database, "list").out
    assert "Ana" in out and "2 persons." in out
    assert told(database, "show", "ana")["tables"] == 1


def test_a_renamed_person_is_called_so_everywhere(stored: tuple[str, Json]) -> None:
    database, known = stored
    assert told(database, "rename", "Ana", "Anna")["name"] == "Anna"
    with served(database, RandomPool(), persons="open") as server:
        assert "Anna" in server.http("GET", "/api/tables").text
        seats = server.get(f"/api/tables/{known['table']}")["seats"]
        assert seats[0]["name"] == "Anna"


@pytest.mark.both_stores
def test_a_merged_person_plays_on_from_the_other_ones_account(stored: tuple[str, Json]) -> None:
    database, known = stored
    assert told(database, "merge", "Ana", "Bo")["tables"] == 2
    with served(database, RandomPool(), persons="open") as server:
        bo = Member(server, link=known["bo"])
        rows = bo.get("me/tables")["tables"]
        assert sorted(row["seat"] for row in rows) == [1, 2]
        tokens = [row["token"] for row in rows]
        with Client(server, known["table"], tokens).ready() as client:
            assert sorted(client.yours) == [1, 2]
        assert Member(server).code("POST", "session/link", secret=known["link"]) == "bad_token"


def test_a_banned_person_is_let_in_again(stored: tuple[str, Json]) -> None:
    database, known = stored
    assert told(database, "ban", "Ana")["banned"]
    with served(database, RandomPool(), persons="open") as server:
        assert Member(server).code("POST", "session/link", secret=known["link"]) == "banned"
    assert not told(database, "unban", "Ana")["banned"]


def test_a_lost_link_is_replaced_and_an_invitation_made(stored: tuple[str, Json]) -> None:
    database, known = stored
    link, invitation = told(database, "link", "Ana")["link"], told(database, "invite")["invitation"]
    with served(database, RandomPool(), persons="invitation") as server:
        assert Member(server, link=link).me["name"] == "Ana"
        assert Member(server).code("POST", "session/link", secret=known["link"]) == "bad_token"
        joined = Member(server).post("persons", name="Cy", invitation=invitation)
        assert joined["me"]["name"] == "Cy"


def test_what_is_wrong_is_said(stored: tuple[str, Json]) -> None:
    database, _ = stored
    outcome = person(database, "show", "Zoe")
    assert outcome.code != 0 and "there is no person Zoe" in outcome.err
    assert "looks the same" in person(database, "rename", "Ana", "BO").err


@pytest.mark.both_stores
def test_a_backup_restores_persons_with_their_tables(
    stored: tuple[str, Json], tmp_path: Path
) -> None:
    database, known = stored
    file, other = tmp_path / "backup.jsonl.gz", f"sqlite:///{tmp_path / 'restored.db'}"
    assert run("admin", "backup", file, "--database", database).code == 0
    assert run("admin", "restore", file, "--database", other).code == 0
    with served(other, RandomPool(), persons="open") as server:
        ana = Member(server, link=known["link"])
        assert list(ana.tables()) == [known["table"]]
        assert "Ana" in server.http("GET", "/api/tables").text


def test_a_backup_made_after_a_deletion_knows_nothing(
    stored: tuple[str, Json], tmp_path: Path
) -> None:
    database, _ = stored
    ana = told(database, "show", "Ana")["id"]
    assert person(database, "delete", "Ana", "--yes").code == 0
    file = tmp_path / "backup.jsonl"
    assert run("admin", "backup", file, "--database", database).code == 0
    text = file.read_text()
    assert "Ana" not in text and ana not in text
    assert "Bo" in text


def test_an_exported_table_takes_no_person_with_it(
    stored: tuple[str, Json], tmp_path: Path
) -> None:
    database, _ = stored
    file = tmp_path / "tables.jsonl"
    assert run("admin", "export", "--out", file, "--database", database).code == 0
    assert "Ana" not in file.read_text()
