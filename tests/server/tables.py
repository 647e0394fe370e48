"""Tables without a server: drafts that are taken over at once, at times that the test sets."""

from collections.abc import Sequence
from random import Random

from industry.boards import load_board
from industry.notation import write_move
from industry.server.commands import Draft
from industry.server.entries import LogEntry, Moved
from industry.server.new_table import fill_seats, new_table
from industry.server.protocol.http import SeatWish
from industry.server.protocol.view import TableOptions
from industry.server.steps import Shown, Step
from industry.server.table import Table

SECRET = bytes(range(32))
BOARDS = {name: load_board(name) for name in ("industry", "industria")}
BOTS = frozenset({"random", "foreman"})
NAME = "abcdefghijkl"


class Play:
    """A table whose commands succeed at once; `now` is the time in milliseconds."""

    def __init__(self, seats: Sequence[str] = ("human",) * 4, **options: object) -> None:
        self.now = 1_000_000
        self.steps: list[Step] = []
        options = {"players": len(seats), "seating": "as_joined", **options}
        draft = new_table(NAME, TableOptions.model_validate(options), BOARDS, SECRET, self.now)
        wishes = [
            SeatWish.model_validate(
                {"kind": seat} if seat in ("human", "open") else {"kind": "bot", "bot": seat}
            )
            for seat in seats
        ]
        fill_seats(draft, wishes, BOTS)
        self.keep(draft)

    def draft(self, after: int = 0) -> Draft:
        """A draft of what comes next, this many milliseconds later."""
        self.now += after
        return Draft(self.table, SECRET, self.now, self.shown)

    def keep(self, draft: Draft) -> None:
        self.table: Table = draft.table
        self.shown: Shown | None = draft.shown
        self.steps += draft.steps

    def move(self, line: str, after: int = 0) -> None:
        draft = self.draft(after)
        draft.move(int(line[0]) - 1, line)
        self.keep(draft)

    def legal(self) -> list[str]:
        assert self.table.position is not None
        return sorted(write_move(m, self.table.board) for m in self.table.position.legal_moves)

    def play_on(self, rng: Random, moves: int | None = None) -> None:
        """Plays random moves for everyone, to the end or up to a number."""
        while self.table.status == "running" and moves != 0:
            self.move(rng.choice(self.legal()), after=1000)
            moves = None if moves is None else moves - 1

    @property
    def actor(self) -> int:
        """The seat that must decide, from 1."""
        assert self.table.actor is not None
        return self.table.actor + 1

    @property
    def entries(self) -> list[LogEntry]:
        return [step.entry for step in self.steps]

    def kinds(self, last: int) -> list[str]:
        return [entry.what.kind for entry in self.entries[-last:]]

    def moves(self, how: str) -> list[str]:
        found = [entry.what for entry in self.entries if isinstance(entry.what, Moved)]
        return [move.line for move in found if move.how == how]
