"""What a table's log holds: small frozen values, one class each, and their text in the store.

Everything here may be read by anybody. Seats count from 1: before the start they are the places in
which people joined, from `Started` on the seats of the game.
"""

import hashlib
import json
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

How = Literal["player", "bot", "automatic", "zombie", "chance"]
AbsentReason = Literal["left", "clock", "resigned"]


@dataclass(frozen=True, slots=True)
class Created:
    """A table without anybody at it; `options` are those of `protocol.view.TableOptions`."""

    kind: ClassVar[str] = "created"
    options: dict[str, Any]
    board_hash: str
    rules_version: int
    commitment: str
    previous: str | None = None
    """The table of which this is the rematch: its seating stays as it is made."""


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
class SeatToBot:
    kind: ClassVar[str] = "seat_to_bot"
    seat: int
    name: str
    bot: str


@dataclass(frozen=True, slots=True)
class Started:
    """`order` has for each seat of the game the place in which its player joined (A5)."""

    kind: ClassVar[str] = "started"
    order: list[int]
    starting_player: int


@dataclass(frozen=True, slots=True)
class Moved:
    kind: ClassVar[str] = "move"
    line: str
    how: How
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Undone:
    """`moves` lines of the record are left; `line` is the move that its seat took back (J1)."""

    kind: ClassVar[str] = "undone"
    seat: int
    moves: int
    line: str


@dataclass(frozen=True, slots=True)
class Absent:
    """From here on the seat is played for (J2, J3)."""

    kind: ClassVar[str] = "absent"
    seat: int
    reason: AbsentReason


@dataclass(frozen=True, slots=True)
class Returned:
    kind: ClassVar[str] = "returned"
    seat: int


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


What = (
    Created
    | SeatTaken
    | SeatLeft
    | SeatToBot
    | Started
    | Moved
    | Undone
    | Absent
    | Returned
    | EraRevealed
    | BagRevealed
    | Rematch
)

KINDS: dict[str, type[What]] = {
    cls.kind: cls
    for cls in (
        *(Created, SeatTaken, SeatLeft, SeatToBot, Started, Moved, Undone),
        *(Absent, Returned, EraRevealed, BagRevealed, Rematch),
    )
}
_NAMES = {cls: tuple(field.name for field in fields(cls)) for cls in KINDS.values()}


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a log: what happened, as the how-manieth, and when (milliseconds, UTC)."""

    version: int
    at: int
    what: What

    def text(self) -> str:
        """The entry as canonical JSON: what the store keeps and the hash is taken over."""
        what = self.what
        data = {name: getattr(what, name) for name in _NAMES[type(what)]}
        data |= {"kind": what.kind, "version": self.version, "at": self.at}
        return _canonical.encode(data)


_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def entry_of(text: str) -> Entry:
    """The entry that a text of the store states."""
    data = json.loads(text)
    version, at, kind = data.pop("version"), data.pop("at"), data.pop("kind")
    return Entry(version, at, KINDS[kind](**data))


def chain_start(table: str) -> str:
    """What the first entry of a table is chained to."""
    return hashlib.sha256(f"industry table {table}".encode()).hexdigest()


def chained(before: str, text: str) -> str:
    """The hash of an entry: over the one before it and its own text."""
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()
