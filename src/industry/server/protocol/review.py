"""Reviews of finished games: asked for by table or record, looked at while they grow."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from .base import Language, Model, TableId
from .replay import MAX_RECORD

ReviewStatus = Literal["waiting", "running", "done", "failed"]


class ReviewWish(Model):
    """The game to be reviewed: a finished table, or else the text of a record."""

    table: TableId | None = None
    record: Annotated[str, StringConstraints(min_length=1, max_length=MAX_RECORD)] | None = None
    language: Language = "en"


class ReviewBegun(Model):
    id: str
    """`GET /api/reviews/ID` tells how far the review is."""


class ReviewChances(Model):
    move: int
    win: list[float]


class ReviewSketch(Model):
    """The first picture: chances at the start, after each draw and at the end, by few lines."""

    lines: int
    chances: list[ReviewChances]


class ReviewFound(Model):
    """The review of the moves so far, in the form of `industry review --json`."""

    review: dict[str, Any]
    told: dict[Language, dict[str, list[str]]]
    """By language and number of the move, what there is to say about costly decisions."""


class ReviewState(Model):
    id: str
    status: ReviewStatus
    done: int
    total: int
    sketch: ReviewSketch | None
    found: ReviewFound | None


class TryMove(Model):
    """A choice before a move of the game that is to be made better."""

    line: str
    text: str


class TryMoves(Model):
    moves: list[TryMove]


class TryWish(Model):
    move: Annotated[int, Field(ge=0, le=MAX_RECORD)]
    """After this many moves."""
    line: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class TryAnswer(Model):
    """What a move would have lost. It is good if that is little, or no more than its error."""

    line: str
    loss: float
    loss_se: float
    good: bool
