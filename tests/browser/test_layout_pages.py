"""No text of the pages around the table is cut off or covered, in any language or window."""

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page

from .pseudo import speak_longer
from .screens import Screens
from .tables import make_table
from .windows import BOXES, LONGER, SETTLED

STATIC = Path(__file__).parents[2] / "src" / "industry" / "server" / "static"
WIDTHS = {360: 640, 390: 844, 820: 1180, 1366: 625, 1440: 900, 2560: 1440}
PAGES = {
    "/": "main h1",
    "/new": "main h1",
    "/lobby": "main h1",
    "/rules": "article h2",
    "/tutorial": "main h1, main h2, [data-field]",
    "/replay": "main h1",
    "room": "main h1",
    "settings": "dialog h3",
}


def waiting_table(site: str) -> str:
    """The link of a table on which one seat is still free."""
    seats = [{"kind": "human", "name": "Ana"}, {"kind": "bot", "bot": "foreman"}, {"kind": "open"}]
    wish = {"id": "layout-of-the-room", "options": {"players": 3}, "seats": seats}
    made = httpx.post(f"{site}/api/tables", json=wish).raise_for_status().json()
    return f"/table/{made['table']}#{made['seats'][0]['token']}"


def opened(page: Page, site: str, path: str) -> None:
    """The page at this path; a table that waits for others, or the settings of a running one."""
    shown = PAGES[path]
    if path == "room":
        path = waiting_table(site)
    elif path == "settings":
        path = make_table(site).link(0)
    page.goto(f"{site}{path}")
    if shown.startswith("dialog"):
        page.locator(".tools button").last.click()
    page.locator(shown).first.wait_for()


def faults(page: Page) -> list[str]:
    page.evaluate(BOXES.read_text(encoding="utf-8"))
    found = []
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        found += [f"{width}: {fault}" for fault in page.evaluate("unreadable(false)")]
    return found


def looked_through(screens: Screens, language: str, theme: str, paths: list[str]) -> list[str]:
    spoken = "fr" if language == LONGER else language
    context = screens.context(1440, spoken, theme, still=True)
    if language == LONGER:
        speak_longer(context, STATIC)
    page = screens.open("/", context=context)
    found = []
    for path in paths:
        opened(page, screens.site, path)
        found += [f"{language} {path} {fault}" for fault in faults(page)]
    return found


@pytest.mark.parametrize(
    ("language", "theme", "paths"),
    [("de", "light", ["/", "/new", "/rules"]), (LONGER, "dark", ["/", "/new", "room"])],
)
def test_no_text_of_a_page_is_cut_off_or_covered(
    screens: Screens, language: str, theme: str, paths: list[str]
) -> None:
    assert looked_through(screens, language, theme, paths) == []


@pytest.mark.proof
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "de", "fr", LONGER])
def test_no_text_of_any_page_is_cut_off_or_covered(
    screens: Screens, language: str, theme: str
) -> None:
    assert looked_through(screens, language, theme, list(PAGES)) == []
