"""Every step of a cup happens once: whichever process makes it, and wherever one dies."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from industry.server.cups import book
from industry.server.cups.driver import CupDriver
from industry.server.cups.tables import CupTables
from tests.support import proof

from ..playing import Json, RandomPool, Server, served
from .holding import games, named, new_cup, until_over

ROUNDS = proof.amount(1, 2)
WISH: Json = {
    "bots": ["foreman"] * 7,
    "places": 8,
    "size": 4,
    "rounds": ROUNDS,
    "duplicate": True,
}


class Killed(Exception):
    """The process ends here."""


def test_a_cup_goes_on_wherever_its_process_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each step fails once before anything is done and once right after; nobody notices."""
    tries: Counter[str] = Counter()

    def deadly(kind: str, work: Any) -> Any:
        async def attempt(self: Any, *given: Any) -> Any:
            key = f"{kind} {_key(given)}"
            tries[key] += 1
            if tries[key] == 1:
                raise Killed
            found = await work(self, *given)
            if tries[key] == 2:
                raise Killed
            return found

        return attempt

    monkeypatch.setattr(CupTables, "make", deadly("make", CupTables.make))
    monkeypatch.setattr(CupTables, "reveal", deadly("reveal", CupTables.reveal))
    monkeypatch.setattr(CupDriver, "_save", deadly("save", CupDriver._save))
    with served(f"sqlite:///{tmp_path / 'x.db'}", RandomPool(), persons="open") as server:
        ana = named(server, "Ana")
        made = new_cup(ana, **WISH, take_part=False)
        ana.post(f"cups/{made['id']}/start")
        cup = until_over(ana, made["id"])
        check_whole(server, cup)
    kinds = Counter(key.split()[0] for key in tries)
    assert kinds["make"] == kinds["reveal"] == 2 * ROUNDS  # two tables in each
    assert kinds["save"] >= 2 * ROUNDS + 1  # the rounds, their results, the end
    assert all(count >= 2 for count in tries.values())


def _key(given: tuple[Any, ...]) -> str:
    """Names what a step is about: a game, a table, or the state of a cup."""
    last = given[-2] if len(given) > 1 else given[0]
    return str(getattr(last, "table", None) or getattr(last, "revision", None) or last)


def check_whole(server: Server, cup: Json) -> None:
    """Every table was made once, belongs to the cup, and has one bag with its neighbours."""
    assert [len(held["games"]) for held in cup["rounds"]] == [2] * ROUNDS
    tables = [game["table"] for game in games(cup)]
    assert len(set(tables)) == 2 * ROUNDS
    for table in tables:
        log = server.log(table)
        kinds = Counter(entry["kind"] for entry in log)
        assert kinds["created"] == kinds["started"] == kinds["bag_revealed"] == 1
        assert log[0]["options"]["cup"] == cup["id"]


@pytest.mark.proof
def test_two_processes_hold_a_cup_together(postgres_database: str) -> None:
    with (
        served(postgres_database, RandomPool(), persons="open") as one,
        served(postgres_database, RandomPool(), persons="open") as other,
    ):
        ana = named(one, "Ana")
        made = new_cup(ana, **WISH, take_part=False)
        ana.post(f"cups/{made['id']}/start")
        check_whole(other, until_over(ana, made["id"]))


def test_a_change_of_an_older_state_is_refused(tmp_path: Path) -> None:
    from sqlalchemy import create_engine

    from industry.server.store import Conflict

    with served(f"sqlite:///{tmp_path / 'x.db'}", RandomPool(), persons="open") as server:
        made = new_cup(named(server, "Ana"))
        engine = create_engine(str(server.service.store.url))
        with engine.begin() as connection:
            stored = book.find(connection, made["id"])
            book.save(connection, stored, 1)
            with pytest.raises(Conflict):
                book.save(connection, stored, 2)
        engine.dispose()
