"""A background task that belongs to an object and ends with it."""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any


class BackgroundTask:
    """Runs one coroutine until it is stopped."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs a coroutine in the background."""
        self._task = asyncio.create_task(work)

    async def stop(self) -> None:
        """Cancels the coroutine, if it runs, and waits for its end."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
