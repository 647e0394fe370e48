"""Why a move is refused: the fault, its rule, the numbers that failed and what would help."""

from dataclasses import dataclass

from .board import Board
from .constants import (
    ANY_RESOURCE,
    COLUMNS,
    DEVELOPMENTS_PER_TURN,
    LOWEST_BID,
    SOURCES,
    SUBSIDY_TALERS,
    Phase,
    Source,
    Token,
)
from .faults import Fault
from .moves import Bid, Cash, Claim, Develop, Draw, Move, Offer, seat_of
from .rule import RULE_OF_FAULT, RULES, Rule
from .rules.auction import claim_purse
from .rules.development import (
    construction_cost,
    jokers_held,
    produces,
    resource_price,
    source_fault,
    total_price,
)
from .rules.draw import draw_count
from .rules.subsidy import subsidy_fault
from .state import State

Number = int | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused move. `numbers` and `remedies` have stable names; seats and fields count from 0."""

    move: Move
    fault: Fault
    rule: Rule
    numbers: dict[str, Number]
    remedies: tuple[str, ...]

    @property
    def code(self) -> str:
        """The stable code of the fault, for programs."""
        return self.fault.name.lower()

    def __str__(self) -> str:
        numbers = ", ".join(f"{name}={value}" for name, value in self.numbers.items())
        rulings = ", ".join((self.rule.section, *self.rule.rulings))
        return f"{self.code} ({numbers}) [{self.rule.id}: {rulings}]"


class IllegalMove(ValueError):
    """The rules do not allow the move; nothing was changed."""

    def __init__(self, refusal: Refusal, sentence: str = "") -> None:
        super().__init__(sentence or str(refusal))
        self.refusal = refusal


def refusal_of(board: Board, state: State, move: Move, fault: Fault) -> Refusal:
    """Collects what a person needs to understand the fault and find a legal move."""
    numbers = _numbers(board, state, move, fault)
    remedies = _remedies(board, state, move, fault, numbers)
    return Refusal(move, fault, RULE_OF_FAULT[fault], numbers, remedies)


def _numbers(board: Board, state: State, move: Move, fault: Fault) -> dict[str, Number]:
    seat = seat_of(move)
    numbers: dict[str, Number] = {} if isinstance(move, Draw) else {"seat": seat}
    if fault == Fault.NO_SEAT:
        return numbers | {"players": int(state.players)}
    if fault in (Fault.NOT_YOUR_DECISION, Fault.NOT_THIS_DECISION, Fault.SUBSIDY_NOT_NOW):
        numbers |= {"actor": int(state.actor), "phase": int(state.phase)}
    match move:
        case Draw(fields):
            numbers |= _draw_numbers(board, state, fields)
        case Offer(_, field):
            numbers |= {"field": field, "era": int(state.era), "available": _available(state)}
        case Bid(_, talers):
            numbers |= {
                "bid": talers,
                "high_bid": state.high_bid,
                "lowest": max(LOWEST_BID, state.high_bid + 1),
                "purse": state.talers[seat],
            }
        case Claim():
            numbers |= {
                "price": state.high_bid,
                "needed": claim_purse(board, state, state.high_bid),
                "purse": state.talers[seat],
            }
        case Develop(_, field, sources):
            numbers |= _develop_numbers(board, state, seat, field, sources)
        case Cash(_, field):
            numbers["field"] = field
    return numbers


def _draw_numbers(board: Board, state: State, fields: tuple[int, ...]) -> dict[str, Number]:
    bag = [c for c in range(COLUMNS) if state.tokens[c] == Token.IN_BAG]
    return {
        "drawn": fields,
        "count": len(fields),
        "needed": draw_count(board, state),
        "era": int(state.era),
        "bag": tuple(state.era * COLUMNS + c for c in bag),
    }


def _available(state: State) -> tuple[int, ...]:
    return tuple(
        state.era * COLUMNS + column
        for column in range(COLUMNS)
        if state.tokens[column] == Token.FACE_UP
    )


def _develop_numbers(
    board: Board, state: State, seat: int, field: int, sources: tuple[int, ...]
) -> dict[str, Number]:
    numbers: dict[str, Number] = {
        "field": field,
        "kind": int(board.kind[field]),
        "owner": int(state.owner[field]),
        "era": int(state.era),
        "limit": DEVELOPMENTS_PER_TURN,
        "needs": board.needs(field),
        "cost": construction_cost(board, state, seat, field),
        "resources": sum(resource_price(source) for source in sources),
        "purse": state.talers[seat],
        "any_jokers": jokers_held(board, state, seat, ANY_RESOURCE),
    }
    first, second = (*sources, Source.OWN, Source.OWN)[:2]
    total = total_price(board, state, seat, field, first, second)
    numbers |= {"total": total, "missing": max(0, total - state.talers[seat])}
    for resource, source in zip(board.needs(field), sources, strict=False):
        if source_fault(board, state, seat, resource, source) != Fault.NONE:
            numbers |= {"resource": resource, "source": source} | _ways(
                board, state, seat, resource
            )
            break
    return numbers


def _ways(board: Board, state: State, seat: int, resource: int) -> dict[str, Number]:
    """Returns which sources would do, who makes the resource, and when the bank sells it."""
    return {
        "ways": tuple(
            source
            for source in range(SOURCES)
            if source_fault(board, state, seat, resource, source) == Fault.NONE
        ),
        "sellers": tuple(
            other
            for other in range(state.players)
            if other != seat and produces(board, state, other, resource)
        ),
        "bank_era": resource // 3 + 1,
    }


def _remedies(
    board: Board, state: State, move: Move, fault: Fault, numbers: dict[str, Number]
) -> tuple[str, ...]:
    """Returns codes of what would make the move legal, or of what to do instead."""
    found = [fault.name.lower()]
    if fault == Fault.NO_SEAT:
        return tuple(found)
    if fault == Fault.NOT_THIS_DECISION:
        return (f"phase_{Phase(state.phase).name.lower()}",)
    missing = _missing_talers(board, state, move, fault)
    if 0 < missing <= SUBSIDY_TALERS and subsidy_fault(board, state, seat_of(move)) == Fault.NONE:
        found.append("take_subsidy")
    if fault in _SOURCE_FAULTS:
        found.append("use_source" if numbers.get("ways") else "no_source")
    return tuple(found)


_SOURCE_FAULTS = frozenset(RULES["development.resource"].faults) - {Fault.OWN_PRODUCT}


def _missing_talers(board: Board, state: State, move: Move, fault: Fault) -> int:
    """Returns how many more Talers are needed."""
    match move:
        case Bid(seat, talers) if fault == Fault.BID_OVER_PURSE:
            return talers - state.talers[seat]
        case Claim(seat) if fault == Fault.CLAIM_TOO_DEAR:
            return claim_purse(board, state, state.high_bid) - state.talers[seat]
        case Develop(seat, field, sources) if fault == Fault.TOO_FEW_TALERS:
            first, second = (*sources, Source.OWN, Source.OWN)[:2]
            return total_price(board, state, seat, field, first, second) - state.talers[seat]
    return 0
