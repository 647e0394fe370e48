"""Runs a child process that answers one request at a time, through a pipe."""

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection

from industry.bots.processes import interrupts_blocked

START_SECONDS = 120.0
"""How long a process may take to start; importing Numba takes seconds on a busy machine."""


class ProcessLost(Exception):
    """The process did not answer; `kind` says why."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__(kind)


class ChildProcess:
    """The parent's side of a child process. All methods block: call them in a thread."""

    def __init__(self, serve: Callable[[Connection], None]) -> None:
        """`serve` sends None when it is ready, then an answer for everything it receives."""
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs,), daemon=True)
        self.boards: set[str] = set()
        """Hashes of the boards this process has been sent."""
        self._listens = False
        with interrupts_blocked():
            self.process.start()
        theirs.close()

    def request(self, what: object, seconds: float) -> object:
        """Sends a request and returns the answer; raises `ProcessLost` if none comes in time."""
        try:
            if not self._listens:
                self._answer(START_SECONDS)
                self._listens = True
            self.connection.send(what)
            return self._answer(seconds)
        except (OSError, EOFError):
            raise ProcessLost("crash") from None

    def next_reply(self, seconds: float) -> object:
        """Returns the next of several replies; raises `ProcessLost`."""
        try:
            return self._answer(seconds)
        except (OSError, EOFError):
            raise ProcessLost("crash") from None

    def _answer(self, seconds: float) -> object:
        if not self.connection.poll(seconds):
            raise ProcessLost("hang")
        return self.connection.recv()

    def end(self) -> None:
        """Kills the process and closes the pipe."""
        self.process.kill()
        self.process.join()
        self.connection.close()
