"""The move that standing orders make: a pure function of the position and the orders."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from industry.boards.spec import FIELD_INDEX, KINDS
from industry.engine import (
    Bid,
    Board,
    Cash,
    Claim,
    Develop,
    Done,
    Offer,
    Pass,
    Phase,
    PlayerMove,
    Position,
    Sell,
    Source,
    Subsidy,
    total_price,
)

from .kinds import (
    ANYTHING,
    BidOrder,
    CashOrder,
    DevelopOrder,
    OfferOrder,
    Order,
    OrderList,
    SettleOrder,
    SubsidyOrder,
    WakeOrder,
)

OfferOrCash = TypeVar("OfferOrCash", Offer, Cash)


@dataclass(frozen=True, slots=True)
class Applied:
    """The first order that applies (from 0), and its move; None where it wakes the player."""

    number: int
    move: PlayerMove | None


def applied(position: Position, orders: OrderList) -> Applied | None:
    """Returns what the deciding seat's orders do in this position; None if none of them applies.

    The first order that applies decides; a move that is not legal never applies.
    """
    if position.actor < 0:
        return None
    era = position.state.era + 1
    for number, order in enumerate(orders):
        if order.era is not None and order.era != era:
            continue
        if isinstance(order, WakeOrder):
            if _waits_for_player(position, order):
                return Applied(number, None)
        elif (move := _move(position, order)) is not None:
            return Applied(number, move)
    return None


def _move(position: Position, order: Order) -> PlayerMove | None:
    """Returns the legal move by which an order answers this decision, if it is about it."""
    match order:
        case BidOrder():
            return _bid(position, order) if position.phase == Phase.BID else None
        case SettleOrder():
            return _settle(position, order) if position.phase == Phase.SETTLE else None
        case OfferOrder():
            return _offer(position, order) if position.phase == Phase.OFFER else None
        case DevelopOrder():
            return _develop(position, order) if position.phase == Phase.DEVELOP else None
        case SubsidyOrder(below):
            subsidy = Subsidy(position.actor)
            return subsidy if _is_short(position, below) and _is_legal(position, subsidy) else None
        case CashOrder():
            return _cash(position, order)
        case _:
            return None


def _bid(position: Position, order: BidOrder) -> PlayerMove | None:
    if not _is_about(order.what, position.state.offered, position.board):
        return None
    bids = [move.talers for move in position.legal_moves if isinstance(move, Bid)]
    if not bids or min(bids) > order.up_to:
        return Pass(position.actor)
    most = max(talers for talers in bids if talers <= order.up_to)
    return Bid(position.actor, most if order.at_once else min(bids))


def _settle(position: Position, order: SettleOrder) -> PlayerMove | None:
    state, seat = position.state, position.actor
    if not _is_about(order.what, state.offered, position.board):
        return None
    move = Sell(seat) if state.high_bid >= order.sell_from else Claim(seat)
    return move if _is_legal(position, move) else None


def _offer(position: Position, order: OfferOrder) -> PlayerMove | None:
    offers = [move for move in position.legal_moves if isinstance(move, Offer)]
    return _first_about(order.fields, offers, position)


def _develop(position: Position, order: DevelopOrder) -> PlayerMove:
    ways = [move for move in position.legal_moves if isinstance(move, Develop)]
    for what in order.fields:
        fitting = [
            (jokers, price, move.field, move.sources)
            for move in ways
            if _is_about(what, move.field, position.board)
            for jokers, price in (_price(position, move),)
            if (order.jokers or not jokers)
            and position.state.talers[position.actor] - price >= order.keep
        ]
        if fitting:
            _, _, field, sources = min(fitting)
            return Develop(position.actor, field, sources)
    return Done(position.actor)


def _price(position: Position, move: Develop) -> tuple[int, int]:
    """Returns how many jokers and Talers a development takes."""
    jokers = sum(source in (Source.JOKER, Source.ANY) for source in move.sources)
    first, second = (*move.sources, Source.OWN, Source.OWN)[:2]
    price = total_price(position.board, position.state, move.seat, move.field, first, second)
    return jokers, int(price)


def _cash(position: Position, order: CashOrder) -> PlayerMove | None:
    if not _is_short(position, order.below):
        return None
    tiles = [move for move in position.legal_moves if isinstance(move, Cash)]
    return _first_about(order.fields, tiles, position)


def _waits_for_player(position: Position, order: WakeOrder) -> bool:
    state = position.state
    on_offer = position.phase in (Phase.BID, Phase.SETTLE)
    conditions = (
        order.what is None or (on_offer and _is_about(order.what, state.offered, position.board)),
        order.price_above is None or (on_offer and state.high_bid > order.price_above),
        order.auctioneer is None or (on_offer and state.auctioneer == order.auctioneer - 1),
        order.bidder is None or (on_offer and state.high_bidder == order.bidder - 1),
        order.talers_below is None or _is_short(position, order.talers_below),
        order.after_round is None or state.round_number > order.after_round,
    )
    return all(conditions)


def _is_short(position: Position, talers: int) -> bool:
    return bool(position.state.talers[position.actor] < talers)


def _is_legal(position: Position, move: PlayerMove) -> bool:
    return position.refusal(move) is None


def _first_about(
    fields: Iterable[str], moves: Sequence[OfferOrCash], position: Position
) -> OfferOrCash | None:
    """Returns the move about the first of the fields or kinds for which there is one."""
    board = position.board
    found = (move for what in fields for move in moves if _is_about(what, move.field, board))
    return next(found, None)


def _is_about(what: str, field: int, board: Board) -> bool:
    """Checks whether a field is this one, or of this kind."""
    if what == ANYTHING:
        return True
    if what in KINDS:
        return bool(board.kind[field] == KINDS[what])
    return FIELD_INDEX[what] == field
