"""The table can be used by everyone: on every screen, in every language, seen or heard."""

import pytest
from playwright.sync_api import Page, expect

from .screens import HEIGHTS, Screens, barriers, overflow
from .tables import awaits_decision, decide, make_table, sit

PHASES = {
    "offer": "[data-key=o]",
    "bid": "[data-key=p]",
    "settle": "[data-key=s]",
    "develop": "[data-key=d]",
}


def phase_of(page: Page) -> str:
    return next(name for name, button in PHASES.items() if page.locator(button).count())


@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 390)])
def test_no_decision_has_a_serious_barrier(screens: Screens, theme: str, width: int) -> None:
    page = sit(screens, make_table(screens.site, auto_forced=False), theme=theme, width=width)
    seen: set[str] = set()
    for number in range(60):
        assert awaits_decision(page)
        phase = phase_of(page)
        if phase not in seen:
            seen.add(phase)
            assert barriers(page) == [], phase
        if seen == set(PHASES):
            break
        decide(page, number)
    assert seen == set(PHASES)
    page.keyboard.press("?")
    assert barriers(page) == []


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("width", HEIGHTS)
def test_the_table_never_scrolls_sideways(screens: Screens, width: int, language: str) -> None:
    page = sit(screens, make_table(screens.site), width=width, language=language)
    assert awaits_decision(page)
    assert overflow(page) <= 0


def test_every_field_is_a_named_button_and_arrows_walk_the_board(screens: Screens) -> None:
    page = sit(screens, make_table(screens.site))
    assert awaits_decision(page)
    names = page.locator("[data-field]").evaluate_all(
        "fields => fields.map(field => [field.dataset.field, field.getAttribute('aria-label')])"
    )
    assert len(names) == 60
    assert all(label.startswith(field) for field, label in names)
    page.keyboard.press("b")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-field='2B']")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-field='2L']")).to_be_focused()


def test_a_field_that_is_looked_at_tells_what_it_is_worth_to_whom(screens: Screens) -> None:
    page = sit(screens, make_table(screens.site))
    assert awaits_decision(page)
    page.locator("[data-field='5G']").focus()
    page.keyboard.press("Enter")
    card = page.get_by_role("dialog")
    expect(card.locator("li")).to_have_count(4)
    expect(page.locator(".fld.dim")).not_to_have_count(0)
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    expect(page.locator(".fld.dim")).to_have_count(0)


def test_what_is_not_allowed_answers_why(screens: Screens) -> None:
    page = sit(screens, make_table(screens.site))
    for number in range(30):
        assert awaits_decision(page)
        if phase_of(page) == "bid":
            break
        decide(page, number)
    purse = int(page.locator("li.toact [data-purse]").inner_text())
    page.locator(".amounts .off").click()
    answer = page.locator(".why")
    expect(answer).to_contain_text(f"cannot bid {purse + 1}")
    expect(answer).to_contain_text("Person 1")
    expect(answer.get_by_role("link")).to_have_attribute("href", "/rules#auction.bid.higher")


def test_the_live_region_tells_whose_turn_it_is(screens: Screens) -> None:
    page = sit(screens, make_table(screens.site))
    assert awaits_decision(page)
    expect(page.locator("[aria-live=polite][aria-atomic=true]")).to_contain_text("Your turn")
    assert page.title().startswith("● Your turn")


def test_the_language_changes_at_once_and_the_game_goes_on(screens: Screens) -> None:
    page = sit(screens, make_table(screens.site))
    assert awaits_decision(page)
    page.get_by_label("Language").select_option("de")
    expect(page.locator(".turn")).to_contain_text("Am Zug")
    page.get_by_label("Sprache").select_option("fr")
    expect(page.locator(".turn")).to_contain_text("À vous")
    decide(page, 1)
