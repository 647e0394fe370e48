"""Executors: one interface for this process, the cores of this machine and a cluster."""

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from multiprocessing import resource_tracker
from typing import Any, Protocol, TypeVar

from industry.bots.processes import HAS_MASKS
from industry.bots.processes import interrupts_blocked as interrupts_blocked
from industry.bots.processes import serve_parent as serve_parent

Output = TypeVar("Output")


class Executor(Protocol):
    """Runs pieces of work somewhere. Results must not depend on where."""

    @property
    def size(self) -> int:
        """Returns how many pieces are worked on at once."""
        ...

    def prepare(self, work: Callable[..., object], *job: Any) -> None:
        """Runs a first piece once on every machine, so that machine code exists for the rest."""
        ...

    def map(
        self, work: Callable[..., Output], jobs: Iterable[tuple[Any, ...]]
    ) -> Generator[Output, None, None]:
        """Yields the results of `work(*job)` in the order of the jobs, each exactly once."""
        ...


class InProcess:
    """Runs work in this process, for jobs too small to start another process."""

    size = 1

    def prepare(self, work: Callable[..., object], *job: Any) -> None:
        """Does nothing: the first piece of work prepares the others."""

    def map(
        self, work: Callable[..., Output], jobs: Iterable[tuple[Any, ...]]
    ) -> Generator[Output, None, None]:
        for job in jobs:
            yield work(*job)


class Processes:
    """Runs work on the cores of this machine."""

    def __init__(self, count: int | None = None) -> None:
        self._count = count or os.cpu_count() or 1

    @property
    def size(self) -> int:
        return self._count

    def prepare(self, work: Callable[..., object], *job: Any) -> None:
        work(*job)

    def map(
        self, work: Callable[..., Output], jobs: Iterable[tuple[Any, ...]]
    ) -> Generator[Output, None, None]:
        return in_processes(work, jobs, self._count)


def executor_for(much: bool, processes: int | None) -> Executor:
    """Returns several processes for a lot of work, if allowed; otherwise this process."""
    found = Processes(processes)
    return found if much and found.size > 1 else InProcess()


class WithProgress:
    """Wraps an executor and reports how many pieces of the current work are done."""

    def __init__(self, executor: Executor, report: Callable[[int], None]) -> None:
        self._executor = executor
        self._report = report

    @property
    def size(self) -> int:
        return self._executor.size

    def prepare(self, work: Callable[..., object], *job: Any) -> None:
        self._executor.prepare(work, *job)

    def map(
        self, work: Callable[..., Output], jobs: Iterable[tuple[Any, ...]]
    ) -> Generator[Output, None, None]:
        with closing(self._executor.map(work, jobs)) as results:
            for done, result in enumerate(results, start=1):
                self._report(done)
                yield result


def in_processes(
    work: Callable[..., Output], jobs: Iterable[tuple[Any, ...]], processes: int
) -> Generator[Output, None, None]:
    """Yields the results of `work(*job)` in order; every process has at most two jobs ahead."""
    keep_interrupts_blocked()
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context, initializer=serve_parent)
    waiting: deque[Future[Output]] = deque()
    try:
        for job in jobs:
            with interrupts_blocked():
                waiting.append(pool.submit(work, *job))
            if len(waiting) >= 2 * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def keep_interrupts_blocked() -> None:
    """Makes `interrupts_blocked` hold for the first process as well.

    With its first process Python starts a resource tracker and then unblocks interrupts, whether
    they were blocked before or not. So the tracker is started first.
    """
    if HAS_MASKS:
        resource_tracker.ensure_running()
