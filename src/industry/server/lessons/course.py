"""Lessons as data: the record that leads to a position, the action that is asked for, its targets.

`industry.json` and `industria.json` hold them; the words are in `texts/*/lessons.json`. A learner
always sits at seat 1 against two bots. Nothing is kept between requests.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from industry.boards import BoardSpec, load_board
from industry.engine import Position
from industry.notation import Game, NotationError, read_move
from industry.texts import has

from ..game_view import ViewCache, game_view
from ..previews import choices_of, field_report, wire_refusal
from ..replay_process import opening_entry, played_step
from ..wire_events import Wire

LEARNER = 1
"""The learner's seat."""
NAMES = ("You", "Foreman", "Engineer")
OTHER = "any"
"""The explanation of a wrong action that has none of its own."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson; see the keys of the data files."""

    edition: str
    name: str
    starting_player: int
    moves: tuple[str, ...]
    """Lines of a record that lead to the position."""
    accepts: tuple[str, ...]
    """The actions of the learner that are right."""
    then: tuple[str, ...]
    """What follows by itself after the right action."""
    points_at: tuple[str, ...]
    """Fields, or parts of the stage, that the lesson explains."""
    names: dict[str, str]
    """Fields that the words speak of, by the name of the value."""
    numbers: dict[str, int]
    rule: str
    """The rule that says more."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The position of a lesson, with the log that led to it."""

    board: BoardSpec
    position: Position
    seen: ViewCache
    log: tuple[Wire, ...]


@lru_cache
def course(edition: str) -> tuple[Lesson, ...]:
    """Returns the lessons of an edition, in order."""
    text = files(__package__).joinpath(f"{edition}.json").read_text(encoding="utf-8")
    return tuple(_lesson(edition, data) for data in json.loads(text))


def _lesson(edition: str, data: dict[str, Any]) -> Lesson:
    """Builds a lesson from the data of its file, which has one text of moves per round."""
    moves = [line for one_round in data.pop("moves") for line in one_round.split("; ")]
    lists = {key: tuple(data[key]) for key in ("accepts", "then", "points_at")}
    return Lesson(**data | lists, edition=edition, moves=tuple(moves))


def find_lesson(edition: str, name: str) -> Lesson | None:
    """Returns the lesson of this name, if there is one."""
    return next((lesson for lesson in course(edition) if lesson.name == name), None)


@lru_cache(maxsize=32)
def _moment(edition: str, name: str) -> Moment:
    lesson = find_lesson(edition, name)
    assert lesson is not None
    game, log, seen = _played(lesson)
    return Moment(game.board, game.position, seen, tuple(log))


def moment_of(lesson: Lesson) -> Moment:
    """Returns the moment at which the learner acts."""
    return _moment(lesson.edition, lesson.name)


def _played(lesson: Lesson) -> tuple[Game, list[Wire], ViewCache]:
    game = Game(load_board(lesson.edition), NAMES, lesson.starting_player)
    seen = game_view(game.position, 0, game.board, closed=False)
    log = [opening_entry(game.events[0], game.board)]
    steps, seen = _play(game, lesson.moves, seen)
    return game, log + [step["entry"] for step in steps], seen


def _play(game: Game, lines: tuple[str, ...], seen: ViewCache) -> tuple[list[Wire], ViewCache]:
    """Plays lines and returns their steps; other seats' moves count as those of bots."""
    steps = []
    for line in lines:
        step, seen = played_step(game, line, seen)
        if step["entry"]["seat"] not in (None, LEARNER):
            step["entry"]["how"] = "bot"
        steps.append(step)
    return steps, seen


def lesson_view(lesson: Lesson) -> Wire:
    """Returns what a learner sees of a lesson, in the form of `protocol.lessons.LessonView`."""
    moment = moment_of(lesson)
    choices = choices_of(moment.position, moment.board, LEARNER - 1)
    return {
        "edition": lesson.edition,
        "name": lesson.name,
        "board_hash": moment.board.hash,
        "seat": LEARNER,
        "game": moment.seen.view,
        "log": list(moment.log),
        "legal": [choice["line"] for choice in choices],
        "choices": choices,
        "points_at": list(lesson.points_at),
        "names": lesson.names,
        "numbers": lesson.numbers,
        "rule": lesson.rule,
    }


def lesson_field(lesson: Lesson, field: str) -> Wire:
    """Returns what a field is worth, and may become worth, in the lesson's position."""
    moment = moment_of(lesson)
    return field_report(moment.position, moment.board, field)


def answer_to(lesson: Lesson, line: str, language: str) -> Wire:
    """Answers an action, in the form of `protocol.lessons.LessonAnswer`.

    An accepted action continues the lesson. Another legal action gets the lesson's explanation, an
    illegal one the refusal of the rules.
    """
    moment = moment_of(lesson)
    if line in lesson.accepts:
        game, _, seen = _played(lesson)
        return _answer(right=True, steps=_play(game, (line, *lesson.then), seen)[0])
    try:
        refusal = moment.position.refusal(read_move(line, moment.board))
    except NotationError:
        return _answer(says=OTHER)
    if refusal is not None:
        return _answer(refusal=wire_refusal(refusal, moment.board, language))
    return _answer(says=explanation(lesson, line))


def explanation(lesson: Lesson, line: str) -> str:
    """Returns which of the lesson's explanations fits a legal but wrong action."""
    verb = line.split(" ")[1]
    return verb if has(f"lesson.{lesson.name}.wrong.{verb}") else OTHER


def _answer(**known: object) -> Wire:
    empty: Wire = {"right": False, "says": None, "refusal": None, "steps": []}
    return empty | known
