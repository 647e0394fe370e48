"""A bad line between clients and a server: it drops, delays, repeats and cuts."""

import asyncio
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import WebSocketException

from tests.support.waiting import PATIENCE

from .playing import free_port

CHANCES = {"drop": 0.02, "delay": 0.2, "repeat": 0.1, "cut": 0.02}
"""How often each befalls a message, in both directions."""


class BadLine:
    """Forwards whole messages, because TCP would repair everything below them."""

    def __init__(self, target: int, rng: Random) -> None:
        self.port = free_port()
        self.done: Counter[str] = Counter()
        """How often each trouble was made."""
        self.is_bad = True
        self._target = target
        self._rng = rng
        self._server: Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await serve(
            self._carry,
            "127.0.0.1",
            self.port,
            max_size=None,
            ping_interval=None,
            close_timeout=0.2,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    async def _carry(self, client: ServerConnection) -> None:
        assert client.request is not None
        address = f"ws://127.0.0.1:{self._target}{client.request.path}"
        async with connect(
            address, max_size=None, ping_interval=None, open_timeout=PATIENCE, close_timeout=0.2
        ) as server:
            ways = [
                asyncio.create_task(self._forward(client, server)),
                asyncio.create_task(self._forward(server, client)),
            ]
            await asyncio.wait(ways, return_when="FIRST_COMPLETED")
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            client.transport.abort()
            server.transport.abort()

    async def _forward(
        self, source: ClientConnection | ServerConnection, to: ClientConnection | ServerConnection
    ) -> None:
        """Until one side ends, or the line is cut in the midst of a message."""
        with suppress(WebSocketException, OSError):
            async for message in source:
                trouble = self._trouble()
                if trouble == "cut":
                    return
                if trouble == "delay":
                    await asyncio.sleep(self._rng.uniform(0, 0.2))
                if trouble != "drop":
                    await to.send(message)
                if trouble == "repeat":
                    await to.send(message)

    def _trouble(self) -> str | None:
        if not self.is_bad:
            return None
        number = self._rng.random()
        for trouble, chance in CHANCES.items():
            number -= chance
            if number < 0:
                self.done[trouble] += 1
                return trouble
        return None
