"""Write values into the text of a board file; its comments and its order stay as they are.

A file is a head and pieces: one for each `[[field]]` and `[[link]]`, with the blank and comment
lines behind it. Lines whose value has not changed are kept letter by letter. Where lines cannot be
changed one by one, such as a list over several lines, the piece is written anew.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from .read import FIELD_KEYS, TOP_KEYS

Table = dict[str, Any]

_HEADER = re.compile(r"\s*\[\[\s*(field|link)\s*\]\]\s*(?:#.*)?$")
_KEY = re.compile(r"\s*([a-z_]+)(\s*=\s*)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')
_QUIET = re.compile(r"\s*(#.*)?$")
"""A line that states nothing."""


@dataclass(frozen=True, slots=True)
class Remarks:
    """The comments that tell where values without a place for their source come from."""

    coin: str = ""
    links: tuple[str, ...] = ()
    """In the order of the links."""


@dataclass(frozen=True, slots=True)
class _Piece:
    kind: str
    header: str
    body: list[str]
    tail: list[str] = field(default_factory=list)

    @property
    def table(self) -> Table:
        return tomllib.loads("".join(self.body))

    @property
    def remark(self) -> str:
        return "; ".join(filter(None, map(_comment, (self.header, *self.body))))

    @property
    def lines(self) -> list[str]:
        return [self.header, *self.body, *self.tail]


def remarks_in(text: str) -> Remarks:
    """The comments beside the coin column and the links."""
    head, pieces = _split(text)
    coin = next((_comment(line) for line in head if _key(line) == "coin_columns"), "")
    return Remarks(coin, tuple(piece.remark for piece in pieces if piece.kind == "link"))


def rewritten(text: str, data: Table, remarks: Remarks) -> str:
    """The text with these values and comments; the order of fields does not matter."""
    head, pieces = _split(text)
    top = {key: value for key, value in data.items() if key not in ("field", "link")}
    fields = {table["id"]: table for table in data["field"]}
    lines = _changed_head(head, top, remarks.coin)
    lines += _changed_fields([p for p in pieces if p.kind == "field"], fields)
    lines += _changed_links([p for p in pieces if p.kind == "link"], data["link"], remarks.links)
    found = "".join(lines)
    if _holds(found, data):
        return found
    return "".join(_anew(data, remarks))


def begun(text: str, origin: str) -> str:
    """The text as the beginning of another board: without what its head says of this one."""
    lines = text.splitlines(keepends=True)
    while lines and _QUIET.match(lines[0]):
        del lines[0]
    return (
        f"# A board of one’s own, begun from “{origin}”.\n"
        "# What is not marked as printed or attested is a reconstruction.\n" + "".join(lines)
    )


def _split(text: str) -> tuple[list[str], list[_Piece]]:
    head: list[str] = []
    pieces: list[_Piece] = []
    for line in text.splitlines(keepends=True):
        line = line if line.endswith("\n") else f"{line}\n"
        header = _HEADER.match(line)
        if header:
            pieces.append(_Piece(header[1], line, []))
        else:
            (pieces[-1].body if pieces else head).append(line)
    for piece in pieces:
        while piece.body and _QUIET.match(piece.body[-1]):
            piece.tail.insert(0, piece.body.pop())
    return head, pieces


def _changed_head(head: list[str], top: Table, coin: str) -> list[str]:
    lines = _changed(head, top, TOP_KEYS)
    return [_with_comment(line, coin) if _key(line) == "coin_columns" else line for line in lines]


def _changed_fields(pieces: list[_Piece], fields: dict[str, Table]) -> Iterator[str]:
    left = dict(fields)
    for piece in pieces:
        table = left.pop(piece.table.get("id", ""), None)
        if table is not None:
            body = _changed(piece.body, table, FIELD_KEYS)
            yield from replace(piece, body=body).lines
    for table in left.values():
        yield from _field_anew(table)


def _changed_links(
    pieces: list[_Piece], links: list[Table], remarks: tuple[str, ...]
) -> Iterator[str]:
    """Links that stay keep their place; new ones come after the last."""
    left = list(zip(links, remarks, strict=True))
    for piece in pieces:
        known = next((pair for pair in left if pair[0] == piece.table), None)
        if known is None:
            yield from piece.tail[1:]  # a heading behind it belongs to what follows
            continue
        left.remove(known)
        if piece.remark == known[1]:
            yield from piece.lines
        else:
            yield _with_comment("[[link]]\n", known[1])
            yield from _line_of_ends(known[0])
            yield from piece.tail
    for table, remark in left:
        yield from ("\n", _with_comment("[[link]]\n", remark), *_line_of_ends(table))


def _line_of_ends(table: Table) -> Iterator[str]:
    yield f"ends = {_written(table['ends'])}\n"


def _changed(lines: list[str], table: Table, order: tuple[str, ...]) -> list[str]:
    """Lines that state the values of the table, those that did already as they were."""
    try:
        old = tomllib.loads("".join(lines))
    except tomllib.TOMLDecodeError:
        old = {}
    if old == table:
        return lines
    kept: dict[str, str] = {}
    found: list[str] = []
    for line in lines:
        key = _key(line)
        if key is None:
            found.append(line)
        elif key in table:
            kept[key] = line if old.get(key) == table[key] else _restated(line, table[key])
            found.append(kept[key])
    for key in order:
        if key in table and key not in kept:
            before = [kept[k] for k in order[: order.index(key)] if k in kept]
            place = found.index(before[-1]) + 1 if before else len(found)
            kept[key] = f"{key:<6} = {_written(table[key])}\n"
            found.insert(place, kept[key])
    return found if _states("".join(found), table) else list(_lines_anew(table))


def _states(text: str, table: Table) -> bool:
    try:
        return tomllib.loads(text) == table
    except tomllib.TOMLDecodeError:
        return False


def _holds(text: str, data: Table) -> bool:
    """Whether the text says exactly this, in whatever order its fields stand."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return _ordered(found) == _ordered(data)


