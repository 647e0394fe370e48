"""Makes the steps of cups that nobody asks for: start, tables, results, next round, end.

Every step either replaces the stored cup if nobody else has changed it, or does something at a
table that its log shows to be done. So any process may make any step, at any time, again.
"""

import contextlib
from dataclasses import replace

from sqlalchemy import Connection

from industry.cups import Round

from ..background import RepeatedTask
from ..errors import Refused
from ..lobby import Lobby
from ..logs import log_error, log_event
from ..service import Service
from ..store.rows import Conflict, StoreUnavailable
from . import book, changes
from .announcing import announce
from .document import StoredCup
from .seasons import season_ranks
from .tables import CupTables, settled, summaries

MOST_STEPS = 100
"""Steps of one cup before others have their turn."""


class CupDriver:
    """Looks at all unfinished cups from time to time, and at once when it is woken."""

    def __init__(self, service: Service, lobby: Lobby) -> None:
        self._service = service
        self._tables = CupTables(service, lobby)
        self._task = RepeatedTask(self._look_at_all, service.tuning.cups, failure="cups_failed")

    def start(self) -> None:
        self._task.start()

    async def stop(self) -> None:
        await self._task.stop()

    def wake(self) -> None:
        """Lets the cups be looked at now."""
        self._task.wake()

    async def _look_at_all(self) -> None:
        for cup in await self._service.store.read(book.unfinished):
            await self._look(cup)

    async def _look(self, cup: str) -> None:
        try:
            await self.step(cup)
        except Refused as refused:
            log_event("cup_postponed", cup=cup, code=refused.code)
        except StoreUnavailable:
            raise
        except Exception as error:  # the other cups go on
            log_error("cup_failed", error, cup=cup)

    async def step(self, cup: str) -> None:
        """Makes all steps of a cup that are due now."""
        store = self._service.store
        for _ in range(MOST_STEPS):
            stored = await store.read(lambda connection: book.find(connection, cup))
            changed = await self._next(stored)
            if changed is None:
                return
            with contextlib.suppress(Conflict):  # another process has made a step: look again
                await self._save(stored, changed)

    async def _save(self, stored: StoredCup, changed: StoredCup) -> None:
        now, rounds = self._service.now(), changed.cup.rounds

        def work(connection: Connection) -> None:
            book.save(connection, changed, now)
            for held in rounds[len(stored.cup.rounds) :]:
                announce(connection, changed, held, now)

        await self._service.store.write(work)

    async def _next(self, stored: StoredCup) -> StoredCup | None:
        """Returns the state after the next step, having done what it needs at tables."""
        if stored.status == "open":
            return await self._start(stored)
        if stored.status != "running":
            return None
        if (collected := await self._collect(stored)) is not None:
            return collected
        if stored.cup.rounds:
            await self._prove(stored, stored.cup.rounds[-1])
        most = len(stored.cup.entrants) + len(stored.cup.plan)
        return changes.advanced(stored, self._tables.names(stored, most), self._service.now())

    async def _start(self, stored: StoredCup) -> StoredCup | None:
        starts = stored.terms.starts
        is_time = starts is not None and self._service.now() >= starts
        if not stored.is_full and not is_time:
            return None
        if len(stored.cup.active()) < changes.LEAST:
            return replace(stored, status="cancelled")
        store = self._service.store
        ranks = await store.read(lambda connection: season_ranks(connection, stored))
        return changes.started(stored, ranks)

    async def _collect(self, stored: StoredCup) -> StoredCup | None:
        """Makes tables that are missing, and returns the cup with results that are new."""
        store, now, cup = self._service.store, self._service.now(), stored.cup
        waiting = [game.table for game in cup.games() if not game.is_over]
        if not waiting:
            return None
        known = await store.read(lambda connection: summaries(connection, waiting))
        if len(known) < len(waiting):
            people = await store.read(lambda connection: book.people_of(connection, stored.id))
        for held in cup.rounds:
            for game in held.games:
                if game.table in waiting and game.table not in known:
                    await self._tables.make(stored, held, game, people)
        for held in cup.rounds:
            if held.is_over:
                continue
            games = tuple(
                settled(game, known[game.table]) if game.table in known else game
                for game in held.games
            )
            if games != held.games:
                cup = cup.with_round(held.number, replace(held, games=games))
            elif changes.is_overdue(stored, held, now):
                await self._hurry(held)
        return changes.with_cup(stored, cup) if cup != stored.cup else None

    async def _hurry(self, held: Round) -> None:
        """Lets stand-ins finish the games of a round whose time is up."""
        for game in held.games:
            if not game.is_over:
                await self._tables.forfeit(game.table)

    async def _prove(self, stored: StoredCup, held: Round) -> None:
        """Publishes the bag of a duplicate round that is over."""
        if stored.cup.rules.duplicate and held.is_over:
            for game in held.games:
                if not game.closed:
                    await self._tables.reveal(game.table)
