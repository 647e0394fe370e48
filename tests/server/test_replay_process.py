"""P12: a stranger's record costs the server nothing, whatever is in it."""

import asyncio
import builtins
import gzip
import json
import os
import sys
import time
from dataclasses import replace
from multiprocessing import active_children
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from industry.server import replay_api, replay_process
from industry.server.child_process import ChildProcess
from industry.server.errors import Refused
from industry.server.protocol.replay import ReplayWish
from industry.server.replay_api import WAITING, Replays
from industry.server.replay_process import (
    MEMORY,
    ReplayAnswer,
    ReplayJob,
    UnplayableRecord,
    limit_memory,
)
from tests.notation.samples import board, finished

from .forked import resident_memory
from .playing import WIDE, Json, RandomPool, Server, served

MIB = 1 << 20
DOTTED = "a." * 32_000 + "a=1"


def wish(number: int = 0) -> ReplayWish:
    return ReplayWish(record=json.dumps(finished() | {"note": number}))


def boards() -> dict[str, Any]:
    return {board("industry").hash: board("industry")}


def test_p12_a_record_of_one_dotted_key_is_refused_before_it_is_parsed(
    sqlite_server: Server,
) -> None:
    """64 KB took version 0.1.0 from 106 MB to 4.4 GB, for good."""
    others = {child.pid for child in active_children()}
    sqlite_server.http("POST", "/api/replay", json={"record": "{"})
    (child,) = [child for child in active_children() if child.pid not in others]
    pids = (os.getpid(), child.pid or 0)
    for record in (DOTTED, "[" + DOTTED[:-2] + "]", "x={" + DOTTED + "}"):
        before = [used(pid) for pid in pids]
        answer = sqlite_server.http("POST", "/api/replay", json={"record": record})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_record")
        assert "nested too deeply" in answer.json()["detail"]
        memory, seconds = zip(*(used(pid) for pid in pids), strict=True)
        assert sum(memory) - sum(bytes_before for bytes_before, _ in before) < 50 * MIB
        assert sum(seconds) - sum(worked for _, worked in before) < 0.5


def used(pid: int) -> tuple[int, float]:
    """What a process occupies, in bytes, and how many seconds it has worked."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    worked = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return resident_memory(pid), worked


def test_p12_records_are_replayed_in_a_process_of_their_own(sqlite_server: Server) -> None:
    """Its parser takes nothing of the loop that serves tables."""
    before = {child.pid for child in active_children()}
    answer = sqlite_server.http("POST", "/api/replay", json={"record": wish().record})
    assert answer.status_code == 200
    (child,) = [child for child in active_children() if child.pid not in before]
    maps = Path(f"/proc/{child.pid}/limits").read_text()
    space = next(line for line in maps.splitlines() if line.startswith("Max address space"))
    assert int(space.split()[3]) < 4 << 30


def greedy(connection: Connection) -> None:
    """As `replay_process.serve`, for a record that takes all it can get."""
    assert limit_memory(MEMORY)
    connection.send(None)
    connection.recv()
    try:
        taken = [bytearray(MIB) for _ in range(4000)]
        connection.send(len(taken))
    except MemoryError:
        connection.send("no more")


def test_p12_the_process_gets_so_much_memory_and_no_more() -> None:
    peer = ChildProcess(greedy)
    try:
        assert peer.request("take", 60) == "no more"
    finally:
        peer.end()


def test_where_memory_cannot_be_limited_records_are_replayed_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not every system has the module `resource`; the time is limited everywhere."""
    real = builtins.__import__

    def without(name: str, *more: Any) -> Any:
        if name == "resource":
            raise ImportError(name)
        return real(name, *more)

    monkeypatch.delitem(sys.modules, "resource", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    assert not limit_memory(MEMORY)
    answer = replay_process._answered(ReplayJob(wish(), boards()), {})
    assert isinstance(answer, ReplayAnswer)
    data: Json = json.loads(gzip.decompress(answer.body))
    assert data["fault"] is None


def asleep(connection: Connection) -> None:
    """As `replay_process.serve`, for a record that takes for ever."""
    connection.send(None)
    connection.recv()
    time.sleep(600)


def with_process(
    monkeypatch: pytest.MonkeyPatch, serve: Any, seconds: float, asks: int
) -> list[BaseException | bytes]:
    """What some questions at the same time are answered."""
    monkeypatch.setattr(replay_api, "serve", serve)
    monkeypatch.setattr(replay_api, "SECONDS", seconds)

    async def run() -> list[BaseException | bytes]:
        replays = Replays(boards())
        try:
            questions = [replays.answer(wish(number)) for number in range(asks)]
            return await asyncio.gather(*questions, return_exceptions=True)
        finally:
            await replays.stop()

    return asyncio.run(run())


def test_p12_a_record_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process is replaced, and the next record has a new one."""
    first, second = with_process(monkeypatch, asleep, 0.2, 2)
    for error in (first, second):
        assert isinstance(error, UnplayableRecord)
        assert (error.status, error.code) == (413, "too_large")


def ended(connection: Connection) -> None:
    """A process that cannot even begin."""


def test_a_process_that_dies_is_told_as_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    (error,) = with_process(monkeypatch, ended, 5, 1)
    assert isinstance(error, Refused)
    assert (error.code, error.retry_after) == ("busy", 5)


def slowly(_: ReplayWish) -> bytes:
    time.sleep(0.02)
    return b""


def test_p12_more_than_eight_that_wait_are_refused_with_the_time_to_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> list[BaseException | bytes]:
        replays = Replays(boards())
        monkeypatch.setattr(replays, "_ask", slowly)
        try:
            questions = [replays.answer(wish(number)) for number in range(1 + WAITING + 4)]
            return await asyncio.gather(*questions, return_exceptions=True)
        finally:
            await replays.stop()

    answers = asyncio.run(run())
    refused = [error for error in answers if isinstance(error, Refused)]
    assert [(error.code, error.retry_after) for error in refused] == [("busy", 5)] * 4
    assert answers.count(b"") == 1 + WAITING


def test_the_same_record_is_replayed_once_however_many_ask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A shared link sends a whole club to the same game."""
    monkeypatch.setattr(replay_api, "SECONDS", 60.0)

    async def run() -> tuple[list[bytes], int]:
        replays = Replays(boards())
        asked = 0
        real = replays._ask

        def counted(what: Any) -> bytes:
            nonlocal asked
            asked += 1
            return real(what)

        monkeypatch.setattr(replays, "_ask", counted)
        try:
            answers = await asyncio.gather(*(replays.answer(wish()) for _ in range(30)))
            answers.append(await replays.answer(wish()))
            return answers, asked
        finally:
            await replays.stop()

    answers, asked = asyncio.run(run())
    assert len(set(answers)) == 1
    assert asked == 1


def test_p12_an_address_has_so_many_records_replayed(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool(), limits=replace(WIDE, address_replays=2)) as server:
        answers = [
            server.http("POST", "/api/replay", json={"record": f"{{{number}"})
            for number in range(3)
        ]
        assert [answer.status_code for answer in answers] == [422, 422, 429]
        assert answers[2].json()["code"] == "too_fast"
        assert answers[2].json()["retry_after"] >= 1
