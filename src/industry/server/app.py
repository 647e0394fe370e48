"""The application: routes, sockets and pages around one service."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from .api import api_router, coded
from .commands import Refused
from .guard import Guard
from .hub import Hub
from .limits import Limits
from .lobby import Lobby
from .logs import note_error
from .metrics import CONTENT_TYPE
from .pages import page
from .protocol.http import Bots
from .replay_api import MAX_BODY, replay_router
from .service import Service
from .store import StoreUnavailable
from .wire import WireProtocol

LARGEST_FRAME = 65_536
"""A socket's frame up to here is answered as too large; beyond it the connection is cut."""


async def no_bots() -> Bots:
    return Bots(bots=[])


def make_app(
    service: Service,
    *,
    bots: Callable[[], Awaitable[Bots]] = no_bots,
    origins: tuple[str, ...] = (),
    limits: Limits | None = None,
    before: Callable[[], Awaitable[None]] | None = None,
    after: Callable[[], Awaitable[None]] | None = None,
) -> FastAPI:
    """The whole server as an ASGI application.

    `bots` lists the opponents; `before` and `after` start and stop what the service needs, such as
    the bots' processes.
    """
    limits = limits or Limits()
    hub = Hub(service, limits)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        if before is not None:
            await before()
        await service.start()
        try:
            yield
        finally:
            await hub.stop()
            await service.stop()
            if after is not None:
                await after()

    app = FastAPI(
        title="Industry",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.add_middleware(
        Guard,
        origins=origins,
        most_bytes=limits.frame_bytes,
        larger={"/api/replay": MAX_BODY, "/api/replay/worth": MAX_BODY},
    )
    app.include_router(api_router(service, Lobby(service), bots))
    app.include_router(replay_router(service.shelf.by_hash))
    _add_operations(app, service)
    add_errors(app, lambda code: service.metrics.errors.labels(code).inc())

    @app.websocket("/api/tables/{table}/socket")
    async def socket(websocket: WebSocket, table: str) -> None:
        await hub.serve(websocket, table)

    @app.get("/{path:path}", include_in_schema=False)
    async def pages(path: str) -> Response:
        return page(path)

    return app


def _add_operations(app: FastAPI, service: Service) -> None:
    @app.get("/healthz", include_in_schema=False)
    async def health() -> Response:
        """Whether the server can do its work: 200 while the store can be reached, else 503."""
        try:
            await service.store.count_unfinished()
        except StoreUnavailable:
            return coded("store_unavailable")
        return JSONResponse({"status": "stopping" if service.is_stopping else "ok"})

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return Response(service.metrics.page(), media_type=CONTENT_TYPE)


def add_errors(app: FastAPI, count: Callable[[str], None] = lambda code: None) -> None:
    """Errors have codes; what went wrong inside stands in the log only."""

    def counted(response: Response, code: str) -> Response:
        count(code)
        return response

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> Response:
        return counted(coded(error.code, error.detail), error.code)

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: RequestValidationError) -> Response:
        first: dict[str, Any] = error.errors()[0] if error.errors() else {}
        place = ".".join(str(part) for part in first.get("loc", ())[1:])
        if first.get("loc", ("",))[0] == "path":
            return counted(coded("not_found"), "not_found")
        return counted(coded("bad_message", place[:200]), "bad_message")

    @app.exception_handler(HTTPException)
    async def unknown(_: Request, error: HTTPException) -> Response:
        if error.status_code == 400:  # a body that no parser takes
            return counted(coded("bad_message"), "bad_message")
        answer = coded("not_found")
        answer.status_code = error.status_code
        answer.headers.update(error.headers or {})
        return counted(answer, "not_found")

    @app.exception_handler(Exception)
    async def failed(_: Request, error: Exception) -> Response:
        note_error("request_failed", error)
        return counted(coded("internal"), "internal")


def uvicorn_config(app: FastAPI, limits: Limits | None = None, **settings: Any) -> uvicorn.Config:
    """How the application is served; `settings` are uvicorn's own, such as host and port."""
    limits = limits or Limits()
    defaults: dict[str, Any] = {
        "ws": WireProtocol,
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
