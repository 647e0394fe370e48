"""The checks every request passes first (host, origin, size, rate), and security headers."""

import asyncio
import ipaddress
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .address_limits import AddressLimiter, address_of
from .api import error_response
from .errors import Refused

HEADERS = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
_RAW = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
SAFE = ("GET", "HEAD")
TARPIT = 1.0
"""Seconds that a refusal for too many requests is delayed, to slow the sender down."""
SLOWED = 500
"""How many refusals are delayed at the same time."""


class SecurityMiddleware:
    """Rejects requests from other origins, for other hosts, too large ones and too many."""

    def __init__(
        self,
        app: ASGIApp,
        origins: Collection[str],
        most_bytes: int,
        larger: dict[str, int] | None = None,
        hosts: Collection[str] = (),
        limiter: AddressLimiter | None = None,
    ) -> None:
        """`larger` gives paths with a larger body; `hosts` are further names of this server."""
        self._app = app
        self._origins = frozenset(origins)
        self._most_bytes = most_bytes
        self._larger = larger or {}
        self._hosts = own_hosts() | {_host_of(url) for url in origins} | {h.lower() for h in hosts}
        self._limiter = limiter
        self._slowed = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] == "http":
            send = _with_headers(send)
        refused = await self._refusal(scope)
        if refused is not None:
            await refused(scope, receive, send)
        elif scope["type"] == "http" and scope["method"] not in SAFE:
            await self._with_body(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _refusal(self, scope: Scope) -> Response | None:
        """Returns the response to a request that must not go any further."""
        if not self._is_own_host(scope):
            return error_response("wrong_host")
        reads = scope["type"] == "http" and scope["method"] in SAFE
        if not reads and self._is_foreign(scope):
            return error_response("not_your_seat", "origin")
        if self._limiter is not None:
            address = address_of(HTTPConnection(scope))
            try:
                self._limiter.spend(address, "requests")
            except Refused as refused:
                await self._slow_down()
                return error_response(refused.code, refused.detail, refused.retry_after)
            await self._limiter.wait_turn(address)
            await self._limiter.wait_common_turn()
        return None

    async def _slow_down(self) -> None:
        if self._slowed < SLOWED:
            self._slowed += 1
            try:
                await asyncio.sleep(TARPIT)
            finally:
                self._slowed -= 1

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        most = self._larger.get(scope["path"], self._most_bytes)
        body = await _body(receive, most)
        if body is None:
            await error_response("too_large")(scope, receive, send)
            return
        await self._app(scope, _replaying(body, receive), send)

    def _is_own_host(self, scope: Scope) -> bool:
        """Checks whether a request is meant for this server.

        Any page can point its own name at any address (DNS rebinding), but not claim our name.
        """
        for name, value in scope["headers"]:
            if name == b"host":
                host = _host_of(f"//{value.decode('latin-1')}")
                return host in self._hosts or _is_address(host)
        return True  # browsers always send it

    def _is_foreign(self, scope: Scope) -> bool:
        """Checks whether a page of another origin asks; programs other than browsers send no
        origin.
        """
        headers = dict(scope["headers"])
        origin = headers.get(b"origin")
        if origin is None:
            return False
        host = headers.get(b"host", b"").decode("latin-1")
        secure = scope["scheme"] in ("https", "wss")
        own = f"{'https' if secure else 'http'}://{host}"
        return origin.decode("latin-1") not in self._origins | {own}


def own_hosts() -> frozenset[str]:
    """Returns the names under which this machine is known without any setting."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name}.local"})


def _host_of(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *_RAW]
        await send(message)

    return send_with_headers


async def _body(receive: Receive, most: int) -> bytes | None:
    """Returns the whole body; None if it is too large."""
    body: bytes = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return body
        body += message.get("body", b"")
        if len(body) > most:
            return None
        if not message.get("more_body", False):
            return body


def _replaying(body: bytes, receive: Receive) -> Receive:
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
