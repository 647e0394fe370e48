"""The lessons of the tutorial, played through the engine in both editions."""

from itertools import chain

import pytest

from industry.boards import load_board
from industry.boards.spec import FIELD_IDS
from industry.engine import Phase
from industry.notation import Game
from industry.server.lessons.course import (
    LEARNER,
    OTHER,
    Lesson,
    answer_to,
    course,
    find_lesson,
    lesson_field,
    lesson_view,
    moment_of,
)
from industry.server.protocol.lessons import LessonAnswer, LessonView
from industry.texts import LANGUAGES, has, say

from .applying import game_applied
from .playing import Server

EDITIONS = ("industry", "industria")
LESSONS = [lesson for edition in EDITIONS for lesson in course(edition)]
PARTS = {"bids", "settle", "subsidy"}
"""Parts of the stage that a lesson can point at."""
WORDS_PER_SECOND = 200 / 60
"""How fast people read."""
TO_ACT = 25.0
"""Seconds to look around and to act."""
PAUSE = 1.3
"""Of a move that is shown at the usual pace: `PAUSES` in web/src/lib/table.svelte.ts."""

each = pytest.mark.parametrize("lesson", LESSONS, ids=lambda one: f"{one.edition}-{one.name}")


def game_of(lesson: Lesson) -> Game:
    game = Game(load_board(lesson.edition), ("A", "B", "C"), lesson.starting_player)
    for line in lesson.moves:
        game.play(line)
    return game


def words(lesson: Lesson, part: str, language: str) -> str:
    names = {
        name: load_board(lesson.edition).fields[FIELD_IDS.index(field)].name[language]
        for name, field in lesson.names.items()
    }
    return say(f"lesson.{lesson.name}.{part}", language, **names, **lesson.numbers)


def test_each_edition_has_seven_lessons_with_names_of_their_own() -> None:
    for edition in EDITIONS:
        names = [lesson.name for lesson in course(edition)]
        assert len(names) == len(set(names)) == 7


@each
def test_the_learner_decides_and_the_asked_action_is_legal(lesson: Lesson) -> None:
    game = game_of(lesson)
    assert game.to_move == LEARNER
    assert set(lesson.accepts) <= set(game.legal_moves())
    assert len(game.legal_moves()) > 1


@each
def test_the_right_action_leads_on(lesson: Lesson) -> None:
    for line in lesson.accepts:
        answer = LessonAnswer.model_validate(answer_to(lesson, line, "en"))
        assert answer.right
        assert [step.entry.line for step in answer.steps] == [line, *lesson.then]
        shown = lesson_view(lesson)["game"]
        for step in answer.steps:
            shown = game_applied(shown, step.changed["game"])
        assert shown["moves"] == len(lesson.moves) + 1 + len(lesson.then)
        game = game_of(lesson)
        for made in (line, *lesson.then):
            game.play(made)
        assert shown["talers"] == game.position.state.talers[:3]


@each
def test_a_wrong_action_is_explained_and_does_not_lead_on(lesson: Lesson) -> None:
    wrong = set(game_of(lesson).legal_moves()) - set(lesson.accepts)
    assert wrong
    for line in wrong:
        answer = LessonAnswer.model_validate(answer_to(lesson, line, "en"))
        assert not answer.right
        assert not answer.steps
        for language in LANGUAGES:
            assert words(lesson, f"wrong.{answer.says}", language)


@each
def test_an_illegal_action_is_refused_with_the_reason_of_the_rules(lesson: Lesson) -> None:
    line = "1 bid 99" if lesson.name in ("auction", "claim", "free_claim") else "1 offer 5L"
    for language in LANGUAGES:
        answer = LessonAnswer.model_validate(answer_to(lesson, line, language))
        assert not answer.right
        assert answer.refusal is not None
        assert answer.refusal.wrong
    assert answer_to(lesson, "nonsense", "en")["says"] == OTHER


@each
def test_a_lesson_says_everything_in_every_language(lesson: Lesson) -> None:
    for language in LANGUAGES:
        for part in ("title", "text", "task", "done", "wrong.any"):
            text = words(lesson, part, language)
            assert "{" not in text
    assert has(f"rulebook.rule.{lesson.rule}.both") or has(
        f"rulebook.rule.{lesson.rule}.{lesson.edition}"
    )


@each
def test_a_lesson_points_at_things_that_are_there(lesson: Lesson) -> None:
    assert lesson.points_at
    for target in lesson.points_at:
        assert target in FIELD_IDS or target in PARTS
    phase = game_of(lesson).position.state.phase
    assert ("bids" in lesson.points_at) == (phase == Phase.BID)
    assert ("settle" in lesson.points_at) == (phase == Phase.SETTLE)


@each
def test_a_lesson_takes_at_most_90_seconds(lesson: Lesson) -> None:
    for language in LANGUAGES:
        texts = (words(lesson, part, language) for part in ("title", "text", "task", "done"))
        count = len(list(chain.from_iterable(text.split() for text in texts)))
        shown = PAUSE * (1 + len(lesson.then))
        assert count / WORDS_PER_SECOND + shown + TO_ACT <= 90, (language, count)


def test_the_points_that_a_lesson_promises_are_those_of_its_field() -> None:
    for edition, name in (("industry", "subsidy"), ("industria", "last_turn")):
        lesson = find_lesson(edition, name)
        assert lesson is not None
        mine = lesson_field(lesson, lesson.names["field"])["worth"][LEARNER - 1]
        assert mine["points"] + mine["links"] + mine["bonuses"] == lesson.numbers["points"]


def test_the_last_lesson_is_in_the_last_turn_of_the_learner() -> None:
    for edition in EDITIONS:
        position = moment_of(course(edition)[-1]).position
        assert not position.bag
        assert position.phase == Phase.DEVELOP


@each
def test_the_server_tells_a_lesson_and_answers_without_remembering(
    shared_server: Server, lesson: Lesson
) -> None:
    path = f"/api/lessons/{lesson.edition}/{lesson.name}"
    told = shared_server.http("GET", path).json()
    view = LessonView.model_validate(told)
    assert view == LessonView.model_validate(lesson_view(lesson))
    right = shared_server.http("POST", path, json={"line": lesson.accepts[0]}).json()
    assert right["right"]
    assert shared_server.http("GET", path).json() == told
    worth = shared_server.http("GET", f"{path}/worth/{lesson.names['field']}").json()
    assert len(worth["worth"]) == 3


def test_lessons_that_do_not_exist_are_not_found(shared_server: Server) -> None:
    listed = shared_server.http("GET", "/api/lessons").json()["lessons"]
    assert [(one["edition"], one["name"]) for one in listed] == [
        (lesson.edition, lesson.name) for lesson in LESSONS
    ]
    for path in ("industry/nothing", "industria/subsidy", "other/board"):
        answer = shared_server.http("GET", f"/api/lessons/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
