"""The parent of several server processes: accepts connections and hands each to one of them.

It reads only what a connection sends first, without taking it, and looks for the name of a table.
All sockets of a table so reach the same process while that lives; any other serves it as well.
"""

import contextlib
import hashlib
import os
import re
import selectors
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ..logs import log_event

TABLE = re.compile(rb"^[A-Z]+ [^ ]*?/([a-z0-9]{12})(?=[/? ])")
"""The name of a table in the first line of a request."""
HEAD = 1024
"""How many bytes of a request are read."""
SILENT = 20.0
"""Seconds after which a connection that sends nothing is closed."""
WAITING = 2000
"""Connections that may be silent at once; the oldest is closed for a new one."""
HEARTBEAT = 0.5
"""Seconds between two signs of life of a process."""
UNWELL = 2.0
"""Seconds without a sign of life after which others get the connections of a process."""
PAUSE = 1.0
"""Seconds before a process that has ended is started again."""
STOPPING = 30.0
"""Seconds that processes have to end gracefully."""
CONNECTION, BEAT = b"c", b"."

Start = Callable[[int], subprocess.Popen[bytes]]
"""Starts a process that is handed connections through the given descriptor."""


@dataclass(eq=False)
class Worker:
    """One process, and the channel through which it is handed connections."""

    number: int
    process: subprocess.Popen[bytes]
    channel: socket.socket
    heard: float | None = None
    """Its last sign of life; None before the first, which it gives when it is ready."""

    @property
    def is_well(self) -> bool:
        return self.heard is not None and time.monotonic() - self.heard < UNWELL


@dataclass(frozen=True, slots=True)
class Visitor:
    """A connection that has sent nothing yet."""

    connection: socket.socket
    since: float = field(default_factory=time.monotonic)


def table_in(head: bytes) -> bytes | None:
    """Returns the name of the table that a request is about."""
    found = TABLE.match(head)
    return found[1] if found else None


def preferred(table: bytes, workers: Iterable[Worker]) -> list[Worker]:
    """Returns workers in the order in which they should serve a table: always the same one first,
    and without it the tables of that one spread over all others.
    """

    def weight(worker: Worker) -> bytes:
        return hashlib.sha256(b"%d/%s" % (worker.number, table)).digest()

    return sorted(workers, key=weight, reverse=True)


