"""Standing orders in the browser: made where the decision is shown, listed, tried out, obeyed."""

from playwright.sync_api import Locator, Page, expect

from .screens import Screens, barriers
from .tables import awaits_version, make_table, press, sit, version


def seated(screens: Screens, *places: int) -> Page:
    made = make_table(screens.site, 3, 3, seating="as_joined", auto_forced=False)
    return sit(screens, made, *places)


def dialog(page: Page) -> Locator:
    """Opens one's orders by keyboard."""
    page.keyboard.press("r")
    page.keyboard.press("r")
    found = page.get_by_role("dialog", name="Standing orders")
    expect(found).to_be_visible()
    return found


def offered(page: Page) -> int:
    before = version(page)
    press(page, "button.pick")
    press(page, "[data-key=o]")
    awaits_version(page, before + 1)
    return version(page)


def test_an_order_made_by_two_presses_decides_at_once_and_the_log_says_so(
    screens: Screens,
) -> None:
    page = seated(screens, 0, 1, 2)
    before = offered(page)
    orders = dialog(page)
    orders.get_by_role("button", name="Pass on everything (era I)").click()
    expect(orders.get_by_text("1. Pass on everything (era I)")).to_be_visible()
    page.keyboard.press("Escape")
    awaits_version(page, before + 1)
    expect(page.get_by_text("decided by standing order").first).to_be_visible()


def test_orders_are_tried_out_before_they_are_given(screens: Screens) -> None:
    page = seated(screens, 0, 1, 2)
    before = offered(page)
    orders = dialog(page)
    orders.get_by_label("Bid at most").fill("3")
    expect(orders.get_by_role("status")).to_contain_text("Bid 1 (order 1)")
    orders.get_by_label("Bid at most").fill("0")
    expect(orders.get_by_role("status")).to_contain_text("Pass (order 1)")
    assert version(page) == before, "trying out decides nothing"


def test_an_order_that_wakes_is_marked_and_can_be_removed(screens: Screens) -> None:
    page = seated(screens, 0, 1, 2)
    offered(page)
    orders = dialog(page)
    orders.get_by_label("For which decision").select_option("wake")
    orders.get_by_label("I have fewer Talers than").fill("50")
    orders.get_by_role("button", name="Add this order").click()
    expect(orders.get_by_text("This order left the decision to you.")).to_be_visible()
    orders.get_by_role("button", name="Remove: Leave it to me").click()
    expect(orders.get_by_text("You have no orders yet.")).to_be_visible()


def test_orders_fit_on_a_phone_and_can_be_used_by_everybody(screens: Screens) -> None:
    page = seated(screens, 0, 1, 2)
    offered(page)
    page.set_viewport_size({"width": 360, "height": 640})
    orders = dialog(page)
    for kind in ("bid", "settle", "offer", "develop", "subsidy", "wake"):
        orders.get_by_label("For which decision").select_option(kind)
        assert orders.evaluate("box => box.scrollWidth <= box.clientWidth"), kind
    assert barriers(page) == []
