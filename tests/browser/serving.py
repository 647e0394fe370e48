"""`industry serve` as a process of its own, with its bots, that can be killed and started again."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.server.playing import PATIENCE, WIDE_SETTINGS

SETTINGS = WIDE_SETTINGS | {"INDUSTRY_MAX_MESSAGES": "100000", "INDUSTRY_BOT_WORKERS": "1"}
"""A test plays faster than people do, and one process thinks fast enough for its bots."""


class Serving:
    """A server over one database, whether it runs or not; started again, it keeps its address."""

    def __init__(self, folder: Path, **more: str) -> None:
        """`more` are further settings, as variables of the environment."""
        self._settings = SETTINGS | more
        self.site = ""
        self._log = folder / "log"
        self.database = f"sqlite:///{folder / 'tables.db'}"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Returns once the server has said where it listens.

        The first time it takes any port that is free: one that was chosen before could be
        somebody else's by then, who would answer instead.
        """
        port = self.site.rpartition(":")[2] or "0"
        program = str(Path(sys.executable).with_name("industry"))
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [program, "serve", "--port", port, "--database", self.database],
                env=os.environ | self._settings,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        said = re.search(r"http://\S+(?=/)", self._process.stdout.readline())
        assert said is not None, self._log.read_text(encoding="utf-8")
        self.site = said[0]

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

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
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process = None
