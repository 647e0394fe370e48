"""Work that a server repeats in the background: at once when woken, whatever went wrong before."""

import asyncio

import pytest

from industry.server.background import RepeatedTask
from industry.server.store import StoreUnavailable

NEVER = 3600.0
"""Seconds; nothing here waits that long."""


class Work:
    """Counts how often it is done, and fails as it is told."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.done = 0
        self.changed = asyncio.Condition()

    async def __call__(self) -> None:
        async with self.changed:
            self.done += 1
            self.changed.notify_all()
        if self.failures:
            raise self.failures.pop(0)

    async def times(self, times: int) -> None:
        async with self.changed:
            await self.changed.wait_for(lambda: self.done >= times)


@pytest.mark.asyncio
async def test_work_is_done_at_the_start_and_whenever_it_is_woken() -> None:
    work = Work()
    task = RepeatedTask(work, NEVER, failure="work_failed")
    task.start()
    for times in (1, 2, 3):
        await work.times(times)
        task.wake()
    await work.times(4)
    await task.stop()
    assert work.done == 4


@pytest.mark.asyncio
async def test_work_that_is_woken_while_it_is_done_is_done_once_more() -> None:
    times = 0
    again = asyncio.Event()

    async def work() -> None:
        nonlocal times
        times += 1
        if times == 1:
            task.wake()
        else:
            again.set()

    task = RepeatedTask(work, NEVER, failure="work_failed")
    task.start()
    await again.wait()
    await task.stop()


@pytest.mark.asyncio
async def test_work_is_repeated_at_intervals_after_errors(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """An unavailable database is no news here: the store logs it."""
    work = Work(StoreUnavailable(), ValueError("odd row"))
    task = RepeatedTask(work, 0.001, failure="work_failed")
    task.start()
    await work.times(3)
    await task.stop()
    assert [record.getMessage() for record in caplog.records] == ["work_failed"]
