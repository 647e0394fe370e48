"""A table and its log as everyone sees them, in the form of the models in `protocol`.

Plain data and texts instead of models, because this runs for every move of every table.
"""

from collections.abc import Callable
from functools import lru_cache

from pydantic_core import to_json

from industry.boards import BoardSpec
from industry.engine import MAX_SEATS, Event
from industry.notation.game import result_of

from .entries import (
    Absent,
    Branched,
    Closed,
    EntryContent,
    HintUsed,
    LogEntry,
    Moved,
    StandInAsked,
    Undone,
    UnknownEntry,
    is_plain,
)
from .game_view import hand_of
from .move_lines import lines_of
from .orders.seat_orders import SeatOrders
from .permissions import allows_hints
from .previews import choices_of
from .table import Table
from .wire_events import Wire, wire_event


def encode(content: Wire | str) -> str:
    """Returns compact JSON; pydantic's encoder takes a third of the standard library's time."""
    return to_json(content).decode()


@lru_cache(maxsize=8192)
def event_text(event: Event, resources: tuple[str, ...]) -> str:
    """Returns an event as JSON; there are few different ones, and each move has some."""
    return encode(wire_event(event, resources))


def wire_entry(
    entry: LogEntry,
    events: tuple[Event, ...],
    board: BoardSpec,
    shown_name: Callable[[str], str] = str,
) -> str:
    """Returns a log entry as JSON, in the form of `protocol.events.Entry`."""
    what = entry.what
    resources = board.resources
    if isinstance(what, Moved) and is_plain(what.line):
        stand_in = "null" if what.stand_in is None else encode(what.stand_in)
        seat = "null" if what.seat is None else what.seat
        return (
            f'{{"version":{entry.version},"at":{entry.at},"kind":"move","seat":{seat},'
            f'"how":"{what.how}","stand_in":{stand_in},"line":"{what.line}","moves":null,'
            f'"step":null,"reason":null,"target":null,"name":null,'
            f'"events":[{",".join([event_text(event, resources) for event in events])}]}}'
        )
    name: str | None = getattr(what, "name", None)
    moved = what if isinstance(what, Moved) else None
    undone = what if isinstance(what, Undone) else None
    return encode(
        {
            "version": entry.version,
            "at": entry.at,
            "kind": "unknown" if isinstance(what, UnknownEntry) else what.kind,
            "seat": getattr(what, "seat", None),
            "how": moved.how if moved else None,
            "stand_in": moved.stand_in if moved else None,
            "line": moved.line if moved else undone.line if undone else None,
            "moves": _moves(what),
            "step": what.step if isinstance(what, HintUsed) else None,
            "reason": what.reason if isinstance(what, Absent | Closed) else None,
            "target": what.target if isinstance(what, StandInAsked) else None,
            "name": None if name is None else shown_name(name),
            "events": [wire_event(event, resources) for event in events],
        }
    )


def _moves(what: EntryContent) -> int | None:
    if isinstance(what, Branched):
        return len(what.lines)
    return what.moves if isinstance(what, Undone) else None


def table_view(
    table: Table, known: Wire | None = None, same_seats: bool = False, same_proof: bool = False
) -> Wire:
    """Builds a table's view without its game; `known` is the view before, with what is the same."""
    if known and same_seats and same_proof and known["status"] == table.status:
        return known | {
            "version": table.version,
            "clock": _clock(table),
            "next_table": table.next_table,
        }
    return {
        "table": table.id,
        "version": table.version,
        "status": table.status,
        "options": known["options"] if known else table.options.model_dump(),
        "board_hash": table.board.hash,
        "created": table.created,
        "seats": known["seats"] if known and same_seats else seat_views(table),
        "clock": _clock(table),
        "proof": known["proof"] if known and same_proof else _proof(table),
        "next_table": table.next_table,
        "branch": known["branch"] if known and known["branch"] else _branch(table),
        "hints": allows_hints(table),
    }


