"""A table is what its log makes of it: entries are applied one by one, and nothing else changes it.

No files, no clock, no chance. `commands` decides which entries may follow; seats count from 0 here
and from 1 in entries.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from industry.boards import BoardSpec
from industry.engine import Event, Move, Position, play, seat_of, start_with_events
from industry.notation import Record, read_move, rule_options
from industry.notation.game import result_of
from industry.notation.proof import Proof

from .clock import Times
from .entries import (
    Absent,
    AbsentReason,
    BagRevealed,
    Created,
    Entry,
    EraRevealed,
    How,
    Moved,
    Rematch,
    Returned,
    SeatLeft,
    SeatTaken,
    SeatToBot,
    Started,
    Undone,
)
from .protocol.base import Status
from .protocol.view import SeatKind, TableOptions

STAND_IN = "foreman"
"""The bot that plays for an absent player where the table wants a bot: it decides at once."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits at a seat. `place` is where he joined, from 1: his token belongs to it."""

    place: int
    kind: SeatKind = "open"
    name: str = ""
    bot: str | None = None
    randomness: str = ""
    absent: AbsentReason | None = None

    @property
    def resigned(self) -> bool:
        return self.absent == "resigned"


class Played(NamedTuple):
    """A move since the last draw: what taking it back must know."""

    line: str
    seat: int
    how: How
    allowance: int
    """What was left of the time for this decision."""


class Duty(NamedTuple):
    """What the server must do next by itself: at a time, and with which bot if with any."""

    at: int
    bot: str | None


