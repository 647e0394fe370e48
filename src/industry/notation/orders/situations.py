"""What orders would do now, and would have done at earlier decisions of the same game."""

from collections import deque
from dataclasses import dataclass

from industry.boards import BoardSpec
from industry.engine import Phase, PlayerMove, Position, seat_of

from ..in_place import InPlaceReplay
from ..move_text import write_move
from ..record import Record
from .choosing import applied
from .kinds import OrderList


@dataclass(frozen=True, slots=True)
class Situation:
    """A decision of a seat, and what its orders do there."""

    moves: int
    """Lines of the record before it."""
    round: int
    era: int
    phase: Phase
    field: int | None
    """The field on offer."""
    price: int
    """The highest bid."""
    made: str | None
    """The line that was played; None for a decision that is still open."""
    number: int | None
    """The order that applies, from 0."""
    line: str | None
    """Its move; None where it wakes the player or none applies."""


def situation(
    position: Position, board: BoardSpec, orders: OrderList, moves: int, made: str | None = None
) -> Situation:
    """Returns what orders do at a decision of their seat."""
    state, found = position.state, applied(position, orders)
    move: PlayerMove | None = found.move if found else None
    on_offer = position.phase in (Phase.BID, Phase.SETTLE)
    return Situation(
        moves=moves,
        round=state.round_number,
        era=state.era + 1,
        phase=position.phase,
        field=state.offered if on_offer else None,
        price=state.high_bid if on_offer else 0,
        made=made,
        number=found.number if found else None,
        line=write_move(move, board) if move else None,
    )


def last_situations(
    record: Record, board: BoardSpec, seat: int, orders: OrderList, most: int
) -> list[Situation]:
    """Returns what orders would have done at a seat's last decisions, the latest first."""
    replay = InPlaceReplay(record, board)
    found: deque[tuple[int, str, Position]] = deque(maxlen=most)
    for number, line, move in replay.moves(trusted=True):
        if seat_of(move) == seat and replay.state.actor == seat:
            found.append((number - 1, line, Position(board.rules, replay.state.copy())))
    return [
        situation(position, board, orders, moves, line) for moves, line, position in reversed(found)
    ]
