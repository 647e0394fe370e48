"""Boards while they are being edited: between the file, the draft on the page, and what is wrong.

A file has one place for sources per field, `source`. Values that were entered from a printed board
are named before it: `printed board, German edition: cost, needs; other source`. Links and the coin
column have no such place: there a comment says `PRINTED BOARD`, or `ATTESTED: source`.
"""

import re
import tomllib
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from industry.boards import BoardError, BoardSpec, Problem
from industry.boards.check import board_problems, board_remarks
from industry.boards.read import ATTESTABLE, FORMAT, TOP_KEYS, parse_leniently
from industry.boards.spec import EDITIONS, FIELD_IDS, LANGUAGES
from industry.boards.write import Remarks, provenance_comments

from ..board_info import board_info
from ..protocol.editor import BoardDraft, Checked, FieldDraft, Finding

PRINTED = "printed board"
MARK = "PRINTED BOARD"
VALUES: dict[str, tuple[str, ...]] = {
    "joker": ("kind", "name", "joker"),
    "bonus": ("kind", "name", "cost", "needs", "bonus"),
    "factory": ("kind", "name", "cost", "needs", "makes", "points", "discount", "networks"),
    "technology": ("kind", "name", "needs", "points"),
}
"""What is printed on a field of each kind, in the order of entry."""

_SOURCE = re.compile(rf"{PRINTED}(?:, ([^:;]*))?(?:: ([a-z_, ]*))?(?:; (.*))?", re.DOTALL)
_SHAPES = ("unknown_key", "tables", "word_list", "text", "coin_letters", "link_ends", "field_id")
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
    "source_missing": "source",
    "source_unused": "source",
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


# From the file