def _clock(table: Table) -> Wire:
    return {
        "remaining": table.times.remaining(table.actor) if table.position else [],
        "deadline": _deadline(table),
        "stand_in_at": table.stand_in_at,
        "stand_in_asked": sorted(seat + 1 for seat in table.asked),
    }


def _branch(table: Table) -> Wire | None:
    branch = table.branch
    if branch is None:
        return None
    return {
        "moves": len(branch.lines),
        "line": branch.line,
        "players": branch.players,
        "origin": branch.origin,
    }


def _deadline(table: Table) -> int | None:
    pending = table.pending_action()
    return pending.at if pending and pending.bot is None else None


def seat_views(table: Table) -> list[Wire]:
    return [
        {
            "seat": number,
            "kind": seat.kind,
            "name": table.shown_name(seat.name),
            "person": person.id if (person := table.person_at(seat)) else None,
            "bot": seat.bot,
            "bot_number": seat.bot_number,
            "absent": seat.absent is not None,
            "claimed": seat.kind == "human" and not seat.resigned,
            "taken_back": seat.taken_back,
            "hints": seat.hints,
        }
        for number, seat in enumerate(table.seats, 1)
    ]


def _proof(table: Table) -> Wire:
    started = table.position is not None
    return {
        "scheme": table.scheme,
        "rules_version": table.rules_version,
        "commitment": "" if table.branch else table.commitment,
        "places": [seat.place for seat in table.seats],
        "shuffled": table.deals_seats,
        "contributions": [seat.randomness for seat in table.seats] if started else [],
        "era_keys": [] if table.branch else list(table.era_keys),
        "secret": None if table.branch else table.secret,
        "daily": table.options.daily,
    }


def _yours(
    seat: int,
    legal: list[str],
    can_undo: bool,
    hand: list[str],
    choices: list[Wire],
    orders: Wire | None = None,
) -> Wire:
    return {
        "seat": seat + 1,
        "legal": legal,
        "can_undo": can_undo,
        "hand": hand,
        "choices": choices,
        "orders": orders,
    }


WAITING = {
    (seat, can_undo): encode(_yours(seat, [], can_undo, [], []))
    for seat in range(MAX_SEATS)
    for can_undo in (False, True)
}
"""What most seats see of most moves."""


def yours_text(
    table: Table, seat: int, can_undo: bool, with_choices: bool, orders: SeatOrders | None = None
) -> str:
    """Returns what only the holder of a seat (from 0) sees, as JSON."""
    position = table.position
    is_told_more = seat == table.actor or orders is not None
    if is_told_more or (position is not None and (position.state.any_time or table.hands_closed)):
        return encode(yours(table, seat, can_undo, with_choices, orders))
    return WAITING[seat, can_undo]


def yours(
    table: Table, seat: int, can_undo: bool, with_choices: bool, orders: SeatOrders | None = None
) -> Wire:
    """Builds what only a seat's holder sees, in the form of `protocol.view.Yours`."""
    position = table.position
    legal: list[str] = []
    if position is not None and (seat == position.actor or position.state.any_time):
        # out of turn this is at most a subsidy (F2)
        legal = lines_of(table.board.hash).legal(position, table.board, seat)
    hand = hand_of(position, seat) if position and table.hands_closed else []
    asked = position is not None and legal and with_choices
    choices = choices_of(position, table.board, seat) if position and asked else []
    own = position if position is not None and seat == position.actor else None
    return _yours(seat, legal, can_undo, hand, choices, orders.shown(own) if orders else None)


def lobby_table(table: Table) -> Wire:
    """Builds what lists show besides options and seats: see `protocol.http.LobbyTable`."""
    state = table.position.state if table.position else None
    actor = table.actor
    over = table.position is not None and table.position.is_over
    result = result_of(table.position) if over and table.position else None
    return {
        "table": table.id,
        "status": table.status,
        "created": table.created,
        "changed": table.changed,
        "actor": None if actor is None else actor + 1,
        "round": state.round_number if state else None,
        "era": state.era + 1 if state else None,
        "points": list(result.points) if result else [],
        "winners": list(result.winners) if result else [],
    }
