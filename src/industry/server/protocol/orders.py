"""Standing orders: what a seat's holder has decided for decisions to come.

Only the holder of the seat may set them and is told about them. What an order is about is a field
(`2E`), a kind of field, or `any`.
"""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from industry.notation.orders.kinds import MOST_FIELDS, MOST_LINES, MOST_ROUNDS, MOST_TALERS

from .base import CommandId, Model, SeatNumber

What = Annotated[
    str, Field(pattern=r"^(any|joker|bonus|factory|technology|[1-5][A-L])$", max_length=10)
]
Talers = Annotated[int, Field(ge=0, le=MOST_TALERS)]
Round = Annotated[int, Field(ge=0, le=MOST_ROUNDS)]
EraNumber = Annotated[int, Field(ge=1, le=5)]
Whats = Annotated[list[What], Field(max_length=MOST_FIELDS)]


class OrderLine(Model):
    """Base of all orders: holds in one era, or in all of them."""

    era: EraNumber | None = None


class BidOrder(OrderLine):
    """Bid as little as possible up to a limit, else pass; `at_once` bids the limit itself."""

    do: Literal["bid"] = "bid"
    what: What
    up_to: Talers
    at_once: bool = False


class SettleOrder(OrderLine):
    """Sell if the highest bid is at least this, else claim."""

    do: Literal["settle"] = "settle"
    what: What
    sell_from: Talers


class OfferOrder(OrderLine):
    """Offer the first of these that is available."""

    do: Literal["offer"] = "offer"
    fields: Annotated[Whats, Field(min_length=1)]


class DevelopOrder(OrderLine):
    """Develop the first of these that can be paid, as often as possible, then end the turn."""

    do: Literal["develop"] = "develop"
    fields: Whats
    keep: Talers = 0
    """Talers that stay in the purse."""
    jokers: bool = True
    """Whether jokers may be spent."""


class SubsidyOrder(OrderLine):
    """Take the subsidy with fewer Talers than this."""

    do: Literal["subsidy"] = "subsidy"
    below: Talers


class CashOrder(OrderLine):
    """Sell a raw-material tile with fewer Talers than this."""

    do: Literal["cash"] = "cash"
    fields: Annotated[Whats, Field(min_length=1)]
    below: Talers


class WakeOrder(OrderLine):
    """Leave the decision to the player where all the given conditions hold."""

    do: Literal["wake"] = "wake"
    what: What | None = None
    """The field on offer."""
    price_above: Talers | None = None
    """The highest bid so far is more than this."""
    auctioneer: SeatNumber | None = None
    bidder: SeatNumber | None = None
    """Who has the highest bid."""
    talers_below: Talers | None = None
    after_round: Round | None = None
    """A later round than this one has begun."""

    @model_validator(mode="after")
    def _has_condition(self) -> "WakeOrder":
        given = self.model_dump(exclude={"do", "era"}, exclude_none=True)
        if not given:
            raise ValueError("an order to wake needs a condition")
        return self


AnyOrder = Annotated[
    BidOrder | SettleOrder | OfferOrder | DevelopOrder | SubsidyOrder | CashOrder | WakeOrder,
    Field(discriminator="do"),
]
OrderLines = Annotated[list[AnyOrder], Field(max_length=MOST_LINES)]


class SeatOrders(Model):
    """One's own standing orders."""

    revision: int
    """Counts their changes; 0 before the first."""
    lines: OrderLines
    woken: int | None = None
    """The order, from 0, that leaves the current decision to the player."""


class SetOrders(Model):
    """Replace one's standing orders; none cancels all of them. Answered by `accepted`."""

    type: Literal["set_orders"] = "set_orders"
    id: CommandId
    seat: SeatNumber
    revision: int
    """That of the orders that the author saw; others have been set meanwhile: `stale`."""
    lines: OrderLines


class AskOrders(Model):
    """What orders would do now, and at the last ten decisions; answered by `orders`."""

    type: Literal["ask_orders"] = "ask_orders"
    id: CommandId
    seat: SeatNumber
    lines: OrderLines


class OrdersDone(Model):
    """What orders do at a decision."""

    moves: int
    """Lines of the record before it."""
    round: int
    era: int
    phase: Literal["offer", "bid", "settle", "develop"]
    field: str | None
    """The field on offer."""
    price: int
    """The highest bid."""
    made: str | None
    """The line that was played; null where the decision is still open."""
    order: int | None
    """The order that applies, from 0; null where none does."""
    line: str | None
    """Its move; null where it wakes the player."""


class OrdersPreview(Model):
    """Answer to `ask_orders`."""

    type: Literal["orders"] = "orders"
    id: CommandId
    version: int
    now: OrdersDone | None
    """Null while the seat has nothing to decide."""
    before: list[OrdersDone]
    """The latest first."""
