"""“Your turn” webhooks: one signed call per turn, retried for a day.

What must survive a restart is in the store, behind the small interface `CallBook`: a call is
recorded under the log entry that brought the turn before it is made, and marked as done afterwards.
A table whose webhook this process has not seen yet (after a start, every one) is checked once, and
the turn it waits for is recorded unless it was. So no turn is lost. The same call comes twice only
if a server dies between the answer and recording it, and then with the same `Industry-Delivery`.
"""

import asyncio
import contextlib
import hashlib
import hmac
import json
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol
from urllib.parse import urlsplit

import httpx

from .background import RepeatedTask
from .errors import Refused
from .logs import log_event
from .metrics import Metrics
from .outgoing import TIMEOUT, BadHook, PublicClient, SparedHosts, check_hook
from .store import StoreUnavailable
from .store.calls import HOST, Call, DueCall
from .table import Table

SCAN = 2.0
"""Seconds between two scans for due calls and tables with webhooks."""
AT_ONCE = 20
LEASE = 60_000
"""Milliseconds in which a call succeeds or fails; then another process may try."""
FIRST_PAUSE, PAUSE_FACTOR, LONGEST_PAUSE = 10_000, 4, 3_600_000
GIVE_UP = 24 * 3_600_000
PER_HOST = 60
"""Calls per minute to one host, for all webhooks together."""
OpenTable = Callable[[str], Awaitable[Table]]


class CallBook(Protocol):
    """What webhooks need from the store; implemented by `store.calls.Calls`.

    All methods raise `StoreUnavailable`.
    """

    async def hooked_tables(self) -> list[str]:
        """Returns running tables with a webhook."""
        ...

    async def hooked_places(self, table: str, places: tuple[int, ...]) -> list[int]:
        """Returns those of the places that have a webhook."""
        ...

    async def add(self, call: Call) -> None:
        """Records a call to be made, unless it is recorded; drops an older one of its webhook."""
        ...

    async def take(self, now: int, until: int, most: int) -> list[DueCall]:
        """Returns due calls; other processes leave them alone until the given time."""
        ...

    async def settle(self, call: Call, tries: int, next_at: int | None) -> None:
        """Records how often a call was tried and when to try again; None means never."""
        ...


def signature(secret: str, body: bytes) -> str:
    """Returns the `Industry-Signature` header of a call."""
    return f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"


def pause_after(tries: int) -> int:
    """Returns the milliseconds until the next attempt: longer each time."""
    return int(min(LONGEST_PAUSE, FIRST_PAUSE * PAUSE_FACTOR ** min(tries - 1, 20)))


def _wall_clock() -> int:
    return time.time_ns() // 1_000_000


class Hooks:
    """Calls the webhooks of all tables of a server."""

    def __init__(
        self,
        calls: CallBook,
        metrics: Metrics | None = None,
        *,
        private: bool = False,
        public_url: str = "",
        clock: Callable[[], int] = _wall_clock,
    ) -> None:
        """`private` also allows calling private networks and this machine."""
        self._calls = calls
        self._metrics = metrics or Metrics()
        self._public_url = public_url
        self._now = clock
        self._hooked: frozenset[str] = frozenset()
        self._task = RepeatedTask(self._look, SCAN, failure="hooks_failed")
        self._open_table: OpenTable
        self._tasks: set[asyncio.Task[Any]] = set()
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._spared = SparedHosts(PER_HOST)
        self._client = PublicClient(private=private)

    async def start(self, open_table: OpenTable) -> None:
        """Starts calling; `open_table` loads a table by its name."""
        self._open_table = open_table
        self._task.start()

    async def stop(self) -> None:
        await self._task.stop()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._client.close()

    def turn(self, table: Table, seat: int) -> None:
        """Reports that the seat (from 0) must decide at this table."""
        if table.id in self._hooked:
            self._spawn(self._note(table.id, table.seats[seat].place, table.turn_version, seat + 1))

    async def _note(self, table: str, place: int, turn: int, seat: int) -> None:
        """Records the calls of a turn; a restart makes up for what the store refuses now."""
        created = self._now()
        with contextlib.suppress(StoreUnavailable):
            for hooked in await self._calls.hooked_places(table, (HOST, place)):
                await self._calls.add(Call(table, hooked, turn, seat, created))
            self._task.wake()
            return
        self._hooked -= {table}  # the next scan records it again

    # Finding calls

    async def _look(self) -> None:
        await self._look_at_tables(self._open_table)
        await self._make_due_calls()

    async def _look_at_tables(self, open_table: OpenTable) -> None:
        hooked = frozenset(await self._calls.hooked_tables())
        new, self._hooked = hooked - self._hooked, hooked
        for name in new:
            try:
                await self._note_turn(await open_table(name))
            except Refused as refused:  # opening a table has already logged the reason
                if refused.code == "store_unavailable":
                    self._hooked -= {name}

    async def _note_turn(self, table: Table) -> None:
        seat = table.actor
        if seat is None:
            return
        sitting = table.seats[seat]
        if sitting.kind == "human" and sitting.absent is None:
            await self._note(table.id, sitting.place, table.turn_version, seat + 1)

    async def _make_due_calls(self) -> None:
        now = self._now()
        due = await self._calls.take(now, now + LEASE, AT_ONCE)
        for call in due:
            self._spawn(self._make(call))
        if len(due) == AT_ONCE:
            self._task.wake()

    # Making a call

    async def _make(self, due: DueCall) -> None:
        async with self._slots:
            outcome = await self._delivered(due) if due.still_due else "stale"
        tries, now = due.tries + 1, self._now()
        next_at = now + pause_after(tries) if outcome == "retried" else None
        if next_at is not None and next_at > due.call.created + GIVE_UP:
            outcome, next_at = "given_up", None
        self._metrics.hooks.labels(outcome).inc()
        with contextlib.suppress(StoreUnavailable):  # the lease expires and the call is retried
            await self._calls.settle(due.call, tries, next_at)

    async def _delivered(self, due: DueCall) -> str:
        host = urlsplit(due.hook.url).hostname
        if self._spared.is_spared(host or "", self._now()):
            return "retried"
        try:
            check_hook(due.hook.url)
            async with asyncio.timeout(2 * TIMEOUT):
                status = await self._post(due)
        except BadHook as error:
            log_event("hook_refused", logging.WARNING, table=due.call.table, host=host, text=error)
            return "given_up"
        except (httpx.HTTPError, OSError, TimeoutError, UnicodeError) as error:
            log_event("hook_failed", table=due.call.table, host=host, error=type(error).__name__)
            return "retried"
        if 200 <= status < 300:
            return "delivered"
        log_event("hook_failed", table=due.call.table, host=host, status=status)
        return "given_up" if status == httpx.codes.GONE else "retried"

    async def _post(self, due: DueCall) -> int:
        call, body = due.call, self._body(due.call)
        headers = {
            "content-type": "application/json",
            "industry-signature": signature(due.hook.secret, body),
            "industry-delivery": f"{call.table}-{call.place}-{call.turn}",
        }
        return await self._client.post(due.hook.url, body, headers)

    def _body(self, call: Call) -> bytes:
        content: dict[str, object] = {
            "type": "turn",
            "table": call.table,
            "seat": call.seat,
            "turn": call.turn,
            "at": call.created,
        }
        if self._public_url:
            content["link"] = f"{self._public_url}/table/{call.table}"
        return json.dumps(content, separators=(",", ":")).encode()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
