"""Boards while they are being edited: the file, the draft on the page, and what is wrong."""

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from industry.boards import BoardError, BoardSpec, Problem
from industry.boards.check import board_problems, board_remarks
from industry.boards.keys import STATED_KEYS, TOP_KEYS
from industry.boards.problems import era_place
from industry.boards.provenance import CONFIDENCES, PRINT
from industry.boards.read import FORMAT, FORMATS, parse_leniently
from industry.boards.spec import EDITIONS, FIELD_IDS, LANGUAGES

from ..board_info import board_info
from ..protocol.editor import BoardDraft, Checked, FieldDraft, Finding, StatementDraft

VALUES: dict[str, tuple[str, ...]] = {
    "joker": ("kind", "name", "joker"),
    "bonus": ("kind", "name", "cost", "needs", "bonus"),
    "factory": ("kind", "name", "cost", "needs", "makes", "points", "discount", "networks"),
    "technology": ("kind", "name", "needs", "points"),
}
"""What is printed on a field of each kind, in the order of entry."""

_SHAPES = (
    "unknown_key",
    "tables",
    "provenance",
    "word_list",
    "text",
    "coin_letters",
    "link_ends",
    "field_id",
    "source_id",
)
"""Faults that a draft cannot hold: they must be corrected in the file."""
_VALUE_OF_CODE = {
    "name": "name",
    "bonus_table": "bonus",
    "bonus_points": "bonus",
    "needs_count": "needs",
    "unreachable": "needs",
    "producer_early": "makes",
    "cost_high": "cost",
    "kinds_order": "kind",
    "source_unknown": "source",
    "statement_empty": "source",
    "coins_industry": "coin_columns",
    "coins_industria": "coin_columns",
}
_FIELD_DEFAULTS: dict[str, Any] = {
    "kind": "factory",
    "name": {},
    "cost": 0,
    "needs": [],
    "makes": None,
    "points": 0,
    "discount": 0,
    "networks": [],
    "joker": None,
    "bonus": None,
}
_STATEMENT_DEFAULTS: dict[str, Any] = {
    "source": "",
    "values": [],
    "confidence": CONFIDENCES[0],
    "note": "",
}


# From the file


