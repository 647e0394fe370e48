"""The session's cookie: no script can read it, and no other site makes a browser send it."""

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Cookie, Depends, Request
from starlette.responses import Response

from .passkeys import Site
from .persons import SESSION

COOKIE = "industry_session"
LONGEST = 100
"""Characters of a session's secret that are looked at."""


def session_of(
    session: Annotated[str | None, Cookie(alias=COOKIE, include_in_schema=False)] = None,
) -> str | None:
    """Returns the secret of a request's session."""
    return session if session and len(session) <= LONGEST else None


Session = Annotated[str | None, Depends(session_of)]


def set_cookie(response: Response, request: Request, session: str) -> None:
    """Lets a browser keep a session."""
    response.set_cookie(
        COOKIE,
        session,
        max_age=SESSION // 1000,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def drop_cookie(response: Response) -> None:
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")


def site_of(request: Request, origins: tuple[str, ...]) -> Site:
    """Returns the site that a request is for; `origins` are those that the operator has named."""
    host = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
    own = f"{request.url.scheme}://{request.headers.get('host', '')}"
    return Site(host, (*origins, own))
