"""Adds entries to a copy of a table, with everything that follows without a decision.

Draws, forced moves, moves by standing order, stand-ins' moves and revealed keys are committed with
the command that they follow from.
"""

from collections.abc import Mapping

from industry.engine import Draw, Move
from industry.notation import write_move
from industry.notation.orders import OrderList

from .automatic_moves import MOST_ORDERED, forced_move, ordered_move, passive_move
from .bag import FairBag
from .entries import BagRevealed, EntryContent, EraRevealed, How, LogEntry, Moved, Started
from .permissions import is_sealed
from .steps import Shown, Step, step_of
from .store.rows import PersonSeat
from .table import Table


class OpenDraft:
    """A table as it would be after some new entries, and those entries."""

    def __init__(
        self,
        table: Table,
        secret: bytes,
        now: int,
        shown: Shown | None = None,
        orders: Mapping[int, OrderList] | None = None,
    ) -> None:
        """`shown` is what people see of the table now; without it the first step shows all.
        `orders` are the standing orders, by place.
        """
        self.table = table.copy()
        self.shown = shown
        self.steps: list[Step] = []
        self.seated: list[PersonSeat] = []
        """Seats that persons take in this draft."""
        self.orders = dict(orders or {})
        self.obeyed: list[int] = []
        """The place of each move by order."""
        self._secret = secret
        self._bag: FairBag | None = None
        self._now = max(
            now, table.changed
        )  # the log's times never decrease, even if the clock is set back

    @property
    def bag(self) -> FairBag:
        if self._bag is None:
            self._bag = self.table.bag(self._secret)
        return self._bag

    def add(self, what: EntryContent, move: Move | None = None) -> int:
        """Applies an entry to the draft, with its move; returns its version."""
        entry = LogEntry(self.table.version + 1, self._now, what)
        events = self.table.apply(entry, move)
        step, self.shown = step_of(self.table, entry, events, self.shown)
        self.steps.append(step)
        return entry.version

    def settle(self) -> None:
        """Adds everything that follows without a decision, up to the next one."""
        table = self.table
        if table.position is None:
            if not table.is_full():
                return
            self._start()
        while (found := self._next_move()) is not None:
            self._move(*found)
        if table.status == "over" and table.secret is None and not is_sealed(table):
            self.reveal()

    def reveal(self) -> None:
        """Publishes the secret of a game that is over."""
        table = self.table
        self._reveal_eras(int(table.position.state.era) + 1 if table.position else 0)
        self.add(BagRevealed(self.bag.revealed_secret))

    def _start(self) -> None:
        table, bag = self.table, self.bag
        players = len(table.seats)
        order = bag.seating(players) if table.deals_seats else list(range(1, players + 1))
        self.add(Started(order, bag.starting_player(players)))

    def _next_move(self) -> tuple[Move, How] | None:
        """Returns the move that the server makes now, if any."""
        table, position = self.table, self.table.position
        assert position is not None
        if position.draw_due:
            if not is_sealed(table):
                self._reveal_eras(int(position.state.era))
            return self.bag.draw(position), "chance"
        seat = table.actor
        if seat is None:
            return None
        if table.options.auto_forced and (move := forced_move(position)) is not None:
            return move, "automatic"
        if (move := ordered_move(table, self.orders)) is not None:
            if len(self.obeyed) >= MOST_ORDERED:
                return None
            self.obeyed.append(table.seats[seat].place)
            return move, "order"
        if table.seats[seat].absent:
            pending = table.pending_action()
            if pending and pending.bot is None and pending.at <= self._now:
                return passive_move(position), "zombie"
        return None

    def _move(self, move: Move, how: How, stand_in: str | None = None) -> int:
        seat = None if isinstance(move, Draw) else move.seat + 1
        return self.add(Moved(write_move(move, self.table.board), how, seat, stand_in), move)

    def _reveal_eras(self, over: int) -> None:
        """Publishes the keys of the eras that are over."""
        for era in range(len(self.table.era_keys) + 1, over + 1):
            self.add(EraRevealed(era, self.bag.era_key(era)))

    @property
    def has_order_due(self) -> bool:
        """Checks whether a standing order decides next."""
        return bool(self.orders) and ordered_move(self.table, self.orders) is not None

    def obey(self) -> bool:
        """Plays the moves of standing orders; returns whether there were any."""
        before = len(self.steps)
        if self.table.status == "running":
            self.settle()
        return len(self.steps) > before
