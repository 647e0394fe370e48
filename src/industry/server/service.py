"""The way of a command: check → compute → commit → acknowledge → broadcast.

One writer per table. Tables live in memory as long as somebody uses them; the store has the truth.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from industry.boards import BoardError, BoardSpec

from .commands import Draft, Refused, Step, moves_in
from .driver import BotPool, Driver, TurnHooks
from .entries import SeatLeft, SeatTaken, entry_of
from .keys import Keys
from .live import BrokenLog, Live
from .logs import note_error
from .metrics import Metrics
from .shelf import Shelf
from .store import Commit, Conflict, Store, StoreUnavailable
from .table import Table

Do = Callable[[Draft], int]
"""Carries a command out on a draft; returns the version that it became, or raises `Refused`."""
Attach = Callable[[Commit], None]
"""Adds to a commit what is no entry of the log."""
Acknowledge = Callable[[int], None]
"""Tells the author that his command is durable, before others see what it became."""


def _nobody(version: int) -> None:
    """Some commands have no author who waits."""


@dataclass(frozen=True, slots=True)
class Task:
    """A command as `Service.change` takes it."""

    command: str | None
    do: Do
    seen: int | None
    attach: Attach | None
    acknowledge: Acknowledge


@dataclass(frozen=True, slots=True)
class Tuning:
    """Times in seconds, and sizes."""

    bot_pause: float = 0.0
    """A bot's move at a table with people comes not sooner; screens have a pace of their own."""
    lease: float = 10.0
    """After so long another process makes a bot's move that has not come."""
    scan: float = 5.0
    """How often the index is asked for tables at which something is due."""
    grace: float = 60.0
    """After a start nobody's time runs out sooner: perhaps the server was what was missing."""
    idle: float = 300.0
    """Tables that nobody uses leave the memory after so long."""
    max_tables: int = 10_000


