"""A table's state, built by applying the entries of its log; nothing else changes it.

No files, no clock, no randomness. `commands` decides which entries may follow. Seats count from 0
here and from 1 in entries.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from industry.boards import BoardSpec
from industry.engine import Draw, Event, Move, Position, play, seat_of, start_with_events
from industry.notation import Record, new_record, read_move, result_of, rule_options
from industry.notation.proof import Game as BoundGame
from industry.notation.proof import Proof
from industry.notation.record import RULES_VERSION

from .bag import FairBag
from .clock import PATIENCE, Times
from .entries import (
    Absent,
    BagRevealed,
    Branched,
    Closed,
    Created,
    EraRevealed,
    HintUsed,
    How,
    LinkRenewed,
    LogEntry,
    Moved,
    NewerEntry,
    NotedContent,
    Rematch,
    Returned,
    SeatFreed,
    SeatLeft,
    SeatReserved,
    SeatTaken,
    SeatToBot,
    StandInAsked,
    Started,
    Undone,
    UnknownEntry,
)
from .protocol.base import Status
from .protocol.view import TableOptions
from .seat_names import bot_number
from .seats import ABSENT_STAND_IN, PendingAction, PlayedMove, Seat, untimed_move
from .table_people import TablePeople

REMATCH_WAIT = 60_000
"""Milliseconds until a rematch starts without those who have not come."""


class Table(TablePeople):
    """The state of a table after some entries of its log."""

    branch: Branched | None = None
    """Where the game comes from, if it is a branch of another one."""

    def __init__(self, table: str, boards: Mapping[str, BoardSpec]) -> None:
        """`boards` has the boards that the log may name, by hash."""
        self.id, self.boards = table, boards
        self.version = 0
        self.decision_version = 0
        """The last entry that changed the game or its seats: commands may be that old."""
        self.turn_version = 0
        """The entry that gave the deciding seat its turn: its webhook is called once for each."""
        self.created = self.changed = 0
        self.options = TableOptions()
        self.commitment = ""
        self.scheme = 1
        self.rules_version = RULES_VERSION
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
        self.times = Times.at_start("none", 4, 0)
        self.asked: frozenset[int] = frozenset()
        """The seats that asked for a stand-in for the deciding one."""
        self.played: list[PlayedMove] = []
        """The moves so far, without those that were taken back."""
        self._bag: FairBag | None = None
        """The bag of a game that has begun: nothing changes it any more."""
        self._anchor: Position | None = None
        """The position after the last draw."""
        self._drawn = 0
        """How many moves led to it: with other people, nothing before it can be undone (J1)."""
        self.undos: dict[int, int] = {}
        """How often each seat has undone since the last new draw."""
        self._farthest = 0
        """How many moves led to the latest draw the game ever reached."""
        self.undone_to: int | None = None
        """How many moves the last undo left: its seat decides there itself, not by its orders."""

    def copy(self) -> "Table":
        """Returns a copy that can be changed independently."""
        twin = object.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin.seats, twin.era_keys = self.seats[:], self.era_keys[:]
        twin.played = self.played[:]
        twin.undos = dict(self.undos)
        return twin

    # Queries

    @property
    def board(self) -> BoardSpec:
        return self._board

    @property
    def lines(self) -> list[str]:
        """The moves as lines of the record."""
        return [played.line for played in self.played]

    @property
    def deals_seats(self) -> bool:
        """Whether the bag decides the seating."""
        return self.options.seating == "random" and self.previous is None

    @property
    def is_rated(self) -> bool:
        """Whether the game counts for ratings: then nobody at the table gets hints."""
        return self.options.rated

    @property
    def hands_closed(self) -> bool:
        return self.options.rules.get("industria_hands") == "closed"

    def seat_of_place(self, place: int) -> int | None:
        """Returns the seat of the player who joined at this place (from 1), or None."""
        for number, seat in enumerate(self.seats):
            if seat.place == place and seat.kind == "human" and not seat.resigned:
                return number
        return None

    def undoable(self, seat: int) -> int | None:
        """Returns how many moves remain if the seat undoes its last decision (J1)."""
        place, owner = self.last_decision()
        return place if owner == seat else None

    def last_decision(self) -> tuple[int, int | None]:
        """Returns which move (from 0) can be undone with all that followed, and by which seat.

        Among people it is the last decision, with the automatic moves after it, and never past a
        draw. Somebody who plays against bots only can go back to their last decision, whatever the
        bots did since.
        """
        if self.options.undo == "off" or self.status != "running":
            return 0, None
        alone = self.is_solo
        for place in range(len(self.played) - 1, -1 if alone else self._drawn - 1, -1):
            played = self.played[place]
            if played.how in ("player", "order"):
                return place, played.seat
            if played.how != "automatic" and not alone:
                break
        return 0, None

    def others_present(self, seat: int) -> set[int]:
        """Returns the other people at the table who are not absent."""
        present = (n for n, other in enumerate(self.seats) if other.kind == "human")
        return {n for n in present if n != seat and self.seats[n].absent is None}

    @property
    def stand_in_at(self) -> int | None:
        """From when on the others may ask for a stand-in for the deciding seat; None: never."""
        patience, seat = PATIENCE[self.options.patience], self.actor
        if seat is None or patience is None or self.options.clock != "none":
            return None
        waited_for = self.seats[seat].kind == "human" and self.seats[seat].absent is None
        if not waited_for or not self.others_present(seat):
            return None
        return self.times.since + patience

    def pending_action(self) -> PendingAction | None:
        """Returns what the server must do if nobody acts."""
        if self.status == "open" and self.previous is not None and self.first_open() is None:
            return None if self.is_full() else PendingAction(self.created + REMATCH_WAIT, None)
        if self.actor is None or self.status != "running":
            return None
        seat = self.seats[self.actor]
        if seat.kind == "bot":
            return PendingAction(self.times.since, seat.bot)
        if seat.absent:
            is_awaited = self.is_attended or self.options.cup  # others wait for the round
            at = self.times.since if is_awaited else self.times.lonely_deadline
            return PendingAction(at, ABSENT_STAND_IN if self.options.zombie == "bot" else None)
        deadline = self.times.deadline(self.actor)
        return None if deadline is None else PendingAction(deadline, None)

    def record(self) -> Record:
        """Returns the game record so far, with what is proven of its bag."""
        assert self.position is not None
        return new_record(
            self.board,
            tuple(seat.name for seat in self.seats),
            self.starting_player,
            self.options.rules,
            self.lines,
            result=result_of(self.position) if self.position.is_over else None,
            proof=None if self.branch else self.proof(),
        )

    def proof(self) -> Proof:
        """Returns what is known of the bag. Only a seating that the bag decided is proven by it."""
        return Proof(
            commitment=self.commitment,
            contributions=tuple(seat.randomness for seat in self.seats),
            era_keys=tuple(self.era_keys),
            secret=self.secret,
            seating=tuple(seat.place for seat in self.seats) if self.deals_seats else None,
            table=self.id if self.scheme > 1 else None,
            daily=self.options.daily or None,
        )

    def bag(self, secret: bytes) -> FairBag:
        """Returns the bag that the table's secret gives with the players who have joined."""
        if self._bag is not None:
            return self._bag
        joined = sorted(self.seats, key=lambda seat: seat.place)
        names = tuple(seat.name for seat in joined)
        game = BoundGame(self.id, self.rules_version, names) if self.scheme > 1 else None
        bag = FairBag(secret, [seat.randomness for seat in joined], game)
        if self.position is not None:
            self._bag = bag
        return bag

    # Changes

    def apply_all(self, entries: Iterable[LogEntry]) -> None:
        for entry in entries:
            self.apply(entry)

    def apply(self, entry: LogEntry, move: Move | None = None) -> tuple[Event, ...]:
        """Applies an entry; returns the events that people at the table see.

        `move` is the parsed line, if the caller has it. Raises `IllegalMove` or `NotationError` and
        then changes nothing.
        """
        events: tuple[Event, ...] = ()
        out_of_turn = False
        before = self.actor
        match entry.what:
            case Moved() as moved:
                out_of_turn = self._is_out_of_turn(moved)
                move = move or read_move(moved.line, self.board)
                events = self._play(moved, move, entry.at, out_of_turn)
            case Started() as started:
                events = self._start(started, entry.at)
            case Created() as created:
                self._create(created, entry.at)
            case Undone() as undone:
                self._undo(undone, entry.at)
            case SeatTaken() | SeatLeft() | SeatFreed() | SeatReserved() | SeatToBot() as change:
                self._change_seat(change)
            case UnknownEntry() | LinkRenewed():
                out_of_turn = True
            case Branched() as branched:
                self._branch(branched, entry.at)
            case other:
                self._note(other, entry.at)
                out_of_turn = True
        self.version = entry.version
        self.changed = entry.at
        if self.actor != before:
            self.turn_version = entry.version
        if not out_of_turn:
            self.decision_version = entry.version
            self.asked = frozenset()
        return events

    def _create(self, created: Created, at: int) -> None:
        if unknown := created.options.keys() - TableOptions.model_fields.keys():
            raise NewerEntry(f"created with {', '.join(sorted(unknown))}")
        self._board = self.boards[created.board_hash]
        self.options = TableOptions.model_validate(created.options)
        self.commitment = created.commitment
        self.scheme = created.scheme
        self.rules_version = created.rules_version
        self.previous = created.previous
        self.created = at
        self.seats = [Seat(place) for place in range(1, self.options.players + 1)]

    def _change_seat(
        self, change: SeatTaken | SeatLeft | SeatFreed | SeatReserved | SeatToBot
    ) -> None:
        number = change.seat - 1
        place = self.seats[number].place
        match change:
            case SeatTaken(_, name, randomness):
                self.seats[number] = Seat(place, "human", name, randomness=randomness)
            case SeatToBot(_, name, bot):
                self.seats[number] = Seat(place, "bot", name, bot, bot_number(bot, name))
            case SeatReserved(_, name):
                self.seats[number] = Seat(place, "reserved", name)
            case SeatLeft() | SeatFreed():
                self.seats[number] = Seat(place)

    def _start(self, started: Started, at: int) -> tuple[Event, ...]:
        self.seats = [self.seats[place - 1] for place in started.order]
        self.starting_player = started.starting_player
        self._anchor, events = self._first()
        self._take(self._anchor)
        self.times = Times.at_start(self.options.clock, len(self.seats), at)
        return events

    def _branch(self, branched: Branched, at: int) -> None:
        """Takes over the moves of another game, which nobody here has made."""
        self.branch = branched
        for line in branched.lines:
            move = read_move(line, self.board)
            how: How = "chance" if isinstance(move, Draw) else "given"
            self._play(Moved(line, how), move, at, False)

    def _first(self) -> tuple[Position, tuple[Event, ...]]:
        """Returns the position before any move, and its events."""
        return start_with_events(
            self.board.rules,
            len(self.seats),
            self.starting_player - 1,
            rule_options(self.options.rules),
        )

    def _take(self, position: Position) -> None:
        """Sets the position and what follows from it."""
        self.position = position
        self.status = "over" if position.is_over else "running"
        self.actor = position.actor if position.actor >= 0 else None

    def _is_out_of_turn(self, moved: Moved) -> bool:
        """Checks for a subsidy taken between the moves of others (F2, by option)."""
        return moved.seat is not None and moved.seat - 1 != self.actor

    def _play(self, moved: Moved, move: Move, at: int, out_of_turn: bool) -> tuple[Event, ...]:
        assert self.position is not None
        position, events = play(self.position, move)
        self._take(position)
        seat = seat_of(move)
        allowance = 0
        if moved.how == "chance":
            self._anchor, self._drawn = position, len(self.played) + 1
            if self._drawn > self._farthest:
                self._farthest, self.undos = self._drawn, {}
            self.times = self.times.next_decision(at)
        elif not out_of_turn:
            charged = self.times.charged(seat, at)
            allowance = charged.allowance
            self.times = charged.next_decision(at)
        made = PlayedMove if allowance else untimed_move
        self.played.append(made(moved.line, seat, moved.how, allowance))
        return events

    def _undo(self, undone: Undone, at: int) -> None:
        kept = self.undone_to = undone.moves
        taken = self.played[kept]
        self.played = self.played[:kept]
        seat = self.seats[undone.seat - 1]
        self.seats[undone.seat - 1] = replace(seat, taken_back=seat.taken_back + 1)
        self.undos[undone.seat - 1] = self.undos.get(undone.seat - 1, 0) + 1
        if kept < self._drawn:
            self._anchor, self._drawn = self._first()[0], 0
        assert self._anchor is not None
        position = self._anchor
        for number in range(self._drawn, kept):
            played = self.played[number]
            position, _ = play(position, read_move(played.line, self.board))
            if played.how == "chance":
                self._anchor, self._drawn = position, number + 1
        self._take(position)
        if position.actor == taken.seat:
            self.times = self.times.taken_back(taken.seat, taken.allowance, at)

    def _note(self, what: NotedContent, at: int) -> None:
        match what:
            case Absent(seat, reason):
                self.seats[seat - 1] = replace(self.seats[seat - 1], absent=reason)
                self.asked = frozenset()
            case StandInAsked(seat):
                self.asked |= {seat - 1}
            case Returned(seat):
                self.seats[seat - 1] = replace(self.seats[seat - 1], absent=None)
                self.times = self.times.returned(seat - 1, seat - 1 == self.actor, at)
            case EraRevealed(_, key):
                self.era_keys.append(key)
            case BagRevealed(secret):
                self.secret = secret
            case Rematch(_, table):
                self.next_table = table
            case HintUsed(seat):
                asking = self.seats[seat - 1]
                self.seats[seat - 1] = replace(asking, hints=asking.hints + 1)
            case Closed():
                self.status, self.actor = "closed", None
