"""What can still come, what the end of an era brings, and how the end of the game is counted."""

import re
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import expect

from industry.boards import load_board
from industry.notation import record_from_toml, replay
from tests.support import proof

from .screens import Screens, barriers
from .tables import (
    HTTP,
    GameOver,
    Made,
    Wanted,
    appears,
    awaits_change,
    awaits_decision,
    decide,
    hot_seat,
    make_table,
    play_to_the_end,
    press,
    sit,
    version,
)

LISTED = "[...document.querySelectorAll('[data-in-bag]')].map((field) => field.dataset.inBag)"
BOXES = """() => [...document.querySelectorAll('.sheet button, .stage-panel, .decision')]
    .map((element) => element.getBoundingClientRect())
    .map(({ x, y, width, height }) => [x, y, width, height].join())"""
MANY = 60
"""More decisions than people at one screen have in an era."""
MANY_GAMES = 12


def shared_table(screens: Screens) -> Made:
    return make_table(screens.site, 3, 3, seating="as_joined", auto_forced=False)


@pytest.mark.parametrize(
    ("width", "button"), proof.cases([(390, ".bag-button"), (1440, ".open-bag")])
)
def test_the_bag_lists_what_can_still_come_by_column(
    screens: Screens, width: int, button: str
) -> None:
    made = shared_table(screens)
    page = sit(screens, made, 0, 1, 2, width=width, still=True)
    assert awaits_decision(page)
    page.locator(button).click()
    game = made.view()["game"]
    left = [f"1{letter}" for letter, place in sorted(game["tokens"].items()) if place == "bag"]
    assert len(left) == 9
    expect(page.get_by_role("dialog")).to_contain_text("Still to come this era: 9 fields")
    assert page.evaluate(LISTED) == left
    assert barriers(page) == []


def last_of_era(game: dict[str, Any], legal: list[str]) -> bool:
    """Nothing is left in the bag, and everything is auctioned: the era ends after this turn."""
    return "bag" not in game["tokens"].values() and game["phase"] == "develop"


def last_of_game(game: dict[str, Any], legal: list[str]) -> bool:
    """The game ends after this turn; three people play four eras of Industria."""
    return game["era"] == 4 and last_of_era(game, legal)


def technology_would_lapse(game: dict[str, Any], legal: list[str]) -> bool:
    """A technology of the era could still be built in the era's last turn."""
    built = {line.split()[2] for line in legal if " develop " in line}
    return last_of_era(game, legal) and any(
        field[0] == str(game["era"]) and field[1] in "KL" for field in built
    )


def table_before_a_lapse(screens: Screens) -> Made:
    """Not every game comes to such a moment."""
    for _ in range(MANY_GAMES):
        made = shared_table(screens)
        with suppress(AssertionError):
            made.advance(technology_would_lapse)
            return made
    raise AssertionError(f"no technology was about to lapse in {MANY_GAMES} games")


def test_the_last_round_is_named_and_done_asks_before_a_technology_lapses(
    screens: Screens,
) -> None:
    made = table_before_a_lapse(screens)
    page = sit(screens, made, 0, 1, 2, still=True, confirm=True)
    assert awaits_decision(page)
    expect(page.locator("header em")).to_have_text("last round of this era")
    expect(page.get_by_text("Lapses after this round if you don’t develop it")).to_be_visible()
    expect(page.locator("[data-field][aria-label*='or it lapses']").first).to_be_attached()
    before = version(page)
    press(page, "[data-key=d]")
    expect(page.get_by_role("button", name="Sure?")).to_be_visible()
    assert version(page) == before
    press(page, "[data-key=d]")
    awaits_change(page, before)


