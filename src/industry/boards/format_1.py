"""Format 1 of board files, which kept provenance in text and comments; format 2 has it as data.

A field's `source` was one text. It named values from a printed board first: `printed board, German
edition: cost, needs; other source`. A comment beside a link or the coin column said `PRINTED
BOARD`, or `ATTESTED: source`. Only this module reads these.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .provenance import PRINT, REPORT

PRINTED = "printed board"
_PRINTED_MARK = "PRINTED BOARD"
_REPORTED_MARK = "ATTESTED: "
_SOURCE = re.compile(rf"{PRINTED}(?:, ([^:;]*))?(?:: ([a-z_, ]*))?(?:; (.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SourceClaim:
    """Values and the source that states them, as the texts of format 1 name them."""

    kind: str
    title: str
    values: tuple[str, ...] = ()
    note: str = ""


def claims_of(attested: Sequence[str], source: str) -> list[SourceClaim]:
    """Returns what a field's `attested` and `source` state, the printed values first."""
    text = source.strip()
    if not attested or not text.startswith(PRINTED):
        return [_reported(text, attested)] if attested or text else []
    found = _SOURCE.fullmatch(text)
    if found is None:  # the whole text describes the printed board
        return [
            SourceClaim(PRINT, text.removeprefix(PRINTED).strip(" ,:;") or PRINTED, tuple(attested))
        ]
    keys = attested if found[2] is None else [key.strip() for key in found[2].split(",")]
    printed = tuple(key for key in keys if key in attested)
    others = tuple(key for key in attested if key not in printed)
    if not printed:
        return [_reported(text, others)]
    note = "" if others else found[3] or ""
    claims = [SourceClaim(PRINT, found[1] or PRINTED, printed, note)]
    return [*claims, _reported(found[3] or text, others)] if others else claims


def _reported(text: str, values: Sequence[str]) -> SourceClaim:
    """Returns the source and note of a text; with several colons it may name several sources."""
    title, colon, note = text.partition(": ")
    if not colon or ": " in note or ";" in title:
        title, note = text, ""
    return SourceClaim(REPORT, title, tuple(values), note)


def claims_in(comment: str, value: str) -> list[SourceClaim]:
    """Returns what a comment states about the value beside it."""
    claims = []
    for part in _parts(comment):
        if part == _PRINTED_MARK:
            claims.append(SourceClaim(PRINT, PRINTED, (value,)))
        elif part.startswith(_REPORTED_MARK):
            claims.append(SourceClaim(REPORT, part.removeprefix(_REPORTED_MARK), (value,)))
    return claims


def note_in(comment: str) -> str:
    """Returns a comment without its marks of provenance."""
    return "; ".join(
        part
        for part in _parts(comment)
        if part != _PRINTED_MARK and not part.startswith(_REPORTED_MARK)
    )


def _parts(comment: str) -> list[str]:
    return [part.strip() for part in comment.split(";") if part.strip()]