def draft_of(text: str, name: str) -> BoardDraft:
    """Parses the draft in a board file, faults included; raises `BoardError`."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BoardError(name, [Problem("", "toml", {"detail": str(error)})]) from None
    if data.get("format") != FORMAT or data.get("edition") not in EDITIONS:
        problems = parse_leniently(data)[1]
        raise BoardError(name, [p for p in problems if p.place in ("format", "edition")])
    try:
        draft = BoardDraft.model_validate(_draft_data(data, provenance_comments(text)), strict=True)
    except (ValidationError, TypeError, ValueError, AttributeError, KeyError):
        raise BoardError(name, parse_leniently(data)[1]) from None
    misshapen = [p for p in parse_leniently(data)[1] if p.code in _SHAPES]
    if misshapen:
        raise BoardError(name, misshapen)
    return draft


def _draft_data(data: dict[str, Any], remarks: Remarks) -> dict[str, Any]:
    tables = {table["id"]: table for table in data.get("field", [])}
    links = zip(data.get("link", []), remarks.links, strict=True)
    return {
        "edition": data["edition"],
        "status": data.get("status"),
        "coin_columns": data.get("coin_columns", []),
        "coin_note": _unmarked(remarks.coin),
        "coin_printed": _is_marked(remarks.coin),
        "fields": [_field_data(tables.get(field, {}), field) for field in FIELD_IDS],
        "links": [
            {"ends": tuple(link["ends"]), "note": _unmarked(note), "printed": _is_marked(note)}
            for link, note in links
        ],
    }


def _field_data(table: dict[str, Any], field: str) -> dict[str, Any]:
    attested = list(table.get("attested", []))
    printed, print_, source = _provenance(attested, table.get("source", ""))
    values = {key: table.get(key, default) for key, default in _FIELD_DEFAULTS.items()}
    return {
        **values,
        "id": field,
        "name": {language: values["name"].get(language, "") for language in LANGUAGES},
        "printed": printed,
        "print": print_,
        "attested": [key for key in attested if key not in printed],
        "source": source,
    }


def _provenance(attested: list[str], source: str) -> tuple[list[str], str, str]:
    """Returns the printed values, which print, and the other source."""
    if not attested or not source.startswith(PRINTED):
        return [], "", source
    found = _SOURCE.fullmatch(source)
    if found is None:  # written by hand: the whole source is about a printed board
        return attested, source.removeprefix(PRINTED).strip(" ,:;"), ""
    keys = attested if found[2] is None else [key.strip() for key in found[2].split(",")]
    return [key for key in keys if key in attested], found[1] or "", found[3] or ""


def _parts(note: str) -> list[str]:
    return [part.strip() for part in note.split(";") if part.strip()]


def _is_marked(note: str) -> bool:
    return MARK in _parts(note)


def _unmarked(note: str) -> str:
    return "; ".join(part for part in _parts(note) if part != MARK)


# To the file


def data_of(draft: BoardDraft, name: str) -> dict[str, Any]:
    """Returns the content of the file; a board is only verified once all values are printed."""
    printed, total = _count(draft)
    return {
        "format": FORMAT,
        "id": name,
        "edition": draft.edition,
        "status": draft.status if printed == total else "reconstruction",
        "coin_columns": list(draft.coin_columns),
        "field": [_table(field) for field in draft.fields],
        "link": [{"ends": list(link.ends)} for link in draft.links],
    }


def remarks_of(draft: BoardDraft) -> Remarks:
    """Returns the comments that keep the provenance of links and the coin column."""
    coin = _marked(draft.coin_note, draft.coin_printed)
    return Remarks(coin, tuple(_marked(link.note, link.printed) for link in draft.links))


def _marked(note: str, printed: bool) -> str:
    plain = _unmarked(" ".join(note.split()))
    return "; ".join(filter(None, (plain, MARK if printed else "")))


def _table(field: FieldDraft) -> dict[str, Any]:
    values = field.model_dump()
    table = {"id": field.id, "kind": field.kind, "name": values["name"]}
    for key, default in _FIELD_DEFAULTS.items():
        if key not in table and values[key] != default:
            table[key] = values[key]
    known = [key for key in ATTESTABLE if key in field.printed or key in field.attested]
    if known:
        table["attested"] = known
    source = _source(field)
    if source:
        table["source"] = source
    return table


def _source(field: FieldDraft) -> str:
    other = " ".join(field.source.split())
    keys = [key for key in ATTESTABLE if key in field.printed]
    if not keys:
        return other
    which = re.sub(r"[:;]", ",", " ".join(field.print.split())).strip(" ,")
    printed = f"{PRINTED}{f', {which}' if which else ''}: {', '.join(keys)}"
    return f"{printed}; {other}" if other else printed


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
        by_field={field.id: _count_field(field) for field in draft.fields},
        board=board_info(_drawable(spec)),
    )


def findings(problems: Iterable[Problem]) -> list[Finding]:
    return [_finding(problem) for problem in problems]


def _finding(problem: Problem) -> Finding:
    key = str(problem.values.get("key", "")).partition(".")[0]
    value = key if key in (*ATTESTABLE, *TOP_KEYS) else _VALUE_OF_CODE.get(problem.code)
    if key in ("network", "points") and problem.code == "choice":
        value = "bonus"
    ends = problem.place.split("–")
    if len(ends) == 2:
        value = "links"
    return Finding(
        place=problem.place,
        field=ends[0] if ends[0] in FIELD_IDS else None,
        value=value,
        code=problem.code,
        values=problem.values,
    )


def _drawable(spec: BoardSpec) -> BoardSpec:
    """Removes links that lead nowhere, because they cannot be drawn."""
    links = tuple(dict.fromkeys(ends for ends in spec.links if ends[0] != ends[1]))
    return BoardSpec(spec.id, spec.edition, spec.status, spec.coin_columns, spec.fields, links)


def _count_field(field: FieldDraft) -> tuple[int, int]:
    values = VALUES[field.kind]
    return sum(1 for key in values if key in field.printed), len(values)


def _count(draft: BoardDraft) -> tuple[int, int]:
    """Returns how many values were entered from a printed board, and of how many."""
    counts = [_count_field(field) for field in draft.fields]
    counts += [(int(link.printed), 1) for link in draft.links]
    if draft.edition == "industry":
        counts.append((int(draft.coin_printed), 1))
    return sum(printed for printed, _ in counts), sum(total for _, total in counts)
