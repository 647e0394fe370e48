"""PostgreSQL notifications: which tables other processes have appended to."""

import asyncio
import json
import math
import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import URL, Connection, func, select, text

from ..background import BackgroundTask
from ..logs import log_error, log_event
from ..metrics import Metrics
from ..wire_events import Wire
from .orders import ORDERS_CHANNEL

CHANNEL = "industry"
CHAT_CHANNEL = "industry_chat"
"""Carries chat lines as JSON; version 0.1.0 does not listen to it."""
PAUSE = 1.0
"""Seconds before a lost connection is opened again."""
OUT_OF_TOUCH_AFTER = 30.0
"""Seconds without a connection after which this process counts as unhealthy."""
LEVEL = 3
"""The level of what this version writes to logs. Raise it with every new kind of entry or key; a
process writes no more than the oldest listening process can read.
"""
PROGRAM = "industry/"
"""Prefix of a listening connection's application name, before its level; 0.1.0 sets none."""

GONE = 2**31 - 1
"""Sent as the version of a deleted table: no table gets that far."""

OnNews = Callable[[str, int], None]
"""Called with a table and the version that another process has brought it to."""
OnChat = Callable[[str, Wire], None]
"""Called with a table and a chat line of another process."""
OnOrders = Callable[[str], None]
"""Called with a table at which another process has changed orders."""
OnGap = Callable[[], None]
"""Called when notifications may have been missed."""

_LISTENERS = text(
    "SELECT application_name FROM pg_stat_activity "
    f"WHERE datname = current_database() AND query = 'LISTEN {CHANNEL}'"
)


class NotificationListener:
    """Listens until it is stopped, and reconnects whenever the connection is lost."""

    def __init__(
        self,
        url: URL,
        origin: str,
        on_news: OnNews,
        on_gap: OnGap,
        on_chat: OnChat,
        on_orders: OnOrders,
        metrics: Metrics,
    ) -> None:
        self._url = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._origin = origin
        self._on_news = on_news
        self._on_gap = on_gap
        self._on_chat = on_chat
        self._on_orders = on_orders
        self._metrics = metrics
        self._task = BackgroundTask()
        self._listening = asyncio.Event()
        self._lost = math.inf
        """When the connection was lost, in `time.monotonic` time."""

    @property
    def is_out_of_touch(self) -> bool:
        """Checks whether the connection has been lost for so long that people would notice."""
        return time.monotonic() - self._lost >= OUT_OF_TOUCH_AFTER

    async def start(self) -> None:
        """Returns once notifications arrive."""
        self._task.start(self._run())
        await self._listening.wait()

    async def stop(self) -> None:
        await self._task.stop()

    async def _run(self) -> None:
        import psycopg  # installed with the extra `postgres`

        while True:
            try:
                await self._listen(psycopg)
            except (psycopg.Error, OSError) as error:
                log_event("listener_lost", cause=str(error).partition("\n")[0])
            except Exception as error:
                log_error("listener_failed", error)
            self._lost = min(self._lost, time.monotonic())
            self._metrics.listening.set(0)
            await asyncio.sleep(PAUSE)

    async def _listen(self, psycopg: Any) -> None:
        connection = await psycopg.AsyncConnection.connect(
            self._url,
            autocommit=True,
            connect_timeout=5,
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=3,
            application_name=f"{PROGRAM}{LEVEL}",
        )
        async with connection:
            await connection.execute(f"LISTEN {CHAT_CHANNEL}")
            await connection.execute(f"LISTEN {ORDERS_CHANNEL}")
            await connection.execute(f"LISTEN {CHANNEL}")  # last: `common_level` looks for it
            if self._listening.is_set():
                log_event("listener_back")
                self._on_gap()
            self._lost = math.inf
            self._metrics.listening.set(1)
            self._listening.set()
            async for news in connection.notifies():
                self._hear(news.channel, news.payload)

    def _hear(self, channel: str, payload: str) -> None:
        """Handles one notification; an odd one is logged and does not stop the listener."""
        try:
            if channel == CHAT_CHANNEL:
                data = json.loads(payload)
                if data["origin"] != self._origin:
                    self._on_chat(data["table"], data["line"])
                return
            if channel == ORDERS_CHANNEL:
                table, origin = payload.split(" ")
                if origin != self._origin:
                    self._on_orders(table)
                return
            table, version, origin = payload.split(" ")[:3]
            if origin != self._origin:
                self._on_news(table, int(version))
        except Exception as error:
            log_error("odd_notification", error)


def send_chat(connection: Connection, table: str, line: Wire, origin: str) -> None:
    """Sends a chat line to the other processes; nothing of it is stored."""
    payload = json.dumps({"table": table, "line": line, "origin": origin})
    connection.execute(select(func.pg_notify(CHAT_CHANNEL, payload)))


def common_level(connection: Connection) -> int:
    """Returns the level that every process listening to this database can read."""
    levels = [LEVEL]
    for name in connection.scalars(_LISTENERS):
        found = str(name or "").removeprefix(PROGRAM)
        levels.append(int(found) if found.isdecimal() else 1)
    return min(levels)
