"""The table can be used by everyone: on every screen, in every language, seen or heard."""

import pytest
from playwright.sync_api import Browser, expect

from tests.support import proof

from .gallery import BY_HAND, STATES
from .screens import Screens, barriers, overflow, overflows
from .tables import (
    awaits_decision,
    awaits_playback,
    decide,
    hot_seat,
    make_table,
    note_playback,
    sit,
)

SCENES = {**{state: (state, "") for state in STATES}, **BY_HAND}
"""States of the table, and what is clicked there to see the rest: cards, refusals, dialogs."""


@pytest.mark.parametrize(
    ("theme", "width"), [("light", 1440), pytest.param("dark", 390, marks=pytest.mark.proof)]
)
def test_no_state_of_the_table_has_a_serious_barrier(
    browser: Browser, pictures: str, theme: str, width: int
) -> None:
    shown = Screens(browser, pictures)
    page = shown.open("", width=width, still=True)
    for name, (state, place) in proof.spread(list(SCENES.items()), 5):
        page.goto(f"{pictures}?state={state}&theme={theme}")
        expect(page.locator("[data-field]").first).to_be_visible()
        if place:
            page.locator(place).first.click()
        assert barriers(page) == [], name
        assert overflow(page) <= 0, name
    shown.close()
    assert shown.troubles == []


def test_several_ways_to_pay_are_chosen_from_by_the_keyboard(
    browser: Browser, pictures: str
) -> None:
    shown = Screens(browser, pictures)
    page = shown.open("?state=develop", still=True)
    several = page.locator("button.pay[aria-expanded=false]").first
    page.keyboard.press(several.get_attribute("data-key") or "")
    expect(several).to_be_focused()
    page.keyboard.press("Enter")
    bill = page.locator(".bill")
    expect(bill).to_be_visible()
    chosen = []
    for _ in bill.locator("fieldset").all():
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowDown")
        source = page.locator("input:focus")
        chosen.append((source.get_attribute("name") or "").split("-")[1])
        chosen[-1] += f"={source.get_attribute('value')}"
    page.keyboard.press("Tab")
    expect(page.locator(".go .btn")).to_be_focused()
    page.keyboard.press("Enter")
    line = page.locator("html").get_attribute("data-sent") or ""
    assert line.startswith("1 develop ")
    assert chosen
    assert set(chosen) <= set(line.split())
    shown.close()
    assert shown.troubles == []


WATCH_MOTION = """
(() => {
  window.flights = 0
  window.moved = []
  const animate = Element.prototype.animate
  Element.prototype.animate = function (...given) {
    window.flights += 1
    return animate.apply(this, given)
  }
  const note = (event) => {
    for (const one of event.target.getAnimations()) {
      const isEndless = one.effect.getComputedTiming().iterations === Infinity
      if (isEndless || one.effect.getKeyframes().some((key) => key.transform)) {
        window.moved.push(one.animationName ?? one.transitionProperty)
      }
    }
  }
  addEventListener('animationstart', note, true)
  addEventListener('transitionrun', note, true)
})()
"""
"""Notes every movement as it begins: looking now and then may miss one."""


@pytest.mark.parametrize("still", [True, False])
def test_nothing_moves_for_those_who_like_it_still(
    browser: Browser, pictures: str, still: bool
) -> None:
    shown = Screens(browser, pictures)
    context = shown.context(still=still, pace="fast")
    context.add_init_script(WATCH_MOTION)
    page = shown.open("?state=bid", context=context)
    note_playback(page)
    page.locator(".log header button").click()
    awaits_playback(page)
    assert bool(page.evaluate("window.flights")) is not still
    assert bool(page.evaluate("window.moved")) is not still
    shown.close()
    assert shown.troubles == []


@pytest.mark.proof
@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_the_table_never_scrolls_sideways(screens: Screens, language: str) -> None:
    page = hot_seat(screens, players=4, language=language)
    for number in range(2):
        assert awaits_decision(page)
        assert overflows(page) == {}
        decide(page, number)


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
    expect(card.locator("ul:not(.prospects) li")).to_have_count(4)
    expect(page.locator(".field.dim")).not_to_have_count(0)
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    expect(page.locator(".field.dim")).to_have_count(0)


def test_an_auction_of_the_log_is_shown_on_the_board(browser: Browser, pictures: str) -> None:
    shown = Screens(browser, pictures)
    page = shown.open("?state=bid", still=True)
    auction = page.locator(".log h3 button").first
    field = auction.inner_text().split()[-1]
    auction.click()
    expect(auction).to_have_attribute("aria-pressed", "true")
    lit = page.locator(".field:not(.dim) [data-field]")
    expect(lit).to_have_count(1)
    expect(lit).to_have_attribute("data-field", field)
    auction.click()
    expect(page.locator(".field.dim")).to_have_count(0)
    shown.close()
    assert shown.troubles == []


def test_what_is_not_allowed_answers_why(screens: Screens) -> None:
    page = hot_seat(screens)
    assert awaits_decision(page)
    decide(page, 0)
    page.locator("[data-key=p]").wait_for()
    purse = int(page.locator("li.to-act [data-purse]").inner_text())
    page.locator(".amounts .unavailable").click()
    answer = page.locator(".why")
    expect(answer).to_contain_text(f"You can’t bid {purse + 1}")
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
    expect(page.locator(".turn")).to_contain_text("Du bist dran")
    page.get_by_label("Sprache").select_option("fr")
    expect(page.locator(".turn")).to_contain_text("À vous")
    decide(page, 1)
