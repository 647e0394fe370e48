"""The entries of a table's log: one small frozen class each, and their stored text.

Anybody may read them. Seats count from 1: before the start they are the places at which people
joined, from `Started` on the seats of the game.
"""

import hashlib
import json
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal, NamedTuple

How = Literal["player", "order", "bot", "automatic", "zombie", "chance", "given"]
AbsentReason = Literal["left", "clock", "resigned", "voted"]
ClosedReason = Literal["never_started", "abandoned"]


@dataclass(frozen=True, slots=True)
class Created:
    """An empty table; `options` are those of `protocol.view.TableOptions`."""

    kind: ClassVar[str] = "created"
    options: dict[str, Any]
    board_hash: str
    rules_version: int
    commitment: str
    previous: str | None = None
    """The table of which this is a rematch; its seats are not shuffled again."""
    scheme: int = 1
    """The bag's scheme: 2 binds it to table, players and rules version."""


@dataclass(frozen=True, slots=True)
class SeatTaken:
    kind: ClassVar[str] = "seat_taken"
    seat: int
    name: str
    randomness: str = ""


@dataclass(frozen=True, slots=True)
class SeatLeft:
    kind: ClassVar[str] = "seat_left"
    seat: int


@dataclass(frozen=True, slots=True)
class SeatFreed:
    """The host removed the player from a seat of an open table."""

    kind: ClassVar[str] = "seat_freed"
    seat: int


@dataclass(frozen=True, slots=True)
class SeatReserved:
    """Only the holder of this seat's link may take it; before a rematch, `name` is the player's."""

    kind: ClassVar[str] = "seat_reserved"
    seat: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class LinkRenewed:
    """A seat's link was replaced; the old one no longer works."""

    kind: ClassVar[str] = "link_renewed"
    seat: int


@dataclass(frozen=True, slots=True)
class SeatToBot:
    kind: ClassVar[str] = "seat_to_bot"
    seat: int
    name: str
    bot: str


@dataclass(frozen=True, slots=True)
class Started:
    """`order` gives for each seat of the game the place at which its player joined (A5)."""

    kind: ClassVar[str] = "started"
    order: list[int]
    starting_player: int


@dataclass(frozen=True, slots=True)
class Moved:
    kind: ClassVar[str] = "move"
    line: str
    how: How
    seat: int | None = None
    stand_in: str | None = None
    """The bot that decided for this seat's bot, which had no machine code yet."""


@dataclass(frozen=True, slots=True)
class Undone:
    """`moves` lines of the record remain; `line` is the move that was taken back (J1)."""

    kind: ClassVar[str] = "undone"
    seat: int
    moves: int
    line: str


@dataclass(frozen=True, slots=True)
class Absent:
    """From here on a stand-in plays for the seat (J2, J3)."""

    kind: ClassVar[str] = "absent"
    seat: int
    reason: AbsentReason


@dataclass(frozen=True, slots=True)
class Returned:
    kind: ClassVar[str] = "returned"
    seat: int


@dataclass(frozen=True, slots=True)
class StandInAsked:
    """The seat asks for a stand-in for another one that takes too long (J2)."""

    kind: ClassVar[str] = "stand_in_asked"
    seat: int
    target: int


@dataclass(frozen=True, slots=True)
class EraRevealed:
    kind: ClassVar[str] = "era_revealed"
    era: int
    key: str


@dataclass(frozen=True, slots=True)
class BagRevealed:
    kind: ClassVar[str] = "bag_revealed"
    secret: str


