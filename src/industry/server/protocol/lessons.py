"""The tutorial: lessons on scripted positions, what comes of an action, and what a coach says."""

from typing import Annotated

from pydantic import StringConstraints

from .base import MAX_LINE, CommandId, Edition, FieldId, Language, Model, SeatNumber
from .events import Entry, Step
from .server import Prospects, Refusal, Worth
from .view import Choice, GameView

LessonName = Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,24}$")]
Line = Annotated[str, StringConstraints(min_length=1, max_length=MAX_LINE)]


class LessonInfo(Model):
    edition: Edition
    name: LessonName


class Lessons(Model):
    """All lessons, each edition in its order."""

    lessons: list[LessonInfo]


class LessonView(Model):
    """A scripted position and what there is to point at."""

    edition: Edition
    name: LessonName
    board_hash: str
    seat: SeatNumber
    """The learner's."""
    game: GameView
    log: list[Entry]
    legal: list[str]
    choices: list[Choice]
    points_at: list[str]
    """Fields, or `bids`, `settle` and `subsidy`: parts of the stage."""
    names: dict[str, FieldId]
    """Fields that the words of the lesson speak of."""
    numbers: dict[str, int]
    rule: str


class LessonTry(Model):
    """An action of the learner."""

    line: Line
    language: Language = "en"


class LessonAnswer(Model):
    """What comes of an action; nothing of it is kept."""

    right: bool
    says: str | None
    """Which explanation of the lesson fits a legal action that is not the one asked for."""
    refusal: Refusal | None
    """Why the rules do not allow the action."""
    steps: list[Step]
    """What happened after the right action."""


class LessonField(Model):
    """What a field is and may become worth to each seat; see `FieldWorth` of the socket."""

    worth: list[Worth]
    prospects: Prospects
    claim_limit: int | None


class CoachQuestion(Model):
    """Asks about a move before it is made. Only for somebody who plays against bots alone."""

    id: CommandId
    line: Line


class CoachSays(Model):
    """Whether a move is a bad mistake by the values of the bots."""

    warns: bool
    loss: float
    """Of the chance to win, between the best move and this one; 0 to 1."""
    better: str | None
    """The line of the best move, where the coach warns."""
