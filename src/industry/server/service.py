"""Carries out commands: check → compute → commit → acknowledge → broadcast.

One writer per table. Tables stay in memory while somebody uses them; the store is authoritative.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterable

from industry.boards import BoardError, BoardSpec

from .board_catalogue import BoardCatalogue
from .catch_up import CatchUpTasks
from .driver import BotPool, Driver, TurnHooks
from .entries import (
    LinkRenewed,
    NewerEntry,
    SeatFreed,
    SeatLeft,
    SeatReserved,
    SeatTaken,
    entry_of,
)
from .errors import Refused
from .live_table import LiveTable
from .logs import log_error, log_event
from .metrics import Metrics
from .orders.standing import StandingOrders
from .retention import Retention
from .seat_links import NAMES_CHANGED, seats_somebody
from .store import Commit, Store, StoredTable, StoreUnavailable
from .table import Table
from .table_changes import Acknowledge, Attach, Do, TableChanges, TableCommand, nobody
from .tokens import TokenKeys
from .tuning import Tuning, wall_clock
from .wire_events import Wire

TOKENS_CHANGED = (SeatTaken, SeatLeft, SeatFreed, SeatReserved, LinkRenewed)
"""Entries that change which tokens of a table are valid."""
PACKED = 50
"""Tables that are made small at once, so that moves wait only some milliseconds for it."""

OnChange = Callable[[LiveTable, Table, bool], None]
"""Called with a table that has changed, its state before, and whether this process has done it."""

OnWatch = Callable[[LiveTable, Iterable[int]], None]
"""Called with a table that somebody has opened, and the places they hold."""


def ignore_watch(live: LiveTable, places: Iterable[int]) -> None:
    """Does nothing, where nobody wants to know."""


def ignore_change(live: LiveTable, before: Table, own: bool) -> None:
    """Does nothing, for a service without listeners."""


class Service:
    """All tables of a server."""

    def __init__(
        self,
        store: Store,
        bots: BotPool,
        hooks: TurnHooks | None = None,
        *,
        catalogue: BoardCatalogue | None = None,
        metrics: Metrics | None = None,
        tuning: Tuning | None = None,
        clock: Callable[[], int] = wall_clock,
    ) -> None:
        self.store = store
        self.metrics = metrics or Metrics()
        self.tuning = tuning or Tuning()
        self.catalogue = catalogue or BoardCatalogue()
        self.now = clock
        self.is_stopping = False
        self.live_tables: dict[str, LiveTable] = {}
        self.warming: Wire | None = None
        """The compiler's progress, in the form of `protocol.server.Warming`."""
        self.warming_changed: Callable[[], None] = lambda: None
        self.on_change: OnChange = ignore_change
        self.on_watch: OnWatch = ignore_watch
        self.driver = Driver(self, bots, hooks)
        self.changes = TableChanges(self)
        self.retention = Retention(self)
        self.orders = StandingOrders(self)
        self._catch_up_tasks = CatchUpTasks(self._hear)
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.unreadable_tables: set[str] = set()
        """Tables that only a newer version can read; another process serves them."""

    async def start(self) -> None:
        """Starts accepting commands; bots and clocks continue where they were."""
        await self.store.start()
        self.keys = TokenKeys(await self.store.shared_key())
        hear = self._catch_up_tasks.hear
        await self.store.listen(hear, self._hear_all, self._hear_chat, self.orders.hear)
        await self.driver.start()
        self.retention.start()

    async def stop(self) -> None:
        """Stops accepting commands and finishes those in progress."""
        self.is_stopping = True
        await self.retention.stop()
        await self.driver.stop()
        await self._catch_up_tasks.stop()
        for live in list(self.live_tables.values()):
            async with live.lock:
                pass
        await self.store.stop()

    def tell_warming(self, warming: Wire | None) -> None:
        """Tells people at the tables that bots wait for machine code, or no longer do."""
        self.warming = warming
        self.warming_changed()

    # Tables in memory

    async def open(self, table: str) -> LiveTable:
        """Returns the table with this name; raises `Refused`."""
        live = self.live_tables.get(table)
        if live is None:
            task = self._loading.get(table)
            if task is None:
                task = asyncio.create_task(self._load(table))
                self._loading[table] = task
                task.add_done_callback(lambda _: self._loading.pop(table, None))
            live = await asyncio.shield(task)
        live.used = time.monotonic()
        return live

    async def find(self, table: str) -> LiveTable | None:
        try:
            return await self.open(table)
        except Refused as refused:
            if refused.code == "no_table":
                return None
            raise

    async def _load(self, table: str) -> LiveTable:
        try:
            kept = await self.store.load(table)
            if kept is None:
                raise Refused("no_table")
            live = await self._folded(table, kept)
        except StoreUnavailable:
            raise Refused("store_unavailable") from None
        except Refused:
            raise
        except Exception as error:
            raise self._unreadable(table, error) from None
        self.unreadable_tables.discard(table)
        self.keep(live)
        if self.store.is_shared:  # what others appended while it was being loaded
            await self.refresh(live)
        return live

    async def _folded(self, table: str, kept: StoredTable) -> LiveTable:
        created = entry_of(kept.rows[0].entry).what
        await self._fetch_board(str(getattr(created, "board_hash", "")))
        live = LiveTable(
            Table(table, self.catalogue.by_hash),
            bytes.fromhex(kept.secret),
            kept.tokens,
            kept.orders,
        )
        live.table.people = kept.people
        await live.load(kept.rows)
        return live

    def _unreadable(self, table: str, error: Exception) -> Refused:
        """Returns why a log cannot be read: it is damaged, or a newer version has written to it."""
        if isinstance(error, NewerEntry):
            if table not in self.unreadable_tables:
                log_event("newer_entry", table=table, entry=str(error))
            self.unreadable_tables.add(table)
            return Refused("newer_version")
        log_error("broken_log", error, table=table)
        return Refused("internal")

    def drop(self, live: LiveTable) -> None:
        """Forgets a table that can no longer be shown here; its clients are asked to reconnect."""
        live.is_gone = True
        if self.live_tables.get(live.id) is live:
            del self.live_tables[live.id]
        for watcher in list(live.watchers):
            watcher.dismiss()

    async def remove(self, table: str) -> None:
        """Deletes a table for good, even while it is in use; raises `StoreUnavailable`."""
        live = self.live_tables.get(table)
        async with live.lock if live else contextlib.nullcontext():
            await self.store.remove(table)
            if live is not None:
                self.drop(live)
        log_event("table_deleted", table=table)

    def keep(self, live: LiveTable) -> None:
        self.live_tables[live.id] = live
        live.used = time.monotonic()
        self.metrics.tables.set(len(self.live_tables))

    def drop_idle(self) -> None:
        """Forgets tables that nobody uses; before that, they are made small."""
        now, packed = time.monotonic(), 0
        for live in list(self.live_tables.values()):
            if live.watchers or live.lock.locked() or live.thinking is not None:
                continue
            idle = self.tuning.chatty if live.chat.lines else self.tuning.idle
            if live.used < now - idle:
                del self.live_tables[live.id]
            elif live.used < now - self.tuning.drowsy and not live.is_asleep and packed < PACKED:
                live.sleep()
                packed += 1
        self.metrics.tables.set(len(self.live_tables))

    async def board(self, name: str) -> BoardSpec:
        """Returns a board by name or hash, also one that only the store has; raises `Refused`."""
        if name in self.catalogue.by_name:
            return self.catalogue.by_name[name]
        try:
            if name not in self.catalogue.by_hash and await self.store.board_text(name) is None:
                raise Refused("not_found")
            await self._fetch_board(name)
        except StoreUnavailable:
            raise Refused("store_unavailable") from None
        return self.catalogue.by_hash[name]

    async def _fetch_board(self, board: str) -> None:
        if board in self.catalogue.by_hash:
            return
        text = await self.store.board_text(board)
        try:
            self.catalogue.add(text or "")
        except BoardError as error:
            log_error("broken_board", error, board=board)
            raise Refused("internal") from None

    # Commands

    async def change(
        self,
        live: LiveTable,
        command: str | None,
        do: Do,
        *,
        seen: int | None = None,
        attach: Attach | None = None,
        acknowledge: Acknowledge = nobody,
    ) -> None:
        """Carries out a command, makes it durable, acknowledges it, and tells the others.

        `command` is its key in the log, by which a repeated one is recognized. `seen` is the
        version its author saw; None where it does not matter. Raises `Refused`.
        """
        await self.changes.carry_out(live, TableCommand(command, do, seen, attach, acknowledge))

    async def level(self) -> int:
        """Returns the level that every process of this server can read; raises `Refused`."""
        try:
            return await self.store.level()
        except StoreUnavailable:
            raise Refused("store_unavailable") from None

    async def append(self, commit: Commit) -> None:
        """Makes a commit durable and counts its moves; raises `Conflict`, `StoreUnavailable`."""
        await self.store.append(commit)
        self.metrics.count_moves(commit.moves)

    # Other processes

    async def catch_up(self, live: LiveTable) -> None:
        """Reads what others have appended; the caller holds the table's lock."""
        await self.orders.catch_up(live)
        rows = await self.store.rows_after(live.id, live.table.version)
        if rows:
            if seats_somebody(rows):
                live.table.people = await self.store.people_of(live.id)
            try:
                news = live.read(rows)
            except Exception as error:
                self.drop(live)
                raise self._unreadable(live.id, error) from None
            if any(isinstance(step.entry.what, TOKENS_CHANGED) for step in news.steps):
                tokens = await self.store.tokens_of(live.id)
                live.tokens = {token.hash: token.place for token in tokens}
            before, is_own = live.table, live.is_doubtful or not self.store.is_shared
            live.tell(live.advance(news))
            self.driver.follow(live, drive=False)
            self.on_change(live, before, is_own)
        live.is_doubtful = False

    async def refresh(self, live: LiveTable) -> None:
        """Makes sure that nothing others have appended is missing; raises `Refused`."""
        async with live.lock:
            try:
                await self.catch_up(live)
            except StoreUnavailable:
                raise Refused("store_unavailable") from None

    async def _hear(self, table: str, version: int) -> None:
        """Handles a notification that a table has reached a version; raises `StoreUnavailable`."""
        live = self.live_tables.get(table)
        if live is None or live.table.version >= version:
            return
        async with live.lock:
            if live.table.version < version:
                with contextlib.suppress(Refused):  # the reason is logged, and the table is dropped
                    await self.catch_up(live)
            if live.table.version < version and not await self.store.exists(table):
                self.drop(live)

    async def share_chat(self, live: LiveTable, line: Wire) -> None:
        """Sends a chat line to the tables of other processes; they miss it if that fails."""
        try:
            await self.store.send_chat(live.id, line)
        except StoreUnavailable:
            log_event("chat_not_shared", table=live.id)

    def _hear_chat(self, table: str, line: Wire) -> None:
        """Shows a chat line of another process to everyone at the table here."""
        live = self.live_tables.get(table)
        if live is not None and line == NAMES_CHANGED:
            self.drop(live)
        elif live is not None:
            live.show_chat(live.chat.add(line))

    def _hear_all(self) -> None:
        """Reads every table again, because notifications may have been missed."""
        for live in self.live_tables.values():
            self.read_again(live)

    def read_again(self, live: LiveTable) -> None:
        """Schedules reading a table and its orders again."""
        live.orders_changed = True
        self._catch_up_tasks.hear(live.id, live.table.version + 1)
