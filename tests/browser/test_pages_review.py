"""The review of a game in the browser: it grows, shows the worst mistake, and is tried again."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.notation.samples import finished, record, running
from tests.server.playing import QUICK, RandomPool, served
from tests.server.test_seats import over
from tests.support import proof

from .screens import Screens, as_file, barriers, copied, overflow, overflows

FEW = replace(QUICK, review_lines=4)
TIMEOUT = 120_000


@pytest.fixture(scope="module")
def review_site(built_client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose reviews take few lines, with a finished table."""
    database = f"sqlite:///{tmp_path_factory.mktemp('reviews') / 'tables.db'}"
    with served(database, RandomPool(), tuning=FEW) as server:
        yield server.url


@pytest.fixture
def readers(browser: Browser, review_site: str) -> Iterator[Screens]:
    """Browsers of several people who read reviews."""
    opened = Screens(browser, review_site)
    yield opened
    opened.close()
    assert opened.troubles == []


@pytest.fixture(scope="module")
def finished_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, str]]:
    """The address of a server, a finished table on it, and the token of its first seat."""
    database = f"sqlite:///{tmp_path_factory.mktemp('over') / 'tables.db'}"
    with served(database, RandomPool(), tuning=FEW) as server:
        made, tokens = over(server)
        yield server.url, made["table"], tokens[0]


def reviewed(readers: Screens, whole: bool = True, **look: Any) -> Page:
    """The review of a dropped record."""
    page = readers.open("/replay", **look)
    text = record(finished("industria", 3)).to_toml()
    page.locator("input[type=file]").set_input_files(as_file(text))
    page.locator(".more .link").first.click()
    page.wait_for_url("**/review#g=*")
    if whole:
        expect(page.locator("a[download]")).to_be_visible(timeout=TIMEOUT)
    return page


def test_a_finished_table_leads_to_its_review_and_the_worst_decision(
    browser: Browser, built_client: None, finished_table: tuple[str, str, str]
) -> None:
    """Two clicks at most: the review itself shows the board of the most costly decision."""
    site, table, token = finished_table
    readers = Screens(browser, site)
    page = readers.open(f"/table/{table}#{token}", still=True)
    skip = page.locator("button", has_text="Skip")
    link = page.get_by_role("link", name="Review")
    expect(link.or_(skip).first).to_be_visible()
    with suppress(Error):  # the count may end by itself before the click
        skip.first.click(timeout=2000)
    link.click()
    expect(page.locator("a[download]")).to_be_visible(timeout=TIMEOUT)
    review = page.evaluate(
        """async () => {
            const id = document.querySelector('a[download]').href.match(/reviews\\/(\\w+)/)[1]
            return (await (await fetch(`/api/reviews/${id}`)).json()).found.review
        }"""
    )
    worst = max(review["decisions"], key=lambda one: one["loss"])
    expect(page.locator("li.on")).to_have_attribute("data-move", str(worst["move"]))
    expect(page.locator("aside [data-field]")).to_have_count(60)
    expect(page.locator(".cards svg")).to_have_count(len(review["players"]))
    readers.close()
    assert readers.troubles == []


def test_the_pictures_say_the_numbers_of_the_review(readers: Screens, review_site: str) -> None:
    page = reviewed(readers)
    address = page.locator("a[download]").get_attribute("href") or ""
    answer = httpx.get(f"{review_site}{address.split('/page')[0]}").json()
    review = answer["found"]["review"]
    for number, seat in enumerate(review["seats"]):
        said = page.locator(".cards svg").nth(number).get_attribute("aria-label") or ""
        assert f"{100 * seat['start']:.1f}% at the start" in said
        assert f"result {100 * seat['result']:.1f}%" in said
    lost = [one for one in review["decisions"] if one["loss"] > 0]
    expect(page.locator("li[data-move]")).to_have_count(len(lost))
    worst = max(lost, key=lambda one: one["loss"])
    for sentence in answer["found"]["told"]["en"][str(worst["move"])]:
        expect(page.locator("li[data-move]").first).to_contain_text(sentence)
    rows = page.get_by_role("region", name="All auctions").locator("tbody tr")
    expect(rows).to_have_count(len(review["auctions"]))
    for points in review["auctions"][0]["taler"]:
        expect(rows.first).to_contain_text(f"{points:.2f}")


