"""Deletes what is no longer needed: old games if the operator says so, and old webhooks."""

import asyncio
from typing import TYPE_CHECKING

from .background import BackgroundTask
from .logs import log_error, log_event

if TYPE_CHECKING:
    from .service import Service

DAY = 24 * 60 * 60 * 1000
EVERY = 60 * 60.0
"""Seconds between two sweeps."""
HOOKS_KEPT = DAY
"""Milliseconds for which a webhook is kept after its game is over."""


class Retention:
    """Sweeps once an hour; without `retention_days` finished games are kept."""

    def __init__(self, service: "Service") -> None:
        self._service = service
        self._task = BackgroundTask()

    def start(self) -> None:
        self._task.start(self._run())

    async def stop(self) -> None:
        await self._task.stop()

    async def _run(self) -> None:
        while True:
            try:
                await self.sweep()
            except Exception as error:  # the next sweep tries again
                log_error("retention_failed", error)
            await asyncio.sleep(EVERY)

    async def sweep(self) -> int:
        """Deletes what has expired; returns the number of tables."""
        service, days = self._service, self._service.tuning.retention_days
        await service.store.drop_hooks(service.now() - HOOKS_KEPT)
        count = 0
        while days:
            names = await service.store.finished_before(service.now() - days * DAY)
            for name in names:
                await service.remove(name)
            count += len(names)
            if not names:
                break
        if count:
            log_event("tables_expired", tables=count)
        return count
