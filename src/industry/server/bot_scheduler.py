"""Decides which bot thinks next, so that nobody can occupy all processes.

Tables with a connected person come first. Among them addresses take turns, and within an address
its tables, however many one address has created. At tables where nobody is connected, bots think
while no person waits, on half of the processes and for a shorter time.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from .metrics import Metrics

ALONE = 0.25
"""The largest share of its time that a bot gets where nobody is connected."""


class BotScheduler:
    """Hands out slots in the bot processes."""

    def __init__(self, places: int, metrics: Metrics, pause: float) -> None:
        """`pause`: seconds between two decisions in one slot where nobody is connected."""
        self._places = places
        self._free = places
        self._alone_free = max(1, places // 2)
        self._pause = pause
        self._people: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """Waiting requests by address; the next address comes first."""
        self._alone: deque[asyncio.Future[None]] = deque()
        self._metrics = metrics

    @asynccontextmanager
    async def turn(self, address: str | None) -> AsyncIterator[float]:
        """Waits for a slot; yields the fraction of its time that the bot may use.

        `address` is where a person is connected from; None if nobody is.
        """
        await self._wait(address)
        try:
            yield self._share(address)
        finally:
            self._free += 1
            if address is None:
                asyncio.get_running_loop().call_later(self._pause, self._end_alone)
            self._hand_out()

    def _end_alone(self) -> None:
        self._alone_free += 1
        self._hand_out()

    def _share(self, address: str | None) -> float:
        """Returns a smaller share the more are waiting: one per address counts among people."""
        waiting = len(self._alone) if address is None else len(self._people)
        share = 1 / (1 + waiting / self._places)
        return min(ALONE, share) if address is None else share

    async def _wait(self, address: str | None) -> None:
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue = self._alone if address is None else self._people.setdefault(address, deque())
        queue.append(place)
        self._hand_out()
        try:
            await place
        except asyncio.CancelledError:
            if (
                place.done() and not place.cancelled()
            ):  # the slot was granted but is no longer needed
                self._free += 1
                self._alone_free += address is None
                self._hand_out()
            raise

    def _hand_out(self) -> None:
        while self._free and (place := self._next()) is not None:
            self._free -= 1
            place.set_result(None)
        people = sum(len(queue) for queue in self._people.values())
        self._metrics.bots_waiting.labels("people").set(people)
        self._metrics.bots_waiting.labels("alone").set(len(self._alone))

    def _next(self) -> asyncio.Future[None] | None:
        while self._people:
            address, queue = self._people.popitem(last=False)
            place = _first(queue)
            if queue:
                self._people[address] = queue
            if place is not None:
                return place
        if self._alone_free:
            place = _first(self._alone)
            self._alone_free -= place is not None
            return place
        return None


def _first(queue: deque[asyncio.Future[None]]) -> asyncio.Future[None] | None:
    """Returns the first request that still waits."""
    while queue:
        place = queue.popleft()
        if not place.done():
            return place
    return None
