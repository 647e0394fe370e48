"""Games on all cores: in order, whatever the number of processes, and stoppable at any time."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.connection import wait
from typing import Any, TypeVar

from industry.engine.compiled import is_warm

from .games import Batch, Plan, play_batch

Result = TypeVar("Result")

BATCH = 250
"""Games per piece of work: a few hundredths of a second compiled."""
WORTH_COMPILING = 400
"""Below so many games the interpreter is done before a cold compiler."""
WORTH_PROCESSES = 2000


def simulate(plan: Plan, processes: int | None = None) -> Generator[Batch, None, None]:
    """The games of a plan, batch by batch and in order.

    The games depend on the plan alone: not on the number of processes, nor on how the rules run.
    """
    loop = "record_games" if plan.record else "play_games"
    fast = plan.games >= WORTH_COMPILING or is_warm(loop, "score_games")
    pieces = _pieces(plan, BATCH if fast else 10)
    processes = processes or os.cpu_count() or 1
    if not fast or processes == 1 or plan.games < WORTH_PROCESSES:
        for piece in pieces:
            yield play_batch(piece, fast=fast)
        return
    yield play_batch(next(pieces))  # fills the cache of machine code before others need it
    yield from in_processes(play_batch, ((piece,) for piece in pieces), processes)


def _pieces(plan: Plan, size: int) -> Iterator[Plan]:
    for offset in range(0, plan.games, size):
        games = min(size, plan.games - offset)
        yield replace(plan, first=plan.first + offset, games=games)


def in_processes(
    work: Callable[..., Result], jobs: Iterable[tuple[Any, ...]], processes: int
) -> Generator[Result, None, None]:
    """Results of `work(*job)` in the order of the jobs; every process has at most two ahead."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context, initializer=leave_with_parent)
    waiting: deque[Future[Result]] = deque()
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


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Ctrl-C waits until the block is left; processes started in here never see it at all."""
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)


def leave_with_parent() -> None:
    """End this process as soon as the one that started it is gone, whatever it is doing."""

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            wait([parent.sentinel])
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
