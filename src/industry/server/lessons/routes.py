"""The routes of the tutorial: lessons, actions that the engine checks, and the coach."""

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import Response

from industry.boards.spec import EDITIONS
from industry.notation import NotationError, read_move, write_move

from ..api import PROBLEMS, Named, Token, json_answer
from ..errors import Refused
from ..lobby import Lobby
from ..protocol.base import Edition, FieldId
from ..protocol.lessons import (
    CoachQuestion,
    CoachSays,
    LessonAnswer,
    LessonField,
    LessonInfo,
    LessonName,
    Lessons,
    LessonTry,
    LessonView,
)
from ..table import Table
from .course import Lesson, answer_to, course, find_lesson, lesson_field, lesson_view

InPath = Annotated[LessonName, Path(alias="lesson")]


def lesson_router(lobby: Lobby) -> APIRouter:
    """Lessons for everyone; the coach for somebody who plays against bots alone."""
    router = APIRouter(prefix="/api", responses=PROBLEMS)
    _add_lessons(router)

    @router.post("/tables/{table}/coach")
    async def coach(table: Named, question: CoachQuestion, token: Token) -> CoachSays:
        """Whether a move would be a bad mistake by the bots' values, before it is made."""
        live, place = await lobby.entered(table, token)
        return _coached(live.table, place, question.line)

    return router


def _add_lessons(router: APIRouter) -> None:
    @router.get("/lessons")
    def list_lessons() -> Lessons:
        """All lessons of both editions, in their order."""
        return Lessons(
            lessons=[
                LessonInfo.model_validate({"edition": lesson.edition, "name": lesson.name})
                for edition in EDITIONS
                for lesson in course(edition)
            ]
        )

    @router.get("/lessons/{edition}/{lesson}", response_model=LessonView)
    def show_lesson(edition: Edition, name: InPath) -> Response:
        """The position of a lesson and what it points at."""
        return json_answer(lesson_view(_found(edition, name)))

    @router.post("/lessons/{edition}/{lesson}", response_model=LessonAnswer)
    def try_action(edition: Edition, name: InPath, wish: LessonTry) -> Response:
        """What comes of an action: on with the lesson, an explanation, or a refusal."""
        return json_answer(answer_to(_found(edition, name), wish.line, wish.language))

    @router.get("/lessons/{edition}/{lesson}/worth/{field}", response_model=LessonField)
    def show_worth(edition: Edition, name: InPath, field: FieldId) -> Response:
        """What a field is and may become worth in the position of a lesson."""
        return json_answer(lesson_field(_found(edition, name), field))


def _found(edition: str, name: str) -> Lesson:
    lesson = find_lesson(edition, name)
    if lesson is None:
        raise Refused("not_found")
    return lesson


def _coached(table: Table, place: int, line: str) -> CoachSays:
    """Raises `Refused` where a coach would be unfair or there is nothing to decide."""
    seat, position = table.seat_of_place(place), table.position
    if not table.is_solo or table.options.daily:
        raise Refused("no_coach")
    if position is None:
        raise Refused("not_started")
    if seat is None or seat != position.actor:
        raise Refused("not_your_seat")
    try:
        move = read_move(line, table.board)
    except NotationError:
        raise Refused("bad_line") from None
    if move not in position.legal_moves:
        raise Refused("illegal_move", position.refusal(move))
    from industry.bots.coach import judge_move  # loads numpy, which other requests do not need

    found = judge_move(position, move)
    better = None if found.better is None else write_move(found.better, table.board)
    return CoachSays(warns=better is not None, loss=round(found.loss, 3), better=better)
