"""Carries out the commands of a table: check → compute → commit → acknowledge → broadcast.

One commit of a table is under way at a time. Nobody is told of a change before it is durable.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from industry.notation.orders import OrderList

from .commands import Draft, move_sources
from .errors import Refused
from .live_table import LiveTable
from .logs import log_error
from .seat_links import seat_persons
from .steps import News
from .store import Commit, Conflict, StoreUnavailable

if TYPE_CHECKING:
    from .service import Service

Do = Callable[[Draft], int]
"""Applies a command to a draft; returns the version of its entry, or raises `Refused`."""
Attach = Callable[[Commit], None]
"""Adds to a commit what is not a log entry."""
Acknowledge = Callable[[int], None]
"""Tells the author that the command is durable, before others see its effect."""
Done = Callable[[Exception | None], None]
"""Called once a command is durable and everybody was told, or with what went wrong."""


def nobody(version: int) -> None:
    """Does nothing, for commands without a waiting author."""


class TableCommand(NamedTuple):
    """A command as `Service.change` takes it."""

    command: str | None
    do: Do
    seen: int | None
    attach: Attach | None
    acknowledge: Acknowledge


class Change:
    """A draft with everything that its commit needs."""

    __slots__ = ("commit", "draft", "head", "task", "version")

    def __init__(
        self,
        service: "Service",
        live: LiveTable,
        task: TableCommand,
        orders: Mapping[int, OrderList],
    ) -> None:
        """Computes the change, obeying standing orders by place; raises `Refused`."""
        now = service.now()
        draft = Draft(live.table, live.secret, now, live.shown, orders)
        self.version = task.do(draft)
        self.draft, self.task = draft, task
        rows = live.rows_of(draft.steps, task.command, self.version)
        self.head = rows[-1].hash
        assert draft.shown is not None
        lease = round(service.tuning.lease * 1000)
        index = live.index_row(draft.table, draft.shown, now, lease)
        if draft.has_order_due:
            index = index._replace(due=now + lease)
        self.commit = Commit(rows, [index], moves=move_sources(draft.steps))
        if draft.seated:
            seat_persons(service.keys, self.commit, draft)
        self.commit.obeyed = live.obeyed_orders(draft.obeyed)
        if task.attach is not None:
            task.attach(self.commit)


class TableChanges:
    """Changes tables, one after the other at each."""

    def __init__(self, service: "Service") -> None:
        self._service = service
        self._tasks: set[asyncio.Task[None]] = set()

    async def carry_out(self, live: LiveTable, task: TableCommand) -> None:
        """Carries out a command; raises `Refused`."""
        if self._service.is_stopping:
            raise Refused("stopping")
        async with live.lock:
            if live.is_gone:
                raise Refused("no_table")
            try:
                await self._carry_out(live, task)
            except StoreUnavailable:
                raise Refused("store_unavailable") from None

    async def _carry_out(self, live: LiveTable, task: TableCommand) -> None:
        in_doubt = False
        while True:
            if live.is_doubtful or (task.seen is not None and task.seen > live.table.version):
                await self._service.catch_up(live)
            known = await self._known(live, task, in_doubt)
            if known is not None:
                task.acknowledge(known)
                return
            try:
                orders = await self._service.orders.valid(live)
                change = Change(self._service, live, task, orders)
                await self._commit(live, change)
            except Refused:
                if in_doubt or task.command is None:
                    raise
                in_doubt = True  # it may have been carried out long ago and no longer be possible
                continue
            except Conflict:
                live.is_doubtful = in_doubt = True
                continue
            return

    async def _known(self, live: LiveTable, task: TableCommand, in_doubt: bool) -> int | None:
        """Returns the entry of a repeated command; raises `Refused` for a stale one."""
        command = task.command
        if command is not None and command in live.recent:
            return live.recent[command]
        is_stale = _is_stale(live, task)
        if command is not None and (is_stale or in_doubt):
            known = await self._service.store.command_version(live.id, command)
            if known is not None:
                return known
        if is_stale:
            raise Refused("stale")
        return None

    async def _commit(self, live: LiveTable, change: Change) -> None:
        try:
            await self._service.store.append(change.commit)
        except Conflict:
            raise
        except BaseException:  # a cancelled task does not know either whether it is durable
            live.is_doubtful = True
            raise
        self._finish(live, change)

    def _finish(self, live: LiveTable, change: Change) -> None:
        """Takes over what has become durable, and tells everybody."""
        draft, task, commit = change.draft, change.task, change.commit
        service = self._service
        service.metrics.count_moves(commit.moves)
        if commit.tokens or commit.revoked:
            live.hold(commit.tokens, commit.revoked)
        if commit.orders:
            live.hold_orders(commit.orders)
        if task.command is not None:
            live.remember(task.command, change.version)
        task.acknowledge(change.version)
        before = live.table
        assert draft.shown is not None
        live.tell(live.advance(News(draft.table, draft.steps, draft.shown, change.head)))
        service.driver.follow(live, drive=True)
        if live.table.actor != before.actor:
            service.driver.tell_turn(live)
        service.on_change(live, before, True)

    # Without waiting

    def begin(self, live: LiveTable, task: TableCommand, done: Done) -> bool:
        """Begins a command of somebody who waits, if everything for it is in memory.

        Otherwise it returns False and nothing has happened: `carry_out` then does the rest.
        """
        if self._service.is_stopping or live.is_gone or live.is_doubtful:
            return False
        if live.orders and self._service.store.is_shared:  # may older processes read the moves?
            return False
        if task.command in live.recent or _is_stale(live, task) or not live.lock.take():
            return False
        try:
            change = Change(self._service, live, task, live.order_lines())
        except BaseException as error:
            live.lock.release()
            if isinstance(error, Refused):  # it may have been carried out long ago: ask the store
                return False
            raise
        self._service.store.put(change.commit, lambda error: self._end(live, change, done, error))
        return True

    def _end(self, live: LiveTable, change: Change, done: Done, error: Exception | None) -> None:
        """Ends what `begin` has begun; this process still holds the table's lock."""
        try:
            if error is None:
                self._finish(live, change)
            else:
                live.is_doubtful = True
        except Exception as failure:
            log_error("finish_failed", failure, table=live.id)
            live.is_doubtful, error = True, failure
        finally:
            live.lock.release()
        if isinstance(error, Conflict):  # another process was faster: the rest takes some reading
            task = asyncio.create_task(self._try_again(live, change.task, done))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            done(Refused("store_unavailable") if isinstance(error, StoreUnavailable) else error)

    async def _try_again(self, live: LiveTable, task: TableCommand, done: Done) -> None:
        try:
            await self.carry_out(live, task)
        except Exception as error:
            done(error)
        else:
            done(None)


def _is_stale(live: LiveTable, task: TableCommand) -> bool:
    """Checks whether a command is for another position than the table has."""
    table, seen = live.table, task.seen
    return seen is not None and not table.decision_version <= seen <= table.version