@pytest.mark.parametrize("width", proof.cases([390, 1440]))
def test_a_card_tells_what_ended_with_an_era_and_moves_nothing(
    screens: Screens, width: int
) -> None:
    made = shared_table(screens)
    made.advance(last_of_era)
    page = sit(screens, made, 0, 1, 2, width=width, still=True)
    card = page.locator(".era-card")
    for _ in range(MANY):
        assert awaits_decision(page)
        if made.view()["game"]["era"] == 2:
            break
        expect(card).to_have_count(0)
        before = version(page)
        press(page, "[data-key=d]")
        awaits_change(page, before)
    expect(card).to_contain_text("Era I is over, era II begins")
    game = made.view()["game"]
    lapsed = [field for field, owned in game["fields"].items() if owned["status"] == "lapsed"]
    expect(card).to_contain_text("Lapsed:" if lapsed else "No technology lapsed.")
    bank = [name for name, market in game["market"].items() if market["bank"]]
    for resource in bank:
        expect(card).to_contain_text(re.compile(resource, re.IGNORECASE))
    assert barriers(page) == []
    inside = "([one, around]) => one.bottom <= around.bottom + 1 && one.right <= around.right + 1"
    boxes = [
        page.evaluate(f"document.querySelector('{place}').getBoundingClientRect().toJSON()")
        for place in (".era-card", ".table > .board")
    ]
    assert page.evaluate(inside, boxes)
    standing = page.evaluate(BOXES)
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    assert page.evaluate(BOXES) == standing


def late_table(site: str, begin: Wanted) -> Made:
    made = make_table(site, 3, 3, edition="industria", seating="as_joined")
    with suppress(GameOver):
        made.advance(begin)
    return made


@pytest.fixture(scope="module")
def ended(site: str) -> Made:
    """A table whose game is over."""
    return late_table(site, lambda game, legal: False)


def test_the_final_scoring_is_counted_on_the_board_and_skipped_by_one_press(
    screens: Screens,
) -> None:
    made = late_table(screens.site, last_of_game)
    page = sit(screens, made, 0, 1, 2, pace="fast", still=True)
    play_to_the_end(page)
    counting = page.locator("main.counting")
    expect(counting).to_have_attribute("data-part", "development")
    score = made.view()["game"]["score"]
    for seat, parts in enumerate(score, start=1):  # nothing climbs where motion is not wanted
        shown = page.locator(f"[data-counted='{seat}']")
        expect(shown).to_have_text(str(parts["development"]).replace("-", "−"))
    expect(page.locator(".field.dim").first).to_be_attached()
    assert barriers(page) == []
    page.keyboard.press("n")
    expect(counting).to_have_count(0)
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    page.get_by_role("button", name="Count again").click()
    expect(counting).to_have_attribute("data-part", "development")
    page.get_by_role("button", name="Skip").click()
    expect(counting).to_have_count(0)


def test_the_counting_ends_by_itself_with_everybodys_points(screens: Screens, ended: Made) -> None:
    page = sit(screens, ended)
    page.get_by_role("button", name="Count again").click()
    score = ended.view()["game"]["score"]
    parts = [part for part in score[0] if part != "points" and any(one[part] for one in score)]
    appears(page, f"main.counting[data-part={parts[-1]}], main.end:not(.counting)")
    expect(page.locator("main.counting")).to_have_count(0)


def test_the_curve_shows_totals_beside_development_points(screens: Screens, ended: Made) -> None:
    page = sit(screens, ended)
    expect(page.locator("polyline.thin")).to_have_count(3)
    text = HTTP.get(f"{ended.site}/api/tables/{ended.id}/record").raise_for_status().text
    game = replay(record_from_toml(text), load_board("industria"))
    rounds = game.position.state.round_number
    thick = page.locator("polyline:not(.thin)")
    for seat in range(3):
        points = (thick.nth(seat).get_attribute("points") or "").split()
        assert len(points) == rounds + 2  # the beginning, each round, the final scoring


def test_on_a_phone_a_tap_chooses_an_amount_and_another_press_bids(screens: Screens) -> None:
    page = hot_seat(screens, width=390, still=True)
    assert awaits_decision(page)
    decide(page, 0)
    before = version(page)
    amounts = page.locator("[data-bid]")
    confirm = page.locator("[data-bid-chosen]")
    told = page.locator(".consequences").inner_text()
    amounts.nth(1).click()
    expect(amounts.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".consequences")).not_to_have_text(told)
    assert version(page) == before
    expect(confirm).to_have_attribute(
        "data-bid-chosen", amounts.nth(1).get_attribute("data-bid") or ""
    )
    confirm.click()
    awaits_change(page, before)


def test_on_a_phone_the_keyboard_bids_at_once(screens: Screens) -> None:
    page = hot_seat(screens, width=390, still=True)
    assert awaits_decision(page)
    decide(page, 0)
    before = version(page)
    page.locator("[data-bid]").first.focus()
    page.keyboard.press("Enter")
    awaits_change(page, before)
