"""Every page around the table can be used by everyone, on every screen, in every language."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.notation.samples import finished, record
from tests.support import proof

from .screens import Screens, as_file, barriers, overflows

PATHS = ("/", "/new", "/lobby", "/rules", "/rules?edition=industria", "/replay", "/tutorial")
LANGUAGES = ("de", "en", "fr")
"""The one with the longest words comes first."""


def ready(screens: Screens, page: Page) -> Page:
    expect(page.locator("footer p").first).to_be_visible()
    return screens.settled(page)


def opened(screens: Screens, path: str, **look: Any) -> Page:
    return ready(screens, screens.open(path, still=True, **look))


def room(screens: Screens, **look: Any) -> Page:
    page = opened(screens, "/new", **look)
    page.locator("select", has=page.locator("option[value=open]")).nth(1).select_option("open")
    page.locator("form button[type=submit]").click()
    page.wait_for_url("**/table/*")
    return ready(screens, page)


def viewer(screens: Screens, width: int = 1440, **look: Any) -> Page:
    page = opened(screens, "/replay", width=width, **look)
    text = record(finished("industry", 4)).to_toml()
    page.locator("input[type=file]").set_input_files(as_file(text))
    page.get_by_role("slider").fill("150")
    return page


LIGHT, DARK = ("light", 1440), ("dark", 390)
LOOKS = [
    *((path, *(LIGHT, DARK)[index % 2]) for index, path in enumerate(PATHS)),
    *((path, *(DARK, LIGHT)[index % 2]) for index, path in enumerate(PATHS)),
]
"""Every page once, light and dark in turn, and then the other way round."""


@pytest.mark.parametrize(("path", "theme", "width"), proof.cases(LOOKS, len(PATHS)))
def test_no_page_has_a_serious_barrier(screens: Screens, path: str, theme: str, width: int) -> None:
    assert barriers(opened(screens, path, theme=theme, width=width)) == []


@pytest.mark.parametrize("theme", proof.cases(["light", "dark"]))
def test_the_room_before_the_game_has_no_serious_barrier(screens: Screens, theme: str) -> None:
    assert barriers(room(screens, theme=theme)) == []


@pytest.mark.parametrize(("theme", "at"), proof.cases([("dark", 420), ("light", 150)]))
def test_the_replay_has_no_serious_barrier(screens: Screens, theme: str, at: int) -> None:
    page = viewer(screens, theme=theme)
    page.get_by_role("slider").fill(str(at))
    expect(page.locator(".chart")).to_have_count(1 if at == 420 else 0)
    assert barriers(page) == []


@pytest.mark.proof
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_scrolls_sideways(screens: Screens, language: str) -> None:
    page = screens.open("/", language=language)
    for path in PATHS:
        page.goto(f"{screens.site}{path}")
        assert overflows(ready(screens, page)) == {}, path
    assert overflows(viewer(screens, language=language)) == {}
    assert overflows(room(screens, language=language)) == {}


def test_the_first_tab_leads_to_the_content(screens: Screens) -> None:
    page = opened(screens, "/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Play now")).to_be_focused()


def test_a_game_is_begun_by_the_keyboard_alone(screens: Screens) -> None:
    page = opened(screens, "/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")
    expect(page.locator("[data-field]")).to_have_count(60)


def test_targets_on_a_phone_are_large_enough(screens: Screens) -> None:
    page = opened(screens, "/", width=390)
    small = page.evaluate(
        """[...document.querySelectorAll('header a, header button, main button, main .btn, select')]
            .map(e => [e.textContent.trim().slice(0, 20), e.getBoundingClientRect().height])
            .filter(([, height]) => height > 1 && height < 40)"""
    )
    assert small == []
