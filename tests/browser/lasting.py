"""One Chromium for many tests: a dead one is replaced before the next test, its end is reported."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

from playwright.sync_api import (
    Browser,
    BrowserContext,
    CDPSession,
    Error,
    Page,
    Playwright,
    sync_playwright,
)

from .chromium import CHOOSER, use_node_that_runs
from .fetching import Tell

LINES = 12
"""How many lines of the browser's own output a report has."""
EXIT = "process did exit"
EXIT_SECONDS = 5
NOISE = "render_text_harfbuzz"
"""Without fonts of the machine Chromium complains about its own texts, letter by letter."""


class LastingBrowser:
    """A running Chromium, whatever happens to it.

    It appends to `faults` whenever the browser or the renderer of a page breaks. Playwright's
    driver writes what the browser says, and how it ended, into a file of `folder`.
    """

    def __init__(self, folder: Path, faults: list[str], tell: Tell) -> None:
        self._log = folder / "chromium.log"
        self._faults = faults
        self._tell = tell
        self._running: Browser | None = None
        self._session: CDPSession | None = None
        self._is_closing = False
        self._stack = ExitStack()
        self._playwright: Playwright | None = None

    def living(self) -> Browser:
        """A browser that works; another one than before where that one has died."""
        if self._running is None or not self.works():
            self._running = self._started()
            self._session = self._running.new_browser_cdp_session()
        return self._running

    def works(self) -> bool:
        """Whether the browser answers; its own flag is late, and says nothing of the driver."""
        if self._session is None:
            return False
        try:
            self._session.send("Browser.getVersion")
        except Error:
            return False
        return True

    def close(self) -> None:
        """End browser and driver, whether they still run or not."""
        self._is_closing = True
        if self._running is not None:
            with suppress(Error):
                self._running.close()
        self._end_driver()

    def _started(self) -> Browser:
        try:
            browser = CHOOSER.launch(self._driver(), self._tell)
        except Error:  # the driver may have died too
            self._end_driver()
            browser = CHOOSER.launch(self._driver(), self._tell)
        browser.on("disconnected", lambda _: self._disconnected())
        browser.on("context", self._watch)
        return browser

    def _driver(self) -> Playwright:
        if self._playwright is None:
            use_node_that_runs()
            with _logging_to(self._log):
                self._playwright = self._stack.enter_context(sync_playwright())
        return self._playwright

    def _end_driver(self) -> None:
        with suppress(Error):
            self._stack.close()
        self._playwright = None

    def _watch(self, context: BrowserContext) -> None:
        context.on("page", lambda page: page.on("crash", self._crashed))

    def _crashed(self, page: Page) -> None:
        self._faults.append(f"the renderer of {page.url} crashed; {self._said()}")

    def _disconnected(self) -> None:
        if not self._is_closing:
            self._await_exit()
            self._faults.append(f"the browser died; {self._said()}")

    def _await_exit(self) -> None:
        """Waits for the line about the exit, which may come a little after the news of it."""
        deadline = monotonic() + EXIT_SECONDS
        while EXIT not in self._said() and monotonic() < deadline:
            sleep(0.02)

    def _said(self) -> str:
        """The last that the browser and its driver wrote."""
        text = self._log.read_text(encoding="utf-8", errors="replace")
        lines = [line for line in text.splitlines() if NOISE not in line]
        return "its last words:\n" + "\n".join(f"    {line}" for line in lines[-LINES:])


@contextmanager
def _logging_to(log: Path) -> Iterator[None]:
    """A driver that is started in this block writes there what its browser says."""
    before, stderr = os.environ.get("DEBUG"), sys.stderr
    with log.open("a", encoding="utf-8") as file:
        os.environ["DEBUG"], sys.stderr = "pw:browser", file
        try:
            yield
        finally:
            sys.stderr = stderr
            if before is None:
                del os.environ["DEBUG"]
            else:
                os.environ["DEBUG"] = before
