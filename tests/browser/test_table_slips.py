"""A press decides once: what follows too soon under the same pointer or key does nothing.

The test turns the clock that the page compares presses with: the machine's speed does not matter.
"""

from playwright.sync_api import Page, expect

from .screens import Screens
from .tables import awaits_version, hot_seat, make_table, press, sit, version

NOTICE = "came too soon after the last one"
STAND_STILL = """() => {
    window.now = performance.now()
    performance.now = () => (window.now += 0.001)
}"""
"""One call is after the other, but no time passes that anybody would notice."""
LATER = 450
"""Milliseconds after which a second press is meant."""


def offered(page: Page) -> int:
    """Puts a field up; the version after it. From then on the clock stands still."""
    before = version(page)
    press(page, "button.pick")
    press(page, "[data-key=o]")
    awaits_version(page, before + 1)
    page.evaluate(STAND_STILL)
    return version(page)


def pass_time(page: Page) -> None:
    page.evaluate(f"window.now += {LATER}")


def place_of_pass(page: Page) -> tuple[float, float]:
    box = page.locator("[data-key=p]").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_double_click_passes_once_and_says_so_once_also_at_a_shared_screen(
    screens: Screens,
) -> None:
    page = hot_seat(screens, 4)
    before = offered(page)
    x, y = place_of_pass(page)
    for number, notices in ((1, 1), (2, 0)):
        pass_time(page)
        page.mouse.click(x, y)
        awaits_version(page, before + number)
        page.mouse.click(x, y)
        expect(page.get_by_text(NOTICE)).to_have_count(notices)
        if notices:
            page.locator(".slip").get_by_role("button").click()
    pass_time(page)
    page.mouse.click(x, y)
    awaits_version(page, before + 3)
    assert version(page) == before + 3, "three presses were meant"


def test_a_press_somewhere_else_is_meant(screens: Screens) -> None:
    page = hot_seat(screens, 4)
    before = offered(page)
    press(page, "[data-key=p]")
    awaits_version(page, before + 1)
    press(page, "[data-bid]")
    awaits_version(page, before + 2)


def test_a_key_that_is_held_down_decides_once(screens: Screens) -> None:
    page = sit(
        screens, make_table(screens.site, 3, 3, seating="as_joined", auto_forced=False), 0, 1, 2
    )
    before = offered(page)
    page.keyboard.press("p")  # goes to the button
    page.keyboard.down("p")
    awaits_version(page, before + 1)
    for _ in range(5):  # repeats
        page.keyboard.down("p")
    page.keyboard.up("p")
    pass_time(page)
    for _ in range(2):  # to the button, where it is not there already
        page.keyboard.press("p")
    awaits_version(page, before + 2)
    assert version(page) == before + 2, "two presses were meant"


def test_a_double_click_does_not_confirm_an_expensive_bid(screens: Screens) -> None:
    page = hot_seat(screens, 4, confirm=True)
    before = offered(page)
    pass_time(page)
    dear = page.locator("[data-bid]").last
    box = dear.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(x, y)
    page.mouse.click(x, y)
    expect(page.locator(".asking")).to_have_count(1)
    pass_time(page)
    page.mouse.click(x, y)
    awaits_version(page, before + 1)
    assert version(page) == before + 1, "the first two presses were one"
