"""“Your turn” for people who are elsewhere: one signed call per turn, tried for a day.

What must outlive a restart is in the store, through the small interface `CallBook`: a call is noted
there under the log entry that brought the turn before it is made, and noted as done afterwards. A
table whose webhook is new to this process, which after a start is every one, is looked at once: the
turn that it waits for is noted unless it was. So no turn is lost; the same call comes twice only
where a server dies between the other side's answer and the note of it, and then with the same
`Industry-Delivery`.
"""

import asyncio
import contextlib
import hashlib
import hmac
import ipaddress
import json
import logging
import socket
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol
from urllib.parse import urlsplit

import httpx

from industry import __version__

from .commands import Refused
from .logs import note, note_error
from .metrics import Metrics
from .store import StoreUnavailable
from .store.calls import HOST, Call, DueCall
from .table import Table

SCAN = 2.0
"""Seconds between two looks at what is due and at which tables have webhooks."""
AT_ONCE = 20
TIMEOUT = 10.0
LEASE = 60_000
"""Milliseconds in which a call is made or fails; then another process may try."""
FIRST_PAUSE, PAUSE_FACTOR, LONGEST_PAUSE = 10_000, 4, 3_600_000
GIVE_UP = 24 * 3_600_000
NAT64 = ipaddress.ip_network("64:ff9b::/96")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
OpenTable = Callable[[str], Awaitable[Table]]


class CallBook(Protocol):
    """What hooks need of the store; `store.calls.Calls` is one. Raises `StoreUnavailable`."""

    async def hooked_tables(self) -> list[str]:
        """Running tables at which somebody wants to be called."""
        ...

    async def hooked_places(self, table: str, places: tuple[int, ...]) -> list[int]:
        """Those of the places that have a webhook."""
        ...

    async def add(self, call: Call) -> None:
        """Have a call made, unless it was noted already; an older one of its webhook is dropped."""
        ...

    async def take(self, now: int, until: int, most: int) -> list[DueCall]:
        """Calls that are due; other processes leave them alone until the time that is named."""
        ...

    async def settle(self, call: Call, tries: int, next_at: int | None) -> None:
        """Note how often a call was tried and when it is tried again; None: never."""
        ...


class BadHook(ValueError):
    """An address that cannot be called."""


def check_hook(url: str) -> None:
    """Raises `BadHook` where an address can be refused without asking for its host."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BadHook("not an address") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise BadHook("not an address of a web server")
    if parts.username is not None or parts.password is not None:
        raise BadHook("an address with a name or a password in it")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise BadHook("an address with letters that must be escaped")


def is_public(address: Address) -> bool:
    """Whether an address belongs to the public network, whatever it is wrapped in."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        if address.teredo is not None:
            return False
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast


def signature(secret: str, body: bytes) -> str:
    """The header `Industry-Signature` of a call."""
    return f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"


def pause_after(tries: int) -> int:
    """Milliseconds to the next try: longer each time."""
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
        """`private`: also addresses of private networks and of this machine may be called."""
        self._calls = calls
        self._metrics = metrics or Metrics()
        self._private = private
        self._public_url = public_url
        self._now = clock
        self._hooked: frozenset[str] = frozenset()
        self._news = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._slots = asyncio.Semaphore(AT_ONCE)
        # a connection belongs to one name and one address that was checked: none is used again
        self._client = httpx.AsyncClient(
            timeout=TIMEOUT,
            follow_redirects=False,
            trust_env=False,
            limits=httpx.Limits(max_keepalive_connections=0),
            headers={"user-agent": f"industry/{__version__}"},
        )

    async def start(self, open_table: OpenTable) -> None:
        """Begin to call; `open_table` gives the table of a name as its log has made it."""
        self._spawn(self._run(open_table))

    async def stop(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._client.aclose()

    def turn(self, table: Table, seat: int) -> None:
        """The seat, from 0, must decide at this table."""
        if table.id in self._hooked:
            self._spawn(self._note(table.id, table.seats[seat].place, table.turn_version, seat + 1))

    async def _note(self, table: str, place: int, turn: int, seat: int) -> None:
        """Note the calls of a turn; a restart makes up for what the store does not take now."""
        created = self._now()
        with contextlib.suppress(StoreUnavailable):
            for hooked in await self._calls.hooked_places(table, (HOST, place)):
                await self._calls.add(Call(table, hooked, turn, seat, created))
            self._news.set()
            return
        self._hooked -= {table}  # the next look at the tables notes it again

    # Looking for calls

    async def _run(self, open_table: OpenTable) -> None:
        while True:
            try:
                await self._look_at_tables(open_table)
                await self._make_due_calls()
            except StoreUnavailable:
                note("hooks_wait_for_store", logging.WARNING)
            except Exception as error:
                note_error("hooks_failed", error)
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SCAN):
                    await self._news.wait()

    async def _look_at_tables(self, open_table: OpenTable) -> None:
        hooked = frozenset(await self._calls.hooked_tables())
        new, self._hooked = hooked - self._hooked, hooked
        for name in new:
            try:
                await self._note_turn(await open_table(name))
            except Refused as refused:  # a table that cannot be opened has been told of already
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
            self._news.set()

    # Making a call

    async def _make(self, due: DueCall) -> None:
        async with self._slots:
            outcome = await self._delivered(due) if due.still_due else "stale"
        tries, now = due.tries + 1, self._now()
        next_at = now + pause_after(tries) if outcome == "retried" else None
        if next_at is not None and next_at > due.call.created + GIVE_UP:
            outcome, next_at = "given_up", None
        self._metrics.hooks.labels(outcome).inc()
        with contextlib.suppress(StoreUnavailable):  # the lease ends, and it is tried again
            await self._calls.settle(due.call, tries, next_at)

    async def _delivered(self, due: DueCall) -> str:
        host = urlsplit(due.hook.url).hostname
        try:
            check_hook(due.hook.url)
            async with asyncio.timeout(2 * TIMEOUT):
                status = await self._post(due)
        except BadHook as error:
            note("hook_refused", logging.WARNING, table=due.call.table, host=host, text=error)
            return "given_up"
        except (httpx.HTTPError, OSError, TimeoutError, UnicodeError) as error:
            note("hook_failed", table=due.call.table, host=host, error=type(error).__name__)
            return "retried"
        if 200 <= status < 300:
            return "delivered"
        note("hook_failed", table=due.call.table, host=host, status=status)
        return "given_up" if status == httpx.codes.GONE else "retried"

    async def _post(self, due: DueCall) -> int:
        """Call the address that was checked, under the name that was asked for."""
        url = httpx.URL(due.hook.url)
        address = await self._address(url)
        call, body = due.call, self._body(due.call)
        request = self._client.build_request(
            "POST",
            url.copy_with(host=str(address)),
            content=body,
            headers={
                "host": url.netloc.decode("ascii"),
                "content-type": "application/json",
                "industry-signature": signature(due.hook.secret, body),
                "industry-delivery": f"{call.table}-{call.place}-{call.turn}",
            },
            extensions={"sni_hostname": url.host},
        )
        response = await self._client.send(request, stream=True)  # its body is of no interest
        await response.aclose()
        return response.status_code

    async def _address(self, url: httpx.URL) -> Address:
        port = url.port or (443 if url.scheme == "https" else 80)
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(url.host, port, type=socket.SOCK_STREAM)
        addresses = [ipaddress.ip_address(str(place[4][0]).partition("%")[0]) for place in found]
        for address in addresses:
            if self._private or is_public(address):
                return address
        raise BadHook("an address that is not public")

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
