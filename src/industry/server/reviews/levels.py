"""How strong a person plays, by the reviews of their games.

What each seat lost is kept when a review is whole, because reviews that nobody opens are deleted.
Rows name a table and a seat, never a person.
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from sqlalchemy import Connection, select

from ..address_limits import AddressLimiter, address_of
from ..api import PROBLEMS
from ..club import own_data
from ..club import persons as persons_book
from ..club.club import Club
from ..club.own_data import Sitting
from ..errors import Refused
from ..protocol.base import PersonId
from ..protocol.review import PersonLevel
from ..store.schema import game_losses
from .process import unpacked
from .reviews import Reviews

LEAST = 10
"""Reviewed games from which on a level is named, as in `judge.level`."""
MOST = 50
"""The newest games that count."""
KEPT = 200
"""Levels that are kept in memory: computing one needs another process."""

Named = Annotated[PersonId, Path(alias="person")]


@dataclass(frozen=True, slots=True)
class SeatLosses:
    """What a seat lost in a game; all but the seat are the fields of `judge.level.GameLosses`."""

    seat: int
    table: str
    """Edition and number of players."""
    lines: int
    values: str
    loss: float
    decisions: int


def losses_of(connection: Connection, seats: Iterable[Sitting]) -> list[SeatLosses]:
    """Returns what somebody lost on these seats, as far as their games were reviewed.

    Branches do not count, nor games that they left to a stand-in, nor reviews of an older version
    of the judge than the newest one at the same kind of table.
    """
    counted = {(one.table, one.seat): one for one in seats if _counts(one)}
    own = game_losses.c
    names = sorted({table for table, _ in counted})
    rows = connection.execute(select(game_losses).where(own.table_id.in_(names)))
    known = {(row.table_id, row.seat): row for row in rows}
    found: list[SeatLosses] = []
    judges: dict[str, tuple[int, str]] = {}
    for place in counted:  # the newest games first
        if (row := known.get(place)) is None or len(found) == MOST:
            continue
        if judges.setdefault(row.kind, (row.lines, row.values)) == (row.lines, row.values):
            losses = (row.kind, row.lines, row.values, row.loss, row.decisions)
            found.append(SeatLosses(row.seat, *losses))
    return found


def _counts(sitting: Sitting) -> bool:
    summary, seat = sitting.summary, sitting.seat
    if seat is None or summary["status"] != "over" or summary["options"].get("what_if"):
        return False
    return not summary["seats"][seat - 1].get("absent")


class Levels:
    """The levels of persons; those that were asked for last stay in memory."""

    def __init__(self, reviews: Reviews) -> None:
        self._reviews = reviews
        self._known: OrderedDict[tuple[SeatLosses, ...], dict[str, Any]] = OrderedDict()

    async def of(self, losses: list[SeatLosses]) -> PersonLevel:
        """Returns the level of somebody who lost this much; none before enough games."""
        if len(losses) < LEAST:
            return PersonLevel(games=len(losses), least=LEAST, level=None, told={})
        key = tuple(losses)
        if key not in self._known:
            self._known[key] = unpacked(await self._reviews.level_of(losses))
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return PersonLevel(games=len(losses), least=LEAST, **self._known[key])


def level_router(reviews: Reviews, club: Club, limiter: AddressLimiter) -> APIRouter:
    """Builds the route about the level of a person."""
    router = APIRouter(prefix="/api", responses=PROBLEMS)
    levels = Levels(reviews)

    @router.get("/persons/{person}/level")
    async def level(person: Named, request: Request) -> PersonLevel:
        """How strong a person plays, from ten reviewed games on."""
        club.expect_on()
        limiter.spend(address_of(request), "replays")

        def work(connection: Connection) -> list[SeatLosses]:
            if persons_book.find(connection, person) is None:
                raise Refused("not_found")
            return losses_of(connection, own_data.sittings(connection, person))

        return await levels.of(await club.read(work))

    return router
