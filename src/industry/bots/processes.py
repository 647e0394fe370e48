"""Processes in which bots think: they ignore Ctrl-C and end with the process that started them."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait
from types import FrameType

HAS_MASKS = hasattr(signal, "pthread_sigmask")
"""False on Windows, where each process must ignore interrupts itself: `serve_parent`."""


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Delays Ctrl-C until the block is left; processes started in the block ignore it."""
    with _interrupts_noted():
        if not HAS_MASKS:
            yield
            return
        previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, previous)


@contextmanager
def _interrupts_noted() -> Iterator[None]:
    """Notes interrupts and handles them at the end.

    A thread blocks signals only for itself: one that another thread receives, such as a progress
    bar's, is still handled in the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    noted: list[FrameType | None] = []
    handler = signal.signal(signal.SIGINT, lambda _, frame: noted.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if noted and callable(handler):
            handler(signal.SIGINT, noted[0])
        elif noted:
            signal.raise_signal(signal.SIGINT)


def serve_parent() -> None:
    """Ignores Ctrl-C, and ends this process as soon as the one that started it is gone."""
    if not HAS_MASKS:
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            wait([parent.sentinel])
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
