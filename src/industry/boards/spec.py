"""A board as its file states it, with names and sources."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from industry.engine import (
    ANY_RESOURCE,
    COLUMN_LETTERS,
    COLUMNS,
    FIELDS,
    Board,
    Edition,
    Kind,
    field_id,
)

from .keys import STATED_KEYS
from .provenance import Source, Statement, described, stated_values

LANGUAGES = ("en", "de", "fr")
EDITIONS = {edition.name.lower(): edition for edition in Edition}
KINDS = {kind.name.lower(): kind for kind in Kind}
STATUSES = ("reconstruction", "verified")

_COMMON = ("stone", "brick", "wood", "ceramic", "glass", "iron")
RESOURCE_NAMES: dict[str, tuple[str, ...]] = {
    "industry": (*_COMMON, "cable", "steel", "cement", "plastic", "computer"),
    "industria": (*_COMMON, "electricity", "steel", "cement", "plastic", "computer"),
}
"""The resources of an edition in the order of the engine's numbers."""

NETWORK_NAMES: dict[str, tuple[str, ...]] = {
    "industry": ("river", "rail", "pipeline", "power"),
    "industria": ("canal", "port", "tracks", "pipeline", "data"),
}
"""The networks of an edition in the order of the engine's numbers."""

ANY = "any"
FIELD_IDS = tuple(field_id(field) for field in range(FIELDS))
FIELD_INDEX = {name: field for field, name in enumerate(FIELD_IDS)}


@dataclass(frozen=True, slots=True)
class Bonus:
    network: str
    points: int


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of a board file; `provenance` says which of its values a source states."""

    id: str
    kind: str
    name: dict[str, str]
    cost: int = 0
    needs: tuple[str, ...] = ()
    makes: str | None = None
    points: int = 0
    discount: int = 0
    networks: tuple[str, ...] = ()
    joker: str | None = None
    bonus: Bonus | None = None
    provenance: tuple[Statement, ...] = ()

    @property
    def attested(self) -> tuple[str, ...]:
        """Returns the values that a source states; the others were designed for the file."""
        return stated_values(self.provenance, STATED_KEYS)

    @property
    def source(self) -> str:
        """Returns the sources of those values, in words."""
        return described(self.provenance)

    @property
    def era(self) -> int:
        """From 1."""
        return int(self.id[0])

    @property
    def column(self) -> str:
        return self.id[1]

    def rule_values(self) -> dict[str, Any]:
        """Returns the values that the rules use, in the form that is hashed."""
        return {
            "bonus": [self.bonus.network, self.bonus.points] if self.bonus else None,
            "cost": self.cost,
            "discount": self.discount,
            "id": self.id,
            "joker": self.joker,
            "kind": self.kind,
            "makes": self.makes,
            "needs": list(self.needs),
            "networks": sorted(self.networks),
            "points": self.points,
        }


@dataclass(frozen=True)
class BoardSpec:
    """A checked board. `fields` are in the order of the engine: 1A … 1L, 2A … 5L."""

    id: str
    edition: str
    status: str
    coin_columns: tuple[str, ...]
    fields: tuple[FieldSpec, ...]
    links: tuple[tuple[str, str], ...]
    sources: tuple[Source, ...] = ()
    provenance: tuple[Statement, ...] = ()
    """About the coin column."""
    link_provenance: tuple[tuple[Statement, ...], ...] = ()
    """In the order of the links; empty for a board of format 1."""

    @property
    def resources(self) -> tuple[str, ...]:
        return RESOURCE_NAMES[self.edition]

    @property
    def networks(self) -> tuple[str, ...]:
        return NETWORK_NAMES[self.edition]

    def field(self, field: int | str) -> FieldSpec:
        """Returns a field by number or by name."""
        return self.fields[FIELD_INDEX[field] if isinstance(field, str) else field]

    def row(self, era: int) -> tuple[FieldSpec, ...]:
        """Returns the fields of an era, counted from 1."""
        return self.fields[(era - 1) * COLUMNS : era * COLUMNS]

    @cached_property
    def rule_text(self) -> str:
        """Returns what the rules use as one line of JSON, which the board hash covers.

        Its `format` is that of this text, not the file's: both formats have the same text.
        """
        data = {
            "coin_columns": sorted(self.coin_columns),
            "edition": self.edition,
            "fields": [field.rule_values() for field in sorted(self.fields, key=lambda f: f.id)],
            "format": 1,
            "links": sorted(sorted(ends) for ends in self.links),
        }
        return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    @cached_property
    def hash(self) -> str:
        """Returns the board hash of the game record."""
        return "sha256:" + hashlib.sha256(self.rule_text.encode()).hexdigest()

    @cached_property
    def rules(self) -> Board:
        """Returns the board for the engine."""
        board = Board()
        board.edition = EDITIONS[self.edition]
        for number, spec in enumerate(self.fields):
            self._fill(board, number, spec)
        for column, letter in enumerate(COLUMN_LETTERS):
            board.coin[column] = int(letter in self.coin_columns)
        board.link_count = len(self.links)
        for position, ends in enumerate(self.links):
            board.link_from[position], board.link_to[position] = (FIELD_INDEX[e] for e in ends)
        board.build_lookups()
        return board

    def _fill(self, board: Board, number: int, spec: FieldSpec) -> None:
        board.kind[number] = KINDS[spec.kind]
        board.cost[number] = spec.cost
        board.points[number] = spec.points
        board.discount[number] = spec.discount
        needs = [self.resources.index(need) for need in spec.needs]
        if needs:
            board.need_1[number] = needs[0]
        if len(needs) == 2:
            board.need_2[number] = needs[1]
        if spec.makes:
            board.makes[number] = self.resources.index(spec.makes)
        if spec.joker:
            board.joker[number] = (
                ANY_RESOURCE if spec.joker == ANY else self.resources.index(spec.joker)
            )
        if spec.bonus:
            board.bonus_network[number] = self.networks.index(spec.bonus.network)
            board.bonus_points[number] = spec.bonus.points
        board.networks[number] = sum(1 << self.networks.index(name) for name in spec.networks)


def appears_in(resource: int) -> int:
    """Returns the first era (from 1) of a resource; the bank sells it from the next one on."""
    return resource // 3 + 1
