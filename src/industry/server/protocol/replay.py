"""The messages of a replay: a record in, every position of its game out.

A record that cannot be replayed at all is answered by a `Problem` whose detail is a sentence in the
asker's language.
"""

from typing import Annotated

from pydantic import Field, StringConstraints

from .base import FieldId, Language, Model
from .events import Step
from .http import BoardInfo
from .server import Prospects, Worth
from .view import GameView, TableOptions

MAX_RECORD = 65_536
"""Characters of the longest record that is replayed; whole games have a fifth of that."""


class ReplayWish(Model):
    record: Annotated[str, StringConstraints(min_length=1, max_length=MAX_RECORD)]
    """The text of one game record, TOML or JSON."""
    language: Language = "en"


class MomentWish(Model):
    record: Annotated[str, StringConstraints(min_length=1, max_length=MAX_RECORD)]
    at: Annotated[int, Field(ge=0, le=MAX_RECORD)]
    """After this many moves of the record."""
    language: Language = "en"


class MomentWorth(Model):
    """What each field is worth to each seat at that moment, and what it may become worth."""

    worth: dict[FieldId, list[Worth]]
    prospects: dict[FieldId, Prospects]


class ReplayFault(Model):
    """The line at which the rules end the replay; all before it are legal."""

    move: int
    """Counts from 1."""
    line: str
    sentence: str


class Replayed(Model):
    """A game from its first position to its last; `steps[0]` is what came before any move."""

    board: BoardInfo
    """The very board the game was played on."""
    options: TableOptions
    players: list[str]
    first: GameView
    steps: list[Step]
    fault: ReplayFault | None
    result_differs: bool
    """The game is over, and the record states another result."""
