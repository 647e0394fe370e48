"""The editor's application: three requests behind a token, and the page."""

import hmac
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, Query
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import Response

from ..api import Token
from ..app import add_errors
from ..errors import Refused
from ..middleware import SecurityMiddleware
from ..pages import STATIC, page
from ..protocol.editor import Check, Checked, FileName, Opened, Save, Saved
from .board_file import BoardFile
from .drafts import checked

PAGE = "editor.html"
HOSTS = ["127.0.0.1", "localhost"]
"""Other host names are refused: a foreign page could point one at this machine (DNS rebinding)."""
MAX_BODY = 1_000_000


def editor_app(file: BoardFile, token: str, static: Path = STATIC) -> FastAPI:
    """Builds the application for one board file; the token allows reading and writing it."""

    def expect_token(given: Token) -> None:
        if given is None or not hmac.compare_digest(given.encode(), token.encode()):
            raise Refused("bad_token")

    app = FastAPI(title="Industry: board editor", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(SecurityMiddleware, origins=(), most_bytes=MAX_BODY)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)
    router = APIRouter(prefix="/api/editor", dependencies=[Depends(expect_token)])

    @router.get("/sheet")
    def sheet(name: Annotated[FileName | None, Query()] = None) -> Opened:
        return file.opened(name)

    @router.post("/check")
    def check(wish: Check) -> Checked:
        return checked(wish.draft, wish.name)

    @router.post("/save")
    def save(wish: Save) -> Saved:
        return file.save(wish)

    app.include_router(router)
    add_errors(app)

    @app.get("/{path:path}", include_in_schema=False)
    async def pages(path: str) -> Response:
        return page(path or (PAGE if (static / PAGE).is_file() else ""), static)

    return app
