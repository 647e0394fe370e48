"""Runs numerical work in a process whose linear algebra has one thread.

With another number of threads it adds numbers in another order, so results differ in the last
digits. The number is read when numpy is imported, which this process has long done.
"""

import multiprocessing
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from .executor import interrupts_blocked, keep_interrupts_blocked, serve_parent

Output = TypeVar("Output")

VARIABLES = (
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "OMP_NUM_THREADS",
)
"""By which the libraries that numpy may be built with choose their number of threads."""


class WorkError(RuntimeError):
    """The process ended before its work did; its error is on standard error."""


def in_one_thread(
    work: Callable[..., Iterator[Output]], *job: Any
) -> Generator[Output, None, None]:
    """Yields what the iterator `work(*job)` yields in the other process."""
    context = multiprocessing.get_context("spawn")
    connection, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(theirs, work, job), daemon=True)
    keep_interrupts_blocked()
    with interrupts_blocked(), _single_threaded():
        process.start()
    theirs.close()
    try:
        while found := connection.recv():
            yield found[0]
    except EOFError:
        process.join()
        raise WorkError(f"A process ended with exit code {process.exitcode}.") from None
    finally:
        with interrupts_blocked():
            process.terminate()
            process.join()
            connection.close()


@contextmanager
def _single_threaded() -> Iterator[None]:
    """Sets the variables for processes that start in the block."""
    before = {name: os.environ.get(name) for name in VARIABLES}
    os.environ.update(dict.fromkeys(VARIABLES, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _serve(
    connection: Connection, work: Callable[..., Iterator[object]], job: tuple[Any, ...]
) -> None:
    """Sends every output in a tuple of its own, then an empty one."""
    serve_parent()
    for output in work(*job):
        connection.send((output,))
    connection.send(())
