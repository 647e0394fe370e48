"""Drafts new tables: checks options, fills seats as asked, and says what their creator gets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from industry.boards import BoardSpec
from industry.bots.registry import BUILT_IN
from industry.notation import OptionError, complete_options
from industry.notation.proof import commitment_of
from industry.notation.record import RULES_VERSION

from .commands import Draft
from .entries import Created, SeatReserved, SeatTaken
from .errors import Refused
from .names import clean_name
from .protocol.http import NewTable, SeatWish
from .protocol.view import TableOptions
from .seats import Seat
from .store.notifications import LEVEL
from .store.rows import SeatPerson
from .table import Table

SHARED_SCHEME = 1
"""The scheme of daily deals and duplicate rounds: `industry-bag-1` is bound to no table, so that
all tables with the same secret have the same bag.
"""
BAG_SCHEME = 2
"""The scheme of the bags of new tables: `industry-bag-2`."""
RATED_BOTS = frozenset(BUILT_IN) - {"random"}
"""The bots with a rating that never changes."""
NEW_OPTIONS = ("patience", "chat", "daily", "rated", "hints", "what_if", "cup", "duplicate")
"""Options that version 0.1.0 does not know."""


@dataclass(frozen=True, slots=True)
class CreatedTable:
    """A new table, and the tokens for the client that asked for it."""

    table: str
    host: str
    seats: dict[int, str]
    """Tokens by place, from 1."""
    reserved: dict[int, str]
    """Tokens of the places reserved for others."""
    commitment: str


@dataclass(frozen=True, slots=True)
class SeatGrant:
    """A place, its token, and the bag's commitment."""

    place: int
    token: str
    commitment: str


def new_table(
    table: str,
    options: TableOptions,
    boards: Mapping[str, BoardSpec],
    secret: bytes,
    now: int,
    previous: str | None = None,
    level: int = LEVEL,
) -> Draft:
    """Returns a draft of an empty table; `boards` are the server's, by name.

    `level` is what every process of the server can read: see `store.notifications`.
    """
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
    if options.rated and not _may_be_rated(options, rules):
        raise Refused("bad_options", detail="rated")
    complete = options.model_copy(update={"board": name, "rules": rules})
    draft = Draft(Table(table, {board.hash: board}), secret, now)
    commitment = commitment_of(secret)
    is_shared = options.daily or options.duplicate
    scheme = SHARED_SCHEME if is_shared else min(level, BAG_SCHEME)
    stored = _stored_options(complete, level)
    draft.add(Created(stored, board.hash, RULES_VERSION, commitment, previous, scheme))
    return draft


def _may_be_rated(options: TableOptions, rules: Mapping[str, str]) -> bool:
    """Checks that a game can be compared with others: the usual rules and board, no undo."""
    usual = complete_options(options.edition, {})
    on_own_board = options.board in ("", options.edition)
    return options.undo == "off" and not options.daily and on_own_board and rules == usual


def _stored_options(options: TableOptions, level: int) -> dict[str, Any]:
    """Returns options as the log keeps them; on level 1 new ones must have their default."""
    stored = options.model_dump()
    if level < 2:
        for name in NEW_OPTIONS:
            if stored.pop(name) != TableOptions.model_fields[name].default:
                raise Refused("newer_version")
    return stored


def fill_seats(
    draft: Draft,
    wishes: list[SeatWish],
    bots: frozenset[str],
    level: int = LEVEL,
    person: SeatPerson | None = None,
) -> None:
    """Seats people and bots as asked; `person` is who asks, if signed in."""
    if len(wishes) != draft.table.options.players:
        raise Refused("bad_options", detail="seats")
    for seat, wish in enumerate(wishes):
        if wish.kind == "human" and wish.as_person:
            if person is None:
                raise Refused("not_signed_in")
            draft.sit(seat, "", wish.randomness or "", person)
        elif wish.kind == "human":
            name = clean_name(wish.name) if wish.name is not None else f"Player {seat + 1}"
            draft.add(SeatTaken(seat + 1, name, wish.randomness or ""))
        elif wish.kind == "reserved" and level < 2:
            raise Refused("newer_version")
        elif wish.kind == "reserved":
            draft.add(SeatReserved(seat + 1, wish.name or ""))
        elif wish.kind == "bot":
            draft.place_bot(seat, wish.bot or "", bots)
    draft.settle()


def check_rated(wish: NewTable) -> None:
    """Raises `Refused` unless everyone at a new rated table has a rating."""
    people = [seat for seat in wish.seats if seat.kind == "human"]
    bots = [seat.bot for seat in wish.seats if seat.kind == "bot"]
    if not all(seat.as_person for seat in people):
        raise Refused("not_signed_in")
    if not RATED_BOTS.issuperset(bots):
        raise Refused("unknown_bot")


def seats_again(draft: Draft, old: Table, seats: Sequence[Seat], level: int) -> list[SeatWish]:
    """Returns how the seats of a rematch are filled: persons who stayed get new aliases."""
    wishes = []
    for place, seat in enumerate(seats, start=1):
        person = old.person_at(seat) if seat.absent is None else None
        name = draft.expect(person, place) if person else seat.name
        wishes.append(_wish_again(seat, name, level))
    return wishes


def _wish_again(seat: Seat, name: str, level: int) -> SeatWish:
    """Returns how a seat is filled in a rematch; on level 1 as version 0.1.0 does it."""
    if seat.kind == "bot":
        return SeatWish(kind="bot", bot=seat.bot)
    if seat.absent is not None:
        return SeatWish(kind="open")
    return SeatWish(kind="human" if level < 2 else "reserved", name=name)