def _ordered(data: Table) -> Table:
    fields = sorted(data.get("field", []), key=lambda table: str(table["id"]))
    links = sorted(data.get("link", []), key=lambda table: str(table["ends"]))
    return data | {"field": fields, "link": links}


def _anew(data: Table, remarks: Remarks) -> Iterator[str]:
    """The whole file from its values alone."""
    for line in _lines_anew({k: v for k, v in data.items() if k not in ("field", "link")}):
        yield _with_comment(line, remarks.coin) if _key(line) == "coin_columns" else line
    for table in data["field"]:
        yield from _field_anew(table)
    for table, remark in zip(data["link"], remarks.links, strict=True):
        yield from ("\n", _with_comment("[[link]]\n", remark), *_line_of_ends(table))


def _field_anew(table: Table) -> Iterable[str]:
    return ("\n", "[[field]]\n", *_lines_anew(table))


def _lines_anew(table: Table) -> Iterator[str]:
    for key, value in table.items():
        yield f"{key:<6} = {_written(value)}\n"


def _key(line: str) -> str | None:
    found = _KEY.match(line)
    return found[1] if found else None


def _comment(line: str) -> str:
    """What stands behind the # of a line; one inside a text is none."""
    bare = _STRING.sub(lambda text: "x" * len(text[0]), line)
    place = bare.find("#")
    return line[place + 1 :].strip() if place >= 0 else ""


def _with_comment(line: str, comment: str) -> str:
    bare = _STRING.sub(lambda text: "x" * len(text[0]), line)
    place = bare.find("#")
    stated = (line[:place] if place >= 0 else line).rstrip()
    plain = " ".join(comment.split())
    return f"{stated}  # {plain}\n" if plain else f"{stated}\n"


def _restated(line: str, value: object) -> str:
    start = _KEY.match(line)
    assert start is not None
    return _with_comment(f"{start[0]}{_written(value)}\n", _comment(line))


def _written(value: object) -> str:
    """A value as board files write it: on one line."""
    match value:
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case list():
            return f"[{', '.join(map(_written, value))}]"
        case dict():
            pairs = ", ".join(f"{key} = {_written(item)}" for key, item in value.items())
            return f"{{ {pairs} }}"
    return str(value)
