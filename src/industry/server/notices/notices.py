"""Tells people who are not at the table that it is their turn, once for each turn.

A notice is a row of the database, which one process takes at a time. It is sent only while the turn
still waits and nobody has the table open. Where two processes serve a table, the one that made the
move records the notice, and one at which the player has a socket marks it as seen.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection

from ..background import BackgroundTask, RepeatedTask
from ..cups import book as cup_book
from ..cups.announcing import ready
from ..cups.document import CupRound
from ..errors import Refused
from ..hooks import GIVE_UP, pause_after
from ..live_table import LiveTable
from ..logs import log_error, log_event
from ..seat_links import person_row
from ..service import Service
from ..store import StoreUnavailable
from ..store import notices as book
from ..store.notices import Channel, DueNotice, Notice, seat_owner
from ..table import Table
from .news import has_turn, is_watched, may_be_missed, news_of, still_waits, turn_of
from .nights import end_of_night
from .sending import Message, Outcome, Sender, Ways
from .words import words_of

SCAN = 2.0
"""Seconds between two looks for due notices, also those of processes that have died."""
AT_ONCE = 20
LEASE = 60_000
"""Milliseconds in which a notice is sent or not; then another process may try."""
OBJECTION = 400
"""Milliseconds that another process has for saying that the player is there."""
GLANCE = 60.0
"""Seconds: players who leave sooner after their turn began may have missed it; they are told."""
AFTER_START = 60_000
"""Milliseconds after a start in which players come back to their tables by themselves."""
DAY = 24 * 3_600_000
UNMADE = 2_000
"""Milliseconds after which to look again for a table of a cup that is not made yet."""

Result = TypeVar("Result")


class Notices:
    """The notices of all tables of a process."""

    def __init__(self, service: Service, ways: Ways) -> None:
        self._service = service
        self._ways = ways
        self._public_url = ways.public_url
        self.sender: Sender
        self._metrics = service.metrics
        self._main = RepeatedTask(self._tell_due, SCAN, failure="notices_failed")
        self._first = BackgroundTask()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._glances: dict[tuple[str, int], asyncio.TimerHandle] = {}
        """When to look again whether the holder of a place is still at the table."""
        self._latest: dict[tuple[str, int], tuple[float, Notice]] = {}
        """The last turn of each of these places, and when it came."""
        service.on_change = self.changed
        service.on_watch = self.watched

    def start(self) -> None:
        """Starts once the service has its keys."""
        self.sender = Sender(self._ways, self._service.keys)
        self._main.start()
        self._first.start(self._catch_up())

    async def stop(self) -> None:
        await self._first.stop()
        await self._main.stop()
        for timer in self._glances.values():
            timer.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.sender.close()

    # What happens at tables

    def changed(self, live: LiveTable, before: Table, own: bool) -> None:
        """Handles a change of a table; `own` means that this process has made it."""
        try:
            self._handle(live, before, own)
        except Exception as error:  # whatever is wrong here, the move is made
            log_error("notices_failed", error, table=live.id)

    def _handle(self, live: LiveTable, before: Table, own: bool) -> None:
        for notice in news_of(before, live, self._service.now()):
            if not is_watched(live, notice.place):
                if own:
                    self._spawn(self._note(live, notice))
                continue
            if notice.kind == "turn":
                self._look_again(notice)
            if not own:
                self._spawn(self._try(partial(book.mark_seen, new=notice)))

    def watched(self, live: LiveTable, places: Iterable[int]) -> None:
        """Handles that somebody opens a table: they need not be told that it is ready.

        Another process may be about to tell them.
        """
        table = live.table
        if table.options.cup and table.status == "running" and self._service.store.is_shared:
            for place in places:
                seen = ready(table.id, place, self._service.now())
                self._spawn(self._try(partial(book.mark_seen, new=seen)))

    def _look_again(self, notice: Notice) -> None:
        """Tells somebody later who then has left the table, as a phone does that falls asleep."""
        place, loop = (notice.table, notice.place), asyncio.get_running_loop()
        self._latest[place] = loop.time(), notice
        if place not in self._glances:
            self._glances[place] = loop.call_later(GLANCE, self._glanced, place)

    def _glanced(self, place: tuple[str, int]) -> None:
        since, notice = self._latest[place]
        loop = asyncio.get_running_loop()
        if (left := since + GLANCE - loop.time()) > 0:  # another turn has come since
            self._glances[place] = loop.call_later(left, self._glanced, place)
            return
        del self._glances[place], self._latest[place]
        live = self._service.live_tables.get(notice.table)
        if live and still_waits(live.table, notice) and not is_watched(live, notice.place):
            self._spawn(self._note(live, notice, again=True))

    async def _note(self, live: LiveTable, notice: Notice, *, again: bool = False) -> None:
        """Records a notice, if anybody wants it."""
        store, now = self._service.store, self._service.now()
        owners = self._owners(live, notice.place)
        add = book.open_again if again else book.add_notice
        due = now + OBJECTION if store.is_shared else now

        if await self._try(lambda connection: book.channels_of(connection, owners), read=True):
            await self._try(partial(add, new=notice, due=due))
            asyncio.get_running_loop().call_later(max(0, due - now) / 1000, self._main.wake)

    def _owners(self, live: LiveTable, place: int) -> list[str]:
        """Returns who may have subscribed what happens at a place."""
        owners = [seat_owner(live.id, place)]
        keys = self._service.keys
        for seat in live.table.seats:
            person = live.table.person_at(seat) if seat.place == place else None
            if person and person_row(keys, live.id, place, person.id).hash in live.tokens:
                owners.append(person.id)
        return owners

    async def _catch_up(self) -> None:
        """Records the turns that wait when a server starts: it may have died before it did."""
        due = self._service.now() + AFTER_START
        for name in await self._try(book.subscribed_tables, read=True) or []:
            with contextlib.suppress(Refused, StoreUnavailable):
                await self._note_waiting(await self._service.open(name), due)

    async def _note_waiting(self, live: LiveTable, due: int) -> None:
        notice = turn_of(live, self._service.now())
        if notice is None:
            return
        if await self._read(partial(book.channels_of, owners=self._owners(live, notice.place))):
            await self._write(partial(book.add_notice, new=notice, due=due))

    # Sending

    async def _tell_due(self) -> None:
        due = await self._take()
        for one in due:
            self._spawn(self._tell(one))
        if len(due) == AT_ONCE:
            self._main.wake()  # there may be more

    async def _take(self) -> list[DueNotice]:
        now = self._service.now()
        return await self._write(lambda c: book.take(c, now, now + LEASE, AT_ONCE))

    async def _tell(self, due: DueNotice) -> None:
        """Sends a due notice, or finds that nobody needs it any more."""
        service, notice = self._service, due.notice
        try:
            live = await service.open(notice.table)
            if service.store.is_shared:
                await service.refresh(live)
        except Refused as refused:
            if refused.code == "no_table":
                await self._try(partial(book.put_off, notice=notice, due=self._later(notice)))
            return  # another process may be able to, once the lease has expired
        if not still_waits(live.table, notice) or await self._knows_table(due):
            await self._settle(due, due.told, None)
        elif is_watched(live, notice.place):
            if (missed := may_be_missed(live, notice)) is not None:
                self._look_again(missed)
            await self._settle(due, due.told, None)
        else:
            await self._send(due, live)

    def _later(self, notice: Notice) -> int | None:
        """Returns when to look again for a table that is missing: those of a cup are announced
        before they are made.
        """
        now = self._service.now()
        waits = notice.kind == "cup" and now < notice.created + GIVE_UP
        return now + UNMADE if waits else None

    async def _knows_table(self, due: DueNotice) -> bool:
        """Checks whether the person has had a turn at a table that they are to be told is ready."""
        notice = due.notice
        if notice.kind != "cup" or due.tries:
            return False
        return await self._read(
            lambda c: book.is_recorded(c, notice.table, notice.place, kind="turn")
        )

    async def _send(self, due: DueNotice, live: LiveTable) -> None:
        notice, now = due.notice, self._service.now()
        owners = self._owners(live, notice.place)
        wanted = await self._read(lambda c: _confirmed(book.channels_of(c, owners)))
        nights = await self._read(lambda c: book.nights_of(c, owners))
        ends = {owner: end for owner, n in nights.items() if (end := end_of_night(n, now))}
        awake = [one for one in wanted if one.owner not in ends]
        told, failed = await self._tell_all(due, live, awake)
        asleep = [ends[one.owner] for one in wanted if one.owner in ends and not one.spare]
        if not told:
            asleep += [ends[one.owner] for one in wanted if one.owner in ends]
        again = min(asleep, default=None)
        if failed and not told:
            later = now + pause_after(due.tries + 1)
            if later < notice.created + GIVE_UP:
                again = min(later, again or later)
        if told and has_turn(live.table, notice):  # no other notice is for that turn
            turn = replace(notice, kind="turn", number=live.table.turn_version)
            await self._try(partial(book.mark_seen, new=turn))
        await self._settle(due, told, again)

    async def _tell_all(
        self, due: DueNotice, live: LiveTable, awake: list[Channel]
    ) -> tuple[set[str], bool]:
        """Tells all channels, and one spare for those that fail; returns who was told, and whether
        anything has failed.
        """
        told = set(due.told)
        mains = [one for one in awake if not one.spare and one.id not in told]
        spares = [one for one in awake if one.spare]
        outcomes = await asyncio.gather(*(self._through(one, due, live) for one in mains))
        told |= {one.id for one, outcome in zip(mains, outcomes, strict=True) if outcome == "told"}
        failed = any(outcome != "told" for outcome in outcomes)
        if (failed or not told) and not any(one.id in told for one in spares):
            for spare in spares:
                if await self._through(spare, due, live) == "told":
                    told.add(spare.id)
                    break
                failed = True
        return told, failed

    async def _through(self, channel: Channel, due: DueNotice, live: LiveTable) -> Outcome:
        """Sends a notice through one channel; one that is gone is forgotten."""
        notice, now = due.notice, self._service.now()
        if not still_waits(live.table, notice):
            return "told"  # it was answered meanwhile
        cup = await self._cup_of(live.table)
        words = words_of(notice, live.table, channel.language, self._public_url, cup)
        waiting = None
        if channel.kind == "push":
            waiting = await self._read(lambda c: _count_waiting(c, channel.digest))
        outcome = await self.sender.send(channel, Message(notice, words, waiting), now)
        self._metrics.notices.labels(channel.kind, outcome).inc()
        if outcome == "told" and not due.tries:
            late = (self._service.now() - notice.created) / 1000
            self._metrics.notice_seconds.observe(max(0.0, late))
        if outcome == "gone":
            await self._try(lambda connection: book.drop_address(connection, channel.digest))
        return outcome

    async def _cup_of(self, table: Table) -> CupRound | None:
        if not table.options.cup:
            return None
        return await self._read(lambda c: cup_book.round_of(c, table.options.cup, table.id))

    async def _settle(self, due: DueNotice, told: Iterable[str], again: int | None) -> None:
        tries = due.tries + 1
        await self._try(lambda c: book.settle(c, due.notice, tries, told, again))

    # The database

    async def _read(self, work: Callable[[Connection], Result]) -> Result:
        return await self._service.store.read(work)

    async def _write(self, work: Callable[[Connection], Result]) -> Result:
        return await self._service.store.write(work)

    async def _try(
        self, work: Callable[[Connection], Result], *, read: bool = False
    ) -> Result | None:
        """Runs work on the database; None where that cannot be reached."""
        try:
            return await (self._read(work) if read else self._write(work))
        except StoreUnavailable:
            return None

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(self._logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _logged(self, work: Coroutine[Any, Any, Any]) -> None:
        try:
            await work
        except StoreUnavailable:
            log_event("notices_wait_for_store", logging.WARNING)
        except Exception as error:
            log_error("notices_failed", error)


def _confirmed(channels: Iterable[Channel]) -> list[Channel]:
    """Returns the channels that may be used, each address once."""
    known: dict[str, Channel] = {}
    for one in channels:
        if one.code is None:
            known.setdefault(one.digest, one)
    return list(known.values())


def _count_waiting(connection: Connection, digest: str) -> int:
    owners = book.owners_with(connection, digest)
    return len(book.waiting_seats(connection, owners))
