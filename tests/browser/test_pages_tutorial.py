"""The guided round: a real game in which a note explains each decision, for one round."""

import pytest
from playwright.sync_api import Locator, Page, expect

from industry.texts import say

from .screens import Screens
from .tables import awaits_change, version

KEYS = {"offer": ("1", "o"), "bid": ("p",), "settle": ("s",), "develop": ("d",)}
"""What a beginner presses: the first field, pass, sell, done."""


def begin(screens: Screens, language: str = "en", **look: int) -> tuple[Page, Locator]:
    page = screens.open("/tutorial", language=language, width=look.get("width", 1440))
    page.get_by_role("button", name=say("pages.guide.begin", language)).click()
    page.wait_for_url("**/tutorial/*")
    return page, page.get_by_role("complementary", name=say("pages.guide.note", language))


def read_on(page: Page, language: str = "en") -> None:
    page.get_by_role("button", name=say("pages.guide.next", language)).click()


def step_of(guide: Locator) -> str:
    """Which note is shown."""
    title = guide.get_by_role("heading").inner_text()
    steps = ("board", "drawn", "others", "after", *KEYS)
    return next(step for step in steps if say(f"pages.guide.{step}.title") == title)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_guide_begins_with_the_board_and_the_draw(screens: Screens, language: str) -> None:
    page, guide = begin(screens, language)
    for step in ("board", "drawn"):
        expect(guide).to_contain_text(say(f"pages.guide.{step}.title", language))
        read_on(page, language)
    expect(guide).not_to_contain_text(say("pages.guide.drawn.title", language))


def test_one_round_is_guided_and_then_the_game_is_free(screens: Screens) -> None:
    page, guide = begin(screens)
    read_on(page)
    read_on(page)
    seen = set()
    while (step := step_of(guide)) != "after":
        seen.add(step)
        if step in KEYS:
            before = version(page)
            for key in KEYS[step]:
                page.locator(f"[data-key='{key}']").first.click()
            awaits_change(page, before)
        page.wait_for_timeout(50)
    assert seen & {"offer", "bid"}
    expect(guide).to_contain_text("That was a round")
    page.get_by_role("button", name="Play on freely").click()
    expect(guide).to_have_count(0)
    page.reload()
    expect(page.locator("[data-field]")).to_have_count(60)
    expect(guide).to_have_count(0)


def test_the_guide_can_be_put_away(screens: Screens) -> None:
    page, guide = begin(screens)
    page.get_by_role("button", name="Put the guide away").click()
    expect(guide).to_have_count(0)


def test_every_note_leads_to_its_rule(screens: Screens) -> None:
    page, guide = begin(screens)
    read_on(page)
    with page.expect_popup() as opened:
        guide.get_by_role("link", name="The rule").click()
    rules = opened.value
    expect(rules.locator("[data-rule='draw.token']")).to_be_in_viewport()


def test_on_a_phone_the_guide_leaves_the_decision_free(screens: Screens) -> None:
    page, guide = begin(screens, width=390)
    read_on(page)
    read_on(page)
    note, stage = guide.bounding_box(), page.locator(".sheet").bounding_box()
    assert note is not None and stage is not None
    assert note["y"] + note["height"] <= stage["y"]
