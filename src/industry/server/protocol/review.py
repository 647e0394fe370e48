"""Reviews of finished games: asked for by table or record, looked at while they grow."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from .base import CommandId, FieldId, Language, Model, PlayerName, SeatNumber, TableId
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


class SeatReview(Model):
    review: Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]
    seat: SeatNumber


class LevelWish(Model):
    """The seats that somebody had in reviewed games."""

    games: Annotated[list[SeatReview], Field(max_length=30)]


class BotLoss(Model):
    bot: str
    mean: float
    error: float


class Level(Model):
    """Mean loss per decision in thousandths of a win, with half of its 95 % interval, and the bots
    on either side; no bots below ten games."""

    games: int
    decisions: int
    mean: float
    half: float | None
    bots: list[BotLoss]
    better: str | None
    worse: str | None


class LevelFound(Model):
    whole: int
    """How many of the reviews are whole; only these count."""
    level: Level | None
    told: dict[Language, str]
    """The level in a sentence, with `{player}` for the name; empty without one."""


class PersonLevel(Model):
    """How strong a person plays; the level is null below the least number of reviewed games."""

    games: int
    """Reviewed games that count, at most the newest fifty."""
    least: int
    level: Level | None
    told: dict[Language, str]
    """The level in a sentence, with `{player}` for the name; empty without one."""


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


class BranchWish(Model):
    """What if: a table of its own that goes on from a moment of a game, against bots."""

    id: CommandId
    review: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")] | None = None
    """The game of this review; else of a table that is over, or of a record."""
    table: TableId | None = None
    record: Annotated[str, StringConstraints(min_length=1, max_length=MAX_RECORD)] | None = None
    move: Annotated[int, Field(ge=0, le=MAX_RECORD)]
    """After this many moves."""
    seat: SeatNumber
    """Where the asker sits."""
    name: PlayerName
    bot: str = "engineer"
    """Plays all other seats."""
    language: Language = "en"


class SeatOutlook(Model):
    """A seat's chance of winning and points; four of five lines end between `low` and `high`."""

    win: float
    win_se: float
    points: float
    points_se: float
    low: float
    high: float


class Outlook(Model):
    over: bool
    """Nothing is estimated any more."""
    seats: list[SeatOutlook]


class BranchOutlook(Model):
    """How the game may end after the move that was played at the moment, and how the branch may."""

    original: Outlook
    branch: Outlook
    version: int
    """Of the branch."""


class HintWish(Model):
    """Asks for a step of a hint before one's own decision; the log notes it."""

    id: CommandId
    seat: SeatNumber
    version: int
    """The version that the author saw."""
    step: Literal[1, 2, 3]
    language: Language = "en"


class HintWorth(Model):
    field: FieldId
    talers: list[float]
    """By seat: the price at which it would not matter whether one has the field."""


class Hint(Model):
    """Step 1: what the fields of this decision are worth; 2: three candidates; 3: the move."""

    step: int
    version: int
    worth: list[HintWorth] = []
    candidates: list[TryMove] = []
    """In the order of the rules, not by their worth."""
    move: TryMove | None = None
    win: float | None = None
    """The chance of winning after it, with its standard error."""
    win_se: float | None = None
    told: list[str] = []
    """What it has more than the next best one."""
