"""What every request meets first: its origin, its size, and the headers of every answer."""

from collections.abc import Collection

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from .api import coded

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


class Guard:
    """Pages of other origins may not act here, and nobody may send more than is ever needed."""

    def __init__(
        self,
        app: ASGIApp,
        origins: Collection[str],
        most_bytes: int,
        larger: dict[str, int] | None = None,
    ) -> None:
        """`larger` has paths that may be sent more."""
        self._app = app
        self._origins = frozenset(origins)
        self._most_bytes = most_bytes
        self._larger = larger or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            if self._is_foreign(scope):
                await WebSocketClose(code=1008)(scope, receive, send)
                return
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, _with_headers(send))
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in SAFE:
            if self._is_foreign(scope):
                await coded("not_your_seat", "origin")(scope, receive, send)
                return
            most = self._larger.get(scope["path"], self._most_bytes)
            body = await _body(receive, most)
            if body is None:
                await coded("too_large")(scope, receive, send)
                return
            receive = _replaying(body, receive)
        await self._app(scope, receive, send)

    def _is_foreign(self, scope: Scope) -> bool:
        """Whether a page of another origin asks; programs that are no browsers name none."""
        headers = dict(scope["headers"])
        origin = headers.get(b"origin")
        if origin is None:
            return False
        host = headers.get(b"host", b"").decode("latin-1")
        secure = scope["scheme"] in ("https", "wss")
        own = f"{'https' if secure else 'http'}://{host}"
        return origin.decode("latin-1") not in self._origins | {own}


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *_RAW]
        await send(message)

    return send_with_headers


async def _body(receive: Receive, most: int) -> bytes | None:
    """The whole body; None where it is too large."""
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
