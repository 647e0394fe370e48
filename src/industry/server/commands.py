"""What may happen at a table: commands are checked on a draft and become entries or a refusal.

A draft is a copy of the table. Nothing changes until its entries are durable; then the draft
becomes the table. Draws, forced moves, stand-ins' moves and revealed keys that follow from a
command are committed with it.
"""

from industry.bots import bot_title
from industry.engine import Draw, IllegalMove, Move, play
from industry.notation import (
    NotationError,
    read_move,
    write_move,
)

from .automatic_moves import forced_move, passive_move
from .bag import FairBag
from .entries import (
    Absent,
    AbsentReason,
    BagRevealed,
    Closed,
    ClosedReason,
    EntryContent,
    EraRevealed,
    How,
    LinkRenewed,
    LogEntry,
    Moved,
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
)
from .errors import Refused
from .names import clean_name, likeness
from .protocol.base import MAX_PLAYER_NAME
from .steps import Shown, Step, step_of
from .store.notifications import LEVEL
from .table import Table

MOST_UNDOS, MOST_UNDOS_ALONE = 30, 200
"""How often a seat may undo before the next new draw; every undo stays in the log."""


def move_sources(steps: list[Step]) -> list[How]:
    """Returns who made each of the moves among these entries."""
    whats = (step.entry.what for step in steps)
    return [what.how for what in whats if isinstance(what, Moved)]


