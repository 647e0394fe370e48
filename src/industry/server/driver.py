"""What a table does by itself: bots move, time runs out, people are told that it is their turn.

Everything follows from the log and the index, so that it goes on after a restart and on any process
that shares the store.
"""

import asyncio
import contextlib
import heapq
import time
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Protocol

from industry.boards import BoardSpec
from industry.notation import Record

from .commands import Draft, Refused
from .live import Live
from .logs import note, note_error
from .table import Table

if TYPE_CHECKING:
    from .service import Service

RETRY = 5.0
"""Seconds after which something is tried again that the store did not allow."""


class BotPool(Protocol):
    """Bots that think in other processes. They always answer, at worst with a passive move."""

    async def choose(self, bot: str, record: Record, board: BoardSpec, seed: str) -> str:
        """A line of the record for the seat that must decide."""
        ...


class TurnHooks(Protocol):
    """Tells people elsewhere that it is their turn; returns at once."""

    def turn(self, table: Table, seat: int) -> None:
        """The seat, from 0, must decide at this table."""
        ...


class Nothing(Exception):
    """There was nothing to do after all."""


class Driver:
    """One scheduler for all tables of a process."""

    def __init__(self, service: "Service", bots: BotPool, hooks: TurnHooks | None) -> None:
        self._service = service
        self._bots = bots
        self._hooks = hooks
        self._alarms: dict[str, float] = {}
        """When (in the loop's time) each table must be looked at."""
        self._heap: list[tuple[float, str]] = []
        self._rang = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._started = 0

    async def start(self) -> None:
        """Take up everything that is due, also bots' turns that some process may have begun."""
        service = self._service
        self._started = service.now()
        with contextlib.suppress(Exception):  # the scan tries again and tells of it
            await self._take_up(service.now() + round(service.tuning.lease * 1000))
        self._spawn(self._ring())
        self._spawn(self._scan())

    async def stop(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        for task in list(self._tasks):
            with contextlib.suppress(asyncio.CancelledError):
                await task

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # When

    def follow(self, live: Live, *, drive: bool) -> None:
        """See to what is due next; `drive`: bots' turns are this process's own business."""
        duty = live.table.duty()
        if duty is None:
            self._alarms.pop(live.id, None)
            return
        wait = (duty.at - self._service.now()) / 1000
        if duty.bot is None:
            self._set(live.id, max(0.0, wait, self._grace_left(live)))
        elif not drive:
            self._set(live.id, self._service.tuning.lease)
        elif wait > 0:
            self._set(live.id, wait)
        else:
            self._alarms.pop(live.id, None)
            self._let_bot_think(live)

    def _grace_left(self, live: Live) -> float:
        """After a start nobody's time runs out at once."""
        seat = live.table.actor
        if seat is None or live.table.seats[seat].absent:
            return 0.0
        passed = (self._service.now() - self._started) / 1000
        return self._service.tuning.grace - passed

    def _set(self, table: str, seconds: float) -> None:
        at = time.monotonic() + seconds
        self._alarms[table] = at
        heapq.heappush(self._heap, (at, table))
        self._rang.set()

    async def _ring(self) -> None:
        """Look at tables when their time has come."""
        while True:
            while self._heap and self._heap[0][0] <= time.monotonic():
                at, table = heapq.heappop(self._heap)
                if self._alarms.get(table) == at:  # else it was set anew
                    del self._alarms[table]
                    self._spawn(self._look(table))
            pause = self._heap[0][0] - time.monotonic() if self._heap else None
            self._rang.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._rang.wait(), pause)

    async def _scan(self) -> None:
        """Find tables that are due, also those that only other processes have thought of."""
        while True:
            await asyncio.sleep(self._service.tuning.scan)
            try:
                await self._take_up(self._service.now())
                self._service.drop_idle()
            except Exception as error:
                note_error("scan_failed", error)

    async def _take_up(self, until: int) -> None:
        for table in await self._service.store.due_before(until):
            live = self._service.lives.get(table)
            if live is None or live.thinking is None:
                self._set(table, 0.0)

    # What

    async def _look(self, table: str) -> None:
        """Do what is due at a table; whatever goes wrong, it is tried again."""
        try:
            live = await self._service.open(table)
            duty = live.table.duty()
            if duty is not None and duty.bot is not None:
                self.follow(live, drive=True)
                return
            wait = self._grace_left(live)
            if duty is not None and wait > 0:
                self._set(table, wait)
                return
            await self._service.change(live, None, _time_out)
        except Nothing:
            self.follow(live, drive=True)
        except Refused as refused:
            if refused.code != "stopping":
                note("duty_postponed", table=table, code=refused.code)
                self._set(table, RETRY)
        except Exception as error:
            note_error("duty_failed", error, table=table)
            self._set(table, RETRY)

    def _let_bot_think(self, live: Live) -> None:
        decision = live.table.decision_version
        if live.thinking != decision:
            live.thinking = decision
            self._spawn(self._bot_turn(live, decision))

    async def _bot_turn(self, live: Live, decision: int) -> None:
        """Ask the bot and make its move, unless the game has gone another way meanwhile."""
        table = live.table
        duty = table.duty()
        begin = time.monotonic()
        try:
            assert duty is not None
            assert duty.bot is not None
            seed = self._service.keys.chance(table.id, str(len(table.lines)))
            line = await self._bots.choose(duty.bot, table.record(), table.board, seed)
            if table.is_attended:
                pause = self._service.tuning.bot_pause
                await asyncio.sleep(max(0.0, begin + pause - time.monotonic()))
            await self._service.change(live, None, lambda draft: _bot_move(draft, decision, line))
        except Nothing:
            pass
        except Refused as refused:
            if refused.code != "stopping":
                note("bot_postponed", table=live.id, code=refused.code)
                self._set(live.id, RETRY)
        except Exception as error:
            note_error("bot_turn_failed", error, table=live.id)
            self._set(live.id, RETRY)
        finally:
            if live.thinking == decision:
                live.thinking = None

    def tell_turn(self, live: Live) -> None:
        """Call the webhooks of a person who must decide now."""
        seat = live.table.actor
        if self._hooks is None or seat is None:
            return
        sitting = live.table.seats[seat]
        if sitting.kind == "human" and sitting.absent is None:
            self._hooks.turn(live.table, seat)


def _time_out(draft: Draft) -> int:
    if not draft.time_out():
        raise Nothing
    return draft.steps[0].entry.version


def _bot_move(draft: Draft, decision: int, line: str) -> int:
    duty = draft.table.duty()
    if draft.table.decision_version != decision or duty is None or duty.bot is None:
        raise Nothing
    return draft.bot_move(line)
