"""Limits per client address, for everything that is limited.

An address is an IPv4 address or the /64 network of an IPv6 address, because that is what a provider
gives one customer. Behind a trusted proxy it is the address that the proxy names. All state is in
memory, for a bounded number of addresses.
"""

import asyncio
import ipaddress
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from starlette.requests import HTTPConnection

from .errors import Refused
from .limits import Limits
from .logs import log_event
from .metrics import Metrics
from .protocol.server import ErrorCode

Kind = Literal[
    "connections",
    "sockets",
    "watchers",
    "seated",
    "messages",
    "requests",
    "tables",
    "seats",
    "replays",
    "reviews",
    "hints",
    "hooks",
    "notices",
    "persons",
    "sign_ins",
    "cups",
    "pause",
]
"""The kinds of limits, as metrics and log lines name them."""
ACCOUNTS = 10_000
"""How many addresses are remembered; the least recently seen is forgotten first."""
PLACES = 100
"""How many tables are counted separately for one address."""
TELL_AGAIN = 60.0
"""Seconds before the log names the same address and limit again."""
UNKNOWN = "unknown"
"""Shared by all clients without a usable address."""

RATES: dict[Kind, tuple[str, float]] = {
    "messages": ("address_messages", 20.0),
    "requests": ("address_requests", 20.0),
    "tables": ("address_new_tables", 600.0),
    "seats": ("address_seats", 600.0),
    "replays": ("address_replays", 60.0),
    "reviews": ("address_reviews", 600.0),
    "hints": ("address_hints", 600.0),
    "hooks": ("address_hooks", 3600.0),
    "notices": ("address_notices", 3600.0),
    "persons": ("address_persons", 3600.0),
    "sign_ins": ("address_sign_ins", 600.0),
    "cups": ("address_cups", 3600.0),
}
"""The name of the limit, and the seconds in which all of it is given back, evenly."""
COUNTS: dict[Kind, str] = {
    "connections": "address_connections",
    "sockets": "address_sockets",
    "watchers": "address_watchers",
    "seated": "address_seated",
}
CODES: dict[Kind, ErrorCode] = {"messages": "too_many_messages"}
"""Every other kind answers with `too_fast`."""


@lru_cache(4096)
def address_key(host: str) -> str:
    """Returns the key under which a client's address is counted."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def address_of(connection: HTTPConnection) -> str:
    """Returns the address key of the client behind a request or socket."""
    return address_key(connection.client.host) if connection.client else UNKNOWN


class AddressUsage:
    """What one address has used."""

    __slots__ = ("held", "levels", "logged", "paused", "turn")

    def __init__(self) -> None:
        self.levels: dict[str, tuple[float, float]] = {}
        """By kind: how much is used, and as of when."""
        self.held: Counter[str] = Counter()
        """What is open now, by kind."""
        self.logged: dict[str, float] = {}
        self.paused = 0.0
        self.turn = asyncio.Lock()

    def spend(self, name: str, most: float, seconds: float, cost: float, now: float) -> float:
        """Uses some of a rate; returns 0, or the seconds until that is possible."""
        used, since = self.levels.get(name, (0.0, now))
        used = max(0.0, used - (now - since) * most / seconds)
        over = used + min(cost, most) - most
        if over > 1e-9:
            self.levels[name] = used, now
            return over * seconds / most
        self.levels[name] = used + cost, now
        return 0.0


class AddressLimiter:
    """Counts what every address uses; refuses, counts and logs what exceeds a limit."""

    def __init__(
        self,
        limits: Limits,
        metrics: Metrics,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limits = limits
        self.metrics = metrics
        self._now = clock
        self._accounts: OrderedDict[str, AddressUsage] = OrderedDict()
        self._common = asyncio.Lock()

    def spend(self, address: str, kind: Kind, cost: float = 1.0) -> None:
        """Uses some of an address's rate; raises `Refused` with the time to wait."""
        name, seconds = RATES[kind]
        most = getattr(self.limits, name)
        wait = self._account(address).spend(kind, most, seconds, cost, self._now())
        if wait > 0:
            raise self.refusal(address, kind, wait)

    def spend_seat_change(self, address: str, table: str) -> None:
        """Counts a change of a seat before the game; raises `Refused` with the time to wait."""
        self.spend_at_table(address, table)
        self.spend(address, "seats")

    def spend_at_table(self, address: str, table: str) -> None:
        """Counts a change of a seat at one table only: its log must not grow without end."""
        account, most = self._account(address), self.limits.address_table_seats
        if len(account.levels) > PLACES:  # only the most recent tables are remembered
            account.levels = {name: at for name, at in account.levels.items() if name in RATES}
        wait = account.spend(f"seats {table}", most, RATES["seats"][1], 1.0, self._now())
        if wait > 0:
            raise self.refusal(address, "seats", wait)

    def acquire(self, address: str, kind: Kind) -> bool:
        """Counts something as open until `release`; returns False at the limit."""
        account = self._account(address)
        if account.held[kind] >= getattr(self.limits, COUNTS[kind]):
            self.record_refusal(address, kind)
            return False
        account.held[kind] += 1
        return True

    def release(self, address: str, kind: Kind) -> None:
        account = self._account(address)
        account.held[kind] -= 1
        if account.held[kind] <= 0:
            del account.held[kind]

    def pause(self, address: str) -> None:
        """Keeps an address from opening sockets for a while, after one misbehaved."""
        self._account(address).paused = self._now() + self.limits.address_pause

    def check_not_paused(self, address: str) -> None:
        """Raises `Refused` while an address may not open sockets."""
        wait = self._account(address).paused - self._now()
        if wait > 0:
            raise self.refusal(address, "pause", wait)

    async def wait_turn(self, address: str) -> None:
        """Waits for this address's turn: it gets one in each pass of the event loop.

        However much arrives from one address at once, others are served in between.
        """
        async with self._account(address).turn:
            await asyncio.sleep(0)

    async def wait_common_turn(self) -> None:
        """Waits for a turn shared by all addresses, for work that costs more than a move.

        However many addresses ask at once, moves are handled in between.
        """
        async with self._common:
            await asyncio.sleep(0)

    def refusal(self, address: str, kind: Kind, wait: float) -> Refused:
        """Counts and logs a refusal, and returns it to be raised."""
        self.record_refusal(address, kind)
        return Refused(CODES.get(kind, "too_fast"), detail=kind, retry_after=wait)

    def record_refusal(self, address: str, kind: Kind) -> None:
        """Counts and logs that an address was refused something."""
        self.metrics.limited.labels(kind).inc()
        account, now = self._account(address), self._now()
        if account.logged.get(kind, -TELL_AGAIN) <= now - TELL_AGAIN:
            account.logged[kind] = now
            log_event("limited", logging.WARNING, limit=kind, address=address)

    def _account(self, address: str) -> AddressUsage:
        account = self._accounts.get(address)
        if account is None:
            account = self._accounts[address] = AddressUsage()
            if len(self._accounts) > ACCOUNTS:
                self._forget()
            self.metrics.addresses.set(len(self._accounts))
        else:
            self._accounts.move_to_end(address)
        return account

    def _forget(self) -> None:
        """Forgets the least recently seen addresses, except those with something open."""
        for address, account in list(self._accounts.items())[: len(self._accounts) // 10]:
            if not account.held and not account.turn.locked():
                del self._accounts[address]
