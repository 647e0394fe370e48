"""Where logs and secrets are kept: SQLite in a file, or PostgreSQL for several processes."""

from .rows import Commit, Conflict, Hook, IndexRow, Kept, LogRow, StoreUnavailable, TokenRow
from .store import Store

__all__ = [
    "Commit",
    "Conflict",
    "Hook",
    "IndexRow",
    "Kept",
    "LogRow",
    "Store",
    "StoreUnavailable",
    "TokenRow",
]
