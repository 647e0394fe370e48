"""People at screens: each with a browser of their own, and everything that went wrong in it."""

import json
from collections import defaultdict
from collections.abc import Callable
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

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
PATIENCE = 120_000
"""Milliseconds: machines that run all tests at once are slow."""
expect.set_options(timeout=PATIENCE)
MOST_FREE = 4
MOST_USES = 25
"""Windows that nobody uses, and people one after the other in one: what a page has ever taken
from the memory stays with its process."""
PERMISSIONS = ["clipboard-read", "clipboard-write"]
PREFER = "localStorage.getItem('industry.prefs') ?? localStorage.setItem('industry.prefs', {})"
FORGET = """if (!sessionStorage.getItem('{begun}')) {{
    localStorage.clear()
    sessionStorage.clear()
    sessionStorage.setItem('{begun}', 'yes')
}}"""
"""What a window does when it is opened for somebody, not when its page is loaded again."""


class Window:
    """A window with a browser of its own, which one person after the other can use.

    Its process stays, with the client compiled: a new one takes five times the work. The next
    user finds no trace of the one before. A test that changes more than its page does (clock,
    scripts, routes) opens its page in a `context` of its own.
    """

    _numbers = count()

    def __init__(self, browser: Browser) -> None:
        self.context = browser.new_context(permissions=PERMISSIONS, service_workers="block")
        self.page = self.context.new_page()
        self._devtools = self.context.new_cdp_session(self.page)
        self._devtools.send("Page.enable")
        self._script = ""
        self._uses = 0
        self._has_crashed = False
        self.page.on("crash", self._crashed)

    def _crashed(self, _: Page) -> None:
        self._has_crashed = True

    def begin(self, width: int, theme: str, still: bool, prefer: str) -> Page:
        """The empty page, for somebody who likes these things."""
        self._uses += 1
        self.page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        self.page.emulate_media(
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce" if still else "no-preference",
        )
        forget = FORGET.format(begun=f"tests.begun.{next(self._numbers)}")
        added = self._devtools.send(
            "Page.addScriptToEvaluateOnNewDocument", {"source": f"{forget}\n{prefer}"}
        )
        self._script = added["identifier"]
        return self.page

    def end(self) -> bool:
        """Leaves the site, whose sockets close; whether somebody else can use the window."""
        if self.page.is_closed() or self._has_crashed or self._uses >= MOST_USES:
            self.context.close()
            return False
        for page in self.context.pages:
            if page is not self.page:
                page.close()
        self._devtools.send(
            "Page.removeScriptToEvaluateOnNewDocument", {"identifier": self._script}
        )
        self.page.goto("about:blank")
        self.context.clear_cookies()
        return True


_free: WeakKeyDictionary[Browser, list[Window]] = WeakKeyDictionary()
"""Windows that nobody uses."""


class Screens:
    """Opens pages of one site; `expected` are statuses that a test provokes on purpose."""

    def __init__(self, browser: Browser, site: str) -> None:
        self.browser = browser
        self.site = site
        self.troubles: list[str] = []
        self.expected: set[int] = set()
        self.goes_offline = False
        """Some page has had no network; what it asked for in vain may be reported much later."""
        self._contexts: list[BrowserContext] = []
        self._windows: list[Window] = []
        self._heard: list[tuple[Page, str, Callable[[Any], None]]] = []
        self._asked: defaultdict[Page, set[Request]] = defaultdict(set)

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
        """A page; without a context in a browser of its own that remembers nothing."""
        if context is None:
            window = self._window()
            page = window.begin(width, theme, still, _preferring(language, prefs))
        else:
            page = context.new_page()
        page.set_default_timeout(PATIENCE)
        self._listen(page)
        page.goto(f"{self.site}{path}")
        return page

    def _window(self) -> Window:
        free = _free.setdefault(self.browser, [])
        self._windows.append(free.pop() if free else Window(self.browser))
        return self._windows[-1]

    def _listen(self, page: Page) -> None:
        asked = self._asked[page]
        asked.clear()
        for event, heard in (
            ("console", self._console),
            ("pageerror", lambda error: self.troubles.append(f"error: {error}")),
            ("response", self._response),
            ("requestfailed", self._failed),
            ("request", lambda request: asked.add(request)),
            ("requestfinished", lambda request: asked.discard(request)),
            ("requestfailed", lambda request: asked.discard(request)),
        ):
            page.on(event, heard)  # type: ignore[call-overload]
            self._heard.append((page, event, heard))

    def context(
        self,
        width: int = 1440,
        language: str = "en",
        theme: str = "light",
        still: bool = False,
        installs: bool = False,
        **prefs: Any,
    ) -> BrowserContext:
        """A browser of somebody who likes these things; `still` where nothing may move.

        Only one that `installs` the page has a service worker: routes of a test do not see what
        that asks for.
        """
        context = self.browser.new_context(
            viewport={"width": width, "height": HEIGHTS[width]},
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce" if still else "no-preference",
            permissions=PERMISSIONS,
            service_workers="allow" if installs else "block",
        )
        context.add_init_script(_preferring(language, prefs))
        self._contexts.append(context)
        return context

    def settled(self, page: Page) -> Page:
        """Waits until all that the page has asked for has come and is drawn."""
        until(page, lambda: not self._asked[page], "answers that never came")
        return page

    def close(self) -> None:
        for page, event, heard in self._heard:
            page.remove_listener(event, heard)
        if self.browser.is_connected():
            for context in self._contexts:
                context.close()
            free = _free.setdefault(self.browser, [])
            free += [window for window in self._windows if window.end()]
            while len(free) > MOST_FREE:
                free.pop(0).context.close()
        else:
            _free.pop(self.browser, None)
        self._heard, self._contexts, self._windows = [], [], []

    def _console(self, message: ConsoleMessage) -> None:
        # a refused request is told by its response
        told = "Failed to load resource" in message.text or self._was_offline(message.text)
        if message.type == "error" and not told:
            self.troubles.append(f"console: {message.text}")

    def _response(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.expected:
            self.troubles.append(f"{response.status}: {response.url}")

    def _failed(self, request: Request) -> None:
        # what a page still asked for when it was left
        if request.failure != "net::ERR_ABORTED" and not self._was_offline(request.failure or ""):
            self.troubles.append(f"{request.failure}: {request.url}")

    def _was_offline(self, text: str) -> bool:
        return self.goes_offline and "net::ERR_INTERNET_DISCONNECTED" in text


def _preferring(language: str, prefs: dict[str, Any]) -> str:
    """A script that sets what somebody likes where nothing has been set yet."""
    liked = json.dumps({"language": language, "pace": "instant", **prefs})
    return PREFER.format(json.dumps(liked))


def until(page: Page, happened: Callable[[], object], why: str) -> None:
    """Waits for what only the test can see; the page goes on meanwhile, frame by frame."""
    deadline = monotonic() + PATIENCE / 1000
    while True:
        page.evaluate(TWO_FRAMES)
        if happened():
            return
        assert monotonic() < deadline, why


TWO_FRAMES = "() => new Promise((on) => requestAnimationFrame(() => requestAnimationFrame(on)))"


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
