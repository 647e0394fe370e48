"""Writes values into the text of a board file, and keeps its comments and order.

tomlkit reads a file into bodies, one for its head and one for each `[[…]]` table: lists of keys
with their values, of comments and of blank lines. Unchanged values keep their exact text. If lines
cannot be changed one by one, the whole table is written.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import tomlkit
from tomlkit.container import Container
from tomlkit.items import AoT, Item, Key, Table, Whitespace

from .keys import FIELD_KEYS, LINK_KEYS, SOURCE_KEYS, TOP_KEYS

Data = dict[str, Any]
_Body = list[tuple[Key | None, Item]]

_QUIET_LINES = re.compile(r"(?:[ \t]*(?:#.*)?\r?\n)*")
_NOT_IN_COMMENTS = re.compile(r"[\s\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True)
class _Style:
    """The keys of a table in their order (the first names it) and the width they are padded to."""

    keys: tuple[str, ...]
    width: int


_TABLES = {
    "field": _Style(FIELD_KEYS, 6),
    "link": _Style(LINK_KEYS, 4),
    "source": _Style(SOURCE_KEYS, 5),
}
_HEAD = _Style(tuple(key for key in TOP_KEYS if key not in _TABLES), 7)


def rewritten(text: str, data: Data) -> str:
    """Returns the text with these values; the order of fields does not matter."""
    lines = text if text.endswith("\n") else f"{text}\n"
    found = _written(tomlkit.parse(lines), data)
    return found if _has_values(found, data) else _written(tomlkit.document(), data)


def derived_board_text(text: str, origin: str) -> str:
    """Returns the text as the start of another board, without the comments about this one."""
    return (
        f"# A board of your own, started from “{origin}”.\n"
        "# What is not marked as printed or attested is a reconstruction.\n"
        + _QUIET_LINES.sub("", text, count=1)
    )


def _written(document: Container, data: Data) -> str:
    end = document.body
    for kind, style in _TABLES.items():
        end = _state_tables(_tables(document, kind), data.get(kind, []), style, end)
    for kind in _TABLES:
        if not data.get(kind):
            document.remove(kind)
    _state(document, data, _HEAD)
    return document.as_string()


def _tables(document: Container, kind: str) -> AoT:
    """Returns the tables of this kind; inline ones are removed, to be written as new tables."""
    found = document.get(kind)
    if isinstance(found, AoT):
        return found
    if found is not None:
        document.remove(kind)
    tables = tomlkit.aot()
    document.append(kind, tables)
    return tables


def _state_tables(tables: AoT, wanted: Sequence[Data], style: _Style, end: _Body) -> _Body:
    """Keeps remaining tables in place and appends new ones.

    `end` is the body in front of them, which inherits from tables that go; the last is returned.
    """
    name, left, kept = style.keys[0], list(wanted), list[Table]()
    for table in tables.body:
        match = next((values for values in left if values[name] == table.get(name)), None)
        if match is None:
            end += _trailing_comments(table.value.body)[
                1:
            ]  # a heading behind it belongs to what follows
        else:
            left.remove(match)
            kept.append(_stated(table, match, style))
            end = kept[-1].value.body
    for values in left:
        kept.append(_stated(tomlkit.table(), values, style))
        kept[-1].trivia.indent = "" if end and isinstance(end[-1][1], Whitespace) else "\n"
        end = kept[-1].value.body
    tables.body[:] = kept
    return end


def _stated(table: Table, values: Data, style: _Style) -> Table:
    """Returns the table with these values; written whole if it cannot be changed line by line."""
    nested = any(isinstance(item, Table | AoT) for _, item in table.value.body)
    if nested and table.unwrap() != values:
        comment = comment_of(table)
        table = without_comments(table)
        set_comment(table, comment)
    _state(table.value, values, style)
    return table


def without_comments(table: Table) -> Table:
    """Returns an empty table to replace this one, with the comments after its last value."""
    found = Table(Container(), table.trivia, is_aot_element=True)
    found.value.body.extend(_trailing_comments(table.value.body))
    set_comment(found, "")
    return found


def _state(table: Container, values: Data, style: _Style) -> None:
    """Writes these values into the lines; new ones follow the keys that come before them."""
    for key in list(table):
        if key not in values:
            table.remove(key)
        elif key in style.keys and table[key] != values[key]:
            table[key] = _item(values[key])
    # tomlkit itself only appends; it finds no line by its key after one was put into the body
    for place, key in enumerate(style.keys):
        if key in values and key not in table:
            line = tomlkit.key(key)
            line.sep = " = ".rjust(style.width + 3 - len(key))
            table.body.insert(
                _place_after(table.body, style.keys[:place]), (line, _item(values[key]))
            )


def _item(value: object) -> Item:
    """Formats a value as board files do: on one line; a list of tables with one line for each."""
    if isinstance(value, list) and any(isinstance(one, dict) for one in value):
        lines = "".join(f"  {_item(one).as_string()},\n" for one in value)
        return tomlkit.value(f"[\n{lines}]")
    if isinstance(value, dict):
        pairs = (f"{key} = {_item(item).as_string()}" for key, item in value.items())
        return tomlkit.value(f"{{ {', '.join(pairs)} }}")
    return tomlkit.item(value)


def _place_after(body: _Body, keys: Sequence[str]) -> int:
    """Returns the place after the last line with one of these keys."""
    places = (n for n, (key, _) in enumerate(body, 1) if key is not None and key.key in keys)
    return max(places, default=0)


def _trailing_comments(body: _Body) -> _Body:
    """Returns the comments and blank lines after the last value."""
    last = _place_after(body, [key.key for key, _ in body if key is not None])
    item = body[last - 1][1] if last else None
    return body[last:] or (_trailing_comments(item.value.body) if isinstance(item, Table) else [])


def comments_in(table: Item) -> str:
    """Returns all comments of a table except those after its last value."""
    body: _Body = table.value.body
    lines = [table, *(item for _, item in body[: len(body) - len(_trailing_comments(body))])]
    return "; ".join(filter(None, map(comment_of, lines)))


def comment_of(line: Item | None) -> str:
    """Returns the comment at the end of a line."""
    if line is None or isinstance(line, Whitespace):
        return ""
    return line.trivia.comment.removeprefix("#").strip()


def set_comment(line: Item, comment: str) -> None:
    """Changes the comment at the end of a line; an empty one is removed."""
    if comment == comment_of(line):
        return
    plain = _NOT_IN_COMMENTS.sub(" ", comment).strip()
    line.trivia.comment_ws, line.trivia.comment = ("  ", f"# {plain}") if plain else ("", "")


def _has_values(text: str, data: Data) -> bool:
    """Returns whether the text has exactly these values, in any order of fields and links."""
    try:
        return _ordered(tomllib.loads(text)) == _ordered(data)
    except tomllib.TOMLDecodeError:
        return False


def _ordered(data: Data) -> Data:
    return data | {
        kind: sorted(data.get(kind, []), key=lambda table: str(table[style.keys[0]]))
        for kind, style in _TABLES.items()
    }
