"""Counts rated games as they end; what cannot be counted yet is tried again, also after a restart.

Every process looks for itself: the database decides which of them counts a game.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlalchemy import Connection, select

from ..background import RepeatedTask
from ..errors import Refused
from ..logs import log_error, log_event
from ..reviews.process import unpacked
from ..reviews.workers import NoAnswer
from ..store import StoreUnavailable, schema
from ..store.rating_schema import rating_games
from ..table import Table
from . import counting
from .games import departures, finished_game

if TYPE_CHECKING:
    from ..reviews.reviews import Reviews
    from ..service import Service

LINES = 512
"""The judge's lines for the chances of somebody who leaves; the same number everywhere."""
LOOK_BACK = 10 * 60_000
"""Milliseconds by which the clocks of processes may differ."""
PATIENCE = 60.0
"""Seconds until a game is tried again that could not be counted."""
AT_ONCE = 200


class RatingKeeper:
    """Counts the rated games of a server that end, one after the other."""

    def __init__(self, service: "Service", reviews: "Reviews", *, enabled: bool) -> None:
        self._service = service
        self._reviews = reviews
        self._enabled = enabled
        scan = service.tuning.scan
        self._task = RepeatedTask(self._count_all, scan, failure="ratings_failed")
        self._seen = 0
        """All games that ended before this time are counted, or wait in `_postponed`."""
        self._postponed: dict[str, float] = {}
        """Games that could not be counted, and when they are tried again."""

    def start(self) -> None:
        if self._enabled:
            self._task.start()

    async def stop(self) -> None:
        await self._task.stop()

    def wake(self) -> None:
        """Looks for finished games at once."""
        self._task.wake()

    async def _count_all(self) -> None:
        begun, since = self._service.now(), self._seen
        now = asyncio.get_running_loop().time()
        due = [table for table, at in self._postponed.items() if at <= now]
        waiting = list(self._postponed)
        read = self._service.store.read
        found = await read(lambda connection: finished(connection, since, waiting))
        for table in (*due, *found):
            await self._try(table)
        if len(found) < AT_ONCE:
            self._seen = max(0, begun - LOOK_BACK)
        else:
            self._task.wake()  # there may be more

    async def _try(self, table: str) -> None:
        """Counts a game; one that fails is kept in mind, and the others go on."""
        was_waiting = self._postponed.pop(table, None) is not None
        try:
            await self._count(table)
        except (NoAnswer, Refused) as reason:
            if was_waiting and isinstance(reason, Refused) and reason.code == "no_table":
                return  # it was deleted meanwhile
            self._postpone(table)
            log_event("rating_postponed", logging.WARNING, table=table, text=str(reason))
        except StoreUnavailable:
            self._postpone(table)
            raise
        except Exception as error:
            self._postpone(table)
            log_error("rating_failed", error, table=table)

    def _postpone(self, table: str) -> None:
        self._postponed[table] = asyncio.get_running_loop().time() + PATIENCE

    async def _count(self, name: str) -> None:
        table = (await self._service.open(name)).table
        if not table.is_rated or table.status != "over":
            raise Refused("not_over")
        chances = await self._chances(table)
        game = finished_game(table, chances)
        is_new = await self._service.store.write(
            lambda connection: counting.count_game(connection, game)
        )
        if is_new:
            log_event("game_rated", table=name)

    async def _chances(self, table: Table) -> dict[int, tuple[float, ...]]:
        """Asks the judge for everybody's chances whenever somebody left; raises `NoAnswer`."""
        found = {}
        for seat, moves in departures(table).items():
            asked = table.board, table.record(), moves, LINES
            answer = unpacked(await self._reviews.workers.ask("outlook", *asked))
            found[seat] = tuple(float(other["win"]) for other in answer["seats"])
        return found


def finished(connection: Connection, since: int, waiting: Sequence[str]) -> Sequence[str]:
    """Returns rated games that ended since a time, oldest first: not counted, nor waiting."""
    tables = schema.tables.c
    query = (
        select(tables.id)
        .outerjoin_from(schema.tables, rating_games, tables.id == rating_games.c.table_id)
        .where(tables.status == "over", tables.listed.in_((True, False)), tables.changed >= since)
        .where(tables.summary.contains('"rated":true'), rating_games.c.number.is_(None))
        .where(tables.id.not_in(waiting))
        .order_by(tables.changed, tables.id)
        .limit(AT_ONCE)
    )
    return list(connection.scalars(query))
