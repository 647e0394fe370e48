"""Computes the steps of a table: every entry of its log with what it changed in the view.

A step is computed once, right after its entry is applied. The same texts go to everyone who is
connected, to those who come back, and to those who ask what happened before they came.
"""

from typing import NamedTuple

from industry.engine import Event

from .entries import LogEntry
from .game_view import ViewCache, changes, game_changes, game_view
from .seats import Seat
from .table import Table
from .table_view import encode, table_view, wire_entry
from .wire_events import Wire


class Shown:
    """What people see of a table after an entry; the next view takes unchanged parts from it."""

    _lasting: str | None

    __slots__ = ("_lasting", "game", "proven", "seats", "view")

    def __init__(self, table: Table, before: "Shown | None" = None) -> None:
        self.seats: list[Seat] = table.seats[:]
        started = table.position is not None
        self.proven = (len(table.era_keys), table.secret, started, table.branch is None)
        known = before.view if before else None
        same_seats = before is not None and before.seats == self.seats
        same_proof = before is not None and same_seats and before.proven == self.proven
        self.game: ViewCache | None = None
        if table.position is not None:
            self.game = game_view(
                table.position,
                len(table.played),
                table.board,
                table.hands_closed,
                before.game if before else None,
            )
        self.view: Wire = table_view(table, known, same_seats, same_proof)
        self.view["game"] = self.game.view if self.game else None
        self._lasting = before._lasting if before is not None and same_proof else None

    @property
    def lasting(self) -> str:
        """What lists show of a table and moves do not change, as members of a JSON object."""
        if self._lasting is None:
            known: Wire = {key: self.view[key] for key in ("options", "seats")}
            known["places"] = [seat.place for seat in self.seats]
            self._lasting = encode(known)[1:-1]
        return self._lasting

    def changed_since(self, before: "Shown | None") -> Wire:
        """Returns what a client must replace in its view, in the form of `Step.changed`."""
        if before is None:
            return self.view
        changed = changes(before.view, self.view)
        if "game" in changed and before.game and self.game:
            changed["game"] = game_changes(before.game.view, self.game.view)
        return changed


class Step(NamedTuple):
    """An entry of the log, the events that people see of it, and both texts of `protocol.Step`."""

    entry: LogEntry
    events: tuple[Event, ...]
    text: str
    changed: str


def step_of(
    table: Table, entry: LogEntry, events: tuple[Event, ...], before: Shown | None
) -> tuple[Step, Shown]:
    """Returns the step of an entry that was just applied to a table, and what is seen after it."""
    shown = Shown(table, before)
    text = wire_entry(entry, events, table.board, table.shown_name)
    return Step(entry, events, text, encode(shown.changed_since(before))), shown


class News(NamedTuple):
    """A table after some more steps; `head` is the hash of its last entry."""

    table: Table
    steps: list[Step]
    shown: Shown
    head: str


def step_text(entry: str, changed: str) -> str:
    """Returns a `protocol.Step` as JSON."""
    return f'{{"entry":{entry},"changed":{changed}}}'
