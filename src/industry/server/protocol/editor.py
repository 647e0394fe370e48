"""What the board editor and its page tell each other. Every request bears the editor's token."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from .base import Edition, FieldId, Language, Model
from .http import BoardInfo, BonusInfo

Word = Annotated[str, StringConstraints(max_length=64)]
Note = Annotated[str, StringConstraints(max_length=2000)]
Number = Annotated[int, Field(ge=-(10**9), le=10**9)]
"""Wider than any value of a board: a wrong number gets an explanation instead of a refusal."""
FileName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
"""Of a board file without its ending: the board's id."""
Stamp = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{64})?$")]
"""SHA-256 of a file as it was read; empty: there was none."""
Trouble = Literal["taken", "shipped", "no_folder", "unwritable", "disk_full", "failed"]


class SourceDraft(Model):
    """A printed game, or a report about it; statements refer to it by its id."""

    id: Word
    kind: Literal["print", "report"]
    title: Note
    address: Note


class StatementDraft(Model):
    """What a source states about a field, a link or the coin column."""

    source: Word
    """The id of the source; empty: not chosen yet."""
    values: Annotated[list[Word], Field(max_length=12)]
    confidence: Literal["high", "medium", "low"]
    note: Note


Provenance = Annotated[list[StatementDraft], Field(max_length=20)]
"""Values that no statement names were designed for the file."""


class FieldDraft(Model):
    """A field while it is being entered: any value may still be wrong."""

    id: FieldId
    kind: Literal["joker", "bonus", "factory", "technology"]
    name: dict[Language, Annotated[str, StringConstraints(max_length=200)]]
    cost: Number
    needs: Annotated[list[Word], Field(max_length=12)]
    makes: Word | None
    points: Number
    discount: Number
    networks: Annotated[list[Word], Field(max_length=12)]
    joker: Word | None
    bonus: BonusInfo | None
    provenance: Provenance


class LinkDraft(Model):
    ends: tuple[FieldId, FieldId]
    note: Note
    """Why it is there."""
    provenance: Provenance


class BoardDraft(Model):
    """A board while it is being entered; its file is named elsewhere, and so is its id."""

    edition: Edition
    status: Literal["reconstruction", "verified"]
    coin_columns: Annotated[list[Annotated[str, Field(max_length=1)]], Field(max_length=12)]
    provenance: Provenance
    """Of the coin column."""
    fields: Annotated[list[FieldDraft], Field(min_length=60, max_length=60)]
    links: Annotated[list[LinkDraft], Field(max_length=200)]
    sources: Annotated[list[SourceDraft], Field(max_length=200)]


class Finding(Model):
    """What is wrong, or worth a second look: the sentence is `board.problem.CODE`."""

    place: str
    field: FieldId | None
    """The field to look at, where it is one."""
    era: int | None
    """The era, where it is about one as a whole."""
    value: str | None
    """The key of the value that it is about, where it is one."""
    code: str
    values: dict[str, str | int | tuple[str, ...]]


class Sheet(Model):
    """A board file as the editor shows it."""

    name: FileName
    file: str
    """As the person knows it."""
    stamp: Stamp
    origin: str
    """The board that a new file was begun from; empty: the file was there."""
    draft: BoardDraft
    values: dict[str, list[str]]
    """By kind of field: the values that are printed on one."""


class Opened(Model):
    """The sheet; none where the file cannot be edited, and why."""

    sheet: Sheet | None
    problems: list[Finding]


class Check(Model):
    """Asks what a draft would be like in the file of this name."""

    name: FileName
    draft: BoardDraft


class Checked(Model):
    """What a draft is like now."""

    problems: list[Finding]
    """While there is one, no command takes the board."""
    remarks: list[Finding]
    printed: int
    """Values that were entered from a printed board."""
    total: int
    """All values."""
    by_field: dict[FieldId, tuple[int, int]]
    """The same field by field."""
    board: BoardInfo
    """To be drawn. Where a value is wrong, it stands for none."""


class Save(Model):
    """Write the draft to the file of this name, which must still be as `stamp` says."""

    name: FileName
    stamp: Stamp
    draft: BoardDraft


class Saved(Model):
    """Written, unless there was trouble: then nothing has changed."""

    trouble: Trouble | None
    detail: str
    stamp: Stamp
