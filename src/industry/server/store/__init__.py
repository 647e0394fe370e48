"""Where logs and secrets are kept: SQLite in a file, or PostgreSQL for several processes."""

from .rows import Commit, Conflict, Hook, IndexRow, LogRow, StoredTable, StoreUnavailable, TokenRow
from .store import Store

__all__ = [
    "Commit",
    "Conflict",
    "Hook",
    "IndexRow",
    "LogRow",
    "Store",
    "StoreUnavailable",
    "StoredTable",
    "TokenRow",
]
