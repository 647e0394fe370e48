"""The routes of ratings: anybody may read them, as everything in them is public."""

from typing import Annotated, Any

from fastapi import APIRouter, Path
from sqlalchemy import Connection
from starlette.responses import Response

from ..api import PROBLEMS, json_answer
from ..club import persons as book
from ..club.club import Club
from ..club.cookies import Session
from ..errors import Refused
from ..protocol.base import PersonId, TableId
from ..protocol.ratings import Clubhouse, Forecasts, Ladder, PersonRatings, TableRating
from ..service import Service
from . import shown
from .clubhouse import clubhouse
from .keeper import RatingKeeper

Named = Annotated[PersonId, Path(alias="person")]
NamedTable = Annotated[TableId, Path(alias="table")]


def rating_router(service: Service, club: Club, keeper: RatingKeeper) -> APIRouter:
    """Builds the routes; without persons there are no ratings."""
    router = APIRouter(prefix="/api", responses=PROBLEMS)
    _add_club(router, club)

    @router.get("/ratings/persons/{person}", response_model=PersonRatings)
    async def curves(name: Named) -> Response:
        """A person's ratings, now and after each game."""
        club.expect_on()

        def work(connection: Connection) -> dict[str, Any]:
            if book.find(connection, name) is None:
                raise Refused("not_found")
            return shown.curves(connection, name, club.now)

        return json_answer(await club.read(work))

    @router.get("/ratings/tables/{table}", response_model=TableRating)
    async def of_table(name: NamedTable) -> Response:
        """What the ratings expect of a table, or what it has changed."""
        club.expect_on()
        table = (await service.open(name)).table
        found = await club.read(lambda c: shown.table_rating(c, table, club.now))
        if found["status"] == "waiting":
            keeper.wake()
        return json_answer(found)

    return router


def _add_club(router: APIRouter, club: Club) -> None:
    @router.get("/ratings", response_model=Ladder)
    async def ladder() -> Response:
        """The club's ladder for every kind of games."""
        club.expect_on()
        return json_answer(await club.read(lambda c: shown.ladder(c, club.now)))

    @router.get("/ratings/forecasts", response_model=Forecasts)
    async def forecasts() -> Response:
        """How well the forecasts of the ratings came true."""
        club.expect_on()
        return json_answer(await club.read(shown.forecasts))

    @router.get("/clubhouse", response_model=Clubhouse)
    async def club_page(session: Session) -> Response:
        """Who is here, open tables, records of the house, this week's games."""
        club.expect_on()
        await club.signed_in(session)  # it notes that they are here
        return json_answer(await club.read(lambda c: clubhouse(c, club.now)))
