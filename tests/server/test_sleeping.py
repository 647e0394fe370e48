"""Tables without sockets take little memory, and people who come back see the same as before."""

import gc
import json
import time
import tracemalloc
from pathlib import Path
from random import Random
from typing import Any

import pytest

from industry.boards import load_board
from industry.server.commands import Draft
from industry.server.live_table import LiveTable
from industry.server.new_table import fill_seats, new_table
from industry.server.protocol.http import SeatWish
from industry.server.protocol.view import TableOptions
from industry.server.service import Service
from industry.server.steps import News
from industry.server.store import Store
from industry.server.table import Table
from industry.server.tuning import Tuning

from .playing import RandomPool

SECRET = bytes(32)
EVERYBODY = frozenset({1, 2, 3, 4})
MOST = 20 * 1024
"""Bytes that a table may take which has just begun and at which nobody is."""


def take(live: LiveTable, draft: Draft) -> None:
    assert draft.shown is not None
    head = live.rows_of(draft.steps, None, 0)[-1].hash
    live.advance(News(draft.table, draft.steps, draft.shown, head))


def began(name: str = "sleepytable1") -> LiveTable:
    board = load_board("industry")
    options = TableOptions.model_validate({"auto_forced": False})
    draft = new_table(name, options, {"industry": board}, SECRET, 0)
    fill_seats(draft, [SeatWish(kind="human")] * 4, frozenset())
    live = LiveTable(Table(name, {board.hash: board}), SECRET, [])
    take(live, draft)
    return live


def play(live: LiveTable, moves: int, rng: Random) -> None:
    for _ in range(moves):
        position = live.table.position
        assert position is not None
        if position.is_over:
            return
        yours = live.yours(EVERYBODY, with_choices=False)
        lines = yours.partition('"legal":["')[2].partition('"]')[0].split('","')
        draft = Draft(live.table, SECRET, 0, live.shown)
        draft.move(position.actor, rng.choice(lines))
        take(live, draft)


def everything(live: LiveTable) -> tuple[Any, Any]:
    snapshot = live.snapshot(EVERYBODY, with_choices=True)
    return json.loads(snapshot), json.loads(live.steps_after(0))


@pytest.mark.parametrize("moves", [0, 1, 60, 600])
def test_a_table_that_has_slept_shows_the_same(moves: int) -> None:
    live = began()
    play(live, moves, Random(moves))
    before = everything(live)
    live.sleep()
    assert live.is_asleep
    assert everything(live) == before
    assert not live.is_asleep


def test_steps_after_sleeping_are_those_that_would_have_been() -> None:
    awake, sleeper = began(), began()
    for seed in range(40):
        play(awake, 3, Random(seed))
        play(sleeper, 3, Random(seed))
        sleeper.sleep()
    assert everything(sleeper) == everything(awake)


def test_entries_that_come_while_a_table_sleeps_are_packed_too() -> None:
    live, twin = began(), began()
    for count in range(5):
        live.sleep()
        draft = Draft(live.table, SECRET, count, live.shown)
        other = Draft(twin.table, SECRET, count, twin.shown)
        for one in draft, other:
            one.leave(2)
            one.come_back(2)
        take(live, draft)
        take(twin, other)
        assert not live.is_asleep
    live.sleep()
    assert everything(live) == everything(twin)


def test_tables_that_nobody_uses_sleep_and_then_leave_memory(tmp_path: Path) -> None:
    """Where something was said, a table stays longer: only memory has it."""
    tuning = Tuning()
    assert tuning.drowsy < tuning.idle < tuning.chatty
    service = Service(Store(f"sqlite:///{tmp_path / 'tables.db'}"), RandomPool(), tuning=tuning)
    quiet, chatty = began("quiettable01"), began("chattytable1")
    chatty.chat.add({"number": 1, "at": 0, "seat": 1, "text": "Hello", "emote": None})

    def left_for(seconds: float) -> None:
        for live in quiet, chatty:
            live.used = time.monotonic() - seconds
        service.drop_idle()

    service.keep(quiet)
    service.keep(chatty)
    left_for(0)
    assert not quiet.is_asleep
    left_for(tuning.drowsy + 1)
    assert quiet.is_asleep
    assert set(service.live_tables) == {quiet.id, chatty.id}
    left_for(tuning.idle + 1)
    assert set(service.live_tables) == {chatty.id}
    left_for(tuning.chatty + 1)
    assert not service.live_tables


def test_a_sleeping_table_takes_little_memory() -> None:
    def made() -> list[LiveTable]:
        tables = [began(f"sleepy{number:06}") for number in range(20)]
        for live in tables:
            live.sleep()
        return tables

    made()  # what all tables share exists afterwards
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    tables = made()
    gc.collect()
    used = (tracemalloc.get_traced_memory()[0] - before) / len(tables)
    tracemalloc.stop()
    assert used < MOST
