"""A table in memory: what its log has made of it, ready to be shown, and who watches.

Everything here can be thrown away and made again from the store.
"""

import asyncio
import hashlib
from collections.abc import Iterable
from typing import Protocol

from .commands import Step
from .entries import Entry, chain_start, chained, entry_of
from .happened import Wire
from .store import IndexRow, LogRow, TokenRow
from .table import Table
from .tableview import encode, lobby_table, seat_views, table_view, wire_entry, yours_text
from .view import Seen, changes, see

RECENT = 64
"""Commands of a table that are remembered without asking the store."""
HOST = 0
"""The place that a host's token belongs to; those of seats count from 1."""


class BrokenLog(Exception):
    """The store holds something else than was written to it."""


class Watcher(Protocol):
    """A socket: the places that it may act for, and a way to it."""

    @property
    def places(self) -> frozenset[int]: ...

    def push(self, news: "News") -> None: ...

    def push_text(self, text: str) -> None: ...


class Live:
    """One table and its audience."""

    def __init__(self, table: Table, secret: bytes, tokens: Iterable[TokenRow]) -> None:
        self.table = table
        self.secret = secret
        self.tokens = {token.hash: token.place for token in tokens}
        self.head = chain_start(table.id)
        self.log: list[str] = []
        """The entries so far as they go over the wire."""
        self.view: Wire = {}
        self.recent: dict[str, int] = {}
        self.lock = asyncio.Lock()
        """Held by whoever appends to the log."""
        self.is_doubtful = False
        """A commit has failed, and perhaps it has not: read the log before the next one."""
        self.thinking: int | None = None
        """The decision that a bot of this process thinks about."""
        self.watchers: set[Watcher] = set()
        self.used = 0.0
        self._seen: Seen | None = None
        self._shown: Table | None = None
        self._yours: dict[int, str] = {}
        self._undoer: int | None = None
        """The seat that may take its last move back."""
        self._seats_of: dict[frozenset[int], list[int]] = {}

    @property
    def id(self) -> str:
        return self.table.id

    def place_of(self, token: str) -> int | None:
        """The place that a token belongs to."""
        return self.tokens.get(token_hash(token))

    def places_of(self, hashes: Iterable[str]) -> frozenset[int]:
        """The places that tokens of these hashes belong to."""
        return frozenset(self.tokens[h] for h in hashes if h in self.tokens)

    def seats_of(self, places: frozenset[int]) -> list[int]:
        """The seats, from 0, that holders of these places act for now."""
        if places not in self._seats_of:
            seats = (self.table.seat_of_place(place) for place in places)
            self._seats_of[places] = sorted(seat for seat in seats if seat is not None)
        return self._seats_of[places]

    def hold(self, tokens: Iterable[TokenRow], revoked: Iterable[TokenRow]) -> None:
        """Take over which tokens hold from now on and which no longer do."""
        gone = {token.place for token in revoked}
        new = {token.hash: token.place for token in tokens if token.table == self.id}
        if gone or new:
            kept = {h: place for h, place in self.tokens.items() if place not in gone}
            self.tokens = kept | new

    def rows_of(self, steps: list[Step], command: str | None, version: int) -> list[LogRow]:
        """The rows that would make these steps durable; `version` is what the command became."""
        rows, head = [], self.head
        for step in steps:
            text = step.entry.text()
            head = chained(head, text)
            number = step.entry.version
            rows.append(LogRow(self.id, number, text, head, command if number == version else None))
        return rows

    def read(self, rows: list[LogRow]) -> tuple[Table, list[Step]]:
        """The table after further rows of the store, and their steps; raises `BrokenLog`."""
        table, steps, head = self.table.copy(), [], self.head
        for row in rows:
            head = chained(head, row.entry)
            if head != row.hash or row.version != table.version + 1:
                raise BrokenLog(f"{row.table} {row.version}")
            entry: Entry = entry_of(row.entry)
            steps.append(Step(entry, table.apply(entry)))
        return table, steps

    def advance(self, table: Table, steps: list[Step], head: str) -> "News":
        """Take over what has become durable; returns what watchers must be told."""
        before, before_game = self.view or None, self._seen.view if self._seen else None
        if table.seats != self.table.seats:
            self._seats_of = {}
        self.table, self.head = table, head
        entries = [wire_entry(step, table.board) for step in steps]
        self.log += entries
        known = (self._shown, self.view) if self._shown else None
        self.view = table_view(table, known)
        self._shown = table
        if table.position is not None:
            self._seen = see(
                table.position,
                len(table.lines),
                table.board,
                table.hands_closed,
                self._seen,
            )
        self._yours = {}
        self._undoer = table.last_decision()[1]
        changed = changes(before, self.view)
        if "seats" in changed:
            changed["seats"] = seat_views(table, self.connected())
        if self._seen is not None:
            game = changes(before_game, self._seen.view)
            changed |= {"game": game} if game else {}
        return News(self, entries, encode(changed))

    def remember(self, command: str, version: int) -> None:
        self.recent[command] = version
        if len(self.recent) > RECENT:
            del self.recent[next(iter(self.recent))]

    def tell(self, news: "News") -> None:
        for watcher in list(self.watchers):
            watcher.push(news)

    # What watchers are shown

    def connected(self) -> tuple[bool, ...]:
        """By seat: whether a socket of its holder is open here."""
        places = {place for watcher in self.watchers for place in watcher.places}
        return tuple(seat.place in places for seat in self.table.seats)

    def presence(self) -> Wire:
        watching = sum(1 for watcher in self.watchers if not self.seats_of(watcher.places))
        return {
            "type": "presence",
            "connected": list(self.connected()),
            "watching": watching,
        }

    def whole_view(self) -> Wire:
        """The table in the form of `protocol.view.TableView`."""
        return self.view | {
            "seats": seat_views(self.table, self.connected()),
            "game": self._seen.view if self._seen else None,
        }

    def snapshot(self, places: frozenset[int]) -> str:
        """A `protocol.server.Snapshot` for whoever holds these places."""
        return (
            f'{{"type":"snapshot","view":{encode(self.whole_view())},'
            f'"yours":{self.yours(places)},"log":[{",".join(self.log)}]}}'
        )

    def missing(self, version: int) -> "News":
        """All that is new to somebody who has seen the entries up to a version."""
        return News(self, self.log[version:], encode(self.whole_view()))

    def yours(self, places: frozenset[int]) -> str:
        """JSON of what the holders of these places are told, each computed at most once."""
        found = []
        for seat in self.seats_of(places):
            if seat not in self._yours:
                self._yours[seat] = yours_text(self.table, seat, seat == self._undoer)
            found.append(self._yours[seat])
        return f"[{','.join(found)}]"

    def index_row(self, table: Table, now: int, lease: int) -> IndexRow:
        """The row of the index after a change; a bot's turn is due when nobody has made it."""
        duty = table.duty()
        due = None if duty is None else max(duty.at, now + lease) if duty.bot else duty.at
        known = self.view if self._shown and self._shown.seats == table.seats else None
        seats = known["seats"] if known else seat_views(table)
        options = self.view["options"] if self.view else table.options.model_dump()
        places = [seat.place for seat in table.seats]
        summary = encode(
            lobby_table(table) | {"options": options, "seats": seats, "places": places}
        )
        return IndexRow(
            table=table.id,
            status=table.status,
            listed=table.options.listed,
            created=table.created,
            changed=table.changed,
            due=due,
            summary=summary,
        )


class News:
    """What has happened at a table, as an `Update` for each watcher."""

    def __init__(self, live: Live, entries: list[str], changed: str) -> None:
        self._live = live
        self.version = live.table.version
        self._common = (
            f'{{"type":"update","version":{self.version},"entries":[{",".join(entries)}],'
            f'"changed":{changed},"yours":'
        )
        self._texts: dict[frozenset[int], str] = {}

    def text_for(self, places: frozenset[int]) -> str:
        """The message for whoever holds these places; to be asked before the next change."""
        if places not in self._texts:
            self._texts[places] = f"{self._common}{self._live.yours(places)}}}"
        return self._texts[places]


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