class Draft:
    """A table as it would be after some new entries, and those entries."""

    def __init__(self, table: Table, secret: bytes, now: int, shown: Shown | None = None) -> None:
        """`shown` is what people see of the table now; without it the first step shows all."""
        self.table = table.copy()
        self.shown = shown
        self.steps: list[Step] = []
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
        if table.status == "over" and table.secret is None:
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
            self._reveal_eras(int(position.state.era))
            return self.bag.draw(position), "chance"
        seat = table.actor
        if seat is None:
            return None
        if table.options.auto_forced and (move := forced_move(position)) is not None:
            return move, "automatic"
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

    # Commands: each returns the version of its entry.

    def take_seat(
        self, name: str, seat: int | None, randomness: str, invited: int | None = None
    ) -> int:
        """Takes an open seat (from 0), by default the first; `invited` is the caller's reserved
        seat.
        """
        table = self.table
        self._expect_open()
        if invited is not None and seat in (None, invited):
            seat, wanted = invited, "reserved"
        else:
            free, wanted = table.first_open(), "open"
            if free is None:
                raise Refused("table_full")
            seat = free if seat is None else self._existing(seat)
        if table.seats[seat].kind != wanted:
            raise Refused("seat_taken")
        version = self.sit(seat, name, randomness)
        self.settle()
        return version

    def sit(self, seat: int, name: str, randomness: str) -> int:
        """Seats a person, under a name that cannot be mistaken for another at the table."""
        name = clean_name(name)
        others = (other for number, other in enumerate(self.table.seats) if number != seat)
        if likeness(name) in {likeness(other.name) for other in others if other.name}:
            raise Refused("name_taken")
        return self.add(SeatTaken(seat + 1, name, randomness))

    def seat_to_bot(self, seat: int, bot: str, bots: frozenset[str]) -> int:
        """Seats a bot on an open seat."""
        self._expect_open()
        if self.table.seats[self._existing(seat)].kind != "open":
            raise Refused("seat_taken")
        version = self.place_bot(seat, bot, bots)
        self.settle()
        return version

    def place_bot(self, seat: int, bot: str, bots: frozenset[str]) -> int:
        """Seats a bot, under a name that nobody else at the table has."""
        if bot not in bots:
            raise Refused("unknown_bot")
        names = {likeness(other.name) for other in self.table.seats}
        title, number = bot_title(bot), 1
        name = title[:MAX_PLAYER_NAME]
        while likeness(name) in names:
            number += 1
            name = f"{title[: MAX_PLAYER_NAME - 2]} {number}"
        return self.add(SeatToBot(seat + 1, name, bot))

    def _existing(self, seat: int) -> int:
        """Returns a seat (from 0) if the table has it; raises `Refused`."""
        if seat >= len(self.table.seats):
            raise Refused("not_found", detail="seat")
        return seat

    def free_seat(self, seat: int, level: int = LEVEL) -> int:
        """Removes the player from a seat, so that somebody else can take it."""
        self._expect_open()
        if self.table.seats[self._existing(seat)].kind == "open":
            raise Refused("not_found", detail="seat")
        return self.add(SeatFreed(seat + 1) if level > 1 else SeatLeft(seat + 1))

    def renew_link(self, seat: int, level: int = LEVEL) -> int:
        """Records that a seat has a new link; an open seat becomes reserved."""
        if level < 2:
            raise Refused("newer_version")
        if self.table.seats[self._existing(seat)].kind == "open":
            self._expect_open()
            return self.add(SeatReserved(seat + 1))
        return self.add(LinkRenewed(seat + 1))

    def _expect_open(self) -> None:
        self._expect_not_closed()
        if self.table.status != "open":
            raise Refused("already_started")

    def move(self, seat: int, line: str, how: How = "player") -> int:
        """Makes a move for a seat; an absent player returns by moving."""
        self._expect_running()
        self._come_back(seat, how)
        try:
            move = read_move(line, self.table.board)
            if isinstance(move, Draw) or write_move(move, self.table.board) != line:
                raise Refused("bad_line")
            if move.seat != seat:
                raise Refused("not_your_seat")
            version = self.add(Moved(line, how, seat + 1), move)
        except NotationError:
            raise Refused("bad_line") from None
        except IllegalMove as error:
            raise Refused("illegal_move", error.refusal) from None
        self.settle()
        return version

    def undo(self, seat: int) -> int:
        """Takes back a seat's last decision and everything that followed it (J1)."""
        self._expect_running()
        if self.table.options.undo == "off":
            raise Refused("undo_off")
        kept = self.table.undoable(seat)
        if kept is None:
            raise Refused("nothing_to_undo")
        most = MOST_UNDOS_ALONE if self.table.is_solo else MOST_UNDOS
        if self.table.undos.get(seat, 0) >= most:
            raise Refused("too_many_undos")
        self._come_back(seat, "player")
        return self.add(Undone(seat + 1, kept, self.table.lines[kept]))

    def leave(self, seat: int) -> int:
        """Opens the seat again before the start; later a stand-in plays for it."""
        if self.table.status == "open":
            return self.add(SeatLeft(seat + 1))
        return self._go(seat, "left")

    def close(self, reason: ClosedReason) -> int:
        """Closes an abandoned table."""
        return self.add(Closed(reason))

    def resign(self, seat: int) -> int:
        """Leaves for good (J3)."""
        self._expect_not_closed()
        if self.table.status == "open":
            raise Refused("not_started")
        return self._go(seat, "resigned")

    def _go(self, seat: int, reason: AbsentReason) -> int:
        self._expect_running()
        version = self.add(Absent(seat + 1, reason))
        self.settle()
        return version

    def come_back(self, seat: int) -> int:
        """Takes a seat back from its stand-in."""
        self._expect_running()
        if self.table.seats[seat].absent is None:
            raise Refused("not_absent")
        return self.add(Returned(seat + 1))

    def stand_in(self, seat: int, target: int, *, host: bool) -> int:
        """Asks for a stand-in for a seat that takes too long; the host or a majority decides."""
        self._expect_overdue(target)
        table = self.table
        if seat in table.asked:
            raise Refused("too_early")
        voters = table.others_present(target)
        if seat not in voters:
            raise Refused("not_your_seat")
        version = self.add(StandInAsked(seat + 1, target + 1))
        if host or 2 * len(self.table.asked) > len(voters):
            self.add(Absent(target + 1, "voted"))
            self.settle()
        return version

    def seat_stand_in(self, target: int, level: int = LEVEL) -> int:
        """Lets a stand-in decide for a seat that takes too long, for a host without a seat."""
        if level < 2:
            raise Refused("newer_version")
        self._expect_overdue(target)
        return self._go(target, "voted")

    def _expect_overdue(self, target: int) -> None:
        """Raises `Refused` unless the others may ask for a stand-in for this seat."""
        self._expect_running()
        at = self.table.stand_in_at
        if target != self.table.actor or at is None or at > self._now:
            raise Refused("too_early")

    def _come_back(self, seat: int, how: How) -> None:
        if how == "player" and self.table.seats[seat].absent:
            self.add(Returned(seat + 1))

    def _expect_not_closed(self) -> None:
        if self.table.status == "closed":
            raise Refused("table_closed")

    def _expect_running(self) -> None:
        self._expect_not_closed()
        if self.table.status == "open":
            raise Refused("not_started")
        if self.table.status == "over":
            raise Refused("game_over")

    def time_out(self) -> bool:
        """Plays for an absent seat or one whose time is up; returns whether that was due."""
        table = self.table
        pending, seat = table.pending_action(), table.actor
        if pending is None or pending.bot is not None or pending.at > self._now:
            return False
        if seat is None:
            self._begin_without()
            return True
        if table.seats[seat].absent is None:
            self.add(Absent(seat + 1, "clock"))
        self.settle()
        return True

    def _begin_without(self) -> None:
        """Starts a rematch; stand-ins play for those who have not come until they do."""
        for number, seat in enumerate(self.table.seats, start=1):
            if seat.kind == "reserved":
                self.add(SeatTaken(number, seat.name))
                self.add(Absent(number, "clock"))
        self.settle()

    def bot_move(self, line: str, stand_in: str | None = None) -> int:
        """Makes the move a bot chose for the deciding seat; a passive one if it is not legal."""
        table = self.table
        seat, position = table.actor, table.position
        assert seat is not None
        assert position is not None
        try:
            move = read_move(line, table.board)
            play(position, move)
        except (NotationError, IllegalMove):
            move, stand_in = passive_move(position), None
        how: How = "bot" if table.seats[seat].kind == "bot" else "zombie"
        version = self._move(move, how, stand_in)
        self.settle()
        return version

    def rematch(self, seat: int, table: str) -> int:
        self._expect_not_closed()
        if self.table.status != "over":
            raise Refused("not_over")
        return self.add(Rematch(seat + 1, table))
