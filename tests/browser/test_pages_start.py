"""The start page: to a game in one click, to a table of one's own, to somebody else's, and back."""

import re

import pytest
from playwright.sync_api import expect

from tests.notation.samples import finished, record
from tests.support import proof

from .screens import Screens, as_file

TABLE = re.compile(r"/table/[a-z0-9]{12}$")


@pytest.mark.parametrize("edition", proof.cases(["industria", "industry"]))
def test_one_click_leads_to_a_game_against_three_bots(screens: Screens, edition: str) -> None:
    page = screens.open("/")
    page.get_by_label("Edition").select_option(edition)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(TABLE)
    expect(page.locator("[data-field]")).to_have_count(60)
    expect(page.locator(".players > li")).to_have_count(4)
    expect(page.get_by_text("(you)").first).to_be_visible()


def test_people_at_one_screen_are_seated_by_their_names(screens: Screens) -> None:
    page = screens.open("/new")
    page.get_by_role("button", name="3 players").click()
    for seat, name in enumerate(("Ana", "Bo", "Cy"), start=1):
        page.get_by_label(f"Seat {seat}: Who sits here").select_option("human")
        page.get_by_label(f"Name of seat {seat}").fill(name)
    page.get_by_label("Seating").select_option("as_joined")
    page.get_by_role("button", name="Begin the game").click()
    page.wait_for_url(TABLE)
    players = page.locator(".players > li")
    expect(players).to_have_count(3)
    for seat, name in enumerate(("Ana", "Bo", "Cy")):
        expect(players.nth(seat)).to_contain_text(name)


@pytest.mark.parametrize("path", ["/", "/new"])
def test_a_table_that_nobody_changed_begins_at_once(screens: Screens, path: str) -> None:
    page = screens.open(path)
    page.get_by_role("button", name="Begin the game").click()
    page.wait_for_url(TABLE)
    expect(page.locator("[data-field]")).to_have_count(60)


def test_what_is_agreed_on_reaches_the_table(screens: Screens) -> None:
    page = screens.open("/new")
    page.get_by_label("Industria (2003)").check()
    page.get_by_label("Hands").select_option("closed")
    page.get_by_label(re.compile("^Clock")).select_option("days")
    page.get_by_label("Forced moves").select_option("off")
    page.get_by_role("button", name="Begin the game").click()
    page.wait_for_url(TABLE)
    view = page.request.get(page.url.replace("/table/", "/api/tables/")).json()
    assert view["options"] == {
        "edition": "industria",
        "players": 4,
        "board": "industria",
        "rules": {"industria_hands": "closed", "industria_resource_cash": "off"},
        "seating": "random",
        "undo": "own_last",
        "auto_forced": False,
        "clock": "days",
        "zombie": "passive",
        "patience": "10m",
        "chat": True,
        "daily": "",
        "rated": False,
        "hints": "auto",
        "what_if": False,
        "cup": "",
        "duplicate": False,
        "listed": False,
    }


def test_a_table_is_joined_by_its_link_or_its_code(screens: Screens) -> None:
    host = screens.open("/new")
    host.get_by_label("Seat 2: Who sits here").select_option("open")
    host.get_by_role("button", name="Open the table").click()
    host.wait_for_url(TABLE)
    for typed in (host.url, host.url.rsplit("/", 1)[1].upper()):
        guest = screens.open("/")
        guest.get_by_label("Table link or code").fill(typed)
        guest.get_by_role("button", name="Go").click()
        expect(guest.get_by_role("button", name="Take a seat")).to_be_visible()


@pytest.mark.parametrize(
    ("language", "button", "sentence"),
    proof.cases(
        [
            ("en", "Play now", "Too many requests from your connection. Try again in 2 minutes."),
            (
                "de",
                "Jetzt spielen",
                "Zu viele Anfragen von deinem Anschluss. Versuch es in 2 Minuten noch einmal.",
            ),
            ("fr", "Jouer", "votre connexion. Réessayez dans 2 minutes."),
        ]
    ),
)
def test_who_is_too_fast_is_told_how_long_to_wait(
    screens: Screens, language: str, button: str, sentence: str
) -> None:
    """P12: a limit is a sentence, not a silence."""
    screens.expected.add(429)
    page = screens.context(language=language).new_page()
    page.goto(screens.site)
    refusal = {"code": "too_fast", "detail": "tables", "retry_after": 110}
    page.route("**/api/tables", lambda route: route.fulfill(status=429, json=refusal))
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("alert")).to_contain_text(sentence)


def test_what_is_no_code_of_a_table_is_told(screens: Screens) -> None:
    page = screens.open("/")
    page.get_by_label("Table link or code").fill("my table")
    page.get_by_role("button", name="Go").click()
    expect(page.get_by_role("alert")).to_contain_text("12 letters and digits")


def test_my_games_tell_whose_turn_it_is_and_lead_back(screens: Screens) -> None:
    page = screens.open("/new")
    for seat in (1, 2, 3, 4):
        page.get_by_label(f"Seat {seat}: Who sits here").select_option("human")
    page.get_by_role("button", name="Begin the game").click()
    page.wait_for_url(TABLE)
    table = page.url
    page.goto(f"{screens.site}/")
    games = page.get_by_role("region", name="My games")
    expect(games.get_by_text("Your turn")).to_be_visible()
    games.get_by_role("link", name="Continue").click()
    expect(page).to_have_url(table)


def test_another_language_is_spoken_at_once_and_kept(screens: Screens) -> None:
    page = screens.open("/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("under the hammer")
    page.get_by_label("Language").select_option("de")
    expect(page.get_by_role("heading", level=1)).to_contain_text("unter dem Hammer")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_contain_text("unter dem Hammer")
    assert page.evaluate("document.documentElement.lang") == "de"


def test_a_record_chosen_on_the_start_page_is_watched(screens: Screens) -> None:
    page = screens.open("/")
    page.get_by_label("Choose a file").set_input_files(as_file(record(finished()).to_toml()))
    page.wait_for_url("**/replay")
    expect(page.get_by_role("group", name="Playback")).to_be_visible()


def test_it_says_that_the_program_is_unofficial_and_the_board_a_reconstruction(
    screens: Screens,
) -> None:
    notes = screens.open("/").locator("footer")
    expect(notes).to_contain_text("Unofficial")
    expect(notes).to_contain_text("reconstructions")
