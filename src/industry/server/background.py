"""Background tasks that belong to an object and end with it."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from .logs import log_error
from .store.rows import StoreUnavailable


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


class RepeatedTask:
    """Does some work again and again: when it is woken, and otherwise at intervals.

    While the database is unavailable nothing happens, because the store logs that; any other error
    is logged as `failure`. Either way the work is tried again.
    """

    def __init__(
        self, work: Callable[[], Awaitable[object]], seconds: float, *, failure: str
    ) -> None:
        self._work = work
        self._seconds = seconds
        self._failure = failure
        self._woken = asyncio.Event()
        self._task = BackgroundTask()

    def start(self) -> None:
        """Does the work now, and again until `stop`."""
        self._task.start(self._run())

    async def stop(self) -> None:
        """Cancels the work, if it is being done, and waits for its end."""
        await self._task.stop()

    def wake(self) -> None:
        """Lets the work be done now; if it is being done, once more after that."""
        self._woken.set()

    async def _run(self) -> None:
        while True:
            self._woken.clear()
            try:
                await self._work()
            except StoreUnavailable:
                pass
            except Exception as error:
                log_error(self._failure, error)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), self._seconds)
