"""The gallery in one page: any moment, language and window, and what can be read there."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from .gallery import Site
from .pseudo import speak_longer
from .screens import PATIENCE

BOXES = Path(__file__).with_name("boxes.js")
LONGER = "longer"
"""The language that is 40 % longer than English."""
SETTLED = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
    Promise.allSettled(document.getAnimations().map((each) => each.finished)).then(done))))"""


class Shown:
    """A page that shows one moment after the other, each in windows of several sizes."""

    def __init__(self, browser: Browser, site: Site, is_longer: bool = False) -> None:
        self.context: BrowserContext = browser.new_context(reduced_motion="reduce")
        if is_longer:
            speak_longer(self.context, site.folder)
        self.troubles: list[str] = []
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.goto(site.url)
        self.page.locator("[data-field]").first.wait_for()
        self.page.evaluate(BOXES.read_text(encoding="utf-8"))
        self._is_longer = is_longer

    def show(self, **wish: Any) -> None:
        """A moment: game, state, language, theme, seconds on the clock."""
        if self._is_longer:
            wish["language"] = "fr"
        self.page.evaluate("(wish) => gallery.show(wish)", wish)
        self.page.evaluate(SETTLED)

    def resize(self, width: int, height: int) -> None:
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(SETTLED)

    def unreadable(self, with_board: bool = True) -> list[str]:
        """Texts that are cut off, run over each other or lie under something."""
        found: list[str] = self.page.evaluate(f"unreadable({str(with_board).lower()})")
        return found

    def close(self) -> None:
        self.context.close()
        assert self.troubles == []
