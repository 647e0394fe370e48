"""Requests of the server to addresses that strangers have named, never into a private network."""

import asyncio
import ipaddress
import socket
from collections import Counter
from collections.abc import Mapping
from urllib.parse import urlsplit

import httpx

from industry import __version__

TIMEOUT = 10.0
NAT64 = ipaddress.ip_network("64:ff9b::/96")
NOT_PUBLIC = tuple(
    ipaddress.ip_network(network)
    for network in ("192.0.0.0/24", "192.88.99.0/24", "fec0::/10", "::/96", "64:ff9b:1::/48")
)
"""Special-purpose networks that some Python versions of `ipaddress` count as public."""
HOSTS = 1000
"""How many hosts are counted at a time."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class BadHook(ValueError):
    """A URL that cannot be called."""


def check_hook(url: str) -> None:
    """Raises `BadHook` if a URL can be refused without resolving its host."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BadHook("not an address") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise BadHook("not an address of a web server")
    if parts.username is not None or parts.password is not None:
        raise BadHook("an address with a name or a password in it")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise BadHook("an address with letters that must be escaped")


def is_public(address: Address) -> bool:
    """Checks whether an address is public, including IPv4 addresses wrapped in IPv6."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        if address.teredo is not None:
            return False
        if inner is not None:
            return is_public(inner)
    special = any(address in network for network in NOT_PUBLIC)
    return address.is_global and not address.is_multicast and not special


class SparedHosts:
    """Counts requests to each host, because many strangers may point to the same one."""

    def __init__(self, per_minute: int) -> None:
        self._most = per_minute
        self._called: Counter[str] = Counter()
        self._minute = 0

    def is_spared(self, host: str, now: int) -> bool:
        """Counts a request; checks whether the host had too many in this minute."""
        minute = now // 60_000
        if minute != self._minute or len(self._called) >= HOSTS:
            self._minute, self._called = minute, Counter()
        self._called[host] += 1
        return self._called[host] > self._most


class PublicClient:
    """Posts to public addresses only; every request checks where its host is now."""

    def __init__(self, *, private: bool = False) -> None:
        """`private` also allows private networks and this machine."""
        self._private = private
        # every call checks its address, so connections are not reused
        self._client = httpx.AsyncClient(
            timeout=TIMEOUT,
            follow_redirects=False,
            trust_env=False,
            limits=httpx.Limits(max_keepalive_connections=0),
            headers={"user-agent": f"industry/{__version__}"},
        )

    async def close(self) -> None:
        await self._client.aclose()

    async def post(self, address: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Returns the status of the answer, whose body is ignored.

        Calls the address that was checked, with the host name that was asked for. Raises `BadHook`,
        `httpx.HTTPError`, `OSError` or `UnicodeError`.
        """
        url = httpx.URL(address)
        found = await self._resolved(url)
        request = self._client.build_request(
            "POST",
            url.copy_with(host=str(found)),
            content=body,
            headers={"host": url.netloc.decode("ascii"), **headers},
            extensions={"sni_hostname": url.host},
        )
        response = await self._client.send(request, stream=True)
        await response.aclose()
        return response.status_code

    async def _resolved(self, url: httpx.URL) -> Address:
        port = url.port or (443 if url.scheme == "https" else 80)
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(url.host, port, type=socket.SOCK_STREAM)
        addresses = [ipaddress.ip_address(str(place[4][0]).partition("%")[0]) for place in found]
        for address in addresses:
            if self._private or is_public(address):
                return address
        raise BadHook("an address that is not public")
