"""Runs work on a Dask cluster, with the same results as on one machine even if workers are lost.

A piece of work depends on its arguments alone. Dask moves the pieces of a dead worker to another,
or its scheduler cancels them and they are submitted again. Results are taken in order, one per
piece: nothing is lost and nothing counts twice.
"""

import asyncio
import json
import logging
import os
import re
import socket
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import dask
import distributed
from distributed import KilledWorker
from distributed.client import FutureCancelledError, FuturesCancelledError
from distributed.comm.core import CommClosedError

from .executor import interrupts_blocked, keep_interrupts_blocked
from .provenance import Provenance, provenance
from .schedule import ArenaError

Output = TypeVar("Output")

_dask: Any = distributed
"""Dask is only partly typed."""

LOCAL = "local"
"""The address that starts a cluster on this machine."""
ADDRESS = re.compile(
    r"(?P<scheme>(tcp|tls|ws|wss)://)?(?P<host>\[[^\]]+\]|[^\s:/]+):(?P<port>\d{1,5})"
)
REACH = 10.0
"""Seconds to wait for an answer of the scheduler."""
WRITTEN = 1.0
"""Seconds within which a scheduler completes its file, which exists before it is written."""
FIRST_WORKER = 30.0
"""Seconds to wait for the first worker."""
LOST = (
    FutureCancelledError,
    FuturesCancelledError,
    asyncio.CancelledError,
    CommClosedError,
)
"""The errors that Dask raises for work whose scheduler is gone."""
CHECK = 1.0
"""Seconds between checks of the workers while waiting for a result."""
SUBMISSIONS = 3
"""How often a piece may be submitted; a scheduler that loses a worker may cancel its pieces."""


class ClusterError(ArenaError):
    """The cluster cannot do the work; the message is a sentence."""


@dataclass(slots=True)
class Piece:
    """A submitted piece of work, with everything needed to submit it again."""

    submit: Callable[[], Any]
    future: Any
    submissions: int = 1


class Cluster:
    """An executor whose pieces are done by the workers of a Dask cluster."""

    def __init__(self, client: Any, name: str) -> None:
        self.name = name
        self.report: Callable[[str], None] = lambda _: None
        """Called with a text such as `on 3 workers` whenever the workers change."""
        self._client = client
        self._here = provenance()
        self._workers: dict[str, int] = {}
        self._seen = 0.0
        self._state = ""

    @property
    def size(self) -> int:
        """Returns how many pieces are worked on at once: one per thread of the workers."""
        return max(1, sum(self._threads_by_worker().values()))

    def prepare(self, work: Callable[..., object], *job: Any) -> None:
        """Runs a piece of work once on every machine."""
        first = {_host(address): address for address in self._threads_by_worker(now=True)}
        pieces = [
            self._submit(work, job, workers=[address], allow_other_workers=True)
            for address in first.values()
        ]
        for piece in pieces:
            self._result(piece)

    def map(
        self, work: Callable[..., Output], jobs: Iterable[tuple[Any, ...]]
    ) -> Generator[Output, None, None]:
        """Yields the results of `work(*job)` in the order of the jobs."""
        waiting: deque[Piece] = deque()
        try:
            for job in jobs:
                while len(waiting) >= 2 * self.size:
                    yield self._result(waiting.popleft())
                with interrupts_blocked():
                    waiting.append(self._submit(work, job))
            while waiting:
                yield self._result(waiting.popleft())
        finally:
            with suppress(Exception):  # a cluster that is gone has nothing to cancel
                self._client.cancel([piece.future for piece in waiting])

    def check_workers(self) -> None:
        """Waits for a worker and checks that all run this version; raises `ClusterError`."""
        deadline = time.monotonic() + FIRST_WORKER
        while not self._threads_by_worker(now=True):
            if time.monotonic() > deadline:
                raise ClusterError(
                    f"the cluster at {self.name} has no workers; start one with: "
                    f"dask worker {self.name} --nthreads 1"
                )
            time.sleep(0.1)
        for address, found in self._ask_workers().items():
            if (fault := self._here.fault(found)) is not None:
                raise ClusterError(f"the worker {address} {fault}")

    def _ask_workers(self) -> dict[str, dict[str, str] | None]:
        # A function inside a function is sent as it is: workers need not know it already.
        def ask() -> dict[str, str] | None:
            try:
                from industry.arena.provenance import provenance
            except ImportError:
                return None
            return provenance().data()

        answers: dict[str, dict[str, str] | None] = self._client.run(ask)
        return answers

    def _threads_by_worker(self, *, now: bool = False) -> dict[str, int]:
        """Returns the threads of each worker, cached for a while; reports a change of workers."""
        if now or time.monotonic() - self._seen > CHECK:
            self._seen = time.monotonic()
            with self._errors_as_sentences():
                self._workers = dict(self._client.nthreads())
            count = len(self._workers)
            state = {0: "waiting for workers", 1: "on 1 worker"}.get(count, f"on {count} workers")
            if state != self._state:
                self._state = state
                self.report(state)
        return self._workers

    def _submit(self, work: Callable[..., Any], job: tuple[Any, ...], **where: Any) -> Piece:
        submit = partial(self._client.submit, run, self._here, work, job, pure=False, **where)
        return Piece(submit, submit())

    def _result(self, piece: Piece) -> Any:
        while True:
            with self._errors_as_sentences():
                try:
                    return piece.future.result(timeout=CHECK)
                except TimeoutError:
                    if piece.future.status == "error":  # an error of the work itself
                        raise
                except (*LOST, UnboundLocalError):  # Dask can turn the former into the latter
                    if not piece.future.cancelled():
                        raise
                    self._submit_again(piece)
            self._threads_by_worker()

    def _submit_again(self, piece: Piece) -> None:
        """Resubmits a piece that a scheduler has cancelled; raises if that does not help."""
        if self._client.status != "running" or piece.submissions >= SUBMISSIONS:
            raise self._cluster_lost()
        piece.submissions += 1
        piece.future = piece.submit()

    def _cluster_lost(self) -> ClusterError:
        return ClusterError(f"the cluster at {self.name} is gone.")

    @contextmanager
    def _errors_as_sentences(self) -> Iterator[None]:
        """Turns Dask's errors into sentences; errors of the work itself pass unchanged."""
        try:
            yield
        except KilledWorker as error:
            raise ClusterError(
                "a piece of work was lost with several workers in a row; the last of them was "
                f"{error.last_worker.address}. Its log may say why (too little memory?)."
            ) from None
        except (*LOST, OSError) as error:
            if not isinstance(error, LOST) and self._client.status == "running":
                raise
            raise self._cluster_lost() from None
        except ModuleNotFoundError as error:
            raise ClusterError(
                f"a worker lacks the package {error.name}: install industry[lab] and the packages "
                "of all bots on every machine."
            ) from None
        except RuntimeError as error:
            if "deserialization" not in str(error):
                raise
            raise ClusterError(
                "a worker cannot read what it is sent: install the same versions of Python, "
                "industry and the bots on every machine."
            ) from None


