"""Answers to a player's questions: what each move would bring, why not, and what a field is worth.

They change nothing and tell nothing that the rules do not.
"""

from industry.boards import BoardSpec
from industry.boards.spec import FIELD_INDEX
from industry.engine import (
    Bid,
    Claim,
    Event,
    Kind,
    Pass,
    Phase,
    PlayerMove,
    Position,
    Refusal,
    Sell,
    Source,
    State,
    Status,
    play,
)
from industry.engine.codes import first_source, second_source
from industry.engine.events import TalersMoved
from industry.engine.rules.development import development_points, produces, total_price
from industry.engine.rules.scoring import bonus_points, link_points
from industry.engine.step import list_ways, new_move_list
from industry.engine.vocabulary import COLUMNS, NO_RESOURCE, NOBODY, Reason
from industry.notation import write_move
from industry.notation.explain import citation, what_helps, what_is_wrong

from .happened import Wire, wire_event

INCOME = (Reason.INCOME, Reason.ERA_INCOME)
FULL_PURSE = 1000
"""More than anything costs: what a development would cost does not depend on the purse."""
FROM_ONE = ("seat", "actor", "owner", "era", "sellers")
"""Numbers of a refusal that count from 0 in the engine and from 1 for people."""
AMOUNTS = (
    *("bid", "high_bid", "lowest", "purse", "price", "needed", "count", "cost", "resources"),
    *("total", "missing", "any_jokers", "limit", "players", "bank_era"),
)
"""Numbers that are the same for both. Fields and kinds are named by the line itself."""


def choices_of(position: Position, board: BoardSpec, seat: int) -> list[Wire]:
    """Every legal move of a seat (from 0) with what follows at once from it, in plain order."""
    found = [_choice(position, board, seat, move) for move in position.legal_moves_of(seat)]
    return sorted(found, key=lambda choice: str(choice["line"]))


def _choice(position: Position, board: BoardSpec, seat: int, move: PlayerMove) -> Wire:
    after, events = play(position, move)
    choice = {
        "line": write_move(move, board),
        "talers": _purse_changes(events, int(position.state.players)),
        "points": after.state.points[seat] - position.state.points[seat],
        "events": [wire_event(event, board) for event in events],
    }
    if isinstance(move, Bid):
        choice |= _outcomes(after)
    return choice


def _outcomes(position: Position) -> Wire:
    """What a bid leads to if all others pass: the purses after a sale and after a claim."""
    while position.state.phase == Phase.BID:
        position, _ = play(position, Pass(position.actor))
    outcomes: Wire = {}
    for name, end in (("sold", Sell(position.actor)), ("claimed", Claim(position.actor))):
        events = play(position, end)[1] if end in position.legal_moves else None
        outcomes[name] = events and _purse_changes(events, int(position.state.players))
    return outcomes


def _purse_changes(events: tuple[Event, ...], players: int) -> list[int]:
    changes = [0] * players
    for event in events:
        if isinstance(event, TalersMoved) and event.reason not in INCOME:
            if event.source >= 0:
                changes[event.source] -= event.amount
            if event.target >= 0:
                changes[event.target] += event.amount
    return changes


def wire_refusal(refusal: Refusal, board: BoardSpec, language: str) -> Wire:
    """A refusal with its sentences, in the form of `protocol.server.Refusal`."""
    rule = refusal.rule
    return {
        "code": refusal.code,
        "rule": rule.id,
        "section": rule.section,
        "rulings": list(rule.rulings),
        "numbers": _numbers(refusal),
        "remedies": list(refusal.remedies),
        "wrong": what_is_wrong(refusal, board, language),
        "helps": what_helps(refusal, board, language),
        "citation": citation(refusal, language),
    }


def _numbers(refusal: Refusal) -> Wire:
    numbers: Wire = {}
    for name, value in refusal.numbers.items():
        if name in AMOUNTS:
            numbers[name] = value
        elif name in FROM_ONE and value != NOBODY:
            numbers[name] = [n + 1 for n in value] if isinstance(value, tuple) else value + 1
    return numbers


def worth_of(position: Position, field_id: str) -> list[Wire]:
    """What a field would bring each seat if it owned and developed it now."""
    field = FIELD_INDEX[field_id]
    return [_worth(position, seat, field) for seat in range(position.state.players)]


def _worth(position: Position, seat: int, field: int) -> Wire:
    board, state = position.board, position.state
    wasted = _can_never_be_developed(position, field)
    without, with_it = _developed(position, seat, field)
    return {
        "seat": seat + 1,
        "points": 0 if wasted else development_points(board, state, field),
        "links": link_points(board, with_it, seat) - link_points(board, without, seat),
        "bonuses": bonus_points(board, with_it, seat) - bonus_points(board, without, seat),
        "price": None if wasted else _price(position, seat, field),
        "sells_to": 0 if wasted else _customers(position, seat, field),
    }


def _can_never_be_developed(position: Position, field: int) -> bool:
    """Jokers, and technologies whose era is over (E13)."""
    kind = position.board.kind[field]
    late = field // COLUMNS < position.state.era
    return kind == Kind.JOKER or (kind == Kind.TECHNOLOGY and late)


def _developed(position: Position, seat: int, field: int) -> tuple[State, State]:
    """Everything that the seat has, developed: without the field, and with it."""
    without = position.state.copy()
    for other, owner in enumerate(without.owner):
        if owner == seat and without.status[other] == Status.UNDEVELOPED:
            without.status[other] = Status.DEVELOPED
    without.owner[field] = NOBODY
    without.status[field] = Status.FREE
    with_it = without.copy()
    if not _can_never_be_developed(position, field):
        with_it.owner[field] = seat
        with_it.status[field] = Status.DEVELOPED
    return without, with_it


def _price(position: Position, seat: int, field: int) -> int | None:
    """The lowest price in Talers; jokers are spent only where nothing else serves."""
    board, state = position.board, position.state.copy()
    state.phase, state.actor = Phase.DEVELOP, seat
    state.owner[field], state.status[field] = seat, Status.UNDEVELOPED
    state.talers[seat] = FULL_PURSE
    codes = new_move_list()
    count = list_ways(board, state, seat, field, codes, 0)
    pairs = [(first_source(code), second_source(code)) for code in codes[:count]]
    ways = [
        (
            sum(source in (Source.JOKER, Source.ANY) for source in pair),
            total_price(board, state, seat, field, *pair),
        )
        for pair in pairs
    ]
    return min(ways)[1] if ways else None


def _customers(position: Position, seat: int, field: int) -> int:
    """Undeveloped fields of others that need the product and have no factory of their own."""
    board, state = position.board, position.state
    product = board.makes[field]
    if product == NO_RESOURCE:
        return 0
    return sum(
        owner not in (NOBODY, seat)
        and state.status[other] == Status.UNDEVELOPED
        and product in board.needs(other)
        and not produces(board, state, owner, product)
        for other, owner in enumerate(state.owner)
    )
