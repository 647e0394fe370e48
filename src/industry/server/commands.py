"""What may happen at a table: each command is checked on a draft and becomes entries or a refusal.

A draft is a twin of the table. Nothing is changed until its entries are durable; then the draft is
the table. What follows by itself (draws, forced moves, stand-ins, revealed keys) goes with it.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from industry.boards import BoardSpec
from industry.engine import Draw, Event, IllegalMove, Move, Refusal, play
from industry.notation import (
    NotationError,
    OptionError,
    complete_options,
    read_move,
    write_move,
)
from industry.notation.record import RULES_VERSION
from industry.texts.shown import UNPRINTABLE

from .bag import FairBag
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
    What,
)
from .forced import forced_move, passive_move
from .protocol.base import MAX_PLAYER_NAME
from .protocol.http import SeatWish
from .protocol.server import ErrorCode
from .protocol.view import TableOptions
from .table import Table


class Refused(Exception):
    """A command that is not carried out, by its stable code."""

    def __init__(self, code: ErrorCode, refusal: Refusal | None = None, detail: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.refusal = refusal
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Step:
    """An entry and what people see of it."""

    entry: Entry
    events: tuple[Event, ...]


def moves_in(steps: list[Step]) -> list[How]:
    """Who made each of the moves among some steps."""
    whats = (step.entry.what for step in steps)
    return [what.how for what in whats if isinstance(what, Moved)]


class Draft:
    """A table as it would be, and the steps that lead there."""

    def __init__(self, table: Table, secret: bytes, now: int) -> None:
        self.table = table.copy()
        self.steps: list[Step] = []
        self._secret = secret
        self._bag: FairBag | None = None
        self._now = max(now, table.changed)  # a clock that was set back does not turn time back

    @property
    def bag(self) -> FairBag:
        if self._bag is None:
            contributions = [seat.randomness for seat in self.table.seats]
            self._bag = FairBag(self._secret, contributions)
        return self._bag

    def add(self, what: What, move: Move | None = None) -> int:
        """Let it happen in the draft, with its move; returns the version that it becomes."""
        entry = Entry(self.table.version + 1, self._now, what)
        self.steps.append(Step(entry, self.table.apply(entry, move)))
        return entry.version

    def settle(self) -> None:
        """Add everything that follows by itself, up to the next decision of somebody."""
        table = self.table
        if table.position is None:
            if table.first_open() is not None:
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
        shuffled = table.options.seating == "random" and table.previous is None
        order = bag.seating(players) if shuffled else list(range(1, players + 1))
        self.add(Started(order, bag.starting_player(players)))

    def _next_move(self) -> tuple[Move, How] | None:
        """The move that the server makes now, if any."""
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
            duty = table.duty()
            if duty and duty.bot is None and duty.at <= self._now:
                return passive_move(position), "zombie"
        return None

    def _move(self, move: Move, how: How) -> int:
        seat = None if isinstance(move, Draw) else move.seat + 1
        return self.add(Moved(write_move(move, self.table.board), how, seat), move)

    def _reveal_eras(self, over: int) -> None:
        """Publish the keys of the eras that are over."""
        for era in range(len(self.table.era_keys) + 1, over + 1):
            self.add(EraRevealed(era, self.bag.era_key(era)))

    # Commands. Each returns the version of the entry that it became.

    def take_seat(self, name: str, seat: int | None, randomness: str) -> int:
        """Sit down at an open seat (from 0), or at the first one."""
        table = self.table
        self._expect_open()
        free = table.first_open()
        if free is None:
            raise Refused("table_full")
        if seat is None:
            seat = free
        elif seat >= len(table.seats):
            raise Refused("not_found", detail="seat")
        if table.seats[seat].kind != "open":
            raise Refused("seat_taken")
        version = self.add(SeatTaken(seat + 1, clean_name(name), randomness))
        self.settle()
        return version

    def seat_to_bot(self, seat: int, bot: str, bots: frozenset[str]) -> int:
        """Put a bot on an open seat."""
        self._expect_open()
        if seat >= len(self.table.seats):
            raise Refused("not_found", detail="seat")
        if self.table.seats[seat].kind != "open":
            raise Refused("seat_taken")
        version = self.place_bot(seat, bot, bots)
        self.settle()
        return version

    def place_bot(self, seat: int, bot: str, bots: frozenset[str]) -> int:
        """Let a bot sit there, under a name that nobody else at the table has."""
        if bot not in bots:
            raise Refused("unknown_bot")
        names = {other.name for other in self.table.seats}
        name, number = bot.capitalize()[:MAX_PLAYER_NAME], 1
        while name in names:
            number += 1
            name = f"{bot.capitalize()[: MAX_PLAYER_NAME - 2]} {number}"
        return self.add(SeatToBot(seat + 1, name, bot))

    def _expect_open(self) -> None:
        if self.table.status != "open":
            raise Refused("already_started")

    def begin(self) -> int:
        """Start; a table without open seats has already done so by itself."""
        self._expect_open()
        raise Refused("not_started", detail="seats")

    def move(self, seat: int, line: str, how: How = "player") -> int:
        """Make a move for a seat; its holder returns by it if he was absent."""
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
        """Take back the last move of a seat, with the automatic ones after it (J1)."""
        self._expect_running()
        if self.table.options.undo == "off":
            raise Refused("undo_off")
        kept = self.table.undoable(seat)
        if kept is None:
            raise Refused("nothing_to_undo")
        self._come_back(seat, "player")
        table = self.table
        moves = len(table.lines) - len(table.tail) + kept
        return self.add(Undone(seat + 1, moves, table.tail[kept].line))

    def leave(self, seat: int) -> int:
        """Before the start the seat becomes open again; later it is played for."""
        if self.table.status == "open":
            return self.add(SeatLeft(seat + 1))
        return self._go(seat, "left")

    def resign(self, seat: int) -> int:
        """Leave for good (J3)."""
        if self.table.status == "open":
            raise Refused("not_started")
        return self._go(seat, "resigned")

    def _go(self, seat: int, reason: AbsentReason) -> int:
        self._expect_running()
        version = self.add(Absent(seat + 1, reason))
        self.settle()
        return version

    def come_back(self, seat: int) -> int:
        """Take a seat back from its stand-in."""
        self._expect_running()
        if self.table.seats[seat].absent is None:
            raise Refused("not_absent")
        return self.add(Returned(seat + 1))

    def _come_back(self, seat: int, how: How) -> None:
        if how == "player" and self.table.seats[seat].absent:
            self.add(Returned(seat + 1))

    def _expect_running(self) -> None:
        if self.table.status == "open":
            raise Refused("not_started")
        if self.table.status == "over":
            raise Refused("game_over")

    def time_out(self) -> bool:
        """Play for a seat whose time is over, or for an absent one; whether that is due at all."""
        table = self.table
        duty, seat = table.duty(), table.actor
        if duty is None or seat is None or duty.bot is not None or duty.at > self._now:
            return False
        if table.seats[seat].absent is None:
            self.add(Absent(seat + 1, "clock"))
        self.settle()
        return True

    def bot_move(self, line: str) -> int:
        """The move that a bot chose for the deciding seat; the passive one where it is none."""
        table = self.table
        seat, position = table.actor, table.position
        assert seat is not None
        assert position is not None
        try:
            move = read_move(line, table.board)
            play(position, move)
        except (NotationError, IllegalMove):
            move = passive_move(position)
        how: How = "bot" if table.seats[seat].kind == "bot" else "zombie"
        version = self._move(move, how)
        self.settle()
        return version

    def rematch(self, seat: int, table: str) -> int:
        if self.table.status != "over":
            raise Refused("not_over")
        return self.add(Rematch(seat + 1, table))


def new_table(
    table: str,
    options: TableOptions,
    boards: Mapping[str, BoardSpec],
    secret: bytes,
    now: int,
    previous: str | None = None,
) -> Draft:
    """A draft of a table at which nobody sits yet; `boards` are those of the server by name."""
    name = options.board or options.edition
    board = boards.get(name)
    if board is None:
        raise Refused("unknown_board")
    if board.edition != options.edition:
        raise Refused("bad_options", detail="board")
    try:
        rules = complete_options(options.edition, options.rules)
    except OptionError:
        raise Refused("bad_options", detail="rules") from None
    complete = options.model_copy(update={"board": name, "rules": rules})
    draft = Draft(Table(table, {board.hash: board}), secret, now)
    commitment = FairBag(secret, ()).commitment
    draft.add(
        Created(complete.model_dump(), board.hash, RULES_VERSION, commitment, previous=previous)
    )
    return draft


def fill_seats(draft: Draft, wishes: list[SeatWish], bots: frozenset[str]) -> list[int]:
    """Seat people and bots as wished; returns the seats (from 0) of the people."""
    if len(wishes) != draft.table.options.players:
        raise Refused("bad_options", detail="seats")
    people = []
    for seat, wish in enumerate(wishes):
        if wish.kind == "human":
            name = clean_name(wish.name) if wish.name is not None else f"Player {seat + 1}"
            draft.add(SeatTaken(seat + 1, name, wish.randomness or ""))
            people.append(seat)
        elif wish.kind == "bot":
            draft.place_bot(seat, wish.bot or "", bots)
    draft.settle()
    return people


def clean_name(name: str) -> str:
    """A name that can be shown as text: short, on one line, with something to see."""
    name = name.strip()
    visible = any(unicodedata.category(letter)[0] not in "CZ" for letter in name)
    if not visible or len(name) > MAX_PLAYER_NAME or UNPRINTABLE.search(name):
        raise Refused("bad_name")
    return name
