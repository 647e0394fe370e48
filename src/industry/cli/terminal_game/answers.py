"""A typed line as a move: a number of the list, or notation without the seat."""

import re

from industry.engine import (
    SOURCES,
    Bid,
    Develop,
    Done,
    Draw,
    Fault,
    Pass,
    Phase,
    PlayerMove,
    Position,
    Source,
    Subsidy,
    source_fault,
)
from industry.notation import read_move

from .choices import SUBSIDY_KEY, choices, typed
from .fields import field_of
from .speech import Speech

_FIELD = re.compile(r"[1-5][a-l]")
_WITH_SEAT = re.compile(r"[1-4] [a-z]")


class Unclear(ValueError):
    """The line does not stand for a single move; the message says so in the player's language."""


def read_answer(line: str, position: Position, speech: Speech) -> PlayerMove:
    """Parses the move that a person means; the rules decide whether it is legal.

    Raises `Unclear` or `NotationError`.
    """
    words = tidy(line)
    if words.isdigit():
        return _numbered(int(words[:9]), position, speech)
    seat = position.actor
    if words == SUBSIDY_KEY:
        return Subsidy(seat)
    parts = words.split(" ")
    if parts[0] == "develop" and len(parts) == 2 and field_of(parts[1]) is not None:
        return _develop(position, field_of(parts[1]) or 0, speech)
    move = read_move(words if _WITH_SEAT.match(words) else f"{seat + 1} {words}", speech.board)
    assert not isinstance(move, Draw)  # a draw has no seat
    return move


def tidy(line: str) -> str:
    """Normalizes spaces and case, with fields in capitals."""
    words = line.lower().split()
    return " ".join(word.upper() if _FIELD.fullmatch(word) else word for word in words)


def _numbered(number: int, position: Position, speech: Speech) -> PlayerMove:
    """Reads a number: while bidding the bid, otherwise a place in the list. 0 does nothing."""
    seat = position.actor
    if position.phase == Phase.BID:
        return Bid(seat, number) if number else Pass(seat)
    if position.phase == Phase.DEVELOP and number == 0:
        return Done(seat)
    for choice in choices(position, speech):
        if choice.key == str(number) and choice.move is not None:
            return choice.move
    raise Unclear(speech.say("terminal.answer.no_number", number=number))


def _develop(position: Position, field: int, speech: Speech) -> PlayerMove:
    """Completes a development without sources: the only way there is, or the nearest one."""
    seat = position.actor
    legal = position.legal_moves
    ways = [move for move in legal if isinstance(move, Develop) and move.field == field]
    if len(ways) > 1:
        lines = [f"  {typed(way, speech)}" for way in ways]
        raise Unclear("\n".join([speech.say("terminal.answer.several_ways"), *lines]))
    return ways[0] if ways else Develop(seat, field, _nearest(position, field))


def _nearest(position: Position, field: int) -> tuple[int, ...]:
    """Returns a usable source for each need, or the bank where there is none."""
    board, state = position.board, position.state
    return tuple(
        next(
            (
                source
                for source in range(SOURCES)
                if source_fault(board, state, position.actor, need, source) == Fault.NONE
            ),
            int(Source.BANK),
        )
        for need in board.needs(field)
    )
