"""Reads a board file: shapes and types first, then the values of each field, then the whole."""

import re
import tomllib
from typing import Any, TypeGuard

from industry.texts.sanitize import quoted

from . import format_1
from .check import board_problems
from .keys import (
    FIELD_KEYS,
    FORMAT_1_FIELD_KEYS,
    FORMAT_1_LINK_KEYS,
    FORMAT_1_TOP_KEYS,
    LINK_KEYS,
    SOURCE_KEYS,
    STATED_KEYS,
    STATEMENT_KEYS,
    TOP_KEYS,
)
from .problems import BoardError, Problem, Value
from .provenance import CONFIDENCES, SOURCE_KINDS, Source, Statement
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

FORMAT = 2
FORMATS = (1, 2)
MAX_NUMBER = 1000
"""A larger cost or value is a typing error."""

_COLUMN = re.compile(r"[A-L]")
BOARD_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
"""Of boards and of sources."""


def parse_board(text: str, name: str, expected_id: str | None = None) -> BoardSpec:
    """Parses a TOML text as a board; raises `BoardError` with everything that is wrong with it."""
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
    """Parses as much of a board as possible; also returns everything that is wrong with it."""
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
        self.is_format_1 = False
        self.sources: dict[str, Source] = {}

    def note(self, place: str, code: str, **values: Value) -> None:
        self.problems.append(Problem(place, code, values))

    def board(self, data: dict[str, Any]) -> BoardSpec:
        if type(data.get("format")) is not int or data["format"] not in FORMATS:
            self.note("format", "format", expected=FORMAT, earlier=FORMATS[0])
        self.is_format_1 = data.get("format") == FORMATS[0]
        top_keys = FORMAT_1_TOP_KEYS if self.is_format_1 else TOP_KEYS
        for key in data:
            if key not in top_keys:
                self.note(key, "unknown_key", key=key)
        self.edition = self.choice(data, "edition", "edition", tuple(EDITIONS))
        board_id = data.get("id")
        if not isinstance(board_id, str) or not BOARD_ID.fullmatch(board_id):
            self.note("id", "board_id")
            board_id = ""
        self.read_sources(data.get("source", []))
        links = self.links(data.get("link", []))
        return BoardSpec(
            board_id,
            self.edition,
            self.choice(data, "status", "status", STATUSES),
            self.coin_columns(data.get("coin_columns", [])),
            self.fields(data.get("field", [])),
            tuple(ends for ends, _ in links),
            tuple(self.sources.values()),
            self.statements(data, "coin_columns", ("coin_columns",)),
            () if self.is_format_1 else tuple(stated for _, stated in links),
        )

    def choice(self, data: dict[str, Any], place: str, key: str, allowed: tuple[str, ...]) -> str:
        value = data.get(key)
        if not isinstance(value, str) or value not in allowed:
            self.note(place, "choice", key=key, allowed=allowed)
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
        self.known_keys(table, place, FORMAT_1_FIELD_KEYS if self.is_format_1 else FIELD_KEYS)
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
            provenance=self.provenance(table, place),
        )

    def provenance(self, table: dict[str, Any], place: str) -> tuple[Statement, ...]:
        if not self.is_format_1:
            return self.statements(table, place, STATED_KEYS)
        attested = self.words(table, place, "attested", STATED_KEYS)
        source = self.text(table, place, "source")
        if bool(table.get("attested")) != ("source" in table):
            self.note(place, "source_unused" if "source" in table else "source_missing")
            return ()
        return tuple(
            Statement(self.titled(claim.kind, claim.title), claim.values, note=claim.note)
            for claim in format_1.claims_of(attested, source)
        )

    def titled(self, kind: str, title: str) -> Source:
        """Returns the source of a board of format 1, which had no ids."""
        return self.sources.setdefault(title, Source(title, kind, title))

    def read_sources(self, value: Any) -> None:
        for number, table in enumerate(self.tables(value, "source"), start=1):
            name = table.get("id")
            place = f"source {number}"
            if not isinstance(name, str) or not BOARD_ID.fullmatch(name):
                self.note(place, "source_id")
                continue
            if name in self.sources:
                self.note(place, "source_twice", value=name)
            self.known_keys(table, place, SOURCE_KEYS)
            kind = self.choice(table, place, "kind", SOURCE_KINDS)
            if "title" not in table:
                self.note(place, "missing_key", key="title")
            title, address = (self.text(table, place, key) for key in ("title", "address"))
            self.sources[name] = Source(name, kind, title, address)

    def statements(
        self, table: dict[str, Any], place: str, allowed: tuple[str, ...]
    ) -> tuple[Statement, ...]:
        """Reads what the sources state about this field, link or board."""
        value = table.get("provenance", [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.note(place, "provenance")
            return ()
        found = (self.statement(item, place, allowed) for item in value)
        return tuple(statement for statement in found if statement is not None)

    def statement(
        self, table: dict[str, Any], place: str, allowed: tuple[str, ...]
    ) -> Statement | None:
        self.known_keys(table, place, STATEMENT_KEYS, "provenance.")
        values = self.words(table, place, "values", allowed)
        note = self.text(table, place, "note")
        confidence = (
            self.choice(table, place, "confidence", CONFIDENCES)
            if "confidence" in table
            else CONFIDENCES[0]
        )
        source = table.get("source")
        if not isinstance(source, str) or source not in self.sources:
            self.note(place, "source_unknown", value=quoted(source))
            return None
        if not table.get("values") and not note:
            self.note(place, "statement_empty", value=source)
        return Statement(self.sources[source], values, confidence, note)

    def known_keys(
        self, table: dict[str, Any], place: str, known: tuple[str, ...], prefix: str = ""
    ) -> None:
        for key in table:
            if key not in known:
                self.note(place, "unknown_key", key=f"{prefix}{key}")

    def name(self, value: Any, place: str) -> dict[str, str]:
        names: dict[str, str] = {}
        if isinstance(value, dict):
            for language in LANGUAGES:
                text = value.get(language)
                if isinstance(text, str) and text.strip() and len(text) <= 60:
                    names[language] = text
            self.known_keys(value, place, LANGUAGES, "name.")
        if len(names) != len(LANGUAGES):
            self.note(place, "name", languages=LANGUAGES)
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
            self.note(place, "choice", key=key, allowed=allowed)
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
                self.note(place, "word", key=key, value=item[:40], allowed=allowed)
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
        self.known_keys(value, place, ("network", "points"), "bonus.")
        network = self.optional_word(value, place, "network", networks)
        if network is None:
            if "network" not in value:
                self.note(place, "bonus_table")
            return None
        return Bonus(network, self.number(value, place, "points"))

    def links(self, value: Any) -> list[tuple[tuple[str, str], tuple[Statement, ...]]]:
        found = []
        for number, table in enumerate(self.tables(value, "link"), start=1):
            place = f"link {number}"
            self.known_keys(table, place, FORMAT_1_LINK_KEYS if self.is_format_1 else LINK_KEYS)
            self.text(table, place, "note")
            stated = self.statements(table, place, ("ends",))
            ends = table.get("ends")
            if _is_pair(ends):
                found.append(((ends[0], ends[1]), stated))
            else:
                self.note(place, "link_ends")
        return found


def _is_pair(ends: Any) -> TypeGuard[list[str]]:
    return (
        isinstance(ends, list)
        and len(ends) == 2
        and all(isinstance(end, str) and end in FIELD_IDS for end in ends)
    )
