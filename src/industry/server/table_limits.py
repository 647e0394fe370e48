"""How many tables a server has, and how many one address may make."""

from .address_limits import AddressLimiter
from .errors import Refused
from .service import Service
from .store import StoreUnavailable

TENTH = 10
"""The last tenth of all tables is reserved for addresses that have none."""
FULL = 600.0
"""Seconds after which a client may ask again whether there is room for a table."""


async def expect_room(service: Service, limiter: AddressLimiter, maker: str, address: str) -> None:
    """Checks the limits of tables; the last tenth is for addresses that have none."""
    if service.is_stopping:
        raise Refused("stopping")
    store, most = service.store, service.tuning.max_tables
    try:
        unfinished, own = await store.count_unfinished(), await store.count_unfinished(maker)
    except StoreUnavailable:
        raise Refused("store_unavailable") from None
    kept = most // TENTH if own else 0
    if unfinished >= most - kept:
        raise Refused("too_many_tables", retry_after=FULL)
    if own >= limiter.limits.address_tables:
        limiter.record_refusal(address, "tables")
        raise Refused("too_many_tables", detail="address", retry_after=FULL)
