"""A real Dask cluster for tests: a scheduler and workers in processes of their own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.waiting import wait_until


class RealCluster:
    """A scheduler that others can find by its file, and workers as `dask worker` starts them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []
        self._start(
            "dask_scheduler", "--port", "0", "--host", "127.0.0.1", "--no-dashboard", "--no-show"
        )
        wait_until(self.file.exists)

    def add_worker(self, *flags: str, environment: dict[str, str] | None = None) -> None:
        """One more worker with its nanny; `flags` are for its Python."""
        arguments = ("--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1")
        self._start("dask_worker", *arguments, flags=flags, environment=environment)

    def _start(
        self,
        module: str,
        *arguments: str,
        flags: tuple[str, ...] = (),
        environment: dict[str, str] | None = None,
    ) -> None:
        log = self.folder / f"{module}-{len(self.processes)}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [
                    *(sys.executable, *flags, "-m", f"distributed.cli.{module}"),
                    *("--scheduler-file", str(self.file), *arguments),
                ],
                cwd=self.folder,
                env=os.environ | (environment or {}),
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self.processes.append(process)

    def close(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def real_cluster(folder: Path, workers: int = 0) -> Iterator[RealCluster]:
    """A cluster that is gone afterwards, whatever happened."""
    cluster = RealCluster(folder)
    try:
        for _ in range(workers):
            cluster.add_worker()
        yield cluster
    finally:
        cluster.close()
