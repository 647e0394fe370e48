"""Taking back at a table against bots alone: the screen is where it was, and the log says so."""

from playwright.sync_api import expect

from .screens import Screens
from .tables import awaits_decision, awaits_version, decide, make_table, press, sit, told, version


def test_decisions_are_taken_back_whatever_the_bots_did_since(screens: Screens) -> None:
    made = make_table(screens.site)
    page = sit(screens, made)
    moments = []
    for number in range(3):
        assert awaits_decision(page)
        moments.append((page.locator(".turn").inner_text(), len(made.view()["game"]["fields"])))
        decide(page, number)
    assert awaits_decision(page)
    for count, moment in enumerate(reversed(moments), start=1):
        before = version(page)
        press(page, "[data-key=u]")
        awaits_version(page, before + 1)
        assert awaits_decision(page)
        assert (page.locator(".turn").inner_text(), len(made.view()["game"]["fields"])) == moment
        assert f"takes back a decision ({count}×)" in told(page)
    expect(page.locator("[data-key=u]")).to_be_disabled()
    decide(page, 5)
