"""Whole games in a browser: by clicks, by keys, over reloads, on phones, with others."""

import pytest
from playwright.sync_api import Page, expect

from industry.texts import say

from .screens import Screens, until
from .tables import (
    MOST_DECISIONS,
    Made,
    awaits_change,
    awaits_decision,
    awaits_version,
    decide,
    hot_seat,
    in_last_eras,
    make_table,
    play_to_the_end,
    sit,
    told,
    version,
)

GAMES = [
    ("industry", 4, 1440, "en"),
    ("industry", 3, 820, "fr"),
    ("industria", 3, 390, "de"),
    ("industria", 4, 1440, "en"),
]
WHOLE = [
    GAMES[1],
    *(pytest.param(*game, marks=pytest.mark.proof) for game in GAMES[:1] + GAMES[2:]),
]
AT_THE_STAGE = ".decision, .list"


def total_of_parts(page: Page) -> list[int]:
    return [int(text) for text in page.locator(".chart .big").all_text_contents()]


@pytest.mark.parametrize(("edition", "players", "width", "language"), WHOLE)
def test_a_whole_game_against_bots_is_played_by_clicks(
    screens: Screens, edition: str, players: int, width: int, language: str
) -> None:
    made = make_table(screens.site, players=players, edition=edition)
    play_by_clicks(screens, made, width, language)


@pytest.mark.proof
@pytest.mark.parametrize(("edition", "players", "width", "language"), [GAMES[0], GAMES[2]])
def test_the_last_eras_against_bots_is_played_by_clicks(
    screens: Screens, edition: str, players: int, width: int, language: str
) -> None:
    made = make_table(screens.site, players=players, edition=edition)
    made.advance(in_last_eras)
    play_by_clicks(screens, made, width, language)


def play_by_clicks(screens: Screens, made: Made, width: int, language: str) -> None:
    """To the end, which tells the points and the winner as the server does."""
    page = sit(screens, made, width=width, language=language, still=language != "en")
    play_to_the_end(page)
    expect(page.locator("main.counting")).to_have_count(0)  # at once means at once
    table = made.view()
    game = table["game"]
    assert table["status"] == "over"
    points = sorted((parts["points"] for parts in game["score"]), reverse=True)
    assert total_of_parts(page) == points
    winner = table["seats"][game["winners"][0] - 1]["name"]
    in_words = winner.replace("Foreman", say("pages.bot.foreman.name", language))
    expect(page.locator(".win h1")).to_contain_text(in_words)


def press_decision(page: Page, number: int) -> None:
    """One decision by keys: a letter goes to its button, the same letter again presses it."""
    before = version(page)
    if page.locator("[data-key=o]").count():
        keys = ["1", "Enter", "o", "o"]
    elif page.locator("[data-key=p]").count():
        amounts = page.locator("[data-bid]")
        lowest = amounts.first.get_attribute("data-bid") if amounts.count() else None
        keys = [*lowest, "Enter"] if lowest and number % 2 else ["p", "p"]
    elif page.locator("[data-key=s]").count():
        can_claim = page.locator("[data-key=c]:not(.unavailable)").count()
        keys = ["c", "c"] if can_claim and number % 2 else ["s", "Enter"]
    elif page.locator("button.pay[data-key='1']:not([aria-expanded])").count():
        keys = ["1", "Enter"]
    else:
        keys = ["d", "Enter"]
    for key in ["Shift", *keys]:  # the same key twice at once would be a slip
        page.keyboard.press(key)
    awaits_change(page, before)


@pytest.mark.proof
@pytest.mark.parametrize("part", ["whole", "last eras"])
def test_a_game_is_played_by_the_keyboard_alone(screens: Screens, part: str) -> None:
    made = make_table(screens.site)
    if part == "last eras":
        made.advance(in_last_eras)
    page = sit(screens, made, theme="dark", still=True)
    for number in range(MOST_DECISIONS):
        if not awaits_decision(page):
            break
        press_decision(page, number)
    assert made.view()["status"] == "over"


def test_a_reload_in_the_middle_loses_nothing(screens: Screens) -> None:
    page = sit(screens, make_table(screens.site))
    for number in range(6):
        assert awaits_decision(page)
        decide(page, number)
    assert awaits_decision(page)
    before = (page.locator(".turn").inner_text(), told(page))
    page.reload()
    assert awaits_decision(page)
    assert (page.locator(".turn").inner_text(), told(page)) == before
    decide(page, 7)


def test_a_second_window_shows_the_same_and_may_decide_too(screens: Screens) -> None:
    made = make_table(screens.site, people=3, players=3, auto_forced=False)
    first, second = sit(screens, made, 0, 1, 2), sit(screens, made, 0, 1, 2)
    for number, (deciding, other) in enumerate([(second, first), (first, second)]):
        assert awaits_decision(deciding)
        decide(deciding, number)
        awaits_version(other, version(deciding))
        assert told(other) == told(deciding)


def at_turn(people: list[Page]) -> Page:
    """Waits until one of these people has to decide."""
    until(people[0], lambda: any(map(decides, people)), "nobody has to decide")
    return next(filter(decides, people))


def decides(page: Page) -> bool:
    return page.locator(AT_THE_STAGE).count() > 0


def test_two_people_play_and_a_third_watches(screens: Screens) -> None:
    made = make_table(screens.site, people=2, players=3, auto_forced=False)
    people = [sit(screens, made, 0), sit(screens, made, 1, width=390, theme="dark")]
    watcher = screens.open(made.watching, width=820)
    decided = set()
    for number in range(12):
        page = at_turn(people)
        decided.add(people.index(page))
        decide(page, number)
    last = at_turn(people)
    for page in (*people, watcher):
        awaits_version(page, version(last))
        assert told(page) == told(last)
    assert decided == {0, 1}
    expect(watcher.locator(AT_THE_STAGE)).to_have_count(0)


def test_hot_seat_names_the_person_whose_turn_it_is(screens: Screens) -> None:
    page = hot_seat(screens)
    deciders = set()
    for number in range(6):
        assert awaits_decision(page)
        deciders.add(page.locator(".turn").inner_text().split(":")[0].strip().splitlines()[-1])
        decide(page, number)
    assert deciders == {"Person 1", "Person 2", "Person 3"}
