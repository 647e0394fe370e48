"""Finds the moves that the server makes for a seat: forced ones (J4), those of an absent player
(J2), and those by standing order.
"""

from collections.abc import Mapping

from industry.engine import (
    Cash,
    Done,
    Offer,
    Pass,
    Phase,
    PlayerMove,
    Position,
    Sell,
    Subsidy,
    play,
)
from industry.notation.orders import OrderList, applied

from .table import Table

MOST_ORDERED = 8
"""Moves by order in one commit, so that no table keeps the others waiting."""
EXTRAS = (Subsidy, Cash)
"""Moves that do not end a decision."""


def forced_move(position: Position) -> PlayerMove | None:
    """Returns the only move that the deciding seat could make, with any purse it could have.

    Which field is offered does not depend on Talers, so the last one is always forced. A
    development turn in which a raw-material tile could be sold is left to its player: selling some
    tiles and using others may open a way.
    """
    moves = position.legal_moves
    main = _main(moves)
    if len(main) != 1:
        return None
    if position.phase == Phase.OFFER:
        return main[0]
    extras = [move for move in moves if isinstance(move, EXTRAS)]
    if position.phase == Phase.DEVELOP and any(isinstance(move, Cash) for move in extras):
        return None
    for move in extras:
        position, _ = play(position, move)
    return main[0] if _main(position.legal_moves) == main else None


def _main(moves: tuple[PlayerMove, ...]) -> list[PlayerMove]:
    return [move for move in moves if not isinstance(move, EXTRAS)]


def passive_move(position: Position) -> PlayerMove:
    """Returns what an absent player does: pass, offer the first field, sell, develop nothing."""
    seat = position.actor
    match position.phase:
        case Phase.OFFER:
            return next(move for move in position.legal_moves if isinstance(move, Offer))
        case Phase.BID:
            return Pass(seat)
        case Phase.SETTLE:
            return Sell(seat)
        case _:
            return Done(seat)


def ordered_move(table: Table, orders: Mapping[int, OrderList]) -> PlayerMove | None:
    """Returns the move that the deciding seat's orders make now; `orders` go by place.

    None where its player must decide: no order applies, one wakes the player, or the decision is
    open again because it was taken back.
    """
    if table.actor is None or table.position is None or len(table.played) == table.undone_to:
        return None
    seat = table.seats[table.actor]
    if seat.kind != "human" or seat.absent or not orders.get(seat.place):
        return None
    found = applied(table.position, orders[seat.place])
    return found.move if found else None