def check_shape(text: str, name: str) -> None:
    """Raises `BoardError` where no draft can hold what the file says, whatever its format."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BoardError(name, [Problem("", "toml", {"detail": str(error)})]) from None
    problems = parse_leniently(data)[1]
    if data.get("format") not in FORMATS or data.get("edition") not in EDITIONS:
        raise BoardError(name, [p for p in problems if p.place in ("format", "edition")])
    misshapen = [problem for problem in problems if problem.code in _SHAPES]
    if misshapen:
        raise BoardError(name, misshapen)


def draft_of(text: str, name: str) -> BoardDraft:
    """Parses the draft in a board file of the current format; raises `BoardError`."""
    check_shape(text, name)
    data = tomllib.loads(text)
    try:
        return BoardDraft.model_validate(_draft_data(data), strict=True)
    except (ValidationError, TypeError, ValueError, AttributeError, KeyError):
        raise BoardError(name, parse_leniently(data)[1]) from None


def _draft_data(data: dict[str, Any]) -> dict[str, Any]:
    tables = {table["id"]: table for table in data.get("field", [])}
    return {
        "edition": data["edition"],
        "status": data.get("status"),
        "coin_columns": data.get("coin_columns", []),
        "provenance": _statements(data),
        "fields": [_field_data(tables.get(field, {}), field) for field in FIELD_IDS],
        "links": [
            {
                "ends": tuple(link["ends"]),
                "note": link.get("note", ""),
                "provenance": _statements(link),
            }
            for link in data.get("link", [])
        ],
        "sources": [{"address": ""} | source for source in data.get("source", [])],
    }


def _field_data(table: dict[str, Any], field: str) -> dict[str, Any]:
    values = {key: table.get(key, default) for key, default in _FIELD_DEFAULTS.items()}
    return {
        **values,
        "id": field,
        "name": {language: values["name"].get(language, "") for language in LANGUAGES},
        "provenance": _statements(table),
    }


def _statements(table: dict[str, Any]) -> list[dict[str, Any]]:
    return [_STATEMENT_DEFAULTS | statement for statement in table.get("provenance", [])]


# To the file


def data_of(draft: BoardDraft, name: str) -> dict[str, Any]:
    """Returns the content of the file; a board is only verified once all values are printed."""
    printed, total = _count(draft)
    data = {
        "format": FORMAT,
        "id": name,
        "edition": draft.edition,
        "status": draft.status if printed == total else "reconstruction",
        "coin_columns": list(draft.coin_columns),
        "field": [_table(field) for field in draft.fields],
        "link": [
            {"ends": list(link.ends)} | _note(link.note) | _provenance(link.provenance)
            for link in draft.links
        ],
        "source": [_stated(source.model_dump(), {"address": ""}) for source in draft.sources],
    }
    return data | _provenance(draft.provenance)


def _table(field: FieldDraft) -> dict[str, Any]:
    values = field.model_dump(exclude={"provenance"})
    stated = _stated(values, _FIELD_DEFAULTS, always=("kind", "name"))
    return stated | _provenance(field.provenance)


def _provenance(statements: Sequence[StatementDraft]) -> dict[str, Any]:
    tables = [
        _stated(statement.model_dump() | _note(statement.note, always=True), _STATEMENT_DEFAULTS)
        for statement in statements
    ]
    return {"provenance": tables} if tables else {}


def _note(note: str, always: bool = False) -> dict[str, str]:
    """Returns the note on one line."""
    plain = " ".join(note.split())
    return {"note": plain} if plain or always else {}


def _stated(
    values: dict[str, Any], defaults: Mapping[str, Any], always: Collection[str] = ("source",)
) -> dict[str, Any]:
    """Returns the values that are not the ones a file may leave out."""
    return {
        key: value
        for key, value in values.items()
        if key in always or key not in defaults or value != defaults[key]
    }


# What is wrong


def checked(draft: BoardDraft, name: str) -> Checked:
    """Returns faults, remarks, how much is confirmed, and the board to be drawn."""
    spec, problems = parse_leniently(data_of(draft, name), name)
    places = {problem.place for problem in problems}
    problems += [p for p in board_problems(spec) if p.place not in places]
    printed, total = _count(draft)
    return Checked(
        problems=findings(problems),
        remarks=findings(board_remarks(spec)),
        printed=printed,
        total=total,
        by_field={field.id: _count_field(draft, field) for field in draft.fields},
        board=board_info(_drawable(spec)),
    )


def findings(problems: Iterable[Problem]) -> list[Finding]:
    return [_finding(problem) for problem in problems]


def _finding(problem: Problem) -> Finding:
    key = str(problem.values.get("key", "")).partition(".")[0]
    value = key if key in (*STATED_KEYS, *TOP_KEYS) else _VALUE_OF_CODE.get(problem.code)
    if key in ("network", "points") and problem.code == "choice":
        value = "bonus"
    ends, era = problem.place.split("–"), problem.values.get("era")
    if len(ends) == 2:
        value = "links"
    return Finding(
        place=problem.place,
        field=ends[0] if ends[0] in FIELD_IDS else None,
        era=era if isinstance(era, int) and problem.place == era_place(era) else None,
        value=value,
        code=problem.code,
        values=problem.values,
    )


def _drawable(spec: BoardSpec) -> BoardSpec:
    """Removes links that lead nowhere, because they cannot be drawn."""
    links = tuple(dict.fromkeys(ends for ends in spec.links if ends[0] != ends[1]))
    return replace(spec, links=links, link_provenance=())


def _printed(draft: BoardDraft, statements: Iterable[StatementDraft]) -> set[str]:
    """Returns the values that a printed game states."""
    prints = {source.id for source in draft.sources if source.kind == PRINT}
    return {value for stated in statements if stated.source in prints for value in stated.values}


def _count_field(draft: BoardDraft, field: FieldDraft) -> tuple[int, int]:
    values = VALUES[field.kind]
    return len(_printed(draft, field.provenance) & set(values)), len(values)


def _count(draft: BoardDraft) -> tuple[int, int]:
    """Returns how many values were entered from a printed board, and of how many."""
    counts = [_count_field(draft, field) for field in draft.fields]
    counts += [(int("ends" in _printed(draft, link.provenance)), 1) for link in draft.links]
    if draft.edition == "industry":
        counts.append((int("coin_columns" in _printed(draft, draft.provenance)), 1))
    return sum(printed for printed, _ in counts), sum(total for _, total in counts)
