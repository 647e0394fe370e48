"""Locks a file so that only one process at a time uses it, on every system."""

import contextlib
from pathlib import Path

from filelock import FileLock, Timeout


class Taken(Exception):
    """Another process uses the file."""


class Hold:
    """Keeps other processes from a file until it is released or this process ends, however it ends.

    What is locked is a file beside it, NAME.lock: Windows would not let anybody read a locked file.
    A link and its target are the same file.
    """

    def __init__(self, path: Path) -> None:
        """Raises `Taken` if another process holds the file, `OSError` if it cannot be locked."""
        self._place = Path(f"{path.resolve()}.lock")
        self._lock = FileLock(self._place, thread_local=False)
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise Taken from None

    def release(self) -> None:
        """Lets others use the file; leaves nothing beside it."""
        if self._lock.is_locked:
            with contextlib.suppress(OSError):  # Windows removes it with the lock
                self._place.unlink()
            self._lock.release()
