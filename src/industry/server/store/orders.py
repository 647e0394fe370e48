"""Stores standing orders, each revision on top of the one before."""

from collections.abc import Iterable

from sqlalchemy import Connection, Update, func, insert, select, update

from . import schema
from .rows import Conflict, ObeyedOrders, OrdersRow

ORDERS_CHANNEL = "industry_orders"
"""Carries the tables whose orders have changed; versions before 0.2.0 do not listen to it."""


def orders_of(connection: Connection, table: str) -> list[OrdersRow]:
    """Returns the orders of all places at a table."""
    query = select(schema.orders).where(schema.orders.c.table_id == table)
    return [
        OrdersRow(table, row.place, row.revision, row.command, row.lines)
        for row in connection.execute(query)
    ]


def put_orders(connection: Connection, row: OrdersRow) -> None:
    """Replaces a place's orders; raises `Conflict` or `IntegrityError` if they have changed since
    the revision before this one.
    """
    values = {"revision": row.revision, "command": row.command, "lines": row.lines}
    if row.revision == 1:
        first = values | {"table_id": row.table, "place": row.place}
        connection.execute(insert(schema.orders).values(first))
        return
    before = (row.table, row.place, row.revision - 1)
    if connection.execute(_of(ObeyedOrders(*before)).values(values)).rowcount != 1:
        raise Conflict


def check_obeyed(connection: Connection, obeyed: Iterable[ObeyedOrders]) -> None:
    """Raises `Conflict` if one of these orders has changed, and locks them until the commit."""
    for seen in obeyed:
        same = _of(seen).values(revision=seen.revision)  # locks the row
        if connection.execute(same).rowcount != 1:
            raise Conflict


def _of(seen: ObeyedOrders) -> Update:
    orders = schema.orders.c
    return update(schema.orders).where(
        orders.table_id == seen.table,
        orders.place == seen.place,
        orders.revision == seen.revision,
    )


def tell_orders(connection: Connection, table: str, origin: str) -> None:
    """Tells the other processes that orders of a table have changed."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_notify(ORDERS_CHANNEL, f"{table} {origin}")))


def ordered_tables(connection: Connection) -> list[str]:
    """Returns running tables with standing orders."""
    orders, tables = schema.orders.c, schema.tables.c
    query = (
        select(orders.table_id)
        .distinct()
        .join_from(schema.orders, schema.tables, orders.table_id == tables.id)
        .where(tables.status == "running")
    )
    return list(connection.scalars(query))
