"""Does what happens at tables without a command: bots move, time runs out, webhooks are called.

Everything follows from the log and the index, so it continues after a restart and in any process
that shares the store.
"""

import asyncio
import contextlib
import heapq
import logging
import time
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, Protocol

from industry.boards import BoardSpec
from industry.notation import Record

from .bot_process import ChosenMove
from .bot_scheduler import BotScheduler
from .commands import Draft
from .errors import Refused
from .live_table import LiveTable
from .logs import log_error, log_event
from .table import Table

if TYPE_CHECKING:
    from .service import Service

JUMP = 3000
"""By how many milliseconds the machine's clock must jump for it to matter."""
SWEPT = 100
"""How many tables one sweep closes."""
RETRY = 5.0
"""Seconds before the next attempt after the store was unavailable."""


class BotPool(Protocol):
    """Bots that think in other processes. They always answer, at worst with a passive move."""

    async def choose(
        self, bot: str, record: Record, board: BoardSpec, seed: str, share: float = 1.0
    ) -> ChosenMove:
        """Returns the deciding seat's move, taking `share` of the usual time."""
        ...


class TurnHooks(Protocol):
    """Notifies people elsewhere that it is their turn, without blocking."""

    def turn(self, table: Table, seat: int) -> None:
        """Reports that the seat (from 0) must decide at this table."""
        ...


class NothingDue(Exception):
    """It turned out that nothing was due."""


