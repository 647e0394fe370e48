"""A table in memory: its state, ready to be shown, and who watches it.

Everything here can be discarded and rebuilt from the store.
"""

import asyncio
import hashlib
from collections.abc import Iterable, Sequence
from typing import Protocol

from .chat import Chat
from .commands import AppliedEntry
from .entries import LogEntry, chain_start, chained, entry_of
from .game_view import ViewCache, changes, game_view
from .store import IndexRow, LogRow, TokenRow
from .table import Table
from .table_view import encode, lobby_table, seat_views, table_view, wire_entry, yours_text
from .wire_events import Wire

PART = 50
"""Log entries that are loaded before the event loop gets its turn."""
SHOWN = 500
"""Log entries in a snapshot; older ones are sent on request."""
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

    @property
    def places(self) -> frozenset[int]: ...

    def push(self, news: "UpdateFrame") -> None: ...

    def push_text(self, text: str) -> None: ...

    def dismiss(self) -> None: ...


class LiveTable:
    """One table and the sockets that watch it."""

    def __init__(self, table: Table, secret: bytes, tokens: Iterable[TokenRow]) -> None:
        self.table = table
        self.secret = secret
        self.tokens = {token.hash: token.place for token in tokens}
        self.head = chain_start(table.id)
        self.log: list[str] = []
        """The entries so far, as JSON for the wire."""
        self.view: Wire = {}
        self.recent: dict[str, int] = {}
        self.lock = asyncio.Lock()
        """Held while appending to the log."""
        self.is_doubtful = False
        """A commit may or may not have succeeded: read the log before the next one."""
        self.is_gone = False
        """The table was deleted or cannot be read any more; do not use it."""
        self.thinking: int | None = None
        """The decision that a bot of this process thinks about."""
        self.watchers: set[Watcher] = set()
        self.chat = Chat()
        self.used = 0.0
        self._seen: ViewCache | None = None
        self._shown: Table | None = None
        self._yours: dict[int, str] = {}
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

    def rows_of(self, steps: list[AppliedEntry], command: str | None, version: int) -> list[LogRow]:
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
            part = rows[first : first + PART]
            table, steps = self.read(part)
            self.log += [wire_entry(step, table.board) for step in steps]
            self.table, self.head = table, part[-1].hash
            await asyncio.sleep(0)
        self.advance(self.table, [], self.head)

    def read(self, rows: list[LogRow]) -> tuple[Table, list[AppliedEntry]]:
        """Returns the table after further rows, and their entries; raises `BrokenLog`."""
        table, steps, head = self.table.copy(), [], self.head
        for row in rows:
            head = chained(head, row.entry)
            if head != row.hash or row.version != table.version + 1:
                raise BrokenLog(f"{row.table} {row.version}")
            entry: LogEntry = entry_of(row.entry)
            steps.append(AppliedEntry(entry, table.apply(entry)))
        return table, steps

    def advance(self, table: Table, steps: list[AppliedEntry], head: str) -> "UpdateFrame":
        """Takes over what has become durable; returns the update for watchers."""
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
            self._seen = game_view(
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
        return UpdateFrame(self, entries, encode(changed))

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
        for watcher in list(self.watchers):
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

    def whole_view(self) -> Wire:
        """Returns the table in the form of `protocol.view.TableView`."""
        return self.view | {
            "seats": seat_views(self.table, self.connected()),
            "game": self._seen.view if self._seen else None,
        }

    def snapshot(self, places: frozenset[int]) -> str:
        """Returns a `protocol.server.Snapshot` for a client that holds these places."""
        return (
            f'{{"type":"snapshot","view":{encode(self.whole_view())},'
            f'"yours":{self.yours(places)},"log":[{",".join(self.log[-SHOWN:])}]}}'
        )

    def entries_before(self, version: int) -> str:
        """Returns JSON of the entries before a version, at most as many as a snapshot has."""
        last = min(max(version - 1, 0), len(self.log))
        return f"[{','.join(self.log[max(0, last - SHOWN) : last])}]"

    def missing(self, version: int) -> "UpdateFrame":
        """Returns the update for a client that has seen the entries up to a version."""
        return UpdateFrame(self, self.log[version:], encode(self.whole_view()))

    def yours(self, places: frozenset[int]) -> str:
        """Returns JSON of what only the holders of these places see; computed once per seat."""
        found = []
        for seat in self.seats_of(places):
            if seat not in self._yours:
                self._yours[seat] = yours_text(self.table, seat, seat == self._undoer)
            found.append(self._yours[seat])
        return f"[{','.join(found)}]"

    def index_row(self, table: Table, now: int, lease: int) -> IndexRow:
        """Returns the index row after a change; a bot's turn is due once its lease has expired."""
        pending = table.pending_action()
        due = (
            None if pending is None else max(pending.at, now + lease) if pending.bot else pending.at
        )
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


class UpdateFrame:
    """What happened at a table, as an `Update` for each watcher."""

    def __init__(self, live: LiveTable, entries: list[str], changed: str) -> None:
        self._live = live
        self.version = live.table.version
        self._common = (
            f'{{"type":"update","version":{self.version},"entries":[{",".join(entries)}],'
            f'"changed":{changed},"yours":'
        )
        self._texts: dict[frozenset[int], str] = {}

    def text_for(self, places: frozenset[int]) -> str:
        """Returns the message for a client with these places; call it before the next change."""
        if places not in self._texts:
            self._texts[places] = f"{self._common}{self._live.yours(places)}}}"
        return self._texts[places]


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
