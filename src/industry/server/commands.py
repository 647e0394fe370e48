"""What may happen at a table: commands are checked on a draft and become entries or a refusal.

A draft is a copy of the table. Nothing changes until its entries are durable; then the draft
becomes the table. Draws, forced moves, stand-ins' moves and revealed keys that follow from a
command are committed with it.
"""

from itertools import count

from industry.engine import Draw, IllegalMove, Move, play
from industry.notation import (
    NotationError,
    read_move,
    write_move,
)
from industry.notation.orders import OrderList

from .automatic_moves import passive_move
from .entries import (
    Absent,
    AbsentReason,
    Closed,
    ClosedReason,
    HintUsed,
    How,
    LinkRenewed,
    Moved,
    Rematch,
    Returned,
    SeatFreed,
    SeatLeft,
    SeatReserved,
    SeatTaken,
    SeatToBot,
    StandInAsked,
    Undone,
)
from .errors import Refused
from .move_lines import lines_of
from .names import clean_name, likeness, new_alias
from .open_draft import OpenDraft
from .permissions import allows_hints
from .seat_names import bot_seat_name
from .steps import Step
from .store.notifications import LEVEL
from .store.rows import PersonSeat, SeatPerson

MOST_UNDOS, MOST_UNDOS_ALONE = 30, 200
"""How often a seat may undo before the next new draw; every undo stays in the log."""


def move_sources(steps: list[Step]) -> list[How]:
    """Returns who made each of the moves among these entries."""
    whats = (step.entry.what for step in steps)
    return [what.how for what in whats if isinstance(what, Moved)]


class Draft(OpenDraft):
    """A draft with all commands of people, hosts, clocks and bots."""

    # Commands: each returns the version of its entry.

    def take_seat(
        self,
        name: str,
        seat: int | None,
        randomness: str,
        invited: int | None = None,
        person: SeatPerson | None = None,
    ) -> int:
        """Takes an open seat (from 0), by default the first, for a guest or a person; `invited` is
        the caller's reserved seat.
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
        version = self.sit(seat, name, randomness, person)
        self.settle()
        return version

    def sit(self, seat: int, name: str, randomness: str, person: SeatPerson | None = None) -> int:
        """Seats a player, under a name that cannot be mistaken for another at the table.

        The log has an alias for a player who sits down as a person, or on a seat reserved for one.
        """
        table = self.table
        sitting = table.seats[seat]
        awaited = table.person_at(sitting)
        person = awaited or person
        name = person.name if person else clean_name(name)
        others = (other for other in table.seats if other is not sitting and other.name)
        taken = {likeness(table.shown_name(other.name)) for other in others}
        if likeness(name) in taken or (person is None and name in table.people):
            raise Refused("name_taken")
        if awaited is not None:
            name = sitting.name
        elif person is not None:
            name = self.expect(person, sitting.place)
        if table.options.duplicate:  # the other tables have the same bag without it
            randomness = ""
        return self.add(SeatTaken(seat + 1, name, randomness))

    def expect(self, person: SeatPerson, place: int) -> str:
        """Gives a place to a person; returns the alias for the log."""
        alias = new_alias()
        self.table.people = {**self.table.people, alias: person}
        self.seated.append(PersonSeat(self.table.id, place, alias, person))
        return alias

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
        names = {likeness(self.table.shown_name(other.name)) for other in self.table.seats}
        possible = (bot_seat_name(bot, number) for number in count(1))
        name = next(name for name in possible if likeness(name) not in names)
        return self.add(SeatToBot(seat + 1, name, bot))

    def _existing(self, seat: int) -> int:
        """Returns a seat (from 0) if the table has it; raises `Refused`."""
        if seat >= len(self.table.seats):
            raise Refused("not_found", detail="seat")
        return seat

    def free_seat(self, seat: int, level: int = LEVEL) -> int:
        """Removes the player from a seat, so that another can take it."""
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
            board = self.table.board
            move: Move = lines_of(board.hash).move(line) or read_move(line, board)
            if isinstance(move, Draw) or write_move(move, board) != line:
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
        return self.add(Undone(seat + 1, kept, self.table.played[kept].line))

    def hint(self, seat: int, step: int) -> int:
        """Notes that the deciding seat asks for a step of a hint."""
        self._expect_running()
        if not allows_hints(self.table):
            raise Refused("hints_off")
        if seat != self.table.actor:
            raise Refused("not_your_turn")
        return self.add(HintUsed(seat + 1, step))

    def leave(self, seat: int) -> int:
        """Opens the seat again before the start; later a stand-in plays for it."""
        if self.table.status == "open":
            return self.add(SeatLeft(seat + 1))
        return self._go(seat, "left")

    def close(self, reason: ClosedReason) -> int:
        """Closes an abandoned table."""
        return self.add(Closed(reason))

    def resign(self, seat: int) -> int:
        """Gives up the seat for good (J3)."""
        self._expect_not_closed()
        if self.table.status == "open":
            raise Refused("not_started")
        return self._go(seat, "resigned")

    def _go(self, seat: int, reason: AbsentReason) -> int:
        self._expect_running()
        version = self.add(Absent(seat + 1, reason))
        self.settle()
        return version

    def forfeit(self, seat: int) -> int:
        """Lets a stand-in decide for a seat whose time is up by the schedule of a cup."""
        return self._go(seat, "clock")

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

    def give_orders(self, place: int, orders: OrderList) -> None:
        """Replaces the standing orders of a place; raises `Refused`."""
        self._expect_running()
        if self.table.seat_of_place(place) is None:
            raise Refused("not_your_seat")
        self.orders[place] = orders

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
