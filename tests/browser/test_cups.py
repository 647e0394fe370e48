"""A cup in a real browser: two people and two bots play two duplicate rounds."""

import re
import threading
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.server.playing import Client, Json, play_on
from tests.support import proof

from .screens import Screens, barriers, overflow, until
from .serving import Serving

CUP = re.compile(r"/cup/[a-z0-9]{12}$")


@pytest.fixture(scope="module")
def serving(built_client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server on which every person may create cups."""
    folder = tmp_path_factory.mktemp("cups")
    serving = Serving(folder, INDUSTRY_PERSONS="open", INDUSTRY_CUPS="persons")
    serving.start()
    yield serving
    serving.stop()


@pytest.fixture
def people(browser: Browser, serving: Serving) -> Iterator[Screens]:
    opened = Screens(browser, serving.site)
    yield opened
    opened.close()
    assert opened.troubles == []


def arrive(people: Screens, name: str, **likes: object) -> Page:
    """Somebody new with a secret link, in a browser of their own."""
    page = people.open("/me", context=people.context(**likes))  # type: ignore[arg-type]
    page.get_by_label("Your name", exact=True).fill(name)
    page.get_by_role("button", name="Create with a secret link").click()
    expect(page.get_by_text(f"Signed in as {name}")).to_be_visible()
    return page


def find_cups(page: Page) -> None:
    """Goes to the list of cups by way of the club's page."""
    page.get_by_role("link", name="Club", exact=True).click()
    page.get_by_role("link", name="Cups", exact=True).click()


def new_cup(page: Page, name: str, *, players: str = "3") -> str:
    """Fills the form of a cup for four, two of them bots; its address."""
    find_cups(page)
    page.get_by_role("button", name="New cup").click()
    page.get_by_label("Name of the cup").fill(name)
    page.get_by_label("Players at each table").select_option(players)
    page.get_by_role("spinbutton", name="Rounds").fill("2")
    page.get_by_role("spinbutton", name="Places").fill("4")
    page.get_by_role("spinbutton", name="Bots that take part").fill("2")
    page.get_by_label("The same bag at all tables of a round").check()
    page.get_by_role("button", name="Create cup").click()
    page.wait_for_url(CUP)
    return page.url


def asked(page: Page, path: str) -> Json:
    found: Json = page.request.get("/".join(page.url.split("/")[:3]) + f"/api/{path}").json()
    return found


def play_rest(*pages: Page, cup: str) -> None:
    """Plays the unfinished games of some people over the protocol, all tables at the same time."""
    games = [game for held in asked(pages[0], f"cups/{cup}")["rounds"] for game in held["games"]]
    tables = {game["table"] for game in games if not game["over"]}
    own = [
        {t["table"]["table"]: t["token"] for t in asked(page, "me/tables")["tables"]}
        for page in pages
    ]
    address = SimpleNamespace(port=int(pages[0].url.split("/")[2].split(":")[1]))

    def play(table: str, tokens: list[str]) -> None:
        with Client(address, table, tokens) as client:
            play_on(client.ready(), Random(5))

    threads = []
    for table in tables:
        tokens = [known[table] for known in own if table in known]
        if tokens:
            threads.append(threading.Thread(target=play, args=(table, tokens)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(180)
        assert not thread.is_alive()


def two_in_a_cup(people: Screens, host: str, guest: str, cup: str) -> tuple[Page, Page, str]:
    """One has created it and the other takes part; the pages of both, and its address."""
    first, second = arrive(people, host), arrive(people, guest, width=390)
    address = new_cup(first, cup)
    expect(first.get_by_text("3 of 4 places taken")).to_be_visible()
    find_cups(second)
    second.get_by_role("link", name=cup).click()
    second.get_by_role("button", name="Take part").click()
    return first, second, address


def expect_round(page: Page, address: str, number: int) -> None:
    page.goto(address)
    expect(page.get_by_role("heading", name=f"Round {number}", exact=True)).to_be_visible()
    expect(page.get_by_text("Others can watch when all games")).to_be_visible()


def test_two_people_meet_in_a_cup_and_find_their_tables(people: Screens) -> None:
    ida, kai, address = two_in_a_cup(people, "Ida", "Kai", "Spring cup")
    for page in (ida, kai):
        expect_round(page, address, 1)
    ida.get_by_role("region", name="Your tables").get_by_role("link").click()
    ida.wait_for_url(re.compile(r"/table/[a-z0-9]{12}"))
    expect(ida.get_by_text("Kai").or_(ida.get_by_text("Foreman")).first).to_be_visible()


@pytest.mark.proof
def test_two_people_and_two_bots_play_a_cup_of_two_duplicate_rounds(people: Screens) -> None:
    ana, bo, address = two_in_a_cup(people, "Ana", "Bo", "Winter cup")
    cup = address.rpartition("/")[2]
    for number in (1, 2):
        for page in (ana, bo):
            expect_round(page, address, number)
        play_rest(ana, bo, cup=cup)
        until(
            ana,
            lambda done=number: (
                sum(  # type: ignore[misc]
                    all(game["over"] for game in held["games"])
                    for held in asked(ana, f"cups/{cup}")["rounds"]
                )
                >= done
            ),
            "the round did not end",
        )
    until(ana, lambda: asked(ana, f"cups/{cup}")["status"] == "over", "the cup did not end")
    for page in (ana, bo):
        page.goto(address)
        expect(page.get_by_text("Finished")).to_be_visible()
        table = page.get_by_role("table")
        for name in ("Ana", "Bo", "Foreman"):
            expect(table.get_by_role("rowheader", name=name).first).to_be_visible()
        expect(table.get_by_role("row")).to_have_count(5)
        assert barriers(people.settled(page)) == []
        assert overflow(page) == 0
    ana.get_by_text("Who is ahead?").click()
    expect(ana.get_by_text("Your points are compared with those of the same seat")).to_be_visible()
    ana.get_by_role("region", name="Round 2").get_by_role("link", name="Replay").first.click()
    ana.wait_for_url(re.compile(r"/replay/[a-z0-9]{12}"))


def test_a_cup_gets_its_start_and_schedule_on_a_phone_by_keyboard(people: Screens) -> None:
    page = arrive(people, "Cleo", width=390)
    find_cups(page)
    page.get_by_role("button", name="New cup").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Name of the cup").focus()
    page.keyboard.type("Spring cup")
    start = page.get_by_label("Start (optional)")
    expect(start).to_have_accessible_description(re.compile("with those who have joined"))
    start.fill("2100-03-04T19:30")
    page.keyboard.press("Tab")
    span = page.get_by_label("Time for each round")
    span.focus()
    page.keyboard.press("End")  # the longest
    expect(span).to_have_accessible_description(re.compile("forfeit their game"))
    house = page.get_by_label("Bot of the house")
    house.focus()
    page.keyboard.type("Mag")
    page.get_by_role("button", name="Create cup").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(CUP)
    expect(page.get_by_text("Time for each round: 2 weeks")).to_be_visible()
    expect(page.get_by_text(re.compile("Starts Mar 4, 2100, 7:30"))).to_be_visible()
    made = asked(page, f"cups/{page.url.rpartition('/')[2]}")
    assert (made["hours"], made["house"]) == (336, "magnate")
    assert overflow(page) == 0


def test_the_page_says_when_a_round_must_be_over(people: Screens) -> None:
    page = arrive(people, "Dan")
    find_cups(page)
    page.get_by_role("button", name="New cup").click()
    page.get_by_label("Name of the cup").fill("Weekly cup")
    page.get_by_label("Time for each round").select_option(label="1 week")
    page.get_by_role("spinbutton", name="Bots that take part").fill("2")
    page.get_by_role("button", name="Create cup").click()
    page.get_by_role("button", name="Start now").click()
    expect(
        page.get_by_text(re.compile("This round ends .* Players who must still"))
    ).to_be_visible()


@pytest.mark.parametrize(
    ("width", "theme", "language"), proof.cases([(390, "dark", "de"), (1440, "light", "fr")])
)
def test_everybody_can_use_the_pages_of_cups(
    people: Screens, width: int, theme: str, language: str
) -> None:
    page = arrive(people, f"Dora {width}", width=width)
    address = new_cup(page, f"Cup {width}")
    page.evaluate(
        "([theme, language]) => localStorage.setItem('industry.prefs', JSON.stringify("
        "{...JSON.parse(localStorage.getItem('industry.prefs') ?? '{}'), theme, language}))",
        [theme, language],
    )
    for path in (address, address.rpartition("/cup/")[0] + "/cups"):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert barriers(people.settled(page)) == []
        page.set_viewport_size({"width": 360, "height": 640})
        assert overflow(page) == 0
    page.locator("button[aria-expanded]").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("form")).to_be_visible()
    assert barriers(people.settled(page)) == []
    assert overflow(page) == 0


def test_nobody_sees_a_link_to_cups_where_there_are_none(screens: Screens) -> None:
    page = screens.open("/lobby")
    expect(page.get_by_role("link", name="Rules")).to_be_visible()
    screens.settled(page)
    expect(page.get_by_role("link", name="Cups")).to_have_count(0)
