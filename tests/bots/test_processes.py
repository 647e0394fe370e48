"""Ctrl-C never tears apart what belongs together, whichever thread happens to catch it."""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext

import pytest

from industry.bots.processes import interrupts_blocked

STEPS = 100_000
"""Enough that Python looks for signals many times while they are taken."""


class Catcher(threading.Thread):
    """A thread that listens to signals and receives one on request."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._go = threading.Event()
        self.start()

    def run(self) -> None:
        self._go.wait()
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    def catch(self) -> None:
        self._go.set()
        self.join()


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """As a program in a terminal is; one that was started in the background ignores interrupts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("inner", [nullcontext, interrupts_blocked], ids=["single", "nested"])
@pytest.mark.parametrize("other", [False, True], ids=["main thread", "other thread"])
def test_an_interrupt_waits_for_the_end_of_the_outermost_block(
    inner: Callable[[], AbstractContextManager[None]], other: bool
) -> None:
    catcher = Catcher()
    steps = 0
    with pytest.raises(KeyboardInterrupt), interrupts_blocked():
        with inner():
            if other:
                catcher.catch()
            else:
                signal.raise_signal(signal.SIGINT)
        for _ in range(STEPS):
            steps += 1
    assert steps == STEPS


def test_a_process_that_was_started_in_the_block_never_sees_interrupts() -> None:
    script = "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('alive')"
    with interrupts_blocked():
        started = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert started.stdout == "alive\n"


def test_after_the_block_interrupts_are_what_they_were() -> None:
    with interrupts_blocked():
        pass
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_program_that_ignores_interrupts_still_does() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    catcher = Catcher()
    with interrupts_blocked():
        catcher.catch()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
