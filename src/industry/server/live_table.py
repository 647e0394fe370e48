"""Keeps a table in memory: its state, ready to be shown, and who watches it.

Everything here can be discarded and rebuilt from the store.
"""

import asyncio
import hashlib
from collections.abc import Iterable, Sequence
from typing import Protocol

from industry.notation.orders import OrderList

from .automatic_moves import ordered_move
from .chat import Chat
from .entries import LogEntry, chain_start, chained, entry_of
from .orders.seat_orders import seat_orders
from .step_texts import StepTexts
from .steps import News, Shown, Step, step_of
from .store import IndexRow, LogRow, ObeyedOrders, OrdersRow, TokenRow
from .table import Table
from .table_view import encode, lobby_table, yours_text
from .wire_events import Wire

PART = 50
"""Log entries that are loaded before the event loop gets its turn."""
SHOWN = 500
"""Log entries in a snapshot, and steps in an answer; others are sent on request."""
RECENT = 64
"""Commands of a table that are remembered without asking the store."""
HOST = 0
"""The place of the host's token; seats have places from 1."""


class BrokenLog(Exception):
    """The store contains something other than what was written to it."""


class Watcher(Protocol):
    """A socket that watches a table: its places, its address, and how to send to it."""

    address: str

    hurried: bool

    wants_choices: bool

    @property
    def places(self) -> frozenset[int]: ...

    def push(self, news: "UpdateFrame") -> None: ...

    def push_text(self, text: str) -> None: ...

    def dismiss(self) -> None: ...


class TableLock(asyncio.Lock):
    """Held while appending to a table's log."""

    def take(self) -> bool:
        """Acquires the lock if that is possible without waiting."""
        acquiring = self.acquire()
        try:
            acquiring.send(None)
        except StopIteration:
            return True
        acquiring.close()
        return False


