"""Whole games in a browser: by clicks, by keys, over reloads, on phones."""

import pytest
from playwright.sync_api import Page, expect

from .screens import Screens
from .tables import awaits_decision, decide, make_table, play_to_the_end, sit


def total_of_parts(page: Page) -> list[int]:
    return [int(text) for text in page.locator(".chart .big").all_text_contents()]


@pytest.mark.parametrize(
    ("edition", "players", "width"), [("industry", 4, 1440), ("industria", 3, 390)]
)
def test_a_whole_game_against_bots_is_played_by_clicks(
    screens: Screens, edition: str, players: int, width: int
) -> None:
    made = make_table(screens.site, players=players, edition=edition)
    page = sit(screens, made, width=width)
    assert play_to_the_end(page) > 20
    game = made.view()["game"]
    assert made.view()["status"] == "over"
    points = sorted((parts["points"] for parts in game["score"]), reverse=True)
    assert total_of_parts(page) == points
    winner = made.view()["seats"][game["winners"][0] - 1]["name"]
    expect(page.locator(".win h1")).to_contain_text(winner)


def press_decision(page: Page, number: int) -> None:
    """One decision by keys: a letter goes to its button, the same letter again presses it."""
    before = page.locator("[data-version]").get_attribute("data-version")
    if page.locator("[data-key=o]").count():
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        keys = ["o", "o"]
    elif page.locator("[data-key=p]").count():
        amounts = page.locator("[data-bid]")
        lowest = amounts.first.get_attribute("data-bid") if amounts.count() else None
        keys = [*lowest, "Enter"] if lowest and number % 2 else ["p", "p"]
    elif page.locator("[data-key=s]").count():
        keys = ["s", "s"] if number % 2 else ["c", "c"]
        if keys[0] == "c" and page.locator("[data-key=c].off").count():
            keys = ["s", "Enter"]
    elif page.locator("button.pay[data-key='1']:not([aria-expanded])").count():
        keys = ["1", "Enter"]
    else:
        keys = ["d", "Enter"]
    for key in keys:
        page.keyboard.press(key)
    expect(page.locator("[data-version]")).not_to_have_attribute("data-version", before or "")


def test_a_whole_game_is_played_by_the_keyboard_alone(screens: Screens) -> None:
    made = make_table(screens.site, players=3)
    page = sit(screens, made)
    for number in range(400):
        if not awaits_decision(page):
            break
        press_decision(page, number)
    assert made.view()["status"] == "over"


def test_a_reload_in_the_middle_loses_nothing(screens: Screens) -> None:
    made = make_table(screens.site)
    page = sit(screens, made)
    for number in range(6):
        assert awaits_decision(page)
        decide(page, number)
    assert awaits_decision(page)
    turn = page.locator(".turn").inner_text()
    told = page.locator(".log ol").inner_text()
    page.reload()
    assert awaits_decision(page)
    expect(page.locator(".turn")).to_have_text(turn)
    assert page.locator(".log ol").inner_text() == told
    decide(page, 7)


def test_a_second_window_shows_the_same_and_may_decide_too(screens: Screens) -> None:
    made = make_table(screens.site)
    first = sit(screens, made)
    second = sit(screens, made)
    assert awaits_decision(first)
    assert awaits_decision(second)
    decide(second, 1)
    version = second.locator("[data-version]").get_attribute("data-version") or ""
    expect(first.locator("[data-version]")).not_to_have_attribute("data-version", "0")
    assert awaits_decision(first)
    assert int(first.locator("[data-version]").get_attribute("data-version") or 0) >= int(version)


def test_two_people_play_and_a_third_watches(screens: Screens) -> None:
    made = make_table(screens.site, people=2, players=3)
    people = [sit(screens, made, 0), sit(screens, made, 1)]
    watcher = screens.open(made.watching)
    expect(watcher.locator("[data-field]")).to_have_count(60)
    for number in range(12):
        acting = [page for page in people if page.locator(".act, .list").count()]
        if acting:
            decide(acting[0], number)
        else:
            people[0].wait_for_timeout(100)
    expect(watcher.locator(".act, .list")).to_have_count(0)
    version = people[0].locator("[data-version]").get_attribute("data-version") or ""
    expect(watcher.locator("[data-version]")).to_have_attribute("data-version", version)


def test_hot_seat_names_the_person_whose_turn_it_is(screens: Screens) -> None:
    made = make_table(screens.site, people=2, players=3, seating="as_joined")
    page = sit(screens, made, 0, 1)
    deciders = set()
    for number in range(12):
        assert awaits_decision(page)
        deciders.add(page.locator(".turn").inner_text().split(":")[0].strip().splitlines()[-1])
        decide(page, number)
    assert deciders >= {"Person 1", "Person 2"}
