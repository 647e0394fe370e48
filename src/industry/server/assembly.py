"""Assembles a server from its settings."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from fastapi import FastAPI

from industry.bots.registry import add_engine, engine_definition

from .app import make_app
from .board_catalogue import BoardCatalogue, load_catalogue
from .bot_pool import BotPool
from .hooks import Hooks
from .metrics import Metrics
from .network import Network
from .notices.sending import Ways
from .protocol.http import BotInfo, Bots, Measured
from .service import Service
from .settings import Settings
from .store import Store
from .store.calls import Calls
from .table import Table
from .tuning import Tuning


def build_app(
    settings: Settings,
    *,
    ratings: Mapping[str, float] | None = None,
    measured: Mapping[str, Measured] | None = None,
    catalogue: BoardCatalogue | None = None,
    tuning: Tuning | None = None,
    network: Network | None = None,
) -> FastAPI:
    """Builds the application with store, bots and webhooks.

    `ratings` and `measured` come from the bot ladder.
    """
    store = Store(settings.database_url, metrics := Metrics())
    pool, hooks = _bot_pool(settings, metrics), _hooks(settings, store, metrics)
    service = Service(
        store,
        pool,
        hooks,
        catalogue=catalogue or load_catalogue(settings.boards),
        metrics=metrics,
        tuning=tuning or _tuning(settings),
    )
    pool.tell_warming = service.tell_warming
    app = make_app(
        service,
        bots=_Opponents(pool, ratings or {}, measured or {}).listed,
        judge=pool.judge,
        origins=tuple(filter(None, (settings.public_url, *settings.origins))),
        hosts=settings.hosts,
        limits=settings.limits,
        network=network,
        persons=settings.persons,
        cups=settings.cups,
        ways=_ways(settings),
        before=pool.start,
        after=pool.stop,
    )
    _call_while_running(app, hooks, service)
    return app


def _bot_pool(settings: Settings, metrics: Metrics) -> BotPool:
    for definition in settings.engines:
        add_engine(*engine_definition(definition))
    thinking = settings.workers, settings.bot_seconds, settings.bot_patience
    return BotPool(*thinking, metrics, settings.engines)


def _hooks(settings: Settings, store: Store, metrics: Metrics) -> Hooks:
    calls = Calls(store)
    return Hooks(calls, metrics, private=settings.private_hooks, public_url=settings.public_url)


def _ways(settings: Settings) -> Ways:
    return Ways(settings.mail, settings.contact, settings.public_url, settings.private_hooks)


def _tuning(settings: Settings) -> Tuning:
    return Tuning(
        max_tables=settings.max_tables,
        retention_days=settings.retention_days,
        bots_at_once=settings.workers,
    )


def _call_while_running(app: FastAPI, hooks: Hooks, service: Service) -> None:
    """Starts webhooks after the service and stops them before it, because they need its tables."""
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
    """Lists the bots for people to choose from. Asked once: loading them takes seconds."""

    def __init__(
        self, pool: BotPool, ratings: Mapping[str, float], measured: Mapping[str, Measured]
    ) -> None:
        self._pool = pool
        self._ratings = ratings
        self._measured = measured
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
                        measured=self._measured.get(bot.name),
                    )
                    for bot in await self._pool.bots()
                ]
            )
        return self._found
