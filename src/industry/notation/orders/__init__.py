"""Standing orders: moves that players choose in advance for later decisions."""

from .choosing import Applied, applied
from .kinds import (
    MOST_LINES,
    BidOrder,
    CashOrder,
    DevelopOrder,
    OfferOrder,
    Order,
    OrderError,
    OrderList,
    SettleOrder,
    SubsidyOrder,
    WakeOrder,
    read_orders,
    write_orders,
)
from .situations import Situation, last_situations, situation

__all__ = [
    "MOST_LINES",
    "Applied",
    "BidOrder",
    "CashOrder",
    "DevelopOrder",
    "OfferOrder",
    "Order",
    "OrderError",
    "OrderList",
    "SettleOrder",
    "Situation",
    "SubsidyOrder",
    "WakeOrder",
    "applied",
    "last_situations",
    "read_orders",
    "situation",
    "write_orders",
]
