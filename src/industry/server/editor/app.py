"""The editor as an application: three questions behind a token, and the page."""

import hmac
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, Query
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import Response

from ..api import Token
from ..app import add_errors
from ..commands import Refused
from ..guard import Guard
from ..pages import STATIC, page
from ..protocol.editor import Check, Checked, FileName, Opened, Save, Saved
from .desk import Desk
from .drafts import checked

PAGE = "editor.html"
HOSTS = ["127.0.0.1", "localhost"]
"""No other name may lead here: a foreign page could give one to this machine's address."""
MAX_BODY = 1_000_000


def editor_app(desk: Desk, token: str, static: Path = STATIC) -> FastAPI:
    """The application for one desk; whoever has the token may read and write there."""

    def expect_token(given: Token) -> None:
        if given is None or not hmac.compare_digest(given.encode(), token.encode()):
            raise Refused("bad_token")

    app = FastAPI(title="Industry: board editor", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, origins=(), most_bytes=MAX_BODY)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)
    router = APIRouter(prefix="/api/editor", dependencies=[Depends(expect_token)])

    @router.get("/sheet")
    def sheet(name: Annotated[FileName | None, Query()] = None) -> Opened:
        return desk.opened(name)

    @router.post("/check")
    def check(wish: Check) -> Checked:
        return checked(wish.draft, wish.name)

    @router.post("/save")
    def save(wish: Save) -> Saved:
        return desk.save(wish)

    app.include_router(router)
    add_errors(app)

    @app.get("/{path:path}", include_in_schema=False)
    async def pages(path: str) -> Response:
        return page(path or (PAGE if (static / PAGE).is_file() else ""), static)

    return app
