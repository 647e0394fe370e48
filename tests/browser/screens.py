"""People at screens: each with a browser of their own, and everything that went wrong in it."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    FilePayload,
    Page,
    Request,
    Response,
    expect,
)

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
HEIGHTS = {390: 844, 820: 1180, 1440: 900, 3840: 2160}
PATIENCE = 45_000
"""Milliseconds: machines that run all tests at once are slow."""
expect.set_options(timeout=PATIENCE)


class Screens:
    """Opens pages of one site; `expected` are statuses that a test provokes on purpose."""

    def __init__(self, browser: Browser, site: str) -> None:
        self.browser = browser
        self.site = site
        self.troubles: list[str] = []
        self.expected: set[int] = set()
        self._contexts: list[BrowserContext] = []

    def open(
        self,
        path: str = "/",
        *,
        width: int = 1440,
        language: str = "en",
        theme: str = "light",
        still: bool = False,
        context: BrowserContext | None = None,
        **prefs: Any,
    ) -> Page:
        """A page; without a context in a new browser that remembers nothing."""
        if context is None:
            context = self.context(width, language, theme, still, **prefs)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        page.on("response", self._response)
        page.on("requestfailed", self._failed)
        page.goto(f"{self.site}{path}")
        return page

    def context(
        self,
        width: int = 1440,
        language: str = "en",
        theme: str = "light",
        still: bool = False,
        **prefs: Any,
    ) -> BrowserContext:
        """A browser of somebody who likes these things; `still` where nothing may move."""
        liked = json.dumps({"language": language, "pace": "instant", **prefs})
        context = self.browser.new_context(
            viewport={"width": width, "height": HEIGHTS[width]},
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce" if still else "no-preference",
            permissions=["clipboard-read", "clipboard-write"],
        )
        context.add_init_script(
            f"localStorage.getItem('industry.prefs') ?? "
            f"localStorage.setItem('industry.prefs', {json.dumps(liked)})"
        )
        self._contexts.append(context)
        return context

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def _console(self, message: ConsoleMessage) -> None:
        # a refused request is told by its response
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.troubles.append(f"console: {message.text}")

    def _response(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.expected:
            self.troubles.append(f"{response.status}: {response.url}")

    def _failed(self, request: Request) -> None:
        # what a page still asked for when it was left
        if request.failure != "net::ERR_ABORTED":
            self.troubles.append(f"{request.failure}: {request.url}")


def as_file(text: str, name: str = "game.toml") -> FilePayload:
    """A text as a file that somebody chooses."""
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def copied(page: Page) -> str:
    """What is on the clipboard."""
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


FIND_BARRIERS = """() => axe.run({resultTypes: ['violations']}).then(({violations}) => violations
    .filter(({impact}) => impact === 'serious' || impact === 'critical')
    .flatMap(({id, nodes}) => nodes.map(
        ({target, failureSummary}) => `${id}: ${target} ${failureSummary}`)))"""


def barriers(page: Page) -> list[str]:
    """What axe finds serious or critical on the page."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(FIND_BARRIERS)
    return found


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    wider: int = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return wider


def overflows(page: Page) -> dict[int, int]:
    """The widths of windows, from phone to 4K, at which the page is too wide, and by how much."""
    found = {}
    for width, height in HEIGHTS.items():
        page.set_viewport_size({"width": width, "height": height})
        if (wider := overflow(page)) > 0:
            found[width] = wider
    return found
