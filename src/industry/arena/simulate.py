"""Games on all cores: in order, whatever the number of processes, and stoppable at any time."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

from industry.engine.compiled import is_warm

from .games import Batch, Plan, play_batch

BATCH = 250
"""Games per piece of work: a few hundredths of a second compiled."""
WORTH_COMPILING = 400
"""Below so many games the interpreter is done before a cold compiler."""
WORTH_PROCESSES = 2000


def simulate(plan: Plan, processes: int | None = None) -> Generator[Batch, None, None]:
    """The games of a plan, batch by batch and in order.

    The games depend on the plan alone: not on the number of processes, nor on how the rules run.
    """
    fast = plan.games >= WORTH_COMPILING or is_warm()
    pieces = _pieces(plan, BATCH if fast else 10)
    processes = processes or os.cpu_count() or 1
    if not fast or processes == 1 or plan.games < WORTH_PROCESSES:
        for piece in pieces:
            yield play_batch(piece, fast=fast)
        return
    yield play_batch(next(pieces))
    yield from _in_processes(pieces, processes)


def _pieces(plan: Plan, size: int) -> Iterator[Plan]:
    for offset in range(0, plan.games, size):
        games = min(size, plan.games - offset)
        yield replace(plan, first=plan.first + offset, games=games)


def _in_processes(pieces: Iterator[Plan], processes: int) -> Iterator[Batch]:
    """Keep every process busy with at most two pieces ahead, and hand results out in order."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context)
    waiting: deque[Future[Batch]] = deque()
    try:
        for piece in pieces:
            with interrupts_blocked():
                waiting.append(pool.submit(play_batch, piece))
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
