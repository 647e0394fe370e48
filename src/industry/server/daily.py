"""The daily deal: one bag and the same opponents for everyone on one date, in UTC.

Everything follows from the date alone, so all servers have the same deal without asking anyone.
Its bag is therefore public (docs/daily-deal.md), and its opponents decide without chance or clock.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from fastapi import APIRouter, Request

from industry.notation.proof import daily_secret

from .address_limits import address_of
from .api import PROBLEMS, table_made
from .errors import Refused
from .lobby import Lobby
from .protocol.base import Edition
from .protocol.daily import Daily, DailyWish
from .protocol.http import NewTable, SeatWish, TableMade
from .protocol.view import TableOptions
from .service import Service


@dataclass(frozen=True, slots=True)
class Deal:
    """What is played on a day of the week."""

    edition: Edition
    bots: tuple[str, ...]


WEEK: tuple[Deal, ...] = (
    Deal("industry", ("foreman", "foreman")),
    Deal("industria", ("foreman", "foreman")),
    Deal("industry", ("foreman", "engineer", "foreman")),
    Deal("industria", ("foreman", "engineer", "foreman")),
    Deal("industry", ("engineer", "engineer")),
    Deal("industria", ("engineer", "engineer")),
    Deal("industry", ("engineer", "engineer", "engineer")),
)
"""From Monday to Sunday, easier first."""


def deal_of(day: date) -> Deal:
    """Returns the deal of a date."""
    return WEEK[day.weekday()]


def day_at(millis: int) -> date:
    """Returns the date in UTC at a time of the server's clock."""
    return datetime.fromtimestamp(millis / 1000, UTC).date()


def daily_of(day: date) -> Daily:
    """Returns the deal of a date as clients see it."""
    deal = deal_of(day)
    end = datetime.combine(day + timedelta(days=1), datetime.min.time(), UTC)
    return Daily(
        date=day.isoformat(),
        edition=deal.edition,
        bots=list(deal.bots),
        ends=round(end.timestamp() * 1000),
    )


def table_for(day: date, wish: DailyWish) -> NewTable:
    """Returns one person's table for a date, on which only the name can be chosen."""
    deal = deal_of(day)
    bots = [SeatWish(kind="bot", bot=bot) for bot in deal.bots]
    return NewTable(
        id=wish.id,
        options=TableOptions(
            edition=deal.edition,
            players=4 if len(bots) > 2 else 3,
            undo="off",
            daily=day.isoformat(),
        ),
        seats=[SeatWish(kind="human", name=wish.name), *bots],
    )


def daily_router(service: Service, lobby: Lobby) -> APIRouter:
    """Builds the routes for today's deal and a table with it."""
    router = APIRouter(prefix="/api", responses=PROBLEMS)

    @router.get("/daily")
    async def today() -> Daily:
        """Show today's deal by the server's clock."""
        return daily_of(day_at(service.now()))

    @router.post("/daily", status_code=201)
    async def play(wish: DailyWish, request: Request) -> TableMade:
        """Create a table with today's deal; `stale` if the client has another date."""
        day = day_at(service.now())
        if wish.date != day.isoformat():
            raise Refused("stale")
        secret = daily_secret(wish.date)
        made = await lobby.create(table_for(day, wish), address_of(request), secret)
        return table_made(made)

    return router
