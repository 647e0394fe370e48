"""The standing orders of one seat, as they are stored and as their author sees them."""

from dataclasses import dataclass
from typing import Any

from industry.engine import Position
from industry.notation.orders import OrderError, OrderList, applied, read_orders
from industry.notation.orders.kinds import order_data

from ..logs import log_event
from ..store import OrdersRow


@dataclass(frozen=True, slots=True)
class SeatOrders:
    """Orders after their change number `revision`, which `command` made."""

    revision: int
    command: str | None
    lines: OrderList

    def shown(self, position: Position | None) -> dict[str, Any]:
        """Returns them in the form of `protocol.orders.SeatOrders`; `position` is a decision of
        their author, if there is one.
        """
        found = applied(position, self.lines) if position else None
        woken = found.number if found and found.move is None else None
        lines = [order_data(order) for order in self.lines]
        return {"revision": self.revision, "lines": lines, "woken": woken}


def seat_orders(row: OrdersRow) -> SeatOrders:
    """Returns stored orders; those that only a newer version can read do nothing here."""
    try:
        lines = read_orders(row.lines)
    except OrderError as error:
        log_event("unknown_orders", table=row.table, text=str(error))
        return SeatOrders(row.revision, row.command, ())
    return SeatOrders(row.revision, row.command, lines)
