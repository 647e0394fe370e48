"""The cost of growth: `python -m benchmarks.growth [tables|games|moves|watchers …]`.

Processor time per move, with more and more tables on a server; per game of longer and longer
simulations; per move at a table with a longer and longer log; per watcher of a table with more and
more of them. A curve is flat if the last column stays near 1.
"""

import argparse
import asyncio
import resource
import tempfile
import time
from collections.abc import Callable, Iterable

from industry.arena.games import Plan
from industry.arena.simulate import simulate
from industry.boards import load_board
from industry.notation import complete_options
from industry.server.commands import Draft
from industry.server.live_table import LiveTable
from industry.server.new_table import fill_seats, new_table
from industry.server.protocol.http import SeatWish
from industry.server.protocol.view import TableOptions
from industry.server.steps import News
from industry.server.store import Commit, LogRow, Store
from industry.server.table import Table

from .load import PLAYERS, Player
from .load import Table as LoadTable
from .server import Industry, Run

RATE = 400
"""Moves per second at all tables together."""
SECONDS = 8.0
PORT = 8794
NAME = "growthgrowth"


def _print(title: str, unit: str, found: Iterable[tuple[int, float]]) -> None:
    print(f"\n{title}")
    first = None
    for size, cost in found:
        first = first or cost
        print(f"{size:12,} {cost:12,.1f} {unit} {cost / first:8.2f}", flush=True)


def tables(sizes: Iterable[int]) -> Iterable[tuple[int, float]]:
    """Returns server microseconds per move by number of live tables, at equal moves per second."""
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            subject = Industry(f"sqlite:///{folder}/tables.db", PORT)
            numbers = asyncio.run(_measured(subject, size))
        shown, memory = numbers["shown p99 ms"], numbers["KiB per table"]
        print(f"{'':12} {numbers['moves/s']:.0f} moves/s, p99 {shown:.1f} ms, {memory:.1f} KiB")
        yield size, numbers["server CPU ms/move"] * 1000


async def _measured(subject: Industry, size: int) -> dict[str, float]:
    try:
        return await Run(subject, size, size / RATE).measure(SECONDS)
    finally:
        await subject.stop()


def games(sizes: Iterable[int]) -> Iterable[tuple[int, float]]:
    """Microseconds per simulated game."""
    board = load_board("industry")
    options = complete_options("industry", {})
    for size in (1000, *sizes):  # the first is for the compiler
        began = time.process_time()
        plan = Plan(board, 4, options, "growth", size)
        for _ in simulate(plan, processes=1):
            pass
        cost = (time.process_time() - began) / size * 1e6
        if size != 1000 or began > 5:
            yield size, cost


def _empty_table() -> tuple[LiveTable, list[LogRow]]:
    board = load_board("industry")
    options = TableOptions.model_validate({"auto_forced": False})
    draft = new_table(NAME, options, {"industry": board}, bytes(32), 0)
    fill_seats(draft, [SeatWish(kind="human")] * 4, frozenset())
    live = LiveTable(Table(NAME, {board.hash: board}), bytes(32), [])
    return live, _take(live, draft)


def _take(live: LiveTable, draft: Draft) -> list[LogRow]:
    rows = live.rows_of(draft.steps, None, 0)
    assert draft.shown is not None
    live.advance(News(draft.table, draft.steps, draft.shown, rows[-1].hash))
    return rows


def _lengthen(live: LiveTable, entries: int) -> list[LogRow]:
    """Lets a player leave and return until the log has this length; nothing else changes."""
    rows: list[LogRow] = []
    while live.table.version < entries:
        draft = Draft(live.table, live.secret, 0, live.shown)
        for _ in range(500):
            draft.leave(2 if live.table.actor != 2 else 3)
            draft.come_back(2 if live.table.actor != 2 else 3)
        rows += _take(live, draft)
    return rows


def moves(sizes: Iterable[int]) -> Iterable[tuple[int, float]]:
    """Microseconds per stored move at a table, by length of its log."""
    for size in sizes:
        yield size, asyncio.run(_stored_moves(size))


async def _stored_moves(size: int, count: int = 60) -> float:
    live, rows = _empty_table()
    rows += _lengthen(live, size)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/tables.db")
        await store.start()
        assert live.shown is not None
        index = live.index_row(live.table, live.shown, 0, 0)
        await store.append(Commit(rows, [index], new_tables={NAME: "00" * 32}))
        began = time.process_time()
        for _ in range(count):
            position = live.table.position
            assert position is not None
            lines = live.yours(frozenset({1, 2, 3, 4}), with_choices=False)
            line = lines.partition('"legal":["')[2].partition('"')[0]
            draft = Draft(live.table, live.secret, 0, live.shown)
            draft.move(position.actor, line)
            assert draft.shown is not None
            index = live.index_row(draft.table, draft.shown, 0, 0)
            await store.append(Commit(_take(live, draft), [index]))
        cost = (time.process_time() - began) / count * 1e6
        await store.stop()
    return cost


class Watcher(Player):
    """A socket without a seat."""

    def __init__(self, table: LoadTable) -> None:
        super().__init__(table, -1, f"/api/tables/{table.name}/socket")

    def hear(self, payload: bytes) -> None:
        if not payload:
            self.wire.send(b'{"type":"hello","protocol":2}')


class WatchedRun(Run):
    """One table with many watchers."""

    watching = 0

    async def _sit_down(self, players: list[Player]) -> None:
        table = players[0].table
        for _ in range(self.watching):
            await Watcher(table).connect(self.subject.port)
        await super()._sit_down(players)


def watchers(sizes: Iterable[int]) -> Iterable[tuple[int, float]]:
    """Returns server microseconds per message when a move is sent to watchers and four players."""
    for size in sizes:
        yield size, asyncio.run(_watched(size))


async def _watched(size: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        subject = Industry(f"sqlite:///{folder}/tables.db", PORT)
        run = WatchedRun(subject, 1, 0.05)
        run.watching = size
        try:
            numbers = await run.measure(SECONDS)
        finally:
            await subject.stop()
    return numbers["server CPU ms/move"] * 1000 / (size + 5)


CURVES: dict[str, tuple[str, Callable[[Iterable[int]], Iterable[tuple[int, float]]], list[int]]] = {
    "tables": ("µs per move", tables, [10, 100, 1000, 5000]),
    "games": ("µs per game", games, [10**3, 10**4, 10**5, 10**6]),
    "moves": ("µs per move", moves, [10**2, 10**3, 10**4, 10**5]),
    "watchers": ("µs per message", watchers, [1, 10, 100, 1000]),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("curve", nargs="*", help=f"of {', '.join(CURVES)}; default all")
    parser.add_argument("--most", type=int, help="leave larger sizes out")
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    for name in options.curve or CURVES:
        unit, curve, sizes = CURVES[name]
        if name == "tables":  # four sockets each
            sizes = [min(size, (hard - 200) // PLAYERS) for size in sizes]
        _print(name, unit, curve([n for n in sizes if not options.most or n <= options.most]))


if __name__ == "__main__":
    main()