class Table:
    """The state of a table after some entries of its log."""

    def __init__(self, table: str, boards: Mapping[str, BoardSpec]) -> None:
        """`boards` has the boards that the log may name, by their hash."""
        self.id = table
        self.boards = boards
        self.version = 0
        self.decision_version = 0
        """The last entry that changed the game or its seats: commands may be as old as that."""
        self.turn_version = 0
        """The entry that brought the deciding seat its turn: one call of its webhook for each."""
        self.created = self.changed = 0
        self.options = TableOptions()
        self.commitment = ""
        self.previous: str | None = None
        self.next_table: str | None = None
        self.seats: list[Seat] = []
        self.era_keys: list[str] = []
        self.secret: str | None = None
        self.starting_player = 0
        self.position: Position | None = None
        self.status: Status = "open"
        self.actor: int | None = None
        """The seat that must decide."""
        self.lines: list[str] = []
        self.times = Times.at_start("none", 4, 0)
        self._anchor: Position | None = None
        """The position after the last draw: nothing before it is ever taken back (J1)."""
        self.tail: list[Played] = []

    def copy(self) -> "Table":
        """A twin that can be changed without changing this one."""
        twin = object.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin.seats, twin.era_keys = self.seats[:], self.era_keys[:]
        twin.lines, twin.tail = self.lines[:], self.tail[:]
        return twin

    # What can be asked

    @property
    def board(self) -> BoardSpec:
        return self._board

    @property
    def is_attended(self) -> bool:
        """Whether some person is at the table and not played for."""
        return any(seat.kind == "human" and seat.absent is None for seat in self.seats)

    @property
    def hands_closed(self) -> bool:
        return self.options.rules.get("industria_hands") == "closed"

    def seat_of_place(self, place: int) -> int | None:
        """The seat of whoever joined at this place, from 1; None where nobody holds it now."""
        for number, seat in enumerate(self.seats):
            if seat.place == place and seat.kind == "human" and not seat.resigned:
                return number
        return None

    def first_open(self) -> int | None:
        return next((n for n, seat in enumerate(self.seats) if seat.kind == "open"), None)

    def undoable(self, seat: int) -> int | None:
        """How many moves of the tail remain if the seat takes its last one back (J1)."""
        place, owner = self.last_decision()
        return place if owner == seat else None

    def last_decision(self) -> tuple[int, int | None]:
        """Where in the tail the last move stands that is not automatic, and who may take it back.

        Automatic moves that followed go with it; a draw ends the tail, so none is passed.
        """
        if self.options.undo == "own_last" and self.status == "running":
            for place in range(len(self.tail) - 1, -1, -1):
                played = self.tail[place]
                if played.how != "automatic":
                    return place, played.seat if played.how == "player" else None
        return 0, None

    def duty(self) -> Duty | None:
        """What the server must do if nobody does anything."""
        if self.actor is None or self.status != "running":
            return None
        seat = self.seats[self.actor]
        if seat.kind == "bot":
            return Duty(self.times.since, seat.bot)
        if seat.absent:
            at = self.times.since if self.is_attended else self.times.lonely_deadline
            return Duty(at, STAND_IN if self.options.zombie == "bot" else None)
        deadline = self.times.deadline(self.actor)
        return None if deadline is None else Duty(deadline, None)

    def record(self) -> Record:
        """The game record so far, with what is proven of its bag."""
        assert self.position is not None
        return Record(
            edition=self.board.edition,
            board=self.board.id,
            board_hash=self.board.hash,
            players=tuple(seat.name for seat in self.seats),
            starting_player=self.starting_player,
            moves=tuple(self.lines),
            options=self.options.rules,
            result=result_of(self.position) if self.position.is_over else None,
            proof=self.proof(),
        )

    def proof(self) -> Proof:
        """What is known of the bag. A seating that the bag did not decide is not proven by it."""
        shuffled = self.options.seating == "random" and self.previous is None
        return Proof(
            commitment=self.commitment,
            contributions=tuple(seat.randomness for seat in self.seats),
            era_keys=tuple(self.era_keys),
            secret=self.secret,
            seating=tuple(seat.place for seat in self.seats) if shuffled else None,
        )

    # What changes it

    def apply_all(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self.apply(entry)

    def apply(self, entry: Entry, move: Move | None = None) -> tuple[Event, ...]:
        """Let an entry happen; returns what people at the table see of it.

        `move` is the one that its line states, where somebody has read it already. Raises
        `IllegalMove` or `NotationError` and changes nothing where a move is none.
        """
        events: tuple[Event, ...] = ()
        aside = False
        before = self.actor
        match entry.what:
            case Moved() as moved:
                aside = self._is_aside(moved)
                move = move or read_move(moved.line, self.board)
                events = self._play(moved, move, entry.at, aside)
            case Started() as started:
                events = self._start(started, entry.at)
            case Created() as created:
                self._create(created, entry.at)
            case Undone() as undone:
                self._undo(undone, entry.at)
            case SeatTaken() | SeatLeft() | SeatToBot() as change:
                self._change_seat(change)
            case other:
                self._note(other, entry.at)
                aside = True
        self.version = entry.version
        self.changed = entry.at
        if self.actor != before:
            self.turn_version = entry.version
        if not aside:
            self.decision_version = entry.version
        return events

    def _create(self, created: Created, at: int) -> None:
        self._board = self.boards[created.board_hash]
        self.options = TableOptions.model_validate(created.options)
        self.commitment = created.commitment
        self.previous = created.previous
        self.created = at
        self.seats = [Seat(place) for place in range(1, self.options.players + 1)]

    def _change_seat(self, change: SeatTaken | SeatLeft | SeatToBot) -> None:
        number = change.seat - 1
        place = self.seats[number].place
        match change:
            case SeatTaken(_, name, randomness):
                self.seats[number] = Seat(place, "human", name, randomness=randomness)
            case SeatToBot(_, name, bot):
                self.seats[number] = Seat(place, "bot", name, bot)
            case SeatLeft():
                self.seats[number] = Seat(place)

    def _start(self, started: Started, at: int) -> tuple[Event, ...]:
        self.seats = [self.seats[place - 1] for place in started.order]
        self.starting_player = started.starting_player
        self._anchor, events = start_with_events(
            self.board.rules,
            len(self.seats),
            started.starting_player - 1,
            rule_options(self.options.rules),
        )
        self._take(self._anchor)
        self.times = Times.at_start(self.options.clock, len(self.seats), at)
        return events

    def _take(self, position: Position) -> None:
        """The game has come to this position."""
        self.position = position
        self.status = "over" if position.is_over else "running"
        self.actor = position.actor if position.actor >= 0 else None

    def _is_aside(self, moved: Moved) -> bool:
        """Whether this is a subsidy between the moves of others (F2, by option)."""
        return moved.seat is not None and moved.seat - 1 != self.actor

    def _play(self, moved: Moved, move: Move, at: int, aside: bool) -> tuple[Event, ...]:
        assert self.position is not None
        position, events = play(self.position, move)
        self._take(position)
        self.lines.append(moved.line)
        seat = seat_of(move)
        if moved.how == "chance":
            self._anchor, self.tail = position, []
            self.times = self.times.next_decision(at)
        elif aside:
            self.tail.append(Played(moved.line, seat, moved.how, 0))
        else:
            charged = self.times.charged(seat, at)
            self.tail.append(Played(moved.line, seat, moved.how, charged.allowance))
            self.times = charged.next_decision(at)
        return events

    def _undo(self, undone: Undone, at: int) -> None:
        assert self._anchor is not None
        drawn = len(self.lines) - len(self.tail)
        kept = undone.moves - drawn
        taken = self.tail[kept]
        self.lines, self.tail = self.lines[: undone.moves], self.tail[:kept]
        position = self._anchor
        for played in self.tail:
            position, _ = play(position, read_move(played.line, self.board))
        self._take(position)
        if position.actor == taken.seat:
            self.times = self.times.taken_back(taken.seat, taken.allowance, at)

    def _note(self, what: Absent | Returned | EraRevealed | BagRevealed | Rematch, at: int) -> None:
        match what:
            case Absent(seat, reason):
                self.seats[seat - 1] = replace(self.seats[seat - 1], absent=reason)
            case Returned(seat):
                self.seats[seat - 1] = replace(self.seats[seat - 1], absent=None)
                self.times = self.times.returned(seat - 1, seat - 1 == self.actor, at)
            case EraRevealed(_, key):
                self.era_keys.append(key)
            case BagRevealed(secret):
                self.secret = secret
            case Rematch(_, table):
                self.next_table = table