def test_decisions_are_filtered_and_any_of_them_shows_its_board(readers: Screens) -> None:
    page = reviewed(readers)
    every = page.locator("li[data-move]").count()
    page.locator(".filters select").nth(1).select_option(index=1)
    one = page.locator("li[data-move]").count()
    assert 0 < one < every
    last = page.locator("li[data-move]").last
    last.get_by_role("button", name="Show the board").click()
    expect(page.locator("li.on")).to_have_attribute(
        "data-move", last.get_attribute("data-move") or ""
    )


def test_answers_can_be_hidden_and_moves_tried(readers: Screens) -> None:
    page = reviewed(readers)
    page.get_by_label("Hide the answers").check()
    trying = page.locator("li[data-move]", has=page.get_by_role("button", name="Try this move"))
    first = trying.first
    expect(first).not_to_contain_text("better was")
    expect(first.locator("option")).not_to_have_count(0)
    first.get_by_role("button", name="Try this move").click()
    expect(first.get_by_role("status")).to_contain_text("loses", timeout=TIMEOUT)
    number = first.get_attribute("data-move")
    first.get_by_role("button", name="Show the answer").click()
    expect(page.locator(f"li[data-move='{number}']")).to_contain_text("better was")


def test_the_link_of_a_review_opens_the_same_one(readers: Screens) -> None:
    page = reviewed(readers)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    other = readers.open(copied(page).removeprefix(readers.site))
    expect(other.locator("a[download]")).to_be_visible(timeout=TIMEOUT)
    same = page.locator("a[download]").get_attribute("href")
    assert other.locator("a[download]").get_attribute("href") == same


@pytest.mark.parametrize(
    ("language", "theme", "width"),
    proof.cases([("de", "dark", 390), ("fr", "light", 1440), ("en", "dark", 1440)]),
)
def test_everybody_can_read_it_on_every_screen(
    readers: Screens, language: str, theme: str, width: int
) -> None:
    page = reviewed(readers, language=language, theme=theme, width=width, still=True)
    page.locator("details summary").click()
    assert barriers(page) == []
    assert overflows(page) == {}
    page.set_viewport_size({"width": 360, "height": 640})
    page.locator(".hide input").check()
    expect(page.locator("li select").first).to_be_visible()
    assert barriers(page) == []
    assert overflow(page) <= 0


def test_a_record_that_is_not_over_has_no_review(readers: Screens) -> None:
    page = readers.open("/replay")
    page.locator("input[type=file]").set_input_files(as_file(record(running()).to_toml()))
    expect(page.get_by_role("slider")).to_be_visible()
    expect(page.get_by_role("button", name="Review this game")).to_have_count(0)


LEVEL = {
    "whole": 10,
    "level": {
        "games": 10,
        "decisions": 900,
        "mean": 9.5,
        "half": 2.0,
        "bots": [
            {"bot": bot, "mean": mean, "error": 1.0}
            for bot, mean in (("magnate", 4.0), ("director", 8.0), ("engineer", 12.0))
        ],
        "better": "director",
        "worse": "engineer",
    },
    "told": {"en": "{player}: between Director and Engineer."},
}


@pytest.mark.proof
def test_ten_finished_games_of_ones_own_have_a_level_between_the_bots(
    browser: Browser, built_client: None, tmp_path: Path
) -> None:
    """The reviews are real; bots were measured by 128 lines, so the last answer is a given one."""
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool(), tuning=replace(QUICK, review_lines=2)) as server:
        held = []
        for _ in range(10):
            made, tokens = over(server)
            held.append({"table": made["table"], "tokens": tokens[:1], "host": None, "seen": 1})
        readers = Screens(browser, server.url)
        page = readers.open("/lobby")
        keep = "held => localStorage.setItem('industry.seats', JSON.stringify(held))"
        page.evaluate(keep, held[:9])
        page.reload()
        mine = page.get_by_role("region", name="My level")
        expect(mine).to_contain_text("you have 9 so far")
        page.evaluate(keep, held)
        page.reload()
        mine.get_by_role("button", name="Work out my level").click()
        expect(mine.get_by_role("status")).to_contain_text("You: ", timeout=TIMEOUT)
        expect(mine).to_contain_text("over 10 games. The bots were not measured in this way")
        page.reload()
        page.route("**/api/reviews/level", lambda route: route.fulfill(json=LEVEL))
        mine.get_by_role("button", name="Work out my level").click()
        expect(mine).to_contain_text("You: between Director and Engineer.")
        expect(mine.locator("tr")).to_have_text(
            ["Magnate4.0", "Director8.0", "You9.5", "Engineer12.0"]
        )
        expect(mine.locator("tr[aria-current]")).to_contain_text("You")
        assert barriers(page) == []
        readers.close()
        assert readers.troubles == []