@dataclass(frozen=True, slots=True)
class Rematch:
    kind: ClassVar[str] = "rematch"
    seat: int
    table: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The server closed an abandoned table."""

    kind: ClassVar[str] = "closed"
    reason: ClosedReason


@dataclass(frozen=True, slots=True)
class HintUsed:
    """The seat asked for a step of a hint before its decision; the table is the same without it."""

    kind: ClassVar[str] = "hint_used"
    seat: int
    step: int
    optional: bool = True


@dataclass(frozen=True, slots=True)
class Branched:
    """The game continues from a moment of another game (“what if”), which does not change."""

    kind: ClassVar[str] = "branched"
    lines: list[str]
    """The moves that led to the moment."""
    line: str = ""
    """The line that was played there; empty at the end of an unfinished game."""
    players: list[str] = field(default_factory=list)
    """The players of that game, by seat."""
    origin: str | None = None
    """That game's table, if it has one on this server."""


@dataclass(frozen=True, slots=True)
class UnknownEntry:
    """An entry of a newer version, which marks it as safe to skip."""

    kind: str


NotedContent = (
    Absent | Returned | StandInAsked | EraRevealed | BagRevealed | Rematch | Closed | HintUsed
)
"""Entries that change a table, but not the decision of its players."""
KnownContent = (
    Created
    | SeatTaken
    | SeatLeft
    | SeatFreed
    | SeatReserved
    | LinkRenewed
    | SeatToBot
    | Started
    | Moved
    | Undone
    | Branched
    | NotedContent
)
EntryContent = KnownContent | UnknownEntry

KINDS: dict[str, type[KnownContent]] = {
    cls.kind: cls
    for cls in (
        *(Created, SeatTaken, SeatLeft, SeatToBot, Started, Moved, Undone),
        *(Absent, Returned, StandInAsked, EraRevealed, BagRevealed, Rematch, Closed),
        *(SeatFreed, SeatReserved, LinkRenewed, HintUsed, Branched),
    )
}
_SELDOM = "stand_in"
"""Left out if empty, because versions before 0.2.0 do not know it."""
_NAMES = {cls: tuple(one.name for one in fields(cls)) for cls in KINDS.values()}


class LogEntry(NamedTuple):
    """One entry of a log: its number, its time (milliseconds, UTC) and what happened."""

    version: int
    at: int
    what: EntryContent

    def text(self) -> str:
        """Returns the entry as canonical JSON: what is stored and hashed."""
        what = self.what
        if isinstance(what, Moved) and what.stand_in is None and is_plain(what.line):
            seat = "null" if what.seat is None else what.seat
            return (
                f'{{"at":{self.at},"how":"{what.how}","kind":"move","line":"{what.line}",'
                f'"seat":{seat},"version":{self.version}}}'
            )
        assert not isinstance(what, UnknownEntry), "only its author writes it"
        data = {name: getattr(what, name) for name in _NAMES[type(what)]}
        if data.get("scheme") == 1:  # version 0.1.0 neither writes nor reads it
            del data["scheme"]
        data |= {"kind": what.kind, "version": self.version, "at": self.at}
        if data.get(_SELDOM, "") is None:
            del data[_SELDOM]
        return _canonical.encode(data)


def is_plain(text: str) -> bool:
    """Checks whether a text is the same in JSON, between quotation marks."""
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text


_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class NewerEntry(ValueError):
    """An entry that this version does not know and must not skip."""


def entry_of(text: str) -> LogEntry:
    """Parses an entry of the store; raises `NewerEntry`.

    A newer version marks an entry `"optional": true` if the table is the same without it.
    """
    data = json.loads(text)
    version, at, kind = data.pop("version"), data.pop("at"), data.pop("kind")
    known = KINDS.get(kind)
    if known is not None and set(data) <= set(_NAMES[known]):
        return LogEntry(version, at, known(**data))
    if data.get("optional") is True:
        return LogEntry(version, at, UnknownEntry(kind))
    raise NewerEntry(f"{kind} {version}")


def chain_start(table: str) -> str:
    """Returns the hash that a table's first entry is chained to."""
    return hashlib.sha256(f"industry table {table}".encode()).hexdigest()


def chained(before: str, text: str) -> str:
    """Returns the hash of an entry: of the previous hash and its own text."""
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()
