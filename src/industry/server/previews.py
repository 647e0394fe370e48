"""Answers players' questions: what a move would lead to, why it is illegal, what a field is worth.

They change nothing and reveal nothing beyond the rules.
"""

from collections.abc import Collection, Sequence

from industry.boards import BoardSpec
from industry.boards.spec import FIELD_IDS, FIELD_INDEX
from industry.engine import NOBODY, Bid, Position, Refusal
from industry.notation import write_move
from industry.notation.consequences import (
    Preview,
    Prospects,
    Worth,
    highest_claim,
    previews,
    prospects,
    worth_to_all,
)
from industry.notation.explain import citation, what_helps, what_is_wrong

from .wire_events import Wire, wire_event

FROM_ONE = ("seat", "actor", "owner", "era", "sellers")
"""Numbers of a refusal that count from 0 in the engine and from 1 for people."""
AMOUNTS = (
    *("bid", "high_bid", "lowest", "purse", "price", "needed", "count", "cost", "resources"),
    *("total", "missing", "any_jokers", "limit", "players", "bank_era"),
)
"""Numbers that are the same for both. Fields and kinds are named by the line itself."""


def choices_of(position: Position, board: BoardSpec, seat: int) -> list[Wire]:
    """Returns every legal move of a seat (from 0) with its direct consequences, in plain order."""
    found = [_choice(one, board) for one in previews(position, seat)]
    return sorted(found, key=lambda choice: str(choice["line"]))


def _choice(one: Preview, board: BoardSpec) -> Wire:
    choice = {
        "line": write_move(one.move, board),
        "talers": list(one.talers),
        "points": one.points,
        "events": [wire_event(event, board.resources) for event in one.events],
    }
    if isinstance(one.move, Bid):
        choice["sold"] = one.sold and list(one.sold)
        choice["claimed"] = one.claimed and list(one.claimed)
    return choice


def wire_refusal(
    refusal: Refusal,
    board: BoardSpec,
    language: str,
    names: Sequence[str] = (),
    *,
    to_you: bool = True,
) -> Wire:
    """Returns a refusal with its sentences, in the form of `protocol.server.Refusal`."""
    rule = refusal.rule
    return {
        "code": refusal.code,
        "rule": rule.id,
        "section": rule.section,
        "rulings": list(rule.rulings),
        "numbers": _numbers(refusal),
        "remedies": list(refusal.remedies),
        "wrong": what_is_wrong(refusal, board, language, names, to_you=to_you),
        "helps": what_helps(refusal, board, language, names),
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


def field_report(
    position: Position, board: BoardSpec, field_id: str, open_to: Collection[int] | None = None
) -> Wire:
    """Returns what a field is worth to each seat now, and what it may become worth.

    With closed hands, `open_to` are the seats (from 0) whose tiles the asker may see.
    """
    field = FIELD_INDEX[field_id]
    return {
        "worth": [_worth(one) for one in worth_to_all(position, field, open_to)],
        "prospects": _prospects(prospects(position, field, open_to), board),
        "claim_limit": highest_claim(position) if field == position.state.offered else None,
    }


def _worth(worth: Worth) -> Wire:
    return {
        "seat": worth.seat + 1,
        "points": worth.points,
        "links": worth.links,
        "bonuses": worth.bonuses,
        "price": worth.price,
        "jokers": worth.jokers,
        "sells_to": worth.customers,
    }


def _prospects(found: Prospects, board: BoardSpec) -> Wire:
    demand = found.demand
    return {
        "demand": demand
        and {
            "resource": board.resources[demand.resource],
            "fields": demand.fields,
            "to_come": demand.to_come,
            "seats": [seat + 1 for seat in demand.seats],
        },
        "networks": [
            {
                "network": board.networks[one.network],
                "factories": list(one.factories),
                "factories_to_come": one.factories_to_come,
                "bonuses": list(one.bonuses),
                "bonuses_to_come": one.bonuses_to_come,
            }
            for one in found.networks
        ],
        "neighbours": [
            {
                "field": FIELD_IDS[one.field],
                "owner": one.owner + 1 or None,
                "to_come": one.to_come,
            }
            for one in found.neighbours
        ],
    }
