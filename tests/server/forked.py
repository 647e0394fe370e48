"""`industry serve` as a process that can be killed and is back within a second.

A process that has imported the program forks the servers; else every start would take the time of
all imports. No bot plays at the tables of these tests, so their bots' processes end at once.
"""

import multiprocessing
import os
import signal
import sys
from contextlib import suppress
from multiprocessing.context import ForkServerProcess
from multiprocessing.spawn import set_executable
from pathlib import Path
from typing import Any, Self

import httpx

from industry.cli import main
from industry.server import bot_pool
from tests.cli.running import PROGRAM
from tests.support.waiting import PATIENCE, wait_until

from .playing import WIDE_SETTINGS, Json, free_port

PRELOADED = ("tests.server.forked", "industry.cli.serve", "alembic.runtime.migration", "psycopg")

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["__main__", *PRELOADED])


def _serve(args: tuple[str, ...], log: str, settings: dict[str, str], helpers: bool) -> None:
    """The command in a process of its own; what it says goes into a file."""
    for number in (sys.stdout.fileno(), sys.stderr.fileno()):
        os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), number)
    os.environ.update(settings)
    if helpers:
        setattr(bot_pool, "serve", sys.exit)  # noqa: B010  (a name that it imports)
    else:
        set_executable("/bin/true")
    sys.argv = [PROGRAM[0], *args]
    main()


def resident_memory(pid: int) -> int:
    """What a process occupies, in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Forked:
    """A server that keeps its port and its database over all of its lives."""

    def __init__(
        self,
        folder: Path,
        database: str,
        port: int | None = None,
        *,
        settings: dict[str, str] | None = None,
        helpers: bool = False,
    ) -> None:
        """`settings` as environment, by default without limits of addresses; `helpers`: records
        are replayed in a process, as always, and only bots have none.
        """
        self.options: tuple[str, ...] = ()
        self._settings = WIDE_SETTINGS if settings is None else settings
        self._helpers = helpers
        self.database = database
        self.log = folder / "server.log"
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: ForkServerProcess | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        assert self._process is not None
        assert self._process.pid is not None
        return self._process.pid

    def start(self) -> None:
        """Returns before the server answers; clients knock until it does."""
        args = ("serve", "--port", str(self.port), "--database", self.database, *self.options)
        more = (str(self.log), self._settings, self._helpers)
        self._process = _context.Process(target=_serve, args=(args, *more))
        self._process.start()

    def kill(self, number: int = signal.SIGKILL) -> None:
        """End it, by default without a chance to do anything more."""
        if self._process is not None:
            with suppress(ProcessLookupError):  # it has ended by itself, or was killed before
                os.kill(self.pid, number)
            self._process.join(PATIENCE)
            self._process.close()
            self._process = None

    def is_alive(self) -> bool:
        return self._process is not None and self._process.is_alive()

    def memory(self) -> int:
        """What the process occupies, in bytes."""
        return resident_memory(self.pid)

    def http(self, method: str, path: str, **more: Any) -> httpx.Response:
        """A request that waits until the server is there."""
        answers: list[httpx.Response] = []

        def is_answered() -> bool:
            try:
                answers.append(httpx.request(method, f"{self.url}{path}", timeout=PATIENCE, **more))
            except httpx.TransportError:
                assert self.is_alive(), self.log.read_text()[-2000:]
            return bool(answers)

        wait_until(is_answered, lambda: self.log.read_text()[-2000:])
        return answers[0]

    def get(self, path: str) -> Json:
        response = self.http("GET", path)
        assert response.is_success, response.text
        answer: Json = response.json()
        return answer

    def until_ready(self) -> Self:
        self.get("/healthz")
        return self
