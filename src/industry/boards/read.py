"""Read a board file: shapes and types first, then the values of each field, then the whole."""

import re
import tomllib
from typing import Any, TypeGuard

from industry.texts.sanitize import quoted

from .check import board_problems
from .problems import BoardError, Problem
from .spec import (
    ANY,
    EDITIONS,
    FIELD_IDS,
    KINDS,
    LANGUAGES,
    NETWORK_NAMES,
    RESOURCE_NAMES,
    STATUSES,
    BoardSpec,
    Bonus,
    FieldSpec,
)

FORMAT = 1
MAX_NUMBER = 1000
"""No cost and no value of a field is larger: a slip of the keyboard, not a board."""

TOP_KEYS = ("format", "id", "edition", "status", "coin_columns", "field", "link")
_VALUE_KEYS = (
    "kind",
    "name",
    "cost",
    "needs",
    "makes",
    "points",
    "discount",
    "networks",
    "joker",
    "bonus",
)
FIELD_KEYS = ("id", *_VALUE_KEYS, "attested", "source")
ATTESTABLE = ("id", *_VALUE_KEYS)
_COLUMN = re.compile(r"[A-L]")
_BOARD_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def parse_board(text: str, name: str, expected_id: str | None = None) -> BoardSpec:
    """The board of a TOML text; raises `BoardError` with everything that is wrong with it."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BoardError(name, [Problem("", "toml", {"detail": str(error)})]) from None
    spec, problems = parse_leniently(data, expected_id)
    if problems:
        raise BoardError(name, problems)
    return spec


def parse_leniently(
    data: dict[str, Any], expected_id: str | None = None
) -> tuple[BoardSpec, list[Problem]]:
    """The board as far as it can be understood, and everything that is wrong with it."""
    reader = _Reader()
    spec = reader.board(data)
    if expected_id is not None and not reader.problems and spec.id != expected_id:
        reader.note("id", "id_stem", value=spec.id, stem=expected_id)
    return spec, reader.problems or board_problems(spec)


class _Reader:
    """Collects problems instead of stopping at the first."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.edition = "industry"

    def note(self, place: str, code: str, **values: str | int) -> None:
        self.problems.append(Problem(place, code, values))

    def board(self, data: dict[str, Any]) -> BoardSpec:
        for key in data:
            if key not in TOP_KEYS:
                self.note(key, "unknown_key", key=key)
        if type(data.get("format")) is not int or data["format"] != FORMAT:
            self.note("format", "format", expected=FORMAT)
        self.edition = self.choice(data, "edition", "edition", tuple(EDITIONS))
        board_id = data.get("id")
        if not isinstance(board_id, str) or not _BOARD_ID.fullmatch(board_id):
            self.note("id", "board_id")
            board_id = ""
        return BoardSpec(
            board_id,
            self.edition,
            self.choice(data, "status", "status", STATUSES),
            self.coin_columns(data.get("coin_columns", [])),
            self.fields(data.get("field", [])),
            self.links(data.get("link", [])),
        )

    def choice(self, data: dict[str, Any], place: str, key: str, allowed: tuple[str, ...]) -> str:
        value = data.get(key)
        if not isinstance(value, str) or value not in allowed:
            self.note(place, "choice", key=key, allowed=", ".join(allowed))
            return allowed[0]
        return value

    def coin_columns(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(
            isinstance(item, str) and _COLUMN.fullmatch(item) for item in value
        ):
            self.note("coin_columns", "coin_letters")
            return ()
        return tuple(value)

    def tables(self, value: Any, key: str) -> list[dict[str, Any]]:
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.note(key, "tables", key=key)
            return []
        return value

    def fields(self, value: Any) -> tuple[FieldSpec, ...]:
        found: dict[str, FieldSpec] = {}
        for table in self.tables(value, "field"):
            field_id = table.get("id")
            if not isinstance(field_id, str) or field_id not in FIELD_IDS:
                self.note("field", "field_id", value=quoted(field_id))
            elif field_id in found:
                self.note(field_id, "field_twice")
            else:
                found[field_id] = self.field(table, field_id)
        for field_id in FIELD_IDS:
            if field_id not in found:
                self.note(field_id, "field_missing")
        return tuple(found[field_id] for field_id in FIELD_IDS if field_id in found)

    def field(self, table: dict[str, Any], place: str) -> FieldSpec:
        for key in table:
            if key not in FIELD_KEYS:
                self.note(place, "unknown_key", key=key)
        resources = RESOURCE_NAMES[self.edition]
        networks = NETWORK_NAMES[self.edition]
        return FieldSpec(
            id=place,
            kind=self.choice(table, place, "kind", tuple(KINDS)),
            name=self.name(table.get("name"), place),
            cost=self.number(table, place, "cost"),
            needs=self.words(table, place, "needs", resources),
            makes=self.optional_word(table, place, "makes", resources),
            points=self.number(table, place, "points"),
            discount=self.number(table, place, "discount", 1),
            networks=self.words(table, place, "networks", networks),
            joker=self.optional_word(table, place, "joker", (*resources, ANY)),
            bonus=self.bonus(table.get("bonus"), place, networks),
            attested=self.words(table, place, "attested", ATTESTABLE),
            source=self.text(table, place, "source"),
        )

    def name(self, value: Any, place: str) -> dict[str, str]:
        names: dict[str, str] = {}
        if isinstance(value, dict):
            for language in LANGUAGES:
                text = value.get(language)
                if isinstance(text, str) and text.strip() and len(text) <= 60:
                    names[language] = text
            for key in value:
                if key not in LANGUAGES:
                    self.note(place, "unknown_key", key=f"name.{key}")
        if len(names) != len(LANGUAGES):
            self.note(place, "name", languages=", ".join(LANGUAGES))
            return dict.fromkeys(LANGUAGES, place)
        return names

    def number(self, table: dict[str, Any], place: str, key: str, most: int = MAX_NUMBER) -> int:
        value = table.get(key, 0)
        if type(value) is not int or not 0 <= value <= most:
            self.note(place, "number", key=key, most=most)
            return 0
        return value

    def text(self, table: dict[str, Any], place: str, key: str) -> str:
        value = table.get(key, "")
        if not isinstance(value, str) or (key in table and not value.strip()):
            self.note(place, "text", key=key)
            return ""
        return value

    def optional_word(
        self, table: dict[str, Any], place: str, key: str, allowed: tuple[str, ...]
    ) -> str | None:
        if key not in table:
            return None
        value = table[key]
        if not isinstance(value, str) or value not in allowed:
            self.note(place, "choice", key=key, allowed=", ".join(allowed))
            return None
        return value

    def words(
        self, table: dict[str, Any], place: str, key: str, allowed: tuple[str, ...]
    ) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.note(place, "word_list", key=key)
            return ()
        for item in value:
            if item not in allowed:
                self.note(place, "word", key=key, value=item[:40], allowed=", ".join(allowed))
                return ()
        if len(set(value)) != len(value):
            self.note(place, "word_twice", key=key)
            return ()
        return tuple(value)

    def bonus(self, value: Any, place: str, networks: tuple[str, ...]) -> Bonus | None:
        if value is None:
            return None
        if not isinstance(value, dict):
            self.note(place, "bonus_table")
            return None
        for key in value:
            if key not in ("network", "points"):
                self.note(place, "unknown_key", key=f"bonus.{key}")
        network = self.optional_word(value, place, "network", networks)
        if network is None:
            if "network" not in value:
                self.note(place, "bonus_table")
            return None
        return Bonus(network, self.number(value, place, "points"))

    def links(self, value: Any) -> tuple[tuple[str, str], ...]:
        found: list[tuple[str, str]] = []
        for number, table in enumerate(self.tables(value, "link"), start=1):
            place = f"link {number}"
            for key in table:
                if key != "ends":
                    self.note(place, "unknown_key", key=key)
            ends = table.get("ends")
            if _is_pair(ends):
                found.append((ends[0], ends[1]))
            else:
                self.note(place, "link_ends")
        return tuple(found)


def _is_pair(ends: Any) -> TypeGuard[list[str]]:
    return (
        isinstance(ends, list)
        and len(ends) == 2
        and all(isinstance(end, str) and end in FIELD_IDS for end in ends)
    )