class Driver:
    """Schedules what is due at all tables of a process."""

    def __init__(self, service: "Service", bots: BotPool, hooks: TurnHooks | None) -> None:
        self._service = service
        self._bots = bots
        self._hooks = hooks
        tuning = service.tuning
        self._turns = BotScheduler(tuning.bots_at_once, service.metrics, tuning.alone_pause)
        self._wall = service.now() - _steady()
        """The wall clock's offset from the monotonic clock."""
        self._alarms: dict[str, float] = {}
        """When, in monotonic time, each table must be looked at."""
        self._heap: list[tuple[float, str]] = []
        self._rang = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._started = 0

    async def start(self) -> None:
        """Resumes everything that is due, including bots' turns another process has started."""
        service = self._service
        self._started = service.now()
        with contextlib.suppress(Exception):  # the scan retries and logs it
            await self._take_up(service.now() + round(service.tuning.lease * 1000))
            for table in await service.store.ordered_tables():
                self._set(table, 0.0)  # the server may have died before it obeyed new orders
        self._spawn(self._ring())
        self._spawn(self._scan())
        self._spawn(self._sweep())

    async def stop(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        for task in list(self._tasks):
            with contextlib.suppress(asyncio.CancelledError):
                await task

    def bot_slot(self, address: str) -> AbstractAsyncContextManager[float]:
        """Returns a slot in the bot processes for somebody at this address, who takes turns with
        the bots of others.
        """
        return self._turns.turn(address)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Scheduling

    def follow(self, live: LiveTable, *, drive: bool) -> None:
        """Schedules what is due next; with `drive` this process plays the bots' turns."""
        if live.has_order_due:
            self._set(live.id, 0.0 if drive else self._service.tuning.lease)
            return
        pending = live.table.pending_action()
        if pending is None:
            self._alarms.pop(live.id, None)
            return
        wait = (pending.at - self._service.now()) / 1000
        if pending.bot is None:
            self._set(live.id, max(0.0, wait, self._grace_left(live)))
        elif not drive:
            self._set(live.id, self._service.tuning.lease)
        elif wait > 0:
            self._set(live.id, wait)
        else:
            self._alarms.pop(live.id, None)
            self._let_bot_think(live)

    def _grace_left(self, live: LiveTable) -> float:
        """Returns the seconds of grace after a start, in which nobody's time runs out."""
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
        """Looks at tables when they are due."""
        while True:
            while self._heap and self._heap[0][0] <= time.monotonic():
                at, table = heapq.heappop(self._heap)
                if self._alarms.get(table) == at:  # otherwise it was rescheduled
                    del self._alarms[table]
                    self._spawn(self._look(table))
            pause = self._heap[0][0] - time.monotonic() if self._heap else None
            self._rang.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._rang.wait(), pause)

    async def _scan(self) -> None:
        """Finds due tables, including those only other processes had in memory."""
        while True:
            await asyncio.sleep(self._service.tuning.scan)
            try:
                self._notice_jump()
                await self._take_up(self._service.now())
                self._service.drop_idle()
            except Exception as error:
                log_error("scan_failed", error)

    def _notice_jump(self) -> None:
        """Detects a clock that was set or a machine that slept, and grants everyone new grace."""
        wall = self._service.now() - _steady()
        if abs(wall - self._wall) > JUMP:
            log_event("clock_jumped", logging.WARNING, seconds=round((wall - self._wall) / 1000))
            self._started = self._service.now()
            for live in self._service.live_tables.values():
                if live.id in self._alarms:
                    self.follow(live, drive=True)
        self._wall = wall

    async def _sweep(self) -> None:
        """Closes tables that have been abandoned for long."""
        service, tuning = self._service, self._service.tuning
        while True:
            await asyncio.sleep(tuning.sweep)
            try:
                await self._note_seen()
                if await service.store.level() < 2:
                    continue  # processes of version 0.1.0 could not read the entry
                now = service.now()
                since = now - round(tuning.open_idle * 1000), now - round(tuning.still_idle * 1000)
                for table in await service.store.abandoned_tables(*since, SWEPT):
                    await self._close(table)
            except Exception as error:
                log_error("sweep_failed", error)

    async def _note_seen(self) -> None:
        """Records which open tables have a socket, so that they stay."""
        lives = self._service.live_tables.values()
        seen = [live.id for live in lives if live.watchers and live.table.status == "open"]
        if seen:
            await self._service.store.note_seen(seen, self._service.now())

    async def _close(self, table: str) -> None:
        try:
            live = await self._service.open(table)
            if live.watchers:
                return
            status = live.table.status
            await self._service.change(live, None, _close)
            log_event("table_closed", table=table, status=status)
        except (NothingDue, Refused):
            pass  # a player came, or the next sweep tries again

    async def _take_up(self, until: int) -> None:
        for table in await self._service.store.due_before(until):
            if (
                table in self._service.unreadable_tables
            ):  # only a newer process can make its next move
                continue
            live = self._service.live_tables.get(table)
            if live is None or live.thinking is None:
                self._set(table, 0.0)

    # Acting

    async def _look(self, table: str) -> None:
        """Does what is due at a table; retries whatever fails."""
        try:
            live = await self._service.open(table)
            pending = live.table.pending_action()
            if pending is not None and pending.bot is not None:
                self.follow(live, drive=True)
                return
            wait = self._grace_left(live)
            if pending is not None and wait > 0 and not live.has_order_due:
                self._set(table, wait)
                return
            await self._service.change(live, None, _time_out)
        except NothingDue:
            if live.has_order_due:  # processes of an older version could not read the move
                self._set(table, RETRY)
            else:
                self.follow(live, drive=True)
        except Refused as refused:
            if refused.code not in ("stopping", "newer_version"):
                log_event("duty_postponed", table=table, code=refused.code)
                self._set(table, RETRY)
        except Exception as error:
            log_error("duty_failed", error, table=table)
            self._set(table, RETRY)

    def _let_bot_think(self, live: LiveTable) -> None:
        decision = live.table.decision_version
        if live.thinking != decision:
            live.thinking = decision
            self._spawn(self._bot_turn(live, decision))

    async def _bot_turn(self, live: LiveTable, decision: int) -> None:
        """Asks the bot and makes its move, unless the game has moved on meanwhile."""
        table = live.table
        pending = table.pending_action()
        begin = time.monotonic()
        try:
            assert pending is not None
            assert pending.bot is not None
            seed = self._service.keys.chance(table.id, str(len(table.played)))
            people = live.people()
            async with self._turns.turn(people[0] if people else None) as share:
                share = 0.0 if live.is_hurried else share
                chosen = await self._bots.choose(
                    pending.bot, table.record(), table.board, seed, share
                )
            if chosen.stand_in is not None and await self._service.store.level() < 2:
                chosen = ChosenMove(chosen.line)  # version 0.1.0 cannot read stand-ins
            if table.is_attended:
                pause = self._service.tuning.bot_pause
                await asyncio.sleep(max(0.0, begin + pause - time.monotonic()))
            await self._service.change(live, None, lambda draft: _bot_move(draft, decision, chosen))
        except NothingDue:
            pass
        except Refused as refused:
            if refused.code != "stopping":
                log_event("bot_postponed", table=live.id, code=refused.code)
                self._set(live.id, RETRY)
        except Exception as error:
            log_error("bot_turn_failed", error, table=live.id)
            self._set(live.id, RETRY)
        finally:
            if live.thinking == decision:
                live.thinking = None

    def tell_turn(self, live: LiveTable) -> None:
        """Calls the webhooks of a person who must decide."""
        seat = live.table.actor
        if self._hooks is None or seat is None:
            return
        sitting = live.table.seats[seat]
        if sitting.kind == "human" and sitting.absent is None:
            self._hooks.turn(live.table, seat)


def _time_out(draft: Draft) -> int:
    if not draft.time_out() and not draft.obey():
        raise NothingDue
    return draft.steps[0].entry.version


def _close(draft: Draft) -> int:
    status = draft.table.status
    if status not in ("open", "running"):
        raise NothingDue
    return draft.close("never_started" if status == "open" else "abandoned")


def _steady() -> int:
    """Returns the milliseconds of the monotonic clock."""
    return time.monotonic_ns() // 1_000_000


def _bot_move(draft: Draft, decision: int, chosen: ChosenMove) -> int:
    pending = draft.table.pending_action()
    if draft.table.decision_version != decision or pending is None or pending.bot is None:
        raise NothingDue
    return draft.bot_move(chosen.line, chosen.stand_in)
