"""The application: routes, sockets and pages around one service."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any, Protocol

import uvicorn
from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from industry.boards import BoardSpec
from industry.notation import Record

from .address_limits import AddressLimiter
from .api import api_router, error_response
from .bot_process import JudgedMove
from .club.club import Club
from .club.routes import person_router
from .connection_limits import limited_http_protocol
from .cups.cups import Cups
from .cups.routes import cup_router
from .daily import daily_router
from .errors import Refused
from .fast_websocket import FastWebSocketProtocol
from .lessons.routes import MoveJudge, lesson_router
from .limits import Limits
from .lobby import Lobby
from .logs import log_error
from .metrics import CONTENT_TYPE, Metrics
from .middleware import SecurityMiddleware
from .network import Network, network_router
from .notices.notices import Notices
from .notices.routes import notice_router
from .notices.sending import Ways
from .pages import page
from .protocol.club import PersonsMode
from .protocol.cups import CupsMode
from .protocol.http import Bots, Problem
from .ratings.keeper import RatingKeeper
from .ratings.routes import rating_router
from .replay_api import MAX_BODY, Replays, replay_router
from .reviews.advice import advice_router
from .reviews.levels import level_router
from .reviews.reviews import Reviews
from .reviews.routes import review_router
from .service import Service
from .sockets import SocketServer
from .store import StoreUnavailable

LARGEST_FRAME = 65_536
"""Larger socket frames cut the connection; those between `frame_bytes` and this are refused."""


SCHEMA = "/api/openapi.json"
NO_DOCS: dict[str, Any] = {"docs_url": None, "redoc_url": None, "openapi_url": SCHEMA}
LARGER_BODIES = dict.fromkeys(
    ("/api/replay", "/api/replay/worth", "/api/reviews", "/api/what-if"), MAX_BODY
)


async def no_bots() -> Bots:
    return Bots(bots=[])


async def no_judge(record: Record, board: BoardSpec, line: str) -> JudgedMove | None:
    return None


def make_app(
    service: Service,
    *,
    bots: Callable[[], Awaitable[Bots]] = no_bots,
    judge: MoveJudge = no_judge,
    origins: tuple[str, ...] = (),
    hosts: tuple[str, ...] = (),
    limits: Limits | None = None,
    network: Network | None = None,
    persons: PersonsMode = "off",
    cups: CupsMode = "operators",
    ways: Ways | None = None,
    before: Callable[[], Awaitable[None]] | None = None,
    after: Callable[[], Awaitable[None]] | None = None,
    steady: Callable[[], float] = time.monotonic,
) -> FastAPI:
    """Builds the whole server as an ASGI application.

    `bots` lists the opponents; `judge` answers the coach's questions; `hosts` are further names;
    `before` and `after` start and stop what the service needs, such as the bot processes. `network`
    is what `industry play` can open. `steady` is the clock of the limits per address, in seconds.
    `ways` are those in which people are told that it is their turn.
    """
    limits = limits or Limits()
    parts = _Parts(service, AddressLimiter(limits, service.metrics, steady), persons, cups, ways)
    app = _App(title="Industry", lifespan=_lifespan(parts, before, after), **NO_DOCS)
    security = (origins, limits.frame_bytes, LARGER_BODIES, hosts, parts.limiter)
    app.add_middleware(SecurityMiddleware, *security)
    app.state.limiter = parts.limiter
    _add_routes(app, parts, bots, judge, origins, network)
    _add_operations(app, service)
    _add_sockets_and_pages(app, parts.sockets)
    return app


class _App(FastAPI):
    """Describes the answer to a refused request once for all routes: see `PROBLEMS`."""

    def openapi(self) -> dict[str, Any]:
        described = super().openapi()
        schema = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        described["components"]["schemas"][Problem.__name__] = schema
        return described


class _Parts:
    """What the routes use, around one service."""

    def __init__(
        self,
        service: Service,
        limiter: AddressLimiter,
        persons: PersonsMode,
        cups: CupsMode,
        ways: Ways | None,
    ) -> None:
        self.service = service
        self.limiter = limiter
        self.sockets = SocketServer(service, limiter)
        self.replays = Replays(service.catalogue.by_hash)
        self.reviews = Reviews(service)
        self.lobby = Lobby(service, limiter)
        self.club = Club(service, persons)
        self.cups = Cups(service, self.lobby, self.club, cups)
        self.notices = Notices(service, ways or Ways())
        self.ratings = RatingKeeper(service, self.reviews, enabled=persons != "off")

    def in_background(self) -> list["BackgroundPart"]:
        """Returns what runs in the background of a server."""
        found: list[BackgroundPart] = [self.reviews, self.notices, self.ratings]
        return [*found, self.cups.driver] if self.cups.is_on else found


def _add_routes(
    app: FastAPI,
    parts: _Parts,
    bots: Callable[[], Awaitable[Bots]],
    judge: MoveJudge,
    origins: tuple[str, ...],
    network: Network | None,
) -> None:
    service, lobby, club, limiter = parts.service, parts.lobby, parts.club, parts.limiter
    reviewing = parts.reviews, limiter, parts.replays.answer
    for router in (
        api_router(service, lobby, bots, club),
        daily_router(service, lobby),
        person_router(service, club, limiter, origins),
        cup_router(parts.cups, club, limiter),
        rating_router(service, club, parts.ratings),
        notice_router(service, parts.notices, limiter, lobby, club),
        replay_router(parts.replays, limiter),
        lesson_router(lobby, service.driver, judge),
        network_router(network),
        review_router(service, *reviewing),
        level_router(parts.reviews, club, limiter),
        advice_router(service, lobby, *reviewing),
    ):
        app.router.routes.extend(router.routes)  # included, FastAPI would build each a second time


class BackgroundPart(Protocol):
    """A part of the server that works in the background."""

    def start(self) -> None: ...

    async def stop(self) -> None: ...


def _lifespan(
    parts: _Parts,
    before: Callable[[], Awaitable[None]] | None,
    after: Callable[[], Awaitable[None]] | None,
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """Returns the context that starts the server's parts in order and stops them in reverse."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            if before is not None:
                await before()
            if after is not None:
                stack.push_async_callback(after)
            await parts.service.start()
            stack.push_async_callback(parts.service.stop)
            for part in parts.in_background():
                part.start()
                stack.push_async_callback(part.stop)
            stack.push_async_callback(parts.replays.stop)
            stack.push_async_callback(parts.sockets.stop)
            yield

    return lifespan


