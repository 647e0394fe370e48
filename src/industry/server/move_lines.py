"""The lines of moves by their numbers: written once per board, not once per move."""

from functools import lru_cache

from industry.boards import BoardSpec
from industry.engine import MAX_SEATS, PlayerMove, Position
from industry.notation import write_move

BOARDS = 64
"""Boards whose lines are remembered; a board has some thousand."""


class MoveLines:
    """The lines of a board's moves so far asked for, and back."""

    def __init__(self) -> None:
        self._lines: dict[int, str] = {}
        self._moves: dict[str, PlayerMove] = {}

    def legal(self, position: Position, board: BoardSpec, seat: int) -> list[str]:
        """Returns the lines of a seat's legal moves, in alphabetical order."""
        keys = [code * MAX_SEATS + seat for code in position.legal_codes_of(seat)]
        known = self._lines
        if any(key not in known for key in keys):
            for key, move in zip(keys, position.legal_moves_of(seat), strict=True):
                line = write_move(move, board)
                known[key], self._moves[line] = line, move
        return sorted([known[key] for key in keys])

    def move(self, line: str) -> PlayerMove | None:
        """Returns the move of a line that was legal somewhere; None if that is not known."""
        return self._moves.get(line)


@lru_cache(maxsize=BOARDS)
def lines_of(board_hash: str) -> MoveLines:
    """Returns what is remembered about the moves on a board."""
    return MoveLines()
