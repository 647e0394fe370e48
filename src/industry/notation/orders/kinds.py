"""The kinds of standing orders, and their form as JSON.

The subject of an order is a text: a field (`2E`), a kind of field (`joker`), or `any`. Seats, eras
and rounds count from 1. An order without `era` holds for the whole game.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, get_args

from industry.boards.spec import FIELD_INDEX, KINDS
from industry.engine import ERAS, MAX_SEATS

ANYTHING = "any"
MOST_LINES = 20
"""Orders of one seat."""
MOST_FIELDS = 12
"""Fields and kinds in one order."""
MOST_TALERS = 999
MOST_ROUNDS = 999


class OrderError(ValueError):
    """This is not a list of standing orders."""


@dataclass(frozen=True, slots=True)
class BidOrder:
    """Bid as little as possible up to a limit, else pass; with `at_once`, bid the limit itself."""

    do: ClassVar[str] = "bid"
    what: str
    up_to: int
    at_once: bool = False
    era: int | None = None


@dataclass(frozen=True, slots=True)
class SettleOrder:
    """Sell if the highest bid is at least this, else claim."""

    do: ClassVar[str] = "settle"
    what: str
    sell_from: int
    era: int | None = None


@dataclass(frozen=True, slots=True)
class OfferOrder:
    """Offer the first of these that is available."""

    do: ClassVar[str] = "offer"
    fields: tuple[str, ...]
    era: int | None = None


@dataclass(frozen=True, slots=True)
class DevelopOrder:
    """Develop the first of these that can be paid, in every turn; if there is none, end the turn.

    The cheapest way is taken, jokers last; `keep` Talers stay in the purse.
    """

    do: ClassVar[str] = "develop"
    fields: tuple[str, ...]
    keep: int = 0
    jokers: bool = True
    era: int | None = None


@dataclass(frozen=True, slots=True)
class SubsidyOrder:
    """Take the subsidy with fewer Talers than this."""

    do: ClassVar[str] = "subsidy"
    below: int
    era: int | None = None


@dataclass(frozen=True, slots=True)
class CashOrder:
    """Sell a raw-material tile with fewer Talers than this (Industria, by option)."""

    do: ClassVar[str] = "cash"
    fields: tuple[str, ...]
    below: int
    era: int | None = None


@dataclass(frozen=True, slots=True)
class WakeOrder:
    """Leave the decision to the player if all the conditions hold that are given."""

    do: ClassVar[str] = "wake"
    what: str | None = None
    """The field on offer."""
    price_above: int | None = None
    """The highest bid so far is more than this."""
    auctioneer: int | None = None
    """The seat that offers the field."""
    bidder: int | None = None
    """The seat with the highest bid."""
    talers_below: int | None = None
    after_round: int | None = None
    """A later round than this one has begun."""
    era: int | None = None


Order = BidOrder | SettleOrder | OfferOrder | DevelopOrder | SubsidyOrder | CashOrder | WakeOrder
OrderList = tuple[Order, ...]

_KINDS: dict[str, type[Order]] = {cls.do: cls for cls in get_args(Order)}
_MOST = {
    "up_to": MOST_TALERS,
    "sell_from": MOST_TALERS,
    "keep": MOST_TALERS,
    "below": MOST_TALERS,
    "price_above": MOST_TALERS,
    "talers_below": MOST_TALERS,
    "after_round": MOST_ROUNDS,
}


def write_orders(orders: Sequence[Order]) -> str:
    """Returns orders as canonical JSON, without empty values."""
    lines = [
        {key: value for key, value in order_data(order).items() if value is not None}
        for order in orders
    ]
    return json.dumps(lines, sort_keys=True, separators=(",", ":"))


def order_data(order: Order) -> dict[str, Any]:
    """Returns an order as plain data, with all its values."""
    return {"do": order.do} | asdict(order)


def read_orders(text: str) -> OrderList:
    """Parses what `write_orders` wrote; raises `OrderError`."""
    try:
        lines = json.loads(text)
    except (ValueError, RecursionError):
        raise OrderError("orders are a list in JSON") from None
    return orders_of(lines)


def orders_of(lines: object) -> OrderList:
    """Returns the orders that plain data state; raises `OrderError`."""
    if not isinstance(lines, list) or len(lines) > MOST_LINES:
        raise OrderError(f"orders are a list of at most {MOST_LINES}")
    return tuple(_order(line) for line in lines)


def _order(line: object) -> Order:
    if not isinstance(line, dict) or line.get("do") not in _KINDS:
        raise OrderError("an order does one of " + ", ".join(_KINDS))
    values = {key: value for key, value in line.items() if key != "do" and value is not None}
    for name, value in values.items():
        _check(str(name), value)
    if "fields" in values:
        values["fields"] = tuple(values["fields"])
    try:
        order = _KINDS[line["do"]](**values)
    except TypeError:
        raise OrderError(f"this is not what an order to {line['do']} states") from None
    if order == WakeOrder(era=order.era):
        raise OrderError("an order to wake needs a condition")
    return order


def _check(name: str, value: Any) -> None:
    """Raises `OrderError` for a value that no order has."""
    if name == "what":
        fits = _names_something(value)
    elif name == "fields":
        is_list = isinstance(value, list | tuple) and len(value) <= MOST_FIELDS
        fits = is_list and all(_names_something(what) for what in value)
    elif name in ("at_once", "jokers"):
        fits = isinstance(value, bool)
    else:
        least = 0 if name in _MOST else 1
        most = _MOST.get(name, ERAS if name == "era" else MAX_SEATS)
        fits = type(value) is int and least <= value <= most
    if not fits:
        raise OrderError(f"{name} cannot be that")


def _names_something(what: object) -> bool:
    return isinstance(what, str) and (what == ANYTHING or what in KINDS or what in FIELD_INDEX)
