"""A field in words: what it is, what it costs, and what it would be worth to each seat now."""

from dataclasses import dataclass

from industry.boards.spec import FIELD_INDEX, BoardSpec, FieldSpec, appears_in
from industry.engine import Position, Status
from industry.engine.moves import Develop
from industry.engine.rules.development import bank_sells, development_points, produces, total_price
from industry.engine.vocabulary import COLUMNS, Kind, Phase, Source

from .speech import Speech

PLENTY = 1000
"""More Talers than anything costs."""


def linked(board: BoardSpec, field: int) -> list[int]:
    """The fields at the other ends of its roads or lines."""
    ends = [(FIELD_INDEX[one], FIELD_INDEX[other]) for one, other in board.links]
    return sorted(other for pair in ends if field in pair for other in pair if other != field)


def summary(field: int, speech: Speech) -> str:
    """One line: kind, price, needs, product, points, networks."""
    spec = speech.board.field(field)
    pieces = [speech.kind(field)]
    if spec.kind in ("bonus", "factory"):
        pieces.append(speech.talers(spec.cost))
    if spec.needs:
        needs = speech.listing(speech.say(f"resource.{need}") for need in spec.needs)
        pieces.append(speech.say("terminal.field.needs", needs=needs))
    if spec.makes:
        made = speech.say(f"resource.{spec.makes}")
        pieces.append(speech.say("terminal.field.makes", resource=made))
    if spec.points:
        pieces.append(speech.points(spec.points))
    pieces += nature(spec, speech)
    if spec.networks:
        pieces.append(", ".join(speech.network(name) for name in spec.networks))
    return " · ".join(pieces)


def nature(spec: FieldSpec, speech: Speech) -> list[str]:
    """What only this kind of field has."""
    if spec.joker:
        resource = speech.say(f"resource.{spec.joker}")
        return [speech.say("terminal.field.joker", resource=resource)]
    if spec.bonus:
        network = speech.network(spec.bonus.network)
        points = speech.points(spec.bonus.points)
        return [speech.say("terminal.field.bonus", network=network, points=points)]
    if spec.discount:
        return [speech.say("terminal.field.discount", count=spec.discount)]
    return []


def supply(position: Position, resource: int, speech: Speech) -> str:
    """Where a resource can be had now."""
    board, state = position.board, position.state
    makers = [s for s in range(state.players) if produces(board, state, s, resource)]
    if makers:
        return speech.listing(speech.seat(seat) for seat in makers)
    if bank_sells(state, resource):
        return speech.say("source.bank")
    return speech.say("terminal.field.bank_from", era=appears_in(resource) + 1)


@dataclass(frozen=True, slots=True)
class Worth:
    """What developing a field would cost a seat now (None: not to be had) and bring it."""

    talers: int | None
    development: int
    links: int
    bonuses: int

    @property
    def points(self) -> int:
        return self.development + self.links + self.bonuses


def worth(position: Position, seat: int, field: int) -> Worth:
    """As if the seat owned the field; points of later eras as if developed in their era."""
    board = position.board
    before = position.state.copy()
    before.owner[field], before.status[field] = seat, int(Status.UNDEVELOPED)
    after = before.copy()
    after.status[field] = int(Status.DEVELOPED)
    before.era = max(before.era, field // COLUMNS)
    now, then = Position(board, before).breakdown(seat), Position(board, after).breakdown(seat)
    return Worth(
        cheapest(position, seat, field),
        development_points(board, before, field),
        then.links - now.links,
        then.bonuses - now.bonuses,
    )


def cheapest(position: Position, seat: int, field: int) -> int | None:
    """The lowest total price at which the seat could develop the field now, were it its own."""
    board, state = position.board, position.state.copy()
    if board.kind[field] == Kind.JOKER or field // COLUMNS > state.era:
        return None
    state.owner[field], state.status[field] = seat, int(Status.UNDEVELOPED)
    state.phase, state.actor, state.talers[seat] = int(Phase.DEVELOP), seat, PLENTY
    state.built[:] = [0] * len(state.built)
    prices = []
    for move in Position(board, state).legal_moves:
        if isinstance(move, Develop) and move.field == field:
            first, second = (*move.sources, Source.OWN, Source.OWN)[:2]
            prices.append(total_price(board, state, seat, field, first, second))
    return min(prices, default=None)


def field_of(word: str) -> int | None:
    """The field that a person names, in small or capital letters."""
    return FIELD_INDEX.get(word.upper())
