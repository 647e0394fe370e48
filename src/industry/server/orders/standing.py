"""Accepts standing orders at all tables of a process, keeps them up to date, shows them to authors.

`Draft` obeys them in the commit that brings a seat its turn; what is left over, `Driver` does.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from industry.notation.orders import OrderList, read_orders

from ..errors import Refused
from ..store import Commit, Conflict, OrdersRow, StoreUnavailable
from .seat_orders import SeatOrders

if TYPE_CHECKING:
    from ..commands import Draft
    from ..live_table import LiveTable
    from ..service import Service

ORDERS_LEVEL = 3
"""Processes of a lower level cannot read moves by order."""
NONE = SeatOrders(0, None, ())


class NothingPlayed(Exception):
    """New orders do not decide anything now."""


class AlreadyDone(Exception):
    """The same command has already set these orders."""


class StandingOrders:
    """The standing orders of a process's tables."""

    def __init__(self, service: "Service") -> None:
        self._service = service

    # Following changes

    async def valid(self, live: "LiveTable") -> Mapping[int, OrderList]:
        """Returns the orders that may be obeyed now, by place; raises `StoreUnavailable`.

        None beside a process of an older version, which could not read the moves.
        """
        if not live.orders or await self._service.store.level() < ORDERS_LEVEL:
            return {}
        return live.order_lines()

    def hear(self, table: str) -> None:
        """Handles a notification that another process has changed orders of a table."""
        live = self._service.live_tables.get(table)
        if live is not None:
            self._service.read_again(live)

    async def catch_up(self, live: "LiveTable") -> None:
        """Reads orders that others may have changed; the caller holds the table's lock."""
        if not live.orders_changed and not live.is_doubtful:
            return
        live.orders_changed = False
        changed = live.hold_orders(await self._service.store.orders_of(live.id))
        live.tell_holders(changed)
        if changed:
            self._service.driver.follow(live, drive=True)

    # Accepting

    async def set(
        self,
        live: "LiveTable",
        place: int,
        new: OrdersRow,
        acknowledge: Callable[[int], None],
    ) -> None:
        """Replaces a place's orders, makes that durable, and obeys them where they decide now.

        `new` follows on the revision that its author saw. Raises `Refused`.
        """
        service = self._service
        if service.is_stopping:
            raise Refused("stopping")
        if await service.level() < ORDERS_LEVEL:
            raise Refused("newer_version")
        try:
            await self._replace(live, place, new, acknowledge)
        except Refused as refused:
            if refused.code != "stale" or not service.store.is_shared:
                raise
            live.orders_changed = True  # another process may have changed them
            await service.refresh(live)
            await self._replace(live, place, new, acknowledge)

    async def _replace(
        self,
        live: "LiveTable",
        place: int,
        new: OrdersRow,
        acknowledge: Callable[[int], None],
    ) -> None:
        def do(draft: "Draft") -> int:
            _expect_next(live, new)
            draft.give_orders(place, read_orders(new.lines))
            if not draft.obey():
                raise NothingPlayed
            draft.obeyed = [other for other in draft.obeyed if other != place]
            return draft.steps[0].entry.version

        def attach(commit: Commit) -> None:
            commit.orders.append(new)

        try:
            await self._service.change(live, None, do, attach=attach, acknowledge=acknowledge)
        except AlreadyDone:
            acknowledge(live.table.version)
        except NothingPlayed:
            await self._store(live, new)
            acknowledge(live.table.version)
            live.tell_holders([place])
        self._service.driver.follow(live, drive=True)

    async def _store(self, live: "LiveTable", new: OrdersRow) -> None:
        """Makes orders durable that decide nothing now; raises `Refused`."""
        try:
            await self._service.store.set_orders(new)
        except Conflict:
            raise Refused("stale") from None
        except StoreUnavailable:
            live.is_doubtful = True
            raise Refused("store_unavailable") from None
        except BaseException:  # a cancelled task does not know whether they are durable
            live.is_doubtful = True
            raise
        live.hold_orders([new])


def _expect_next(live: "LiveTable", new: OrdersRow) -> None:
    """Checks that orders follow on those of their place; raises `AlreadyDone` or `Refused`."""
    known = live.orders.get(new.place, NONE)
    if known.command == new.command:
        raise AlreadyDone
    if known.revision != new.revision - 1:
        raise Refused("stale")
