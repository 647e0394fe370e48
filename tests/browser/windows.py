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
THEMES = ("light", "dark")
SIZES = (
    *((360, 640), (390, 844), (844, 390), (820, 1180), (1080, 810)),
    *((1093, 614), (1366, 625), (1440, 900), (2560, 1440)),
)
"""Windows in which all texts are read: phones, tablets, small laptops, screens."""
IN_BOTH_THEMES = """([withBoard, themes]) => {
    const root = document.documentElement
    const shown = root.dataset.theme
    const found = themes.flatMap((theme) => {
        root.dataset.theme = theme
        return unreadable(withBoard).map((fault) => `${theme}: ${fault}`)
    })
    root.dataset.theme = shown
    return found
}"""


def unreadable(page: Page, with_board: bool = False) -> list[str]:
    """What cannot be read on a page that has `BOXES`, in both themes: measured, not repainted."""
    found: list[str] = page.evaluate(IN_BOTH_THEMES, [with_board, THEMES])
    return found


def faults_in_all_sizes(page: Page) -> list[str]:
    """What cannot be read on this page, in any of the windows."""
    page.evaluate(BOXES.read_text(encoding="utf-8"))
    found = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        found += [f"{width}×{height} {fault}" for fault in unreadable(page)]
    return found


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
        """Texts that are cut off, run over each other or lie under something, in both themes."""
        return unreadable(self.page, with_board)

    def close(self) -> None:
        self.context.close()
        assert self.troubles == []
