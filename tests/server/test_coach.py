"""The coach at a real table: it warns before a bad mistake, and thinks in a bots' process."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from industry.boards import load_board
from industry.bots.coach import BAD_MISTAKE, judge_move
from industry.engine import Position
from industry.notation import record_from_toml, replay, write_move
from industry.server.bot_pool import BotPool
from industry.server.bot_process import JudgedMove
from tests.browser.serving import Serving
from tests.browser.tables import make_table

from .playing import Client, Json, Server, served

BOARD = load_board("industry")
TABLES = 12
"""Somebody who errs when possible gets a warning at nearly every one of them."""


@pytest.fixture(scope="module")
def bot_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("coach")
    pool = BotPool(1, seconds=0.05, patience=60)
    with served(f"sqlite:///{folder / 'tables.db'}", pool) as server:
        yield server


def ask(site: str, table: str, token: str, line: str) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}"}
    path = f"{site}/api/tables/{table}/coach"
    return httpx.post(path, json={"id": "coach", "line": line}, headers=headers, timeout=120)


def judged_here(position: Position, line: str) -> JudgedMove:
    """What the coach would say in this process."""
    move = next(one for one in position.legal_moves if write_move(one, BOARD) == line)
    judged = judge_move(position, move)
    better = None if judged.better is None else write_move(judged.better, BOARD)
    return JudgedMove(judged.loss, better)


def warned_at(server: Server, made: Json) -> bool:
    """Plays in the first era, each move judged; whether one of them was a bad mistake."""
    table, held = made["table"], made["seats"][0]
    with server.client(made, held["seat"]) as client:
        while (seat := client.ready().until_mine()) is not None and client.view["game"]["era"] == 1:
            record = record_from_toml(server.http("GET", f"/api/tables/{table}/record").text)
            position = replay(record, BOARD).position
            for line in client.yours[seat]["legal"]:
                says = ask(server.url, table, held["token"], line).json()
                expected = judged_here(position, line)
                assert says == {
                    "warns": expected.better is not None,
                    "loss": round(expected.loss, 3),
                    "better": expected.better,
                }
                if says["warns"]:
                    assert says["loss"] >= BAD_MISTAKE - 0.0005
                    return True
            client.until_version(client.move(client.yours[seat]["legal"][0])["version"])
    return False


def test_the_coach_of_a_real_table_warns_before_a_bad_mistake(bot_server: Server) -> None:
    tables = (bot_server.make("human", "apprentice", "apprentice") for _ in range(TABLES))
    assert any(warned_at(bot_server, made) for made in tables)


def test_the_coach_judges_legal_moves_of_the_deciding_seat_alone(bot_server: Server) -> None:
    made = bot_server.make("human", "apprentice", "apprentice")
    held = made["seats"][0]
    with bot_server.client(made, held["seat"]) as client:
        seat = client.ready().until_mine()
        for line, code in ((f"{seat} bid 99", "illegal_move"), ("nonsense", "bad_line")):
            assert ask(bot_server.url, made["table"], held["token"], line).json()["code"] == code


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs Linux")
def test_the_coach_loads_no_numpy_into_the_process_that_serves(tmp_path: Path) -> None:
    serving = Serving(tmp_path)
    serving.start()
    try:
        made = make_table(serving.site, players=3)
        with Client(made, made.id, made.tokens) as client:
            seat = client.ready().until_mine()
            assert seat is not None
            line = client.yours[seat]["legal"][0]
        assert ask(serving.site, made.id, made.tokens[0], line).is_success
        assert "site-packages/numpy" not in Path(f"/proc/{serving.pid}/maps").read_text()
    finally:
        serving.stop()
