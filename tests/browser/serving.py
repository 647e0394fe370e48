"""`industry serve` as a process of its own, with its bots, that can be killed and started again."""

import os
import subprocess
import sys
from pathlib import Path

import httpx

from tests.server.playing import PATIENCE, free_port

TIRELESS = {"INDUSTRY_MAX_MESSAGES": "100000"}
"""A test plays faster than people do."""


class Serving:
    """A server at one address over one database, whether it runs or not."""

    def __init__(self, folder: Path) -> None:
        port = free_port()
        self.site = f"http://127.0.0.1:{port}"
        self._log = folder / "log"
        self._command = [str(Path(sys.executable).with_name("industry")), "serve"]
        self._command += ["--port", str(port), "--database", f"sqlite:///{folder / 'tables.db'}"]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns once the server answers."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, env=os.environ | TIRELESS, stdout=log, stderr=log
            )
        while True:
            assert self._process.poll() is None, self._log.read_text(encoding="utf-8")
            try:
                if httpx.get(f"{self.site}/healthz", timeout=2).is_success:
                    return
            except httpx.TransportError:
                pass

    def stop(self) -> None:
        """Lets it finish what it does."""
        if self._process is not None:
            self._process.terminate()
            self._end()

    def kill(self) -> None:
        """Ends it in the middle of whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._end()

    def _end(self) -> None:
        assert self._process is not None
        self._process.wait(PATIENCE)
        self._process = None
