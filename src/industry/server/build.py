"""A server put together from its settings."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from fastapi import FastAPI

from .app import make_app
from .hooks import Hooks
from .limits import Limits
from .metrics import Metrics
from .protocol.http import BotInfo, Bots
from .service import Service, Tuning
from .settings import Settings
from .shelf import Shelf, shelf_with
from .store import Store
from .store.calls import Calls
from .table import Table
from .workers import BotPool


def build_app(
    settings: Settings,
    *,
    ratings: Mapping[str, float] | None = None,
    shelf: Shelf | None = None,
    tuning: Tuning | None = None,
) -> FastAPI:
    """The application with store, bots and webhooks; `ratings` are those of the bots' ladder."""
    metrics = Metrics()
    store = Store(settings.database_url, metrics)
    pool = BotPool(settings.workers, settings.bot_seconds, settings.bot_patience, metrics)
    hooks = Hooks(
        Calls(store), metrics, private=settings.private_hooks, public_url=settings.public_url
    )
    service = Service(
        store,
        pool,
        hooks,
        shelf=shelf or shelf_with(settings.boards),
        metrics=metrics,
        tuning=tuning or Tuning(max_tables=settings.max_tables),
    )
    own = (settings.public_url,) if settings.public_url else ()
    app = make_app(
        service,
        bots=_Opponents(pool, ratings or {}).listed,
        origins=(*own, *settings.origins),
        limits=Limits(messages=settings.max_messages),
        before=pool.start,
        after=pool.stop,
    )
    _call_while_running(app, hooks, service)
    return app


def _call_while_running(app: FastAPI, hooks: Hooks, service: Service) -> None:
    """Webhooks need the tables: they begin after the service and end before it."""
    serving = app.router.lifespan_context

    async def open_table(name: str) -> Table:
        return (await service.open(name)).table

    @asynccontextmanager
    async def calling(app: FastAPI) -> AsyncIterator[None]:
        async with serving(app):
            await hooks.start(open_table)
            try:
                yield
            finally:
                await hooks.stop()

    app.router.lifespan_context = calling


class _Opponents:
    """The bots as people choose them. Asked once: loading them takes a process seconds."""

    def __init__(self, pool: BotPool, ratings: Mapping[str, float]) -> None:
        self._pool = pool
        self._ratings = ratings
        self._found = Bots(bots=[])

    async def listed(self) -> Bots:
        if not self._found.bots:
            self._found = Bots(
                bots=[
                    BotInfo(
                        name=bot.name,
                        level=bot.level,
                        description=bot.description,
                        rating=self._ratings.get(bot.name),
                    )
                    for bot in await self._pool.bots()
                ]
            )
        return self._found