def _add_sockets_and_pages(app: FastAPI, sockets: SocketServer) -> None:
    @app.websocket("/api/tables/{table}/socket")
    async def socket(websocket: WebSocket, table: str) -> None:
        await sockets.serve(websocket, table)

    @app.get("/{path:path}", include_in_schema=False)
    async def pages(path: str) -> Response:
        return page(path)


def _add_operations(app: FastAPI, service: Service) -> None:
    add_errors(app, lambda code: service.metrics.errors.labels(code).inc())

    @app.get("/healthz", include_in_schema=False)
    async def health() -> Response:
        """Says whether the server can work: 503 while the store cannot be read, or while the last
        commit has failed and nothing can be written.
        """
        try:
            await service.store.check()
        except StoreUnavailable:
            return error_response("store_unavailable")
        if service.store.is_out_of_touch:  # players would see old positions
            return error_response("store_unavailable")
        return JSONResponse({"status": "stopping" if service.is_stopping else "ok"})

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return Response(service.metrics.page(), media_type=CONTENT_TYPE)


def add_errors(app: FastAPI, count: Callable[[str], None] = lambda code: None) -> None:
    """Answers errors with codes; the cause is only written to the log."""

    def counted(response: Response, code: str) -> Response:
        count(code)
        return response

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> Response:
        return counted(error_response(error.code, error.detail, error.retry_after), error.code)

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: RequestValidationError) -> Response:
        first: dict[str, Any] = error.errors()[0] if error.errors() else {}
        place = ".".join(str(part) for part in first.get("loc", ())[1:])
        if first.get("loc", ("",))[0] == "path":
            return counted(error_response("not_found"), "not_found")
        return counted(error_response("bad_message", place[:200]), "bad_message")

    @app.exception_handler(HTTPException)
    async def unknown(_: Request, error: HTTPException) -> Response:
        if error.status_code == 400:  # a body that no parser accepts
            return counted(error_response("bad_message"), "bad_message")
        answer = error_response("not_found")
        answer.status_code = error.status_code
        answer.headers.update(error.headers or {})
        return counted(answer, "not_found")

    @app.exception_handler(Exception)
    async def failed(_: Request, error: Exception) -> Response:
        log_error("request_failed", error)
        return counted(error_response("internal"), "internal")


def uvicorn_config(app: FastAPI, limits: Limits | None = None, **settings: Any) -> uvicorn.Config:
    """Returns uvicorn's configuration for the application; `settings` override the defaults."""
    limits = limits or Limits()
    limiter = getattr(app.state, "limiter", None) or AddressLimiter(limits, Metrics())
    proxies = str(settings.get("forwarded_allow_ips", "127.0.0.1")).split(",")
    defaults: dict[str, Any] = {
        "http": limited_http_protocol(limiter, proxies),
        "ws": FastWebSocketProtocol,
        "ws_max_size": LARGEST_FRAME,
        "ws_ping_interval": limits.heartbeat,
        "ws_ping_timeout": limits.heartbeat,
        "ws_per_message_deflate": False,
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "date_header": False,
        "timeout_graceful_shutdown": 10,
    }
    return uvicorn.Config(app, **(defaults | settings))
