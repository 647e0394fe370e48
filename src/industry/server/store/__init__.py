"""Where logs and secrets are kept: SQLite in a file, or PostgreSQL for several processes."""

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
