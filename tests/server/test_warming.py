"""While machine code is compiled, people are told so, and a bot that stands in is named."""

from collections.abc import Callable
from pathlib import Path

import pytest

from industry.boards import load_board
from industry.bots.runner import compile_runners
from industry.notation import record_from_toml, verify
from industry.server.bot_pool import BotPool
from industry.server.entries import LogEntry, Moved, entry_of
from tests.support.packages import choosing, install

from .playing import Client, Json, served

LOADING = 120.0
"""Seconds in which a process imports Numba, also on a busy machine."""
THINKER = f"""
    level = 5
    def warm_up(self):
        from industry.engine.compile_progress import note_begun, note_done, note_expected
        note_expected(["first half", "second half"])
        for half in ("first half", "second half"):
            note_begun(half)
            while not os.path.exists(os.path.join(os.environ["GATES"], half)): time.sleep(0.02)
            note_done(half)
{choosing("return legal[-1]")}"""


@pytest.fixture
def gates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bot “thinker” whose compiler waits for two files in this folder; all others are warm."""
    compile_runners()
    folder = tmp_path / "gates"
    folder.mkdir()
    monkeypatch.setenv("GATES", str(folder))
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    monkeypatch.syspath_prepend(install(foreign, {"thinker": THINKER}))
    return folder


def until_warming(client: Client, ready: int | None) -> Json | None:
    """Waits until this many parts are said to be ready; None: until nobody waits any more."""
    while True:
        message = client.receive(timeout=LOADING)
        if message["type"] == "presence":
            warming: Json | None = message["warming"]
            if (None if warming is None else warming["ready"]) == ready:
                return warming


def moves_of(client: Client, seat: int) -> list[Json]:
    """Moves that the bot of a seat had a choice about, as the log has them."""
    return [e for e in client.entries if e["seat"] == seat and e["how"] == "bot"]


def stand_ins(client: Client, seat: int) -> list[str | None]:
    return [entry["stand_in"] for entry in moves_of(client, seat)]


def play_until(client: Client, is_enough: Callable[[], object]) -> None:
    """Make the last legal move, again and again, until it is enough."""
    while not is_enough():
        seat = client.actor()
        if seat in client.yours:
            client.until_version(client.move(client.yours[seat]["legal"][-1])["version"])
        else:
            client.receive(timeout=LOADING)


def test_people_see_how_far_the_compiler_is_and_who_plays_meanwhile(
    tmp_path: Path, gates: Path
) -> None:
    pool = BotPool(1, seconds=0.05, patience=LOADING)
    with served(f"sqlite:///{tmp_path / 'tables.db'}", pool, warm=True) as server:
        made = server.make("human", "thinker", "human", seating="as_joined")
        with server.client(made, 1, 3).ready() as client:
            warming = until_warming(client, 0)
            assert warming is not None
            assert (warming["total"], warming["stand_in"]) == (2, "engineer")
            assert {"director", "magnate", "thinker"} == set(warming["bots"])
            assert not warming["failed"]
            play_until(client, lambda: stand_ins(client, 2))
            assert set(stand_ins(client, 2)) == {"engineer"}
            (gates / "first half").touch()
            until_warming(client, 1)
            with server.client(made).ready() as late:
                until_warming(late, 1)
            (gates / "second half").touch()
            until_warming(client, None)
            known = len(stand_ins(client, 2))
            play_until(client, lambda: len(stand_ins(client, 2)) > known)
            assert stand_ins(client, 2)[-1] is None
            kept = [entry for entry in server.log(made["table"]) if entry["kind"] == "move"]
            named = [entry.get("stand_in") for entry in kept if entry["how"] == "bot"]
            assert named[: known + 1] == stand_ins(client, 2)[: known + 1]
        text = server.http("GET", f"/api/tables/{made['table']}/record").text
        assert "engineer" not in text
        assert verify(record_from_toml(text), load_board("industry")) is None


def test_an_entry_of_an_earlier_version_is_read_and_written_as_it_was() -> None:
    text = '{"at":5,"how":"bot","kind":"move","line":"1 pass","seat":1,"version":7}'
    assert entry_of(text) == LogEntry(7, 5, Moved("1 pass", "bot", 1))
    assert entry_of(text).text() == text
    named = LogEntry(7, 5, Moved("1 pass", "bot", 1, "engineer"))
    assert entry_of(named.text()) == named
