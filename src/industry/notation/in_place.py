"""Replays a record on one state that every move changes: fast, for readers of whole games.
`notation.Game` keeps what it needs to undo moves.
"""

from collections.abc import Iterator

from industry.boards import BoardSpec
from industry.engine import Move, Position, advance, start

from .explain import explain
from .move_text import NotationError, read_move
from .options import rule_options
from .record import Record


class BrokenLine(Exception):
    """A line that is not a legal move, with the reason; `number` counts from 1."""

    def __init__(self, number: int, line: str, reason: str) -> None:
        super().__init__(reason)
        self.number = number
        self.line = line
        self.reason = reason


class InPlaceReplay:
    """The game of a record: `state` is that before the next move, `state.events` led to it."""

    def __init__(self, record: Record, board: BoardSpec) -> None:
        self.record = record
        self.board = board
        first = record.starting_player - 1
        options = rule_options(record.options)
        self.state = start(board.rules, len(record.players), first, options).state

    def moves(self, *, trusted: bool = False) -> Iterator[tuple[int, str, Move]]:
        """Yields number, line and move of every line before playing it; raises `BrokenLine`.

        Moves of a trusted record are not checked.
        """
        for number, line in enumerate(self.record.moves, start=1):
            try:
                move = read_move(line, self.board)
            except NotationError as error:
                raise BrokenLine(number, line, str(error)) from None
            refusal = None if trusted else self.position.refusal(move)
            if refusal is not None:
                raise BrokenLine(number, line, explain(refusal, self.board))
            yield number, line, move
            self.state.events.clear()
            advance(self.board.rules, self.state, move)

    @property
    def position(self) -> Position:
        return Position(self.board.rules, self.state)
