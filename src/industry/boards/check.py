"""Checks a well-formed board against the format and ruling A1; every finding names its field."""

from collections.abc import Iterator
from itertools import pairwise

from .problems import Problem, Value, era_place
from .provenance import stated_values
from .spec import ANY, KINDS, BoardSpec, FieldSpec, appears_in

JOKERS_OF_INDUSTRY = 7
DISCOUNTS = 2


def board_problems(board: BoardSpec) -> list[Problem]:
    """Returns everything that is wrong with the board; without problems it can be played on."""
    problems: list[Problem] = []
    for field in board.fields:
        problems += _field_problems(board, field)
    problems += _whole_problems(board)
    problems += _link_problems(board)
    if not problems:
        problems += _reach_problems(board)
    return problems


DEAR = 9
"""In Talers. Fields of the known boards cost less than half, so more is probably a mistake."""


def board_remarks(board: BoardSpec) -> list[Problem]:
    """Returns what is allowed but may be a mistake."""
    remarks: list[Problem] = []
    order = list(KINDS)
    if board.edition == "industry":
        for era in range(1, 6):
            row = board.row(era)
            for left, right in pairwise(row):
                if order.index(left.kind) > order.index(right.kind):
                    remarks.append(Problem(right.id, "kinds_order", {"left": left.id}))
    for field in board.fields:
        if field.cost > DEAR:
            remarks.append(Problem(field.id, "cost_high", {"cost": field.cost, "most": DEAR}))
    if board.status == "verified":
        remarks += _unattested(board)
    return remarks


def _unattested(board: BoardSpec) -> Iterator[Problem]:
    """Returns the values of a verified board that no source states."""

    def unstated(place: str, *keys: str) -> Problem:
        return Problem(place, "verified_unattested", {"keys": keys})

    for field in board.fields:
        missing = [key for key in _stated(field) if key not in field.attested]
        if missing:
            yield unstated(field.id, *missing)
    if len(board.link_provenance) != len(board.links):
        return  # format 1 had no place for it
    if board.coin_columns and not stated_values(board.provenance, ("coin_columns",)):
        yield unstated("coin_columns", "coin_columns")
    for (first, second), stated in zip(board.links, board.link_provenance, strict=True):
        if not stated_values(stated, ("ends",)):
            yield unstated(f"{first}–{second}", "ends")


def _stated(field: FieldSpec) -> list[str]:
    """Returns the keys of the field whose values are not the default."""
    values = field.rule_values()
    return ["kind", "name", *(k for k, v in values.items() if v and k not in ("id", "kind"))]


def _field_problems(board: BoardSpec, field: FieldSpec) -> Iterator[Problem]:
    def problem(code: str, **values: Value) -> Problem:
        return Problem(field.id, code, values)

    def only(key: str, kinds: tuple[str, ...], present: bool) -> Iterator[Problem]:
        if present and field.kind not in kinds:
            yield problem("only_kind", key=key, kinds=kinds, kind=field.kind)

    yield from only("cost", ("bonus", "factory"), field.cost != 0)
    yield from only("needs", ("bonus", "factory", "technology"), bool(field.needs))
    yield from only("makes", ("factory",), field.makes is not None)
    yield from only("points", ("factory", "technology"), field.points != 0)
    yield from only("discount", ("factory",), field.discount != 0)
    yield from only("networks", ("factory",), bool(field.networks))
    yield from only("joker", ("joker",), field.joker is not None)
    yield from only("bonus", ("bonus",), field.bonus is not None)
    if field.kind == "joker" and field.joker is None:
        yield problem("missing_key", key="joker")
    if field.kind == "bonus" and field.bonus is None:
        yield problem("missing_key", key="bonus")
    if len(field.needs) > 2:
        yield problem("needs_count", count=len(field.needs))
    if field.bonus is not None:
        allowed = (2,) if board.edition == "industria" or field.bonus.network == "river" else (2, 3)
        if field.bonus.points not in allowed:
            yield problem(
                "bonus_points",
                points=field.bonus.points,
                network=field.bonus.network,
                allowed=" / ".join(str(value) for value in allowed),
            )
    if field.makes is not None:
        era = appears_in(board.resources.index(field.makes))
        if field.era < era:
            yield problem("producer_early", resource=field.makes, era=era)


def _whole_problems(board: BoardSpec) -> Iterator[Problem]:
    coins = len(board.coin_columns)
    if coins != (1 if board.edition == "industry" else 0):
        yield Problem("coin_columns", f"coins_{board.edition}", {"count": coins})
    if board.edition == "industry":
        jokers = [field for field in board.fields if field.kind == "joker"]
        if len(jokers) != JOKERS_OF_INDUSTRY:
            yield Problem("field", "jokers", {"count": len(jokers), "expected": JOKERS_OF_INDUSTRY})
        if not any(field.joker == ANY for field in jokers):
            yield Problem("field", "no_any_joker", {})
    discounts = [field.id for field in board.fields if field.discount]
    if len(discounts) != DISCOUNTS:
        yield Problem("field", "discounts", {"count": len(discounts)})
    for number, resource in enumerate(board.resources):
        era = appears_in(number)
        if not any(field.makes == resource for field in board.row(era)):
            yield Problem(era_place(era), "producer_missing", {"resource": resource, "era": era})


def _link_problems(board: BoardSpec) -> Iterator[Problem]:
    seen: set[frozenset[str]] = set()
    for first, second in board.links:
        place = f"{first}–{second}"
        kinds = {board.field(first).kind, board.field(second).kind}
        if first == second:
            yield Problem(place, "link_loop", {})
        elif kinds not in ({"factory"}, {"technology"}):
            yield Problem(place, "link_kinds", {})
        elif frozenset((first, second)) in seen:
            yield Problem(place, "link_twice", {})
        seen.add(frozenset((first, second)))


def _reach_problems(board: BoardSpec) -> Iterator[Problem]:
    """Finds fields whose needs no bank, reachable producer or joker of its own can meet (A1)."""
    reached: set[str] = set()
    waiting = [field for field in board.fields if field.kind != "joker"]
    progress = True
    while progress:
        progress = False
        for field in list(waiting):
            if _is_reachable(board, field, reached):
                reached.add(field.id)
                waiting.remove(field)
                progress = True
    for field in waiting:
        yield Problem(field.id, "unreachable", {"needs": field.needs})


def _is_reachable(board: BoardSpec, field: FieldSpec, reached: set[str]) -> bool:
    open_needs = []
    for need in field.needs:
        banked = field.era > appears_in(board.resources.index(need))
        made = any(
            other.makes == need and other.era <= field.era and other.id in reached
            for other in board.fields
        )
        if not banked and not made:
            open_needs.append(need)
    jokers = [f.joker for f in board.fields if f.kind == "joker" and f.era <= field.era]
    for need in open_needs:
        if need in jokers:
            jokers.remove(need)
        elif ANY in jokers:
            jokers.remove(ANY)
        else:
            return False
    return True
