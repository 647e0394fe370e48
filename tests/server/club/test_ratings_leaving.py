"""Somebody leaves a rated game: the judge says what the position was worth."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from industry.judge.outlook import outlook
from industry.server.ratings import keeper as keeping
from industry.server.ratings.games import departures
from industry.server.reviews.process import SEED
from industry.server.reviews.workers import NoAnswer, ReviewWorkers
from industry.server.store.rating_schema import rating_seats
from tests.support.waiting import wait_until

from ..playing import Client, Json, RandomPool, Server, served
from .members import Member
from .rated import begin_rated, in_database, rating_when_counted

LINES = 16


@pytest.fixture
def club(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(keeping, "LINES", LINES)
    monkeypatch.setattr(keeping, "PATIENCE", 0.2)
    with served(f"sqlite:///{tmp_path / 'tables.db'}", RandomPool(), persons="open") as running:
        yield running


def play_until_left(ana: Member, moves: int) -> Json:
    """A rated game of two persons and a bot, which Ana resigns after some moves; Bo plays on."""
    made = begin_rated(ana, "open", "engineer", zombie="bot")
    table = made["table"]
    bo = Member(ana.server, "Bo").sit(table)["token"]
    own = ana.tables()[table]
    with Client(ana.server, table, [own["token"], bo]).ready() as client:
        while (seat := client.until_mine()) is not None:
            moves -= 1
            if seat == own["seat"] and moves < 0:
                if client.command("resign", seat)["type"] == "accepted":
                    break
                client.receive()  # a bot was faster
                continue
            client.move(client.yours[seat]["legal"][0])
    with Client(ana.server, table, [bo]).ready() as client:
        while (seat := client.until_mine()) is not None:
            client.move(client.yours[seat]["legal"][0])
    return made


def test_who_leaves_is_rated_by_the_judges_chances_at_that_moment(club: Server) -> None:
    ana = Member(club, "Ana")
    made = play_until_left(ana, 8)
    found = rating_when_counted(ana, made["table"])
    assert sorted(seat["left"] for seat in found["seats"]) == [False, False, True]
    row = in_database(
        club, lambda c: c.execute(select(rating_seats).where(rating_seats.c.left)).one()
    )
    table = club.service.live_tables[made["table"]].table
    ((seat, moves),) = departures(table).items()
    assert row.seat == seat + 1
    told = outlook(table.board, table.record(), moves, LINES, SEED)
    assert row.chances == str([one["win"] for one in told["seats"]])


def test_without_the_judge_a_game_waits_and_nothing_is_lost(
    club: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    async def silent(*_: object, **__: object) -> bytes:
        asked.append(1)
        raise NoAnswer("the process was lost")

    with monkeypatch.context() as patched:
        patched.setattr(ReviewWorkers, "ask", silent)
        ana = Member(club, "Ana")
        made = play_until_left(ana, 3)
        wait_until(lambda: len(asked) >= 2, "the judge was not asked again")
        assert ana.get(f"ratings/tables/{made['table']}")["status"] == "waiting"
    assert rating_when_counted(ana, made["table"])["status"] == "counted"
