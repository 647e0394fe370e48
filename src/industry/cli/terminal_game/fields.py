"""A field in words: what it is, what it costs, and where its resources come from."""

from industry.boards.spec import FIELD_INDEX, BoardSpec, FieldSpec, appears_in
from industry.engine import (
    Position,
    bank_sells,
    produces,
)

from .speech import Speech


def linked(board: BoardSpec, field: int) -> list[int]:
    """Returns the fields at the other ends of its roads or lines."""
    ends = [(FIELD_INDEX[one], FIELD_INDEX[other]) for one, other in board.links]
    return sorted(other for pair in ends if field in pair for other in pair if other != field)


def summary(field: int, speech: Speech) -> str:
    """Returns one line: kind, price, needs, product, points, networks."""
    spec = speech.board.field(field)
    pieces = [speech.kind(field)]
    if spec.kind in ("bonus", "factory"):
        pieces.append(speech.talers(spec.cost))
    if spec.needs:
        needs = speech.join_words(speech.say(f"resource.{need}") for need in spec.needs)
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
    """Returns what only this kind of field has."""
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
    """Says where a resource is available now."""
    board, state = position.board, position.state
    makers = [s for s in range(state.players) if produces(board, state, s, resource)]
    if makers:
        return speech.join_words(speech.seat(seat) for seat in makers)
    if bank_sells(state, resource):
        return speech.say("source.bank")
    return speech.say("terminal.field.bank_from", era=appears_in(resource) + 1)


def field_of(word: str) -> int | None:
    """Returns the field that a person names, in upper or lower case."""
    return FIELD_INDEX.get(word.upper())
