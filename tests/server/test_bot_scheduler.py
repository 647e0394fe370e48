"""A person's bot answers soon, however many tables of bots somebody else has made (row 4)."""

import asyncio
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

from industry.boards import BoardSpec
from industry.notation import Record, replay
from industry.server.bot_process import ChosenMove
from industry.server.bot_scheduler import ALONE, BotScheduler
from industry.server.metrics import Metrics
from tests.support.waiting import PATIENCE, wait_until

from .playing import QUICK, Server, served


class Turns:
    """Decisions that take a moment each, and who made them in which order."""

    def __init__(self, places: int = 1, pause: float = 0.0) -> None:
        self.turns = BotScheduler(places, Metrics(), pause)
        self.order: list[str] = []
        self.shares: list[float] = []
        self.at_once = 0
        self.most = 0

    async def decide(self, name: str, address: str | None) -> None:
        async with self.turns.turn(address) as share:
            self.order.append(name)
            self.shares.append(share)
            self.at_once += 1
            self.most = max(self.most, self.at_once)
            await asyncio.sleep(0.001)
            self.at_once -= 1


def test_tables_with_a_connected_person_come_first() -> None:
    async def run() -> list[str]:
        turns = Turns()
        alone = [asyncio.create_task(turns.decide("alone", None)) for _ in range(400)]
        await asyncio.sleep(0)
        await turns.decide("person", "203.0.113.1")
        order = list(turns.order)
        for task in alone:
            task.cancel()
        await asyncio.gather(*alone, return_exceptions=True)
        return order

    order = asyncio.run(run())
    assert order[-1] == "person"
    assert len(order) <= 3, "only what was under way came before"


def test_among_people_every_address_has_its_turn_whatever_number_of_tables_it_has() -> None:
    """An attacker may be connected at each of his tables."""

    async def run() -> list[str]:
        turns = Turns()
        flood = [turns.decide("flood", "203.0.113.1") for _ in range(300)]
        person = [turns.decide("person", "203.0.113.2") for _ in range(5)]
        await asyncio.gather(*flood, *person)
        return turns.order

    order = asyncio.run(run())
    assert [n for n, name in enumerate(order) if name == "person"] == [2, 4, 6, 8, 10]


def test_bots_alone_think_shorter_and_never_on_all_processes() -> None:
    async def run() -> Turns:
        turns = Turns(places=4)
        await asyncio.gather(*(turns.decide("alone", None) for _ in range(20)))
        return turns

    turns = asyncio.run(run())
    assert Counter(turns.order) == {"alone": 20}, "all have their turn in the end"
    assert turns.most == 2
    assert max(turns.shares) <= ALONE


def test_a_turn_that_nobody_waits_for_any_more_is_given_to_the_next() -> None:
    async def run() -> list[str]:
        turns = Turns()
        first = asyncio.create_task(turns.decide("first", "a"))
        await asyncio.sleep(0)
        gone = [asyncio.create_task(turns.decide("gone", who)) for who in ("b", None)]
        await asyncio.sleep(0)
        for task in gone:
            task.cancel()
        await asyncio.gather(first, *gone, return_exceptions=True)
        await asyncio.wait_for(turns.decide("next", None), PATIENCE)
        await asyncio.wait_for(turns.decide("last", "b"), PATIENCE)
        return turns.order

    assert asyncio.run(run()) == ["first", "next", "last"]


class HeldPool:
    """Bots that decide one at a time, each when the test lets it."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.let = sys.maxsize
        """How many may decide."""

    async def choose(
        self, bot: str, record: Record, board: BoardSpec, seed: str, share: float = 1.0
    ) -> ChosenMove:
        self.asked.append(bot)
        while len(self.asked) > self.let:
            await asyncio.sleep(0.005)
        return ChosenMove(Random(seed).choice(replay(record, board).legal_moves()))

    def let_one(self) -> None:
        """Lets the one that was asked decide; returns once the next is asked."""
        self.let = known = len(self.asked)
        wait_until(lambda: len(self.asked) > known, "nobody else was asked")


def test_p12_a_persons_bot_answers_beside_tables_of_bots(tmp_path: Path) -> None:
    """Forty tables of four bots wait for the only process: in the order in which they come, as in
    version 0.1.0, a person would wait for all of them."""
    pool, tuning = HeldPool(), replace(QUICK, bots_at_once=1)
    with served(f"sqlite:///{tmp_path / 'tables.db'}", pool, tuning=tuning) as server:
        made = server.make("human", "foreman", "foreman", seating="as_joined", auto_forced=False)
        with server.client(made, 1).ready() as client:
            assert client.until_mine() == 1
            pool.let = known = len(pool.asked)
            for _ in range(40):
                server.make("random", "random", "random", "random")
            wait_until(lambda: waiting(server, "alone") == 39, "not all bots wait")
            moved = client.move(client.yours[1]["legal"][0])
            assert moved["type"] == "accepted"
            wait_until(lambda: waiting(server, "people") == 1, "no bot of the person waits")
            pool.let_one()
            assert pool.asked[known:] == ["random", "foreman"]
            pool.let = sys.maxsize
            client.until_version(moved["version"] + 1)


def waiting(server: Server, who: str) -> float | None:
    """How many bots wait for a process at tables of people, or at tables without any."""
    registry = server.service.metrics.registry
    return registry.get_sample_value("industry_bots_waiting", {"kind": who})