def wall_clock() -> int:
    """Milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


class Service:
    """All tables of a server."""

    def __init__(
        self,
        store: Store,
        bots: BotPool,
        hooks: TurnHooks | None = None,
        *,
        shelf: Shelf | None = None,
        metrics: Metrics | None = None,
        tuning: Tuning | None = None,
        clock: Callable[[], int] = wall_clock,
    ) -> None:
        self.store = store
        self.metrics = metrics or Metrics()
        self.tuning = tuning or Tuning()
        self.shelf = shelf or Shelf()
        self.now = clock
        self.is_stopping = False
        self.lives: dict[str, Live] = {}
        self.driver = Driver(self, bots, hooks)
        self._loading: dict[str, asyncio.Task[Live]] = {}

    async def start(self) -> None:
        """Be ready for commands; bots and clocks go on where they were."""
        await self.store.start()
        self.keys = Keys(await self.store.shared_key())
        await self.store.listen(self._hear, self._catch_up_all)
        await self.driver.start()

    async def stop(self) -> None:
        """Accept nothing more, finish what is under way."""
        self.is_stopping = True
        await self.driver.stop()
        for live in list(self.lives.values()):
            async with live.lock:
                pass
        await self.store.stop()

    # Tables in memory

    async def open(self, table: str) -> Live:
        """The table of this name; raises `Refused`."""
        live = self.lives.get(table)
        if live is None:
            task = self._loading.get(table)
            if task is None:
                task = asyncio.create_task(self._load(table))
                self._loading[table] = task
                task.add_done_callback(lambda _: self._loading.pop(table, None))
            live = await asyncio.shield(task)
        live.used = time.monotonic()
        return live

    async def find(self, table: str) -> Live | None:
        try:
            return await self.open(table)
        except Refused as refused:
            if refused.code == "no_table":
                return None
            raise

    async def _load(self, table: str) -> Live:
        try:
            kept = await self.store.load(table)
            if kept is None:
                raise Refused("no_table")
            created = entry_of(kept.rows[0].entry).what
            await self._fetch_board(str(getattr(created, "board_hash", "")))
        except StoreUnavailable:
            raise Refused("store_unavailable") from None
        live = Live(Table(table, self.shelf.by_hash), bytes.fromhex(kept.secret), kept.tokens)
        try:
            live.advance(*live.read(kept.rows), kept.rows[-1].hash)
        except (BrokenLog, ValueError, KeyError, AssertionError) as error:
            note_error("broken_log", error, table=table)
            raise Refused("internal") from None
        self.keep(live)
        return live

    def keep(self, live: Live) -> None:
        self.lives[live.id] = live
        live.used = time.monotonic()
        self.metrics.tables.set(len(self.lives))

    def drop_idle(self) -> None:
        """Forget tables that nobody uses."""
        limit = time.monotonic() - self.tuning.idle
        for live in list(self.lives.values()):
            busy = live.watchers or live.lock.locked() or live.thinking is not None
            if live.used < limit and not busy:
                del self.lives[live.id]
        self.metrics.tables.set(len(self.lives))

    async def board(self, name: str) -> BoardSpec:
        """A board by its name or hash, also one that only the store has; raises `Refused`."""
        if name in self.shelf.by_name:
            return self.shelf.by_name[name]
        try:
            if name not in self.shelf.by_hash and await self.store.board_text(name) is None:
                raise Refused("not_found")
            await self._fetch_board(name)
        except StoreUnavailable:
            raise Refused("store_unavailable") from None
        return self.shelf.by_hash[name]

    async def _fetch_board(self, board: str) -> None:
        if board in self.shelf.by_hash:
            return
        text = await self.store.board_text(board)
        try:
            self.shelf.add(text or "")
        except BoardError as error:
            note_error("broken_board", error, board=board)
            raise Refused("internal") from None

    # Commands

    async def change(
        self,
        live: Live,
        command: str | None,
        do: Do,
        *,
        seen: int | None = None,
        attach: Attach | None = None,
        acknowledge: Acknowledge = _nobody,
    ) -> None:
        """Carry a command out, make it durable, acknowledge it, tell the others.

        `command` is its key in the log, by which a repeated one is known. `seen` is the version
        that its author saw; None where it does not matter. Raises `Refused`.
        """
        if self.is_stopping:
            raise Refused("stopping")
        async with live.lock:
            try:
                await self._carry_out(live, Task(command, do, seen, attach, acknowledge))
            except StoreUnavailable:
                raise Refused("store_unavailable") from None

    async def _carry_out(self, live: Live, task: Task) -> None:
        in_doubt = False
        while True:
            if live.is_doubtful or (task.seen is not None and task.seen > live.table.version):
                await self._catch_up(live)
            known = await self._known(live, task, in_doubt)
            if known is not None:
                task.acknowledge(known)
                return
            draft = Draft(live.table, live.secret, self.now())
            try:
                version = task.do(draft)
                await self._commit(live, draft, version, task)
            except Refused:
                if in_doubt or task.command is None:
                    raise
                in_doubt = True  # perhaps it was carried out long ago, and is no longer possible
                continue
            except Conflict:
                live.is_doubtful = in_doubt = True
                continue
            return

    async def _known(self, live: Live, task: Task, in_doubt: bool) -> int | None:
        """What a repeated command became. Raises `Refused` where it is new but too old."""
        command, seen, table = task.command, task.seen, live.table
        if command is not None and command in live.recent:
            return live.recent[command]
        is_stale = seen is not None and not table.decision_version <= seen <= table.version
        if command is not None and (is_stale or in_doubt):
            known = await self.store.command_version(live.id, command)
            if known is not None:
                return known
        if is_stale:
            raise Refused("stale")
        return None

    async def _commit(self, live: Live, draft: Draft, version: int, task: Task) -> None:
        rows = live.rows_of(draft.steps, task.command, version)
        lease = round(self.tuning.lease * 1000)
        index = [live.index_row(draft.table, self.now(), lease)]
        commit = Commit(rows, index, moves=moves_in(draft.steps))
        head = rows[-1].hash
        if task.attach is not None:
            task.attach(commit)
        try:
            await self.append(commit)
        except Conflict:
            raise
        except BaseException:  # also a cancelled task does not know whether it is durable
            live.is_doubtful = True
            raise
        live.hold(commit.tokens, commit.revoked)
        if task.command is not None:
            live.remember(task.command, version)
        task.acknowledge(version)
        before = live.table.actor
        self._show(live, draft.table, draft.steps, head)
        self.driver.follow(live, drive=True)
        if live.table.actor != before:
            self.driver.tell_turn(live)

    async def append(self, commit: Commit) -> None:
        """Make a commit durable and count its moves; raises `Conflict` or `StoreUnavailable`."""
        await self.store.append(commit)
        self.metrics.count_moves(commit.moves)

    def _show(self, live: Live, table: Table, steps: list[Step], head: str) -> None:
        live.tell(live.advance(table, steps, head))

    # Other processes

    async def _catch_up(self, live: Live) -> None:
        """Read what others have appended; to be called with the table's lock."""
        rows = await self.store.rows_after(live.id, live.table.version)
        if rows:
            table, steps = live.read(rows)
            if any(isinstance(step.entry.what, SeatTaken | SeatLeft) for step in steps):
                tokens = await self.store.tokens_of(live.id)
                live.tokens = {token.hash: token.place for token in tokens}
            self._show(live, table, steps, rows[-1].hash)
            self.driver.follow(live, drive=False)
        live.is_doubtful = False

    async def refresh(self, live: Live) -> None:
        """Make sure that nothing of what others have appended is missing; raises `Refused`."""
        async with live.lock:
            try:
                await self._catch_up(live)
            except StoreUnavailable:
                raise Refused("store_unavailable") from None

    async def _hear(self, table: str, version: int) -> None:
        live = self.lives.get(table)
        if live is not None and live.table.version < version:
            async with live.lock:
                try:
                    if live.table.version < version:
                        await self._catch_up(live)
                except StoreUnavailable:
                    live.is_doubtful = True

    async def _catch_up_all(self) -> None:
        for live in list(self.lives.values()):
            await self._hear(live.id, live.table.version + 1)
