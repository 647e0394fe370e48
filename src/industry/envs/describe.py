"""Describes a position in a few lines of text, for people who watch an agent."""

from industry.boards import BoardSpec
from industry.engine import Phase, Position, Status, Token, field_id
from industry.engine.constants import COLUMNS, FIELDS, NO_FIELD


def describe(board: BoardSpec, position: Position) -> str:
    """Describes the progress of the game, then each seat in a line. Seats count from 1."""
    seats = range(position.state.players)
    return "\n".join([_course(position), *(_seat(board, position, seat) for seat in seats)])


def _course(position: Position) -> str:
    state = position.state
    parts = [f"era {state.era + 1}, round {state.round_number}"]
    available = [
        field_id(state.era * COLUMNS + column)
        for column in range(COLUMNS)
        if state.tokens[column] == Token.FACE_UP
    ]
    if available:
        parts.append(f"available {' '.join(available)}")
    if state.offered != NO_FIELD:
        parts.append(f"seat {state.auctioneer + 1} offers {field_id(state.offered)}")
    if state.high_bid:
        parts.append(f"highest bid {state.high_bid} by seat {state.high_bidder + 1}")
    parts.append(_decision(position))
    return "; ".join(parts)


def _decision(position: Position) -> str:
    seat = position.actor + 1
    match position.phase:
        case Phase.DRAW:
            return "a draw is due"
        case Phase.OFFER:
            return f"seat {seat} chooses a field"
        case Phase.BID:
            return f"seat {seat} bids or passes"
        case Phase.SETTLE:
            return f"seat {seat} sells or claims"
        case Phase.DEVELOP:
            return f"seat {seat} develops"
        case _:
            winners = " and ".join(str(winner + 1) for winner in position.winners())
            return f"the game is over, won by seat {winners}"


def _seat(board: BoardSpec, position: Position, seat: int) -> str:
    state = position.state
    parts = [f"{state.talers[seat]} Talers", f"{position.breakdown(seat).points} points"]
    for status, words in (
        (Status.DEVELOPED, "developed"),
        (Status.UNDEVELOPED, "undeveloped"),
        (Status.HELD, "jokers"),
    ):
        fields = [f for f in range(FIELDS) if state.owner[f] == seat and state.status[f] == status]
        if fields:
            parts.append(f"{words} {' '.join(_field(board, field) for field in fields)}")
    if state.subsidies[seat]:
        parts.append("subsidy taken")
    return f"seat {seat + 1}: {', '.join(parts)}"


def _field(board: BoardSpec, field: int) -> str:
    joker = board.field(field).joker
    return f"{field_id(field)} ({joker})" if joker else field_id(field)
