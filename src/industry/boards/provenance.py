"""The provenance of a board's values: its sources, and what each of them states.

A value that no source states was designed for the file.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

PRINT = "print"
REPORT = "report"
SOURCE_KINDS = (PRINT, REPORT)
"""The printed game itself, or anything written about it."""

CONFIDENCES = ("high", "medium", "low")
"""How reliably a source states a value; high unless the file says otherwise."""


@dataclass(frozen=True, slots=True)
class Source:
    """A printed game or a report about it; statements refer to it by `id`."""

    id: str
    kind: str
    title: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """What one source states about one field, link or board.

    Without values, the note says what the source states, which is less than an exact value.
    """

    source: Source
    values: tuple[str, ...] = ()
    confidence: str = CONFIDENCES[0]
    note: str = ""

    @property
    def text(self) -> str:
        """Returns the statement in words."""
        printed = ", ".join(self.values) if self.source.kind == PRINT else ""
        detail = self.note or printed
        return f"{self.source.title}: {detail}" if detail else self.source.title


def stated_values(
    statements: Iterable[Statement], order: Sequence[str], kind: str | None = None
) -> tuple[str, ...]:
    """Returns the values that some source of this kind states, in the given order."""
    found = {
        value
        for statement in statements
        if kind in (None, statement.source.kind)
        for value in statement.values
    }
    return tuple(value for value in order if value in found)


def described(statements: Iterable[Statement]) -> str:
    """Returns all statements in one line of text."""
    return "; ".join(statement.text for statement in statements)