class Router:
    """Runs a number of processes, and restarts each one that ends."""

    def __init__(self, listener: socket.socket, count: int, start: Start) -> None:
        self._listener = listener
        self._start_process = start
        self._count = count
        self._workers: dict[int, Worker] = {}
        self._leaving: list[Worker] = []
        """Processes that were asked to end after another took their place."""
        self._again: dict[int, float] = {}
        """When to start the process with this number again."""
        self._selector = selectors.DefaultSelector()
        self._visitors: dict[socket.socket, Visitor] = {}
        self._turn = 0
        self._signals: list[int] = []
        self._rolling: list[int] = []
        """Numbers of the processes still to be replaced."""
        self._next: Worker | None = None
        """The process that replaces one, until it is ready."""

    def run(self, when_ready: Callable[[], None]) -> None:
        """Serves until SIGTERM or SIGINT; SIGHUP replaces one process after the other.

        Connections that come before all processes are ready wait.
        """
        with self._listening_to_signals():
            self._listener.setblocking(False)
            for number in range(self._count):
                self._workers[number] = self._start(number)
            is_told = False
            while not {signal.SIGTERM, signal.SIGINT} & set(self._signals):
                for key, _ in self._selector.select(HEARTBEAT / 2):
                    key.data()
                self._look()
                if not is_told and all(worker.is_well for worker in self._workers.values()):
                    is_told = True
                    self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
                    when_ready()
            self._stop()

    @contextlib.contextmanager
    def _listening_to_signals(self) -> Iterator[None]:
        numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            end.setblocking(False)
        before = [signal.signal(n, lambda got, _: self._signals.append(got)) for n in numbers]
        wakeup = signal.set_wakeup_fd(theirs.fileno())
        self._selector.register(ours, selectors.EVENT_READ, lambda: ours.recv(HEAD))
        try:
            yield
        finally:
            signal.set_wakeup_fd(wakeup)
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)
            ours.close()
            theirs.close()

    # Processes

    def _start(self, number: int) -> Worker:
        ours, theirs = socket.socketpair()
        with theirs:
            process = self._start_process(theirs.fileno())
        ours.setblocking(False)
        worker = Worker(number, process, ours)
        self._selector.register(ours, selectors.EVENT_READ, lambda: self._hear(worker))
        log_event("process_started", number=number, pid=process.pid)
        return worker

    def _hear(self, worker: Worker) -> None:
        try:
            said = worker.channel.recv(HEAD)
        except BlockingIOError:
            return
        except OSError:
            said = b""
        if said:
            worker.heard = time.monotonic()
        else:
            self._forget(worker)

    def _forget(self, worker: Worker) -> None:
        """Handles a process whose channel has ended."""
        worker.heard = None
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(worker.channel)
        worker.channel.close()
        if worker is self._next:
            self._next = None
        if worker in self._leaving:
            self._leaving.remove(worker)
        elif self._workers.get(worker.number) is worker:
            log_event("process_lost", number=worker.number, pid=worker.process.pid)
            self._again[worker.number] = time.monotonic() + PAUSE

    def _look(self) -> None:
        """Does what is due: starts, replacements, silent connections."""
        now = time.monotonic()
        for number in [number for number, at in self._again.items() if at <= now]:
            del self._again[number]
            self._workers[number].process.poll()
            self._workers[number] = self._start(number)
        for worker in [*self._workers.values(), *self._leaving]:
            worker.process.poll()
        if signal.SIGHUP in self._signals:
            self._signals.remove(signal.SIGHUP)
            self._rolling = sorted(self._workers)
        self._roll()
        for visitor in [v for v in self._visitors.values() if v.since < now - SILENT]:
            self._dismiss(visitor)

    def _roll(self) -> None:
        """Replaces one process at a time; the old one ends when the new one is ready."""
        if self._next is not None and self._next.is_well:
            old = self._workers[self._next.number]
            self._workers[self._next.number] = self._next
            self._next = None
            self._leaving.append(old)
            old.process.terminate()
        elif self._next is None and self._rolling and not self._leaving:
            self._next = self._start(self._rolling.pop(0))

    def _stop(self) -> None:
        self._listener.close()
        for visitor in list(self._visitors.values()):
            self._dismiss(visitor)
        everybody = [*self._workers.values(), *self._leaving, *([self._next] if self._next else [])]
        for worker in everybody:
            worker.process.terminate()
        end = time.monotonic() + STOPPING
        for worker in everybody:
            with contextlib.suppress(subprocess.TimeoutExpired):
                worker.process.wait(max(0.1, end - time.monotonic()))
            if worker.process.poll() is None:
                worker.process.kill()
                worker.process.wait()

    # Connections

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return
        connection.setblocking(False)
        if len(self._visitors) >= WAITING:
            self._dismiss(next(iter(self._visitors.values())))
        visitor = Visitor(connection)
        self._visitors[connection] = visitor
        self._selector.register(connection, selectors.EVENT_READ, lambda: self._pass_on(visitor))

    def _pass_on(self, visitor: Visitor) -> None:
        """Hands a connection that has sent something to a process, or closes it."""
        with contextlib.suppress(OSError):
            head = visitor.connection.recv(HEAD, socket.MSG_PEEK)
            if head:
                self._hand_over(visitor.connection, table_in(head))
        self._dismiss(visitor)

    def _hand_over(self, connection: socket.socket, table: bytes | None) -> None:
        ready = [worker for worker in self._workers.values() if worker.heard is not None]
        if table is not None:
            ready = preferred(table, ready)
        elif ready:
            self._turn += 1
            first = self._turn % len(ready)
            ready = ready[first:] + ready[:first]
        for worker in sorted(ready, key=lambda worker: not worker.is_well):
            try:
                socket.send_fds(worker.channel, [CONNECTION], [connection.fileno()])
            except OSError:  # it has just ended, or does not read
                continue
            return

    def _dismiss(self, visitor: Visitor) -> None:
        """Closes this process's own end of a connection."""
        del self._visitors[visitor.connection]
        self._selector.unregister(visitor.connection)
        visitor.connection.close()


def hand_down(channel: int, command: list[str]) -> subprocess.Popen[bytes]:
    """Starts a program that inherits a channel."""
    os.set_inheritable(channel, True)
    return subprocess.Popen(command, pass_fds=[channel], stdout=subprocess.DEVNULL)
