"""Stores logs and secrets: in an SQLite file, or in PostgreSQL for several processes."""

from .rows import (
    Commit,
    Conflict,
    Hook,
    IndexRow,
    LogRow,
    ObeyedOrders,
    OrdersRow,
    PersonSeat,
    SeatPerson,
    StoredTable,
    StoreUnavailable,
    TokenRow,
)
from .store import Store

__all__ = [
    "Commit",
    "Conflict",
    "Hook",
    "IndexRow",
    "LogRow",
    "ObeyedOrders",
    "OrdersRow",
    "PersonSeat",
    "SeatPerson",
    "Store",
    "StoreUnavailable",
    "StoredTable",
    "TokenRow",
]
