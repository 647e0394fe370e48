"""The routes of the tutorial: lessons, actions that the engine checks, and the coach."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from industry.boards import BoardSpec
from industry.boards.spec import EDITIONS
from industry.notation import NotationError, Record, read_move

from ..address_limits import address_of
from ..api import PROBLEMS, Named, Token, json_answer
from ..bot_process import JudgedMove
from ..driver import Driver
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

MoveJudge = Callable[[Record, BoardSpec, str], Awaitable[JudgedMove | None]]
"""Compares a move with the best one in another process; None if nobody answers."""
BUSY = 5.0
"""Seconds after which a client may ask again."""
InPath = Annotated[LessonName, Path(alias="lesson")]


def lesson_router(lobby: Lobby, driver: Driver, judge: MoveJudge) -> APIRouter:
    """Lessons for everyone; the coach for somebody who plays against bots alone."""
    router = APIRouter(prefix="/api", responses=PROBLEMS)
    _add_lessons(router)

    @router.post("/tables/{table}/coach")
    async def coach(
        request: Request, table: Named, question: CoachQuestion, token: Token
    ) -> CoachSays:
        """Say whether a move would be a bad mistake by the bots' values, before it is made."""
        live, place = await lobby.entered(table, token)
        _check_question(live.table, place, question.line)
        async with driver.bot_slot(address_of(request)):
            found = await judge(live.table.record(), live.table.board, question.line)
        if found is None:
            raise Refused("busy", retry_after=BUSY)
        return CoachSays(
            warns=found.better is not None, loss=round(found.loss, 3), better=found.better
        )

    return router


def _add_lessons(router: APIRouter) -> None:
    @router.get("/lessons")
    def list_lessons() -> Lessons:
        """List the lessons of both editions, in order."""
        return Lessons(
            lessons=[
                LessonInfo.model_validate({"edition": lesson.edition, "name": lesson.name})
                for edition in EDITIONS
                for lesson in course(edition)
            ]
        )

    @router.get("/lessons/{edition}/{lesson}", response_model=LessonView)
    def show_lesson(edition: Edition, name: InPath) -> Response:
        """Show the position of a lesson and what it points at."""
        return json_answer(lesson_view(_found(edition, name)))

    @router.post("/lessons/{edition}/{lesson}", response_model=LessonAnswer)
    def try_action(edition: Edition, name: InPath, wish: LessonTry) -> Response:
        """Try an action: the lesson continues, explains, or refuses."""
        return json_answer(answer_to(_found(edition, name), wish.line, wish.language))

    @router.get("/lessons/{edition}/{lesson}/worth/{field}", response_model=LessonField)
    def show_worth(edition: Edition, name: InPath, field: FieldId) -> Response:
        """Show what a field is worth, and may become worth, in the position of a lesson."""
        return json_answer(lesson_field(_found(edition, name), field))


def _found(edition: str, name: str) -> Lesson:
    lesson = find_lesson(edition, name)
    if lesson is None:
        raise Refused("not_found")
    return lesson


def _check_question(table: Table, place: int, line: str) -> None:
    """Raises `Refused` where a coach would be unfair or there is nothing to decide."""
    seat, position = table.seat_of_place(place), table.position
    if not table.is_solo or table.options.daily or table.is_rated:
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
