"""Processes in which bots think: deaf to Ctrl-C, and gone when the one that started them is."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait


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