def _host(address: str) -> str:
    return address.rpartition(":")[0]


def run(sender: Provenance, work: Callable[..., Output], job: tuple[Any, ...]) -> Output:
    """Runs a piece of work on a worker; one that joined late may run another version."""
    if (fault := sender.fault(provenance().data())) is not None:
        raise ClusterError(f"a worker {fault}")
    return work(*job)


@contextmanager
def connected(address: str, processes: int | None = None) -> Iterator[Cluster]:
    """Connects to a cluster.

    The address is that of a scheduler, the scheduler file that it wrote, or `local`, which starts a
    cluster with this many workers.
    """
    with _quiet(), _client(address, processes) as client:
        cluster = Cluster(client, LOCAL if address == LOCAL else client.scheduler.address)
        cluster.check_workers()
        yield cluster


@contextmanager
def _client(address: str, processes: int | None) -> Iterator[Any]:
    keep_interrupts_blocked()
    with interrupts_blocked():  # also for the threads and processes that Dask starts now
        target = local = _local(processes) if address == LOCAL else None
        try:
            target = local or _reachable(address)
            client = _dask.Client(target, timeout=REACH, set_as_default=False)
        except OSError as error:
            reason = error.strerror or "nothing there answers like a scheduler"
            raise ClusterError(
                f"the cluster at {address} cannot be reached: {reason}. Is its scheduler running?"
            ) from None
    try:
        yield client
    finally:
        with interrupts_blocked(), suppress(Exception):
            client.close(timeout=REACH)
        if local is not None:
            with interrupts_blocked(), suppress(Exception):
                local.close(timeout=REACH)


def _local(processes: int | None) -> Any:
    return _dask.LocalCluster(
        n_workers=processes or os.cpu_count() or 1,
        threads_per_worker=1,
        dashboard_address=":0",  # another cluster may run here already
        silence_logs=logging.CRITICAL,
    )


def _reachable(address: str) -> str:
    """Returns the address in Dask's form if something listens there; otherwise raises `OSError`.

    Dask itself would keep trying, and end without saying what is wrong.
    """
    found = ADDRESS.fullmatch(_from_file(address) or address)
    if found is None:
        raise ClusterError(
            f"{address} is not the address of a cluster; it looks like tcp://host:8786, or is "
            f"“{LOCAL}”, or the scheduler file of a cluster."
        )
    scheme, host, port = found["scheme"] or "tcp://", found["host"], int(found["port"])
    with socket.create_connection((host.strip("[]"), port), timeout=REACH) as peer:
        if scheme == "tcp://" and not peer.recv(1):  # a scheduler greets first
            raise OSError
    return f"{scheme}{host}:{port}"


def _from_file(address: str) -> str | None:
    """Returns the address from a scheduler file, if the given address names one."""
    if not address.endswith(".json"):
        return None
    end = time.monotonic() + WRITTEN
    while True:
        try:
            return str(json.loads(Path(address).read_text(encoding="utf-8"))["address"])
        except (ValueError, KeyError, TypeError):
            if time.monotonic() > end:
                raise ClusterError(f"{address} is not a scheduler file.") from None
        time.sleep(0.05)


@contextmanager
def _quiet() -> Iterator[None]:
    """Silences Dask's log, which is for people who run the cluster; users get sentences."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    before = {name: logging.getLogger(name).level for name in ("distributed", *names)}
    for name in before:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        with dask.config.set({"distributed.comm.timeouts.connect": f"{REACH:g}s"}):
            yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
