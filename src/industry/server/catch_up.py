"""Follows what other processes write to the tables of this one, each table separately."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from .logs import log_error
from .store import StoreUnavailable

PAUSE = 1.0
"""Seconds before a table is read again after the store was unavailable."""

CatchUp = Callable[[str, int], Awaitable[None]]
"""Brings a table up to a version; raises `StoreUnavailable` if it must be retried."""


class CatchUpTasks:
    """One task per table with news, so that a slow or damaged table delays no other."""

    def __init__(self, catch_up: CatchUp) -> None:
        self._catch_up = catch_up
        self._wanted: dict[str, int] = {}
        """The version that each table with a task must reach."""
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def hear(self, table: str, version: int) -> None:
        """Schedules bringing a table up to a version."""
        self._wanted[table] = max(version, self._wanted.get(table, 0))
        if table not in self._tasks:
            self._tasks[table] = asyncio.create_task(self._follow(table))

    async def _follow(self, table: str) -> None:
        while (version := self._wanted.pop(table, None)) is not None:
            try:
                await self._catch_up(table, version)
            except StoreUnavailable:
                self._wanted.setdefault(table, version)
                await asyncio.sleep(PAUSE)
            except Exception as error:
                log_error("catch_up_failed", error, table=table)
        del self._tasks[table]  # not when the task is done: what is heard until then would be lost

    async def stop(self) -> None:
        for task in list(self._tasks.values()):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