class LiveTable:
    """One table and the sockets that watch it."""

    def __init__(
        self,
        table: Table,
        secret: bytes,
        tokens: Iterable[TokenRow],
        orders: Iterable[OrdersRow] = (),
    ) -> None:
        self.table = table
        self.secret = secret
        self.tokens = {token.hash: token.place for token in tokens}
        self.orders = {row.place: seat_orders(row) for row in orders}
        """The standing orders of each place that ever had some."""
        self.orders_changed = False
        """Another process may have changed orders: read them before the next use."""
        self.head = chain_start(table.id)
        self.texts = StepTexts()
        """The steps so far, as JSON for the wire."""
        self._shown: Shown | None = None
        self.recent: dict[str, int] = {}
        self.lock = TableLock()
        self.is_doubtful = False
        """A commit may or may not have succeeded: read the log before the next one."""
        self.is_gone = False
        """The table was deleted or can no longer be read; do not use it."""
        self.thinking: int | None = None
        """The decision that a bot of this process thinks about."""
        self.watchers: set[Watcher] = set()
        self.chat = Chat()
        self.used = 0.0
        self.is_asleep = False
        """It keeps only what cannot be computed, until somebody needs the rest."""
        self._yours: dict[tuple[int, bool], str] = {}
        self._undoer: int | None = None
        """The seat that may undo its last move."""
        self._seats_of: dict[frozenset[int], list[int]] = {}

    @property
    def id(self) -> str:
        return self.table.id

    def place_of(self, token: str) -> int | None:
        """Returns the place that a token belongs to."""
        return self.tokens.get(token_hash(token))

    def places_of(self, hashes: Iterable[str]) -> frozenset[int]:
        """Returns the places that tokens with these hashes belong to."""
        return frozenset(self.tokens[h] for h in hashes if h in self.tokens)

    def seats_of(self, places: frozenset[int]) -> list[int]:
        """Returns the seats, from 0, that holders of these places act for now."""
        if places not in self._seats_of:
            seats = (self.table.seat_of_place(place) for place in places)
            self._seats_of[places] = sorted(seat for seat in seats if seat is not None)
        return self._seats_of[places]

    def reserved_for(self, tokens: Sequence[str]) -> list[Wire]:
        """Returns the seats these tokens may take, in the form of `protocol.server.Reserved`."""
        places = {seat.place: n for n, seat in enumerate(self.table.seats, 1) if seat.is_reserved}
        held = [(self.place_of(token), number) for number, token in enumerate(tokens)]
        return [{"seat": places[place], "token": n} for place, n in held if place in places]

    def hold(self, tokens: Iterable[TokenRow], revoked: Iterable[TokenRow]) -> None:
        """Updates which tokens are valid."""
        gone = {token.place for token in revoked}
        new = {token.hash: token.place for token in tokens if token.table == self.id}
        if gone or new:
            kept = {h: place for h, place in self.tokens.items() if place not in gone}
            self.tokens = kept | new

    def hold_orders(self, rows: Iterable[OrdersRow]) -> list[int]:
        """Takes over changed orders; returns the places that have others than before."""
        new = {row.place: seat_orders(row) for row in rows if row.table == self.id}
        changed = [place for place, orders in new.items() if self.orders.get(place) != orders]
        if changed:
            self.orders = self.orders | new
            self._yours = {}
        return changed

    def order_lines(self) -> dict[int, OrderList]:
        """Returns the standing orders of each place."""
        return {place: orders.lines for place, orders in self.orders.items()}

    def obeyed_orders(self, places: Iterable[int]) -> list[ObeyedOrders]:
        """Returns the revisions of these places' orders."""
        return [ObeyedOrders(self.id, p, self.orders[p].revision) for p in sorted(set(places))]

    def cancelled_orders(self, place: int) -> list[OrdersRow]:
        """Returns the row that cancels a place's orders, if it ever had some."""
        known = self.orders.get(place)
        return [OrdersRow(self.id, place, known.revision + 1, None, "[]")] if known else []

    @property
    def has_order_due(self) -> bool:
        """Checks whether a standing order decides now."""
        return bool(self.orders) and ordered_move(self.table, self.order_lines()) is not None

    def tell_holders(self, places: Iterable[int]) -> None:
        """Sends to the holders of these places what only they see."""
        told = set(places)
        frame = self.missing(self.table.version)
        for watcher in list(self.watchers):
            if watcher.places & told:
                watcher.push(frame)

    def rows_of(self, steps: list[Step], command: str | None, version: int) -> list[LogRow]:
        """Returns the rows that store these entries; `version` is the command's entry."""
        rows, head = [], self.head
        for step in steps:
            text = step.entry.text()
            head = chained(head, text)
            number = step.entry.version
            rows.append(LogRow(self.id, number, text, head, command if number == version else None))
        return rows

    async def load(self, rows: list[LogRow]) -> None:
        """Loads a whole log in parts, so that others are served in between."""
        for first in range(0, len(rows), PART):
            self.advance(self.read(rows[first : first + PART]))
            await asyncio.sleep(0)

    def read(self, rows: list[LogRow]) -> News:
        """Returns the table after further rows, with their steps; raises `BrokenLog`."""
        table, steps, head, shown = self.table.copy(), [], self.head, self.shown
        for row in rows:
            head = chained(head, row.entry)
            if head != row.hash or row.version != table.version + 1:
                raise BrokenLog(f"{row.table} {row.version}")
            entry: LogEntry = entry_of(row.entry)
            step, shown = step_of(table, entry, table.apply(entry), shown)
            steps.append(step)
        assert shown is not None
        return News(table, steps, shown, head)

    def advance(self, news: News) -> "UpdateFrame":
        """Takes over what has become durable; returns the update for watchers."""
        table = news.table
        if table.seats != self.table.seats:
            self._seats_of = {}
        self.table, self.head, self._shown = table, news.head, news.shown
        self.texts.add(news.steps)
        self.is_asleep = False
        self._yours = {}
        self._undoer = table.last_decision()[1]
        return UpdateFrame(self, table.version - len(news.steps))

    @property
    def shown(self) -> Shown | None:
        """What people see now; None before the first entry."""
        if self._shown is None and self.table.version:
            self._shown = Shown(self.table)
            self.is_asleep = False
        return self._shown

    def sleep(self) -> None:
        """Keeps only what cannot be computed: nobody is at the table, and somebody may come."""
        self.is_asleep = True
        self.texts.pack()
        self._shown = None
        self._yours, self._seats_of = {}, {}

    def remember(self, command: str, version: int) -> None:
        self.recent[command] = version
        if len(self.recent) > RECENT:
            del self.recent[next(iter(self.recent))]

    def show_chat(self, line: Wire) -> None:
        """Sends a chat line to everyone at the table."""
        text = encode(line)
        for watcher in list(self.watchers):
            watcher.push_text(text)

    def tell(self, news: "UpdateFrame") -> None:
        """Sends an update to everyone; first to those for whom no choices must be computed."""
        later = []
        for watcher in list(self.watchers):
            if watcher.wants_choices:
                later.append(watcher)
            else:
                watcher.push(news)
        for watcher in later:
            watcher.push(news)

    # What watchers are shown

    def connected(self) -> tuple[bool, ...]:
        """Returns for each seat whether its holder has a socket here."""
        places = {place for watcher in self.watchers for place in watcher.places}
        return tuple(seat.place in places for seat in self.table.seats)

    def people(self) -> list[str]:
        """Returns the addresses from which players are connected here."""
        seated = (watcher for watcher in self.watchers if self.seats_of(watcher.places))
        return sorted({watcher.address for watcher in seated})

    @property
    def is_hurried(self) -> bool:
        """Whether everyone who plays here wants bots to answer at once."""
        playing = [watcher for watcher in self.watchers if self.seats_of(watcher.places)]
        return bool(playing) and all(watcher.hurried for watcher in playing)

    def presence(self) -> Wire:
        watching = sum(1 for watcher in self.watchers if not self.seats_of(watcher.places))
        return {
            "type": "presence",
            "connected": list(self.connected()),
            "watching": watching,
        }

    @property
    def view(self) -> Wire:
        """The table in the form of `protocol.view.TableView`."""
        shown = self.shown
        assert shown is not None
        return shown.view

    def snapshot(self, places: frozenset[int], with_choices: bool) -> str:
        """Returns a `protocol.server.Snapshot` for a client that holds these places."""
        return (
            f'{{"type":"snapshot","view":{encode(self.view)},'
            f'"yours":{self.yours(places, with_choices)},'
            f'"log":[{",".join(self.texts.entries(SHOWN))}]}}'
        )

    def steps_after(self, version: int, most: int | None = None) -> str:
        """Returns JSON of the steps after a version."""
        first = max(version, 0)
        last = None if most is None else first + most
        return f"[{','.join(self.texts.steps(first, last))}]"

    def missing(self, version: int) -> "UpdateFrame":
        """Returns the update for a client that has seen the entries up to a version."""
        return UpdateFrame(self, version)

    def yours(self, places: frozenset[int], with_choices: bool) -> str:
        """Returns JSON of what only the holders of these places see; computed once per seat."""
        found = []
        for seat in self.seats_of(places):
            key = seat, with_choices
            if key not in self._yours:
                orders = self.orders.get(self.table.seats[seat].place)
                can_undo = seat == self._undoer
                self._yours[key] = yours_text(self.table, seat, can_undo, with_choices, orders)
            found.append(self._yours[key])
        return f"[{','.join(found)}]"

    @staticmethod
    def index_row(table: Table, shown: Shown, now: int, lease: int) -> IndexRow:
        """Returns the index row after a change; a bot's turn is due once its lease has expired."""
        pending = table.pending_action()
        due = (
            None if pending is None else max(pending.at, now + lease) if pending.bot else pending.at
        )
        summary = f"{encode(lobby_table(table))[:-1]},{shown.lasting}}}"
        return IndexRow(
            table=table.id,
            status=table.status,
            listed=table.options.listed,
            created=table.created,
            changed=table.changed,
            due=due,
            summary=summary,
        )


class UpdateFrame:
    """What happened at a table since a version, as an `Update` for each watcher."""

    def __init__(self, live: LiveTable, since: int) -> None:
        self._live = live
        self.version = live.table.version
        self._common = (
            f'{{"type":"update","version":{self.version},"steps":{live.steps_after(since)},"yours":'
        )
        self._texts: dict[tuple[frozenset[int], bool], str] = {}

    def text_for(self, places: frozenset[int], with_choices: bool) -> str:
        """Returns the message for a client with these places; call it before the next change."""
        key = places, with_choices
        if key not in self._texts:
            self._texts[key] = f"{self._common}{self._live.yours(places, with_choices)}}}"
        return self._texts[key]


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
