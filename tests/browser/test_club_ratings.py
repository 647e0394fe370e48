"""Ratings and the club page in a real browser: three languages, phone, keyboard, dark, axe."""

import re
from collections.abc import Iterator
from itertools import product
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import create_engine

from industry.server.ratings.counting import count_game
from tests.server.club.members import Member
from tests.server.club.rated import begin_rated, game, play_on, rating_when_counted
from tests.support import proof

from .screens import Screens, barriers, overflow
from .serving import Serving

PEOPLE = ("Ana Berg", "Bo Lund", "Cy Weiß")
RESULTS = ((1, 2, 3), (2, 1, 3), (1, 3, 2), (1, 2, 2), (3, 1, 2), (1, 2, 3), (2, 3, 1), (1, 2, 3))


@pytest.fixture(scope="module")
def serving(built_client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A club in which three persons have played some rated games."""
    serving = Serving(tmp_path_factory.mktemp("club"), INDUSTRY_PERSONS="open")
    serving.start()
    yield serving
    serving.stop()


@pytest.fixture(scope="module")
def ana(serving: Serving) -> dict[str, str]:
    """The first of three persons with a curve: their id and secret link."""
    made = [
        httpx.post(f"{serving.site}/api/persons", json={"name": name}, timeout=60).json()
        for name in PEOPLE
    ]
    ids = [one["me"]["id"] for one in made]
    engine = create_engine(serving.database)
    for number, ranks in enumerate(RESULTS):
        ended = made[0]["me"]["created"] - (len(RESULTS) - number) * 86_400_000
        left = {2: (0.3, 0.5, 0.2)} if number == 3 else None
        with engine.begin() as connection:
            count_game(connection, game(f"game{number:08}", ids, ranks, ended=ended, left=left))
    engine.dispose()
    return {"id": ids[0], "link": made[0]["link"]}


@pytest.fixture
def people(browser: Browser, serving: Serving) -> Iterator[Screens]:
    opened = Screens(browser, serving.site)
    yield opened
    opened.close()
    assert opened.troubles == []


def address(people: Screens) -> Any:
    """What a member's requests need of a server."""
    return SimpleNamespace(url=people.site, port=int(people.site.rpartition(":")[2]))


def sign_in(people: Screens, ana: dict[str, str], **likes: object) -> Page:
    page = people.open(f"/me#{ana['link']}", context=people.context(**likes))  # type: ignore[arg-type]
    expect(page.get_by_text(PEOPLE[0]).first).to_be_visible()
    return page


PAGES = {"club": "/club", "ratings": "/ratings", "person": "/person/{id}"}
LIKES: list[dict[str, Any]] = [
    {"language": "en", "width": 1440},
    {"language": "de", "width": 390, "theme": "dark"},
    {"language": "fr", "width": 390},
]
LOOKS = list(product(PAGES, LIKES))


@pytest.mark.parametrize(
    ("name", "likes"),
    proof.spread(LOOKS, 5),
    ids=lambda value: value if isinstance(value, str) else "-".join(map(str, value.values())),
)
def test_the_pages_have_no_barriers_and_fit(
    people: Screens, ana: dict[str, str], name: str, likes: dict[str, object]
) -> None:
    page = people.open(PAGES[name].format(**ana), context=people.context(**likes))  # type: ignore[arg-type]
    expect(page.get_by_text(PEOPLE[0]).first).to_be_visible()
    if name != "club":
        expect(page.locator("svg[role=img]").first).to_be_visible()
    assert barriers(page) == []
    assert overflow(page) == 0


def test_the_club_is_reached_by_keyboard_from_the_header(
    people: Screens, ana: dict[str, str]
) -> None:
    page = sign_in(people, ana)
    link = page.get_by_role("navigation").get_by_role("link", name="Club")
    expect(link).to_be_visible()
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/club$"))
    expect(page.get_by_role("heading", name="Who is here")).to_be_visible()
    expect(page.get_by_role("region", name="Who is here")).to_contain_text(PEOPLE[0])
    expect(page.get_by_role("region", name="Ladder")).to_contain_text("Engineer")


def test_a_rated_game_tells_chances_before_and_changes_after(
    people: Screens, ana: dict[str, str]
) -> None:
    page = sign_in(people, ana)
    page.goto(f"{people.site}/new")
    page.get_by_label("Rated game").check()
    page.get_by_label("Seat 2: who sits here").select_option("open")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile("/table/"))
    room = page.get_by_role("region", name="What the ratings expect")
    expect(room).to_contain_text("all seats are taken")
    assert barriers(page) == []
    table = page.url.rpartition("/")[2].partition("#")[0]
    bo = Member(address(people), "Dora Elm")
    bo.sit(table)
    expect(page.get_by_role("region", name="What the ratings expect")).to_have_count(0)
    told = bo.get(f"ratings/tables/{table}")
    assert sum(seat["chance"] for seat in told["seats"]) == pytest.approx(1)


def test_the_end_of_a_rated_game_tells_what_it_has_changed(people: Screens) -> None:
    eve = Member(address(people), "Eve Roth")
    made = begin_rated(eve)
    play_on(eve, made)
    table = made["table"]
    page = people.open(f"/table/{table}#{made['seats'][0]['token']}", language="fr", width=390)
    changes = page.get_by_role("region", name="Cotes")
    expect(changes.get_by_role("columnheader", name="Évolution")).to_be_visible()
    own = next(s for s in rating_when_counted(eve, table)["seats"] if s["change"] is not None)
    expect(changes).to_contain_text(f"{own['rating']['rating']} ?")
    assert barriers(page) == []
    assert overflow(page) == 0
