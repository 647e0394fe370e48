"""Opens `industry play` to the local network for a while, and closes it again.

Only the person at the machine may do that: the request must reach the first listener, from this
machine, under a name that only this machine has.
"""

import asyncio
import contextlib
import errno
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from fastapi import APIRouter, Request

from .errors import Refused
from .logs import log_event
from .protocol.http import NetworkState, NetworkWish

ELSEWHERE = ("192.0.2.1", "198.51.100.1")
"""Addresses reserved for documentation: used to ask for the local address, nothing is sent."""


class ListeningServer(Protocol):
    """The running server, which can listen on a further socket and stop that."""

    async def listen(self, listener: socket.socket) -> asyncio.Server: ...

    async def leave(self, server: asyncio.Server) -> None: ...


def own_addresses() -> list[str]:
    """Returns this machine's addresses in its networks, the most likely first."""
    found: list[str] = []
    for target in ELSEWHERE:
        with contextlib.suppress(OSError), socket.socket(type=socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        places = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        found += [str(place[4][0]) for place in places]
    return [address for address in dict.fromkeys(found) if _is_reachable(address)]


def _is_reachable(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    return not (ip.is_loopback or ip.is_unspecified or ip.is_link_local)


class Network:
    """The second listening socket of a server that otherwise only this machine can reach."""

    def __init__(
        self, listener: socket.socket, addresses: Callable[[], Sequence[str]] = own_addresses
    ) -> None:
        """`listener` is the first socket; `addresses` finds where a second one can listen."""
        host, self._port = listener.getsockname()[:2]
        self._local = (str(host), int(self._port))
        self._addresses = addresses
        self._listener: ListeningServer | None = None
        self._server: asyncio.Server | None = None
        self._address = ""
        self._lock = asyncio.Lock()

    def serve_with(self, listener: ListeningServer) -> None:
        self._listener = listener

    def is_for(self, request: Request) -> bool:
        """Checks that the person at this machine asks, through the first listener."""
        scope = request.scope
        client, server = scope.get("client"), scope.get("server")
        host = request.headers.get("host", "")
        names = {f"{name}:{self._port}" for name in (self._local[0], "localhost")}
        return (
            client is not None
            and ipaddress.ip_address(client[0]).is_loopback
            and server is not None
            and tuple(server) == self._local
            and host in names
        )

    def state(self) -> NetworkState:
        return NetworkState(available=True, address=self._address, found=list(self._addresses()))

    async def open(self) -> NetworkState:
        """Listens in the network; raises `Refused` if that is not possible."""
        async with self._lock:
            if self._server is None:
                found = self._addresses()
                if self._listener is None or not found:
                    raise Refused("no_network")
                listener = _listening_socket(found[0], self._port)
                self._server = await self._listener.listen(listener)
                self._address = f"http://{found[0]}:{listener.getsockname()[1]}"
                log_event("network_opened", address=self._address)
            return self.state()

    async def close(self) -> NetworkState:
        """Stops listening in the network; connections from there are cut."""
        async with self._lock:
            if self._server is not None and self._listener is not None:
                await self._listener.leave(self._server)
                log_event("network_closed", address=self._address)
            self._server, self._address = None, ""
            return self.state()


def _listening_socket(address: str, port: int) -> socket.socket:
    """Listens at this address, on the same port or any free one if it is taken."""
    listener = socket.socket(socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        try:
            listener.bind((address, port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            listener.bind((address, 0))
        listener.listen(128)
    except OSError as error:
        listener.close()
        log_event("network_refused", address=address, text=error.strerror)
        raise Refused("no_network") from None
    return listener


def network_router(network: Network | None) -> APIRouter:
    """Builds the routes for the person at the machine; others find nothing to open."""
    router = APIRouter(prefix="/api")
    closed = NetworkState(available=False)

    @router.get("/network")
    async def look(request: Request) -> NetworkState:
        """Say whether the person at this machine can open the server to the network, or has."""
        return network.state() if network is not None and network.is_for(request) else closed

    @router.post("/network")
    async def change(request: Request, wish: NetworkWish) -> NetworkState:
        """Open the server to the network or close it, only from the machine itself."""
        if network is None or not network.is_for(request):
            raise Refused("not_host")
        act: Callable[[], Awaitable[NetworkState]] = network.open if wish.open else network.close
        return await act()

    return router
