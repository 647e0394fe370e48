"""A table and its log as everyone sees them, in the form of the models in `protocol`.

Plain data and texts instead of models: this runs for every move of every table.
"""

from pydantic_core import to_json

from industry.boards import BoardSpec
from industry.engine.vocabulary import MAX_SEATS
from industry.notation import write_move

from .commands import Step
from .entries import Absent, Moved, SeatTaken, SeatToBot, Undone
from .happened import Wire, wire_event
from .table import Seat, Table
from .view import hand_of


def encode(content: Wire) -> str:
    """Compact JSON; pydantic's writer takes a third of the standard library's time."""
    return to_json(content).decode()


def wire_entry(step: Step, board: BoardSpec) -> str:
    """An entry of the log as JSON, in the form of `protocol.events.Entry`."""
    what = step.entry.what
    moved = what if isinstance(what, Moved) else None
    undone = what if isinstance(what, Undone) else None
    return encode(
        {
            "version": step.entry.version,
            "at": step.entry.at,
            "kind": what.kind,
            "seat": getattr(what, "seat", None),
            "how": moved.how if moved else None,
            "line": moved.line if moved else undone.line if undone else None,
            "moves": undone.moves if undone else None,
            "reason": what.reason if isinstance(what, Absent) else None,
            "name": what.name if isinstance(what, SeatTaken | SeatToBot) else None,
            "events": [wire_event(event, board) for event in step.events],
        }
    )


def table_view(table: Table, before: tuple[Table, Wire] | None = None) -> Wire:
    """A table without its game; `before` lends the parts that have not changed since."""
    old, known = before if before else (None, None)
    same_seats = known if old and old.seats == table.seats else None
    same_proof = (
        same_seats
        if old and len(old.era_keys) == len(table.era_keys) and old.secret == table.secret
        else None
    )
    return {
        "table": table.id,
        "version": table.version,
        "status": table.status,
        "options": known["options"] if known else table.options.model_dump(),
        "board_hash": table.board.hash,
        "created": table.created,
        "seats": same_seats["seats"] if same_seats else seat_views(table),
        "clock": {
            "remaining": table.times.remaining(table.actor) if table.position else [],
            "deadline": _deadline(table),
        },
        "proof": same_proof["proof"] if same_proof else _proof(table),
        "next_table": table.next_table,
    }


def _deadline(table: Table) -> int | None:
    duty = table.duty()
    return duty.at if duty and duty.bot is None else None


def seat_views(table: Table, connected: tuple[bool, ...] = ()) -> list[Wire]:
    return [
        _seat(seat, number, connected[number] if connected else False)
        for number, seat in enumerate(table.seats)
    ]


def _seat(seat: Seat, number: int, connected: bool) -> Wire:
    return {
        "seat": number + 1,
        "kind": seat.kind,
        "name": seat.name,
        "bot": seat.bot,
        "connected": connected,
        "absent": seat.absent is not None,
        "claimed": seat.kind == "human" and not seat.resigned,
    }


def _proof(table: Table) -> Wire:
    started = table.position is not None
    return {
        "commitment": table.commitment,
        "contributions": [seat.randomness for seat in table.seats] if started else [],
        "era_keys": list(table.era_keys),
        "secret": table.secret,
    }


WAITING = {
    (seat, can_undo): encode({"seat": seat + 1, "legal": [], "can_undo": can_undo, "hand": []})
    for seat in range(MAX_SEATS)
    for can_undo in (False, True)
}
"""What most seats are told about most moves."""


def yours_text(table: Table, seat: int, can_undo: bool) -> str:
    """What only the holder of a seat (from 0) is told, as JSON."""
    position = table.position
    if seat == table.actor or (
        position is not None and (position.state.any_time or table.hands_closed)
    ):
        return encode(yours(table, seat, can_undo))
    return WAITING[seat, can_undo]


def yours(table: Table, seat: int, can_undo: bool) -> Wire:
    """In the form of `protocol.view.Yours`."""
    position = table.position
    legal: list[str] = []
    if position is not None and seat == position.actor:
        legal = sorted(write_move(move, table.board) for move in position.legal_moves)
    elif position is not None and position.state.any_time:  # a subsidy is possible (F2)
        legal = [write_move(move, table.board) for move in position.legal_moves_of(seat)]
    return {
        "seat": seat + 1,
        "legal": legal,
        "can_undo": can_undo,
        "hand": hand_of(position, seat) if position and table.hands_closed else [],
    }


def lobby_table(table: Table) -> Wire:
    """What lists show of a table beside its options and seats: see `protocol.http.LobbyTable`."""
    state = table.position.state if table.position else None
    actor = table.actor
    return {
        "table": table.id,
        "status": table.status,
        "created": table.created,
        "changed": table.changed,
        "actor": None if actor is None else actor + 1,
        "round": state.round_number if state else None,
        "era": state.era + 1 if state else None,
    }
