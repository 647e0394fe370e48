"""Limits for connections, and for requests before they are parsed.

The HTTP parser accepts headers of any size for as long as they arrive. Here a request has a maximum
size and duration, an address a maximum number of connections, and some file descriptors are always
reserved for the rest of the server. A connection that cannot be accepted gets an answer and a line
in the log.
"""

import asyncio
import ipaddress
import logging
import os
import time
from collections.abc import Callable, Collection

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .address_limits import UNKNOWN, AddressLimiter, address_key
from .fast_websocket import FastWebSocketProtocol
from .logs import log_event
from .protocol.http import Problem
from .protocol.server import ErrorCode

RESERVE = 128
"""File descriptors reserved for the database, files and bots."""
MOST = 50_000
"""The most connections where the system does not limit descriptors."""
TELL_AGAIN = 10.0
"""Seconds before the log repeats that the server is full."""
STATUS_LINES = {408: "Request Timeout", 413: "Content Too Large", 429: "Too Many Requests"}
STATUS_LINES |= {431: "Request Header Fields Too Large", 503: "Service Unavailable"}


def raise_descriptors() -> None:
    """Raises the limit of file descriptors as far as the system allows without privileges."""
    try:
        import resource
    except ImportError:  # not available on every system
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST + RESERVE
    wished = most if hard == resource.RLIM_INFINITY else min(hard, most)
    if soft != resource.RLIM_INFINITY and soft < wished:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wished, hard))


def most_connections() -> int:
    """Returns how many connections there are descriptors for."""
    try:
        import resource
    except ImportError:
        return MOST
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return MOST
    return max(16, min(MOST, soft - min(RESERVE, soft // 4)))


class DescriptorWatch:
    """Logs when no descriptors are left, because connections then fail without any other sign."""

    def __init__(self) -> None:
        self._told = -TELL_AGAIN

    def look(self) -> None:
        try:
            os.close(os.dup(0))
        except OSError as error:
            if time.monotonic() - self._told >= TELL_AGAIN:
                self._told = time.monotonic()
                log_event("accept_failed", logging.ERROR, text=error.strerror)


class ConnectionCounter:
    """Counts connections per address and in total. Trusted proxies are not limited per address."""

    def __init__(
        self, limiter: AddressLimiter, proxies: Collection[str], most: int | None = None
    ) -> None:
        self._limiter = limiter
        self._proxies = tuple(_networks(proxies))
        self._trusts_all = "*" in proxies
        self._most = most or most_connections()
        self._open = 0
        self._told = -TELL_AGAIN

    def enter(self, host: str) -> tuple[Callable[[], None] | None, ErrorCode]:
        """Counts a connection; returns what ends the count, or None and why it is refused."""
        if self._open >= self._most:
            self._tell_full()
            return None, "busy"
        counted = not self._is_proxy(host)
        address = address_key(host)
        if counted and not self._limiter.acquire(address, "connections"):
            return None, "too_fast"
        self._count(1)

        def leave() -> None:
            self._count(-1)
            if counted:
                self._limiter.release(address, "connections")

        return leave, "busy"

    def _count(self, more: int) -> None:
        self._open += more
        self._limiter.metrics.connections.set(self._open)

    def _is_proxy(self, host: str) -> bool:
        if self._trusts_all:
            return True
        try:
            address = ipaddress.ip_address(host.partition("%")[0])
        except ValueError:
            return False
        return any(address in network for network in self._proxies)

    def _tell_full(self) -> None:
        self._limiter.metrics.limited.labels("descriptors").inc()
        if time.monotonic() - self._told >= TELL_AGAIN:
            self._told = time.monotonic()
            log_event("accept_failed", logging.ERROR, text="too many connections", most=self._most)


def _networks(
    proxies: Collection[str],
) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    found = []
    for proxy in proxies:
        try:
            found.append(ipaddress.ip_network(proxy, strict=False))
        except ValueError:  # "*", or the name of a socket file
            continue
    return found


class LimitedHttpProtocol(HttpToolsProtocol):
    """Uvicorn's protocol for one connection, with limits. Subclasses set the two attributes."""

    counter: ConnectionCounter
    limiter: AddressLimiter

    _leave: Callable[[], None] | None = None
    _deadline: asyncio.TimerHandle | None = None
    _received = 0
    """Bytes received of the current request."""
    _has_head = False
    _is_upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else UNKNOWN
        self._leave, code = self.counter.enter(host)
        if self._leave is None:
            self._refuse(
                429 if code == "too_fast" else 503, code, self.limiter.limits.address_pause
            )
        else:
            self._start()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)
        if self._leave is not None and not self._is_upgraded:
            self._leave()
            self._leave = None

    def data_received(self, data: bytes) -> None:
        """Passes data on in pieces no longer than what the request may still have."""
        limits = self.limiter.limits
        while data and not self._is_upgraded and not self.transport.is_closing():
            most = limits.request_bytes if self._has_head else limits.head_bytes
            room = most - self._received
            if room <= 0:
                self._refuse(413 if self._has_head else 431, "too_large")
                return
            piece, data = data[:room], data[room:]
            self._received += len(piece)
            super().data_received(piece)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._start()

    def on_headers_complete(self) -> None:
        self._has_head = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop()
        self._received, self._has_head = 0, False
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._stop()
        self._is_upgraded = True
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        if self._leave is not None:
            assert isinstance(protocol, FastWebSocketProtocol)
            protocol.on_end, self._leave = self._leave, None

    # The time limit of a request

    def _start(self) -> None:
        if self._deadline is None:
            seconds = self.limiter.limits.request_seconds
            self._deadline = self.loop.call_later(seconds, self._give_up)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if self.transport.is_closing():
            return
        if self._received == 0:  # browsers open connections in advance
            self.transport.close()
            return
        self.limiter.metrics.limited.labels("slow_requests").inc()
        self._refuse(408, "too_slow")

    def _refuse(self, status: int, code: ErrorCode, retry_after: float | None = None) -> None:
        """Answers without the application and closes the connection."""
        started = self.cycle is not None and self.cycle.response_started
        if not started or self.cycle.response_complete:
            self.transport.write(_answer(status, code, retry_after))
        self.transport.close()


def _answer(status: int, code: ErrorCode, retry_after: float | None) -> bytes:
    wait = None if retry_after is None else round(retry_after)
    body = Problem(code=code, retry_after=wait).model_dump_json(exclude_none=True)
    again = "" if wait is None else f"retry-after: {wait}\r\n"
    return (
        f"HTTP/1.1 {status} {STATUS_LINES[status]}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\ncache-control: no-store\r\n{again}"
        f"connection: close\r\n\r\n{body}"
    ).encode()


def limited_http_protocol(
    limiter: AddressLimiter, proxies: Collection[str]
) -> type[LimitedHttpProtocol]:
    """Returns the protocol class for a server with this limiter and these proxies."""
    counter = ConnectionCounter(limiter, proxies)
    return type("ServedProtocol", (LimitedHttpProtocol,), {"counter": counter, "limiter": limiter})
