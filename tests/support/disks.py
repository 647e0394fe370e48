"""A disk without room: no file may grow beyond a limit."""

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def limit_files(size: int) -> Callable[[], None]:
    """Returns what a new process does first (`preexec_fn`) to keep its files below this size."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@contextmanager
def small_disk(size: int) -> Iterator[None]:
    """Limits the files of this process for a while."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
