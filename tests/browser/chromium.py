"""A Chromium for the tests: one that is installed, else one of Playwright, else one is fetched.

`python -m tests.browser.chromium` fetches one ahead of the tests where that is necessary.
INDUSTRY_CHROMIUM names the program to use instead.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import playwright as playwright_package
from filelock import BaseFileLock, FileLock, Timeout
from playwright.sync_api import Browser, Error, Playwright, sync_playwright

from tools.node import NoNode, find_node

from .fetching import (
    PLAYWRIGHTS,
    Chromium,
    NotFetched,
    Tell,
    cache_folder,
    cached,
    fetch_package,
    fetch_playwrights,
)
from .missing import VARIABLE, NoChromium, is_required

DRIVER = Path(playwright_package.__file__).parent / "driver"
PLAYWRIGHTS_NODE = DRIVER / ("node.exe" if sys.platform == "win32" else "node")
NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "msedge",
)
"""What the program is called where it is on the PATH."""
LINUX = (
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/opt/microsoft/msedge/msedge",
    "/snap/bin/chromium",
)
MACOS = (
    "Chromium.app/Contents/MacOS/Chromium",
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
"""In /Applications, for all users or for one."""
WINDOWS = (
    "Chromium/Application/chrome.exe",
    "Google/Chrome/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)
"""In the folders for programs, for all users or for one."""

# What is installed


def installed(system: str = sys.platform) -> Iterator[Chromium]:
    """Every Chromium, Chrome or Edge of this machine, in the order in which they are tried."""
    found = [Path(path) for path in map(shutil.which, NAMES) if path]
    usual = [place for place in _usual_places(system) if place.is_file()]
    for program in dict.fromkeys([*found, *usual]):
        yield Chromium(str(program), program)


def _usual_places(system: str) -> Iterator[Path]:
    if system == "darwin":
        for folder in (Path("/Applications"), Path.home() / "Applications"):
            yield from (folder / name for name in MACOS)
    elif system == "win32":
        for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
            if os.environ.get(variable):
                yield from (Path(os.environ[variable]) / name for name in WINDOWS)
    else:
        yield from map(Path, LINUX)


# Choosing


class Chooser:
    """Finds the first browser that really starts, and remembers it, or that there is none."""

    def __init__(
        self,
        fetches: tuple[Callable[[Tell], Chromium], ...] = (fetch_playwrights, fetch_package),
    ) -> None:
        self._fetches = fetches
        self._chosen: Chromium | None = None
        self._missing: NoChromium | None = None
        self._reasons: list[str] = []

    def launch(self, playwright: Playwright, tell: Tell = lambda text: None) -> Browser:
        """A running browser; raises `NoChromium` where there is none and none can be fetched."""
        if self._missing is not None:
            raise self._missing
        if self._chosen is not None:
            return self._chosen.start(playwright)
        self._reasons.clear()
        try:
            return self._first(playwright, self._at_hand()) or self._fetched(playwright, tell)
        except NoChromium as missing:
            self._missing = missing
            raise

    def _at_hand(self) -> Iterator[Chromium]:
        named = os.environ.get(VARIABLE)
        if named:
            yield Chromium(f"{VARIABLE}={named}", Path(named))
            return
        yield from installed()
        yield PLAYWRIGHTS
        if (cache_folder() / "chromium").exists():
            yield cached(cache_folder())

    def _first(self, playwright: Playwright, candidates: Iterator[Chromium]) -> Browser | None:
        for candidate in candidates:
            try:
                browser = candidate.start(playwright)
            except Error as error:
                if candidate is not PLAYWRIGHTS or "Executable doesn't exist" not in str(error):
                    self._reasons.append(f"{candidate.name} does not start")
                continue
            self._chosen = candidate
            return browser
        return None

    def _fetched(self, playwright: Playwright, tell: Tell) -> Browser:
        """One process fetches; those that had to wait for it take what it found, if anything."""
        if os.environ.get(VARIABLE):
            raise NoChromium(self._reasons)
        folder = cache_folder().parent
        folder.mkdir(parents=True, exist_ok=True)
        note = folder / "no-chromium.txt"
        with _turn(FileLock(folder / "chromium.lock")) as had_to_wait:
            self._reasons.clear()
            browser = self._first(playwright, self._at_hand())
            if browser is not None:
                return browser
            if had_to_wait and note.exists():
                raise NoChromium(note.read_text(encoding="utf-8").splitlines())
            note.unlink(missing_ok=True)
            try:
                return self._fetch(playwright, tell)
            except NoChromium:
                note.write_text("\n".join(self._reasons), encoding="utf-8")
                raise

    def _fetch(self, playwright: Playwright, tell: Tell) -> Browser:
        for fetch in self._fetches:
            try:
                candidate = fetch(tell)
            except NotFetched as trouble:
                tell(f"That did not work: {trouble}.")
                self._reasons.append(str(trouble))
                continue
            browser = self._first(playwright, iter([candidate]))
            if browser is not None:
                return browser
        raise NoChromium(self._reasons)


@contextmanager
def _turn(lock: BaseFileLock) -> Iterator[bool]:
    """Hold the lock; whether another process had it before."""
    try:
        lock.acquire(timeout=0)
        had_to_wait = False
    except Timeout:
        lock.acquire()
        had_to_wait = True
    try:
        yield had_to_wait
    finally:
        lock.release()


CHOOSER = Chooser()
"""What this process knows about browsers."""


@contextmanager
def browser_running(tell: Tell = lambda text: None) -> Iterator[Browser]:
    """A browser as long as the block; raises `NoChromium` where there is none."""
    use_node_that_runs()
    with sync_playwright() as playwright:
        browser = CHOOSER.launch(playwright, tell)
        yield browser
        browser.close()


def use_node_that_runs() -> None:
    """Playwright brings a Node that needs libatomic, which a bare machine does not have."""
    if "PLAYWRIGHT_NODEJS_PATH" not in os.environ and not _runs(PLAYWRIGHTS_NODE):
        with suppress(NoNode):
            os.environ["PLAYWRIGHT_NODEJS_PATH"] = find_node().node


@cache
def _runs(program: Path) -> bool:
    try:
        return subprocess.run([program, "--version"], capture_output=True).returncode == 0
    except OSError:
        return False


def main() -> int:
    def tell(text: str) -> None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    try:
        with browser_running(tell) as browser:
            tell(f"The tests use Chromium {browser.version}.")
    except NoChromium as missing:
        tell(f"Browser tests will {'fail' if is_required() else 'be skipped'}: {missing}")
        return 1 if is_required() else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
