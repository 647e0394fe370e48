"""Traces a running game, for another process: its moves and who is thinking."""

from collections.abc import MutableSequence
from ctypes import Array, c_int32
from typing import Protocol

from industry.engine import MAX_SEATS, NOBODY

from .games import MAX_STEPS

CELLS = 2 + MAX_STEPS
_LENGTH, _THINKING, _MOVES = 0, 1, 2
_SEATS = MAX_SEATS + 1


Cells = MutableSequence[int] | Array[c_int32]


class Cell(Protocol):
    """A number shared by two processes."""

    value: float


class LocalCell:
    """A number for a game that nobody watches."""

    value: float = 0.0


class Trace:
    """The trace of a running game. A bot may never return, so every move is stored before the next.

    `cells` are shared with the watching process; `since` is when the current decision began.
    """

    def __init__(self, cells: Cells | None = None, since: Cell | None = None) -> None:
        self._cells: Cells = [0] * CELLS if cells is None else cells
        self._since = LocalCell() if since is None else since
        self._length = 0

    def begin_game(self) -> None:
        self._cells[_LENGTH] = self._length = 0
        self.stop_thinking()

    def add(self, seat: int, code: int) -> None:
        """Adds a move; NOBODY is the seat of a draw."""
        self._cells[_MOVES + self._length] = code * _SEATS + seat - NOBODY
        self._length += 1
        self._cells[_LENGTH] = self._length

    def start_thinking(self, seat: int, now: float) -> None:
        self._cells[_THINKING] = seat - NOBODY
        self._since.value = now

    def stop_thinking(self) -> None:
        self._since.value = 0.0
        self._cells[_THINKING] = 0

    @property
    def thinking(self) -> int:
        """The seat whose bot is asked at this moment, or NOBODY."""
        return self._cells[_THINKING] + NOBODY

    @property
    def since(self) -> float:
        """When the bot was asked, by the monotonic clock; 0 if none is."""
        return self._since.value

    def moves(self) -> tuple[list[int], list[int]]:
        """Codes and seats of all moves so far."""
        notes = self._cells[_MOVES : _MOVES + self._cells[_LENGTH]]
        return [note // _SEATS for note in notes], [note % _SEATS + NOBODY for note in notes]
