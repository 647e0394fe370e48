"""Pictures of the table in all states, to look at: `python -m tests.browser.gallery FOLDER`.

Every state in three languages and two sizes, the light and the dark theme in turn; and the states
that need a hand: a field looked at, a refusal explained, a choice of sources.
"""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import Browser, Page, expect

from tools.node import find_node

from .chromium import browser_running
from .screens import HEIGHTS

WEB = Path(__file__).parents[2] / "web"
STATES = ("offer", "bid", "settle", "develop", "waiting", "over")
LANGUAGES = ("en", "de", "fr")
WIDTHS = (390, 1440)
BY_HAND = {
    "looked-at": ("bid", "[data-field='3F']"),
    "refused": ("bid", ".amounts .unavailable"),
    "locked": ("develop", ".btn.unavailable"),
    "sources": ("develop", "button.pay[aria-expanded]"),
    "settings": ("waiting", ".tools button:last-child"),
}


BUILD = """
import {build} from 'vite'
const [outDir] = process.argv.slice(-1)
await build({logLevel: 'error', build: {outDir, rolldownOptions: {input: 'gallery.html'}}})
"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, format: str, *args: object) -> None:
        pass


class Site(NamedTuple):
    """Where the gallery is, and the folder of its files."""

    url: str
    folder: Path


@contextmanager
def gallery() -> Iterator[Site]:
    """The gallery, built for this block alone."""
    with TemporaryDirectory() as folder:
        build_gallery(Path(folder))
        with shown_from(Path(folder)) as site:
            yield site


def build_gallery(folder: Path) -> None:
    """Builds the client's gallery as the client is built; its tables need no server."""
    node = [find_node().node, "--input-type=module", "--eval", BUILD, str(folder)]
    subprocess.run(node, cwd=WEB, check=True, capture_output=True)


@contextmanager
def shown_from(folder: Path) -> Iterator[Site]:
    """The gallery that was built into this folder."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Site(f"http://127.0.0.1:{server.server_port}/gallery.html", folder)
        server.shutdown()


def opened(browser: Browser, url: str, width: int, **query: str) -> Page:
    page = browser.new_page(viewport={"width": width, "height": HEIGHTS[width]})
    words = "&".join(f"{key}={value}" for key, value in query.items())
    page.goto(f"{url}?{words}")
    expect(page.locator("[data-field]").first).to_be_visible(timeout=60_000)
    page.wait_for_timeout(500)
    return page


def take(folder: Path) -> int:
    """Takes all pictures; how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    with gallery() as (url, _), browser_running() as browser:
        for width in WIDTHS:
            for language in LANGUAGES:
                for state in STATES:
                    theme = ("light", "dark")[count % 2]
                    page = opened(browser, url, width, state=state, language=language, theme=theme)
                    page.screenshot(path=folder / f"{state}-{language}-{width}.png")
                    page.close()
                    count += 1
        for name, (state, place) in BY_HAND.items():
            page = opened(browser, url, 1440, state=state)
            page.locator(place).first.click()
            page.wait_for_timeout(500)
            page.screenshot(path=folder / f"{name}.png")
            page.close()
            count += 1
    return count


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "gallery")
    sys.stdout.write(f"{take(target)} pictures in {target}\n")
