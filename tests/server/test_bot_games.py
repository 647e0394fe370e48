"""Whole games of bots through the real server, from creation to result."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from industry.boards import load_board
from industry.notation import record_from_toml, verify
from industry.notation.proof import check_data
from industry.server.bot_pool import BotPool
from tests.support import proof

from .playing import Client, Server, served

TABLES = [("industria", 4), ("industry", 3), ("industry", 4), ("industria", 3)]


@pytest.fixture(scope="module")
def bot_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("bots")
    pool = BotPool(1, seconds=0.05, patience=60)  # on a busy machine they need long to load
    with served(f"sqlite:///{folder / 'tables.db'}", pool) as server:
        yield server


@pytest.mark.parametrize(("edition", "players"), proof.cases(TABLES))
def test_a_game_of_bots_runs_from_creation_to_result(
    bot_server: Server, edition: str, players: int
) -> None:
    bots = ("foreman", "apprentice", "engineer", "random")[:players]
    made = bot_server.make(*bots, edition=edition, listed=True)
    assert made["seats"] == []
    with Client(bot_server, made["table"], []).ready() as watcher:
        while watcher.view["status"] != "over":
            watcher.receive(timeout=300)
        names = [seat["name"] for seat in watcher.view["seats"]]
        assert sorted(names) == sorted(bot.capitalize() for bot in bots)
        assert watcher.view["game"]["winners"]
        hows = {entry["how"] for entry in watcher.entries if entry["kind"] == "move"}
        assert hows == {"bot", "automatic", "chance"}
    text = bot_server.http("GET", f"/api/tables/{made['table']}/record").text
    record = record_from_toml(text)
    assert record.result is not None
    assert verify(record, load_board(edition)) is None
    assert check_data(record.data()).secret
