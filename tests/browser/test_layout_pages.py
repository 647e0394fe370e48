"""No text of the pages around the table is cut off or covered, in any language or window."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page

from .lived_in import PAGES as CLUB_PAGES
from .lived_in import Club, arrive, lived_in, sign_in
from .pseudo import speak_longer
from .screens import Screens
from .tables import make_table
from .windows import LONGER, faults_in_all_sizes

STATIC = Path(__file__).parents[2] / "src" / "industry" / "server" / "static"
LANGUAGES = ("en", "de", "fr", LONGER)
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


def reading(screens: Screens, language: str) -> Page:
    """A page in this language, in a browser of its own."""
    spoken = "fr" if language == LONGER else language
    context = screens.context(1440, spoken, still=True)
    if language == LONGER:
        speak_longer(context, STATIC)
    return screens.open("/", context=context)


def looked_through(screens: Screens, language: str, paths: list[str]) -> list[str]:
    page = reading(screens, language)
    found = []
    for path in paths:
        opened(page, screens.site, path)
        found += [f"{language} {path} {fault}" for fault in faults_in_all_sizes(page)]
    return found


@pytest.mark.parametrize(
    ("language", "paths"), [("de", ["/", "/new", "/rules"]), (LONGER, ["/", "/new", "room"])]
)
def test_no_text_of_a_page_is_cut_off_or_covered(
    screens: Screens, language: str, paths: list[str]
) -> None:
    assert looked_through(screens, language, paths) == []


@pytest.mark.proof
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_of_any_page_is_cut_off_or_covered(
    screens: Screens, language: str, path: str
) -> None:
    assert looked_through(screens, language, [path]) == []


@pytest.fixture(scope="module")
def club(built_client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with lived_in(tmp_path_factory.mktemp("club")) as found:
        yield found


@pytest.fixture
def members(browser: Browser, club: Club) -> Iterator[Screens]:
    opened = Screens(browser, club.site)
    yield opened
    opened.close()
    assert opened.troubles == []


def faults_of_club(members: Screens, club: Club, language: str, names: list[str]) -> list[str]:
    """Of pages of members, or of those that a guest sees."""
    page = reading(members, language)
    if not CLUB_PAGES[names[0]].is_guest:
        sign_in(page, club)
    found = []
    for name in names:
        arrive(page, club, CLUB_PAGES[name])
        found += [f"{language} {name} {fault}" for fault in faults_in_all_sizes(page)]
    return found


@pytest.mark.parametrize(
    ("language", "names"), [("de", ["me", "cup-running"]), (LONGER, ["club", "new-cup"])]
)
def test_no_text_of_the_club_is_cut_off_or_covered(
    members: Screens, club: Club, language: str, names: list[str]
) -> None:
    assert faults_of_club(members, club, language, names) == []


@pytest.mark.proof
@pytest.mark.parametrize("name", CLUB_PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_of_any_page_of_the_club_is_cut_off_or_covered(
    members: Screens, club: Club, language: str, name: str
) -> None:
    assert faults_of_club(members, club, language, [name]) == []
