"""Moves the server makes for a seat: forced ones (J4) and those of an absent player (J2)."""

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

EXTRAS = (Subsidy, Cash)
"""Moves that do not end a decision."""


def forced_move(position: Position) -> PlayerMove | None:
    """Returns the only move the deciding seat could make, even with all the Talers it could get.

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
