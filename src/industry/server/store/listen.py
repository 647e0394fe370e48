"""PostgreSQL tells each process which tables others have appended to."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import URL

from ..logs import note

CHANNEL = "industry"
PAUSE = 1.0
"""Seconds before a lost connection is tried again."""

OnNews = Callable[[str, int], Awaitable[None]]
"""Told of a table and the version that another process has brought it to."""
OnGap = Callable[[], Awaitable[None]]
"""Told that news may have been missed."""


class Listener:
    """Listens until it is stopped, whatever happens to the connection."""

    def __init__(self, url: URL, origin: str, on_news: OnNews, on_gap: OnGap) -> None:
        self._url = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._origin = origin
        self._on_news = on_news
        self._on_gap = on_gap
        self._task: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()

    async def start(self) -> None:
        """Returns once news arrive."""
        self._task = asyncio.create_task(self._run())
        await self._listening.wait()

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        import psycopg  # installed with the extra `postgres`

        while True:
            try:
                await self._listen(psycopg)
            except (psycopg.Error, OSError):
                note("listener_lost")
            await asyncio.sleep(PAUSE)

    async def _listen(self, psycopg: Any) -> None:
        connection = await psycopg.AsyncConnection.connect(
            self._url, autocommit=True, connect_timeout=5, keepalives_idle=10
        )
        async with connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            if self._listening.is_set():
                await self._on_gap()
            self._listening.set()
            async for news in connection.notifies():
                table, version, origin = news.payload.split(" ")
                if origin != self._origin:
                    await self._on_news(table, int(version))
