"""Write values into the text of a board file; its comments and its order stay as they are.

tomlkit reads a file into bodies, one for its head and one for each `[[field]]` and `[[link]]`:
lists of keys with their values, of comments and of blank lines. What has not changed is written
again letter by letter. Where lines cannot be changed one by one, the table is written anew.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import tomlkit
from tomlkit.container import Container
from tomlkit.items import AoT, Item, Key, Table, Whitespace

from .read import FIELD_KEYS, TOP_KEYS

Data = dict[str, Any]
_Body = list[tuple[Key | None, Item]]

_QUIET_LINES = re.compile(r"(?:[ \t]*(?:#.*)?\r?\n)*")
_NOT_IN_COMMENTS = re.compile(r"[\s\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True)
class _Style:
    """The keys of a table in their order, the first of which names it, and how wide they stand."""

    keys: tuple[str, ...]
    width: int


_HEAD = _Style(tuple(key for key in TOP_KEYS if key not in ("field", "link")), 7)
_FIELD = _Style(FIELD_KEYS, 6)
_LINK = _Style(("ends",), 4)


@dataclass(frozen=True, slots=True)
class Remarks:
    """The comments that tell where values without a place for their source come from."""

    coin: str = ""
    links: tuple[str, ...] = ()
    """In the order of the links."""


def provenance_comments(text: str) -> Remarks:
    """The comments beside the coin column and the links."""
    document = tomlkit.parse(text)
    coin = "".join(_comment(item) for key, item in document.body if key == "coin_columns")
    return Remarks(coin, tuple(_remark(table) for table in document.get("link", [])))


def rewritten(text: str, data: Data, remarks: Remarks) -> str:
    """The text with these values and comments; the order of fields does not matter."""
    lines = text if text.endswith("\n") else f"{text}\n"
    found = _written(tomlkit.parse(lines), data, remarks)
    return found if _holds(found, data) else _written(tomlkit.document(), data, remarks)


def derived_board_text(text: str, origin: str) -> str:
    """The text as the beginning of another board: without what its head says of this one."""
    return (
        f"# A board of one’s own, begun from “{origin}”.\n"
        "# What is not marked as printed or attested is a reconstruction.\n"
        + _QUIET_LINES.sub("", text, count=1)
    )


def _written(document: Container, data: Data, remarks: Remarks) -> str:
    fields = [(table, None) for table in data["field"]]
    links = list(zip(data["link"], remarks.links, strict=True))
    end = _state_tables(_tables(document, "field"), fields, _FIELD, document.body)
    _state_tables(_tables(document, "link"), links, _LINK, end)
    if not links:
        document.remove("link")
    _state(document, data, _HEAD)
    for key, item in document.body:
        if key == "coin_columns":
            _set_comment(item, remarks.coin)
    return document.as_string()


def _tables(document: Container, kind: str) -> AoT:
    """The tables of this kind; those that stand in brackets are taken out, to be new ones."""
    found = document.get(kind)
    if isinstance(found, AoT):
        return found
    if found is not None:
        document.remove(kind)
    tables = tomlkit.aot()
    document.append(kind, tables)
    return tables


def _state_tables(
    tables: AoT, wanted: Sequence[tuple[Data, str | None]], style: _Style, end: _Body
) -> _Body:
    """Let tables that stay keep their place, and new ones come last.

    `end` is the body in front of them, which inherits from tables that go; the last is returned.
    """
    name, left, kept = style.keys[0], list(wanted), list[Table]()
    for table in tables.body:
        known = next((pair for pair in left if pair[0][name] == table.get(name)), None)
        if known is None:
            end += _tail(table.value.body)[1:]  # a heading behind it belongs to what follows
        else:
            left.remove(known)
            kept.append(_stated(table, *known, style))
            end = kept[-1].value.body
    for pair in left:
        kept.append(_stated(tomlkit.table(), *pair, style))
        kept[-1].trivia.indent = "" if end and isinstance(end[-1][1], Whitespace) else "\n"
        end = kept[-1].value.body
    tables.body[:] = kept
    return end


def _stated(table: Table, values: Data, remark: str | None, style: _Style) -> Table:
    """The table with these values, and with this remark unless there is none to be made."""
    body = table.value.body
    nested = any(isinstance(item, Table) for _, item in body) and table.unwrap() != values
    if nested or remark not in (None, _remark(table)):
        anew = Table(Container(), table.trivia, is_aot_element=True)
        anew.value.body.extend(_tail(body))
        _set_comment(anew, _comment(table) if remark is None else remark)
        table = anew
    _state(table.value, values, style)
    return table


def _state(table: Container, values: Data, style: _Style) -> None:
    """Let the lines say these values; new ones come behind those that the order has before them."""
    for key in style.keys:
        if key in table and key not in values:
            table.remove(key)
        elif key in table and table[key] != values[key]:
            table[key] = _item(values[key])
    # tomlkit itself only appends; it finds no line by its key after one was put into the body
    for place, key in enumerate(style.keys):
        if key in values and key not in table:
            line = tomlkit.key(key)
            line.sep = " = ".rjust(style.width + 3 - len(key))
            table.body.insert(_behind(table.body, style.keys[:place]), (line, _item(values[key])))


def _item(value: object) -> Item:
    """A value as board files write it: on one line."""
    if isinstance(value, dict):
        pairs = (f"{key} = {_item(item).as_string()}" for key, item in value.items())
        return tomlkit.value(f"{{ {', '.join(pairs)} }}")
    return tomlkit.item(value)


def _behind(body: _Body, keys: Sequence[str]) -> int:
    """The place after the last line with one of these keys."""
    places = (n for n, (key, _) in enumerate(body, 1) if key is not None and key.key in keys)
    return max(places, default=0)


def _tail(body: _Body) -> _Body:
    """The comments and blank lines behind the last value."""
    last = _behind(body, [key.key for key, _ in body if key is not None])
    item = body[last - 1][1] if last else None
    return body[last:] or (_tail(item.value.body) if isinstance(item, Table) else [])


def _remark(table: Item) -> str:
    """All comments of a table but those behind its last value."""
    body: _Body = table.value.body
    lines = [table, *(item for _, item in body[: len(body) - len(_tail(body))])]
    return "; ".join(filter(None, map(_comment, lines)))


def _comment(line: Item) -> str:
    return "" if isinstance(line, Whitespace) else line.trivia.comment.removeprefix("#").strip()


def _set_comment(line: Item, comment: str) -> None:
    if comment == _comment(line):
        return
    plain = _NOT_IN_COMMENTS.sub(" ", comment).strip()
    line.trivia.comment_ws, line.trivia.comment = ("  ", f"# {plain}") if plain else ("", "")


def _holds(text: str, data: Data) -> bool:
    """Whether the text says exactly this, in whatever order its fields and links stand."""
    try:
        return _ordered(tomllib.loads(text)) == _ordered(data)
    except tomllib.TOMLDecodeError:
        return False


def _ordered(data: Data) -> Data:
    fields = sorted(data.get("field", []), key=lambda table: str(table["id"]))
    links = sorted(data.get("link", []), key=lambda table: str(table["ends"]))
    return data | {"field": fields, "link": links}
