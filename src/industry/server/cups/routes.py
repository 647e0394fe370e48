"""The HTTP interface of cups."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from ..address_limits import AddressLimiter, address_of
from ..api import PROBLEMS, json_answer
from ..club.club import Club
from ..club.cookies import Session
from ..protocol.cups import CupId, CupList, CupView, JoinCup, NewCup
from .cups import Cups

Named = Annotated[CupId, Path(alias="cup")]


def cup_router(cups: Cups, club: Club, limiter: AddressLimiter) -> APIRouter:
    """Builds all routes about cups."""
    router = APIRouter(prefix="/api", responses=PROBLEMS)
    _add_pages(router, cups, club)
    _add_changes(router, cups, club, limiter)
    _add_management(router, cups, club)
    return router


def _add_pages(router: APIRouter, cups: Cups, club: Club) -> None:
    @router.get("/cups", response_model=CupList)
    async def list_cups(session: Session) -> Response:
        """List cups, most recently changed first."""
        return json_answer(await cups.listed(await club.signed_in(session)))

    @router.get("/cups/{cup}", response_model=CupView)
    async def show_cup(cup: Named, session: Session) -> Response:
        """Show a cup with its rounds and standings."""
        return json_answer(await cups.view(cup, await club.signed_in(session)))

    @router.get("/cups/{cup}/export", response_class=Response)
    async def export_cup(cup: Named) -> Response:
        """Everything about a cup, as a file."""
        answer = json_answer(await cups.export(cup))
        answer.headers["content-disposition"] = f'attachment; filename="industry-cup-{cup}.json"'
        return answer


def _add_changes(router: APIRouter, cups: Cups, club: Club, limiter: AddressLimiter) -> None:
    @router.post("/cups", status_code=201, response_model=CupView)
    async def create_cup(wish: NewCup, request: Request, session: Session) -> Response:
        """Create a cup; the operator decides who may."""
        cups.expect_on()
        limiter.spend(address_of(request), "cups")
        person = await club.expect_signed_in(session)
        answer = json_answer(await cups.view(await cups.create(wish, person), person))
        answer.status_code = 201
        return answer

    @router.post("/cups/{cup}/join", response_model=CupView)
    async def join_cup(
        cup: Named, request: Request, session: Session, wish: JoinCup | None = None
    ) -> Response:
        """Take part in a cup that has not started, or in an evening that runs."""
        cups.expect_on()
        limiter.spend(address_of(request), "cups")
        person = await club.expect_signed_in(session)
        await cups.join(cup, person, (wish and wish.randomness) or "")
        return json_answer(await cups.view(cup, person))

    @router.post("/cups/{cup}/leave", response_model=CupView)
    async def leave_cup(cup: Named, request: Request, session: Session) -> Response:
        """Take part no longer; in a running cup from the next round on."""
        cups.expect_on()
        limiter.spend(address_of(request), "cups")
        person = await club.expect_signed_in(session)
        await cups.leave(cup, person)
        return json_answer(await cups.view(cup, person))


def _add_management(router: APIRouter, cups: Cups, club: Club) -> None:
    @router.post("/cups/{cup}/start", response_model=CupView)
    async def start_cup(cup: Named, session: Session) -> Response:
        """Its creator, or an operator: start a cup before all its places are taken."""
        cups.expect_on()
        person = await club.expect_signed_in(session)
        await cups.start(cup, person)
        return json_answer(await cups.view(cup, person))

    @router.post("/cups/{cup}/cancel", response_model=CupView)
    async def cancel_cup(cup: Named, session: Session) -> Response:
        """Its creator, or an operator: cancel a cup, or end it after the games that have begun."""
        cups.expect_on()
        person = await club.expect_signed_in(session)
        await cups.cancel(cup, person)
        return json_answer(await cups.view(cup, person))
