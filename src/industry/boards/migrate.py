"""Rewrites a board file of format 1 in format 2."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from typing import Any

import tomlkit
from tomlkit.items import AoT, Table

from .format_1 import SourceClaim, claims_in, claims_of, note_in
from .read import FORMAT, FORMATS
from .write import comment_of, comments_in, rewritten, set_comment, without_comments

_NOT_IN_IDS = re.compile(r"[^a-z0-9]+")
_LONGEST_ID = 40

Data = dict[str, Any]


def in_current_format(text: str) -> str:
    """Returns the text of a well-formed file in the current format."""
    return upgraded_text(text) if tomllib.loads(text).get("format") == FORMATS[0] else text


def upgraded_text(text: str) -> str:
    """Returns a well-formed file of format 1 in format 2, with its other comments."""
    document = tomlkit.parse(text if text.endswith("\n") else f"{text}\n")
    coin = next((item for key, item in document.body if key == "coin_columns"), None)
    links = document.get("link", [])
    notes = [comments_in(table) for table in links]
    data = _upgraded(tomllib.loads(text), comment_of(coin), notes)
    if coin is not None:
        set_comment(coin, note_in(comment_of(coin)))
    if isinstance(links, AoT):
        links.body[:] = [_uncommented(table) for table in links.body]
    return rewritten(document.as_string(), data)


def _uncommented(table: Table) -> Table:
    return without_comments(table) if comments_in(table) else table


def _upgraded(data: Data, coin: str, notes: Sequence[str]) -> Data:
    sources = _Sources()
    head = {key: value for key, value in data.items() if key not in ("field", "link")}
    provenance = sources.statements(claims_in(coin, "coin_columns"))
    fields = [_field(table, sources) for table in data.get("field", [])]
    links = [
        _link(table, note, sources) for table, note in zip(data.get("link", []), notes, strict=True)
    ]
    return (
        head
        | {"format": FORMAT}
        | ({"provenance": provenance} if provenance else {})
        | {"field": fields, "link": links, "source": sources.tables()}
    )


def _field(table: Data, sources: "_Sources") -> Data:
    claims = claims_of(table.get("attested", []), table.get("source", ""))
    kept = {key: value for key, value in table.items() if key not in ("attested", "source")}
    provenance = sources.statements(claims)
    return kept | ({"provenance": provenance} if provenance else {})


def _link(table: Data, comment: str, sources: "_Sources") -> Data:
    note = note_in(comment)
    provenance = sources.statements(claims_in(comment, "ends"))
    return (
        table
        | ({"note": note} if note else {})
        | ({"provenance": provenance} if provenance else {})
    )


class _Sources:
    """Gives each source of a file a unique id."""

    def __init__(self) -> None:
        self._ids: dict[tuple[str, str], str] = {}

    def statements(self, claims: Iterable[SourceClaim]) -> list[Data]:
        return [
            {"source": self._id(claim)}
            | ({"values": list(claim.values)} if claim.values else {})
            | ({"note": claim.note} if claim.note else {})
            for claim in claims
        ]

    def _id(self, claim: SourceClaim) -> str:
        if not claim.title:
            return ""  # refused, so that somebody names the source
        key = (claim.kind, claim.title)
        if key not in self._ids:
            self._ids[key] = self._new_id(claim)
        return self._ids[key]

    def _new_id(self, claim: SourceClaim) -> str:
        """Returns a short name: the text before the first colon, in lower case."""
        words = claim.title.partition(":")[0].lower()
        stem = _NOT_IN_IDS.sub("-", words).strip("-")[:_LONGEST_ID].strip("-") or "source"
        found, number = stem, 1
        while found in self._ids.values():
            number += 1
            found = f"{stem}-{number}"
        return found

    def tables(self) -> list[Data]:
        return [
            {"id": name, "kind": kind, "title": title} for (kind, title), name in self._ids.items()
        ]
