"""Previews for their author what orders would do now, and would have done before."""

from industry.engine import field_id
from industry.notation.orders import Situation, last_situations, situation
from industry.notation.orders.kinds import orders_of

from ..protocol.orders import AskOrders
from ..table import Table
from ..wire_events import Wire

SITUATIONS = 10
"""Earlier decisions at which orders are tried."""


def orders_preview(table: Table, question: AskOrders) -> Wire:
    """Returns a `protocol.orders.OrdersPreview` without its id and version."""
    position, board, seat = table.position, table.board, question.seat - 1
    assert position is not None
    orders = orders_of([line.model_dump(exclude_none=True) for line in question.lines])
    now = situation(position, board, orders, len(table.played)) if position.actor == seat else None
    before = last_situations(table.record(), board, seat, orders, SITUATIONS)
    return {
        "type": "orders",
        "now": _wire(now) if now else None,
        "before": [_wire(one) for one in before],
    }


def _wire(found: Situation) -> Wire:
    return {
        "moves": found.moves,
        "round": found.round,
        "era": found.era,
        "phase": found.phase.name.lower(),
        "field": None if found.field is None else field_id(found.field),
        "price": found.price,
        "made": found.made,
        "order": found.number,
        "line": found.line,
    }
