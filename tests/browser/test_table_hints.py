"""Hints and what if in the browser: three steps by keyboard, a branch that says what it is."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.notation.samples import finished, record
from tests.server.playing import QUICK, RandomPool, served
from tests.support import proof

from .screens import Screens, as_file, barriers, overflow
from .tables import awaits_decision, decide, make_table, sit, told

FEW = replace(QUICK, review_lines=4)
TIMEOUT = 120_000
PHONE: ViewportSize = {"width": 360, "height": 640}


@pytest.fixture(scope="module")
def advice_site(built_client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    database = f"sqlite:///{tmp_path_factory.mktemp('advice') / 'tables.db'}"
    with served(database, RandomPool(), tuning=FEW) as server:
        yield server.url


@pytest.fixture
def players(browser: Browser, advice_site: str) -> Iterator[Screens]:
    opened = Screens(browser, advice_site)
    yield opened
    opened.close()
    assert opened.troubles == []


def replayed(players: Screens, at: int, **look: Any) -> Page:
    """A dropped record after some moves."""
    page = players.open("/replay", **look)
    text = record(finished("industria", 3)).to_toml()
    page.locator("input[type=file]").set_input_files(as_file(text))
    expect(page.locator(".viewer")).to_be_visible()
    page.locator(".bar input[type=range]").fill(str(at))
    return page


def test_three_steps_lead_to_a_move_by_keyboard_alone(players: Screens) -> None:
    page = sit(players, make_table(players.site))
    assert awaits_decision(page)
    hints = page.get_by_role("region", name="Hint")
    page.get_by_role("button", name="Hint: what is it worth?").focus()
    page.keyboard.press("Enter")
    expect(hints).to_be_focused()
    expect(hints.get_by_role("status")).to_contain_text("Worth in Talers", timeout=TIMEOUT)
    for step, told_then in (
        ("Three candidates", "One of these"),
        ("Show the move", "Best:"),
    ):
        hints.get_by_role("button", name=step).focus()
        page.keyboard.press("Enter")
        expect(hints.get_by_role("status")).to_contain_text(told_then, timeout=TIMEOUT)
    expect(hints.get_by_role("button")).to_have_count(0)
    for line in ("what the fields are worth", "three candidates", "the move"):
        assert f"takes a hint: {line}" in told(page)
    assert barriers(page) == []
    decide(page, 1)
    assert awaits_decision(page)
    expect(page.get_by_role("button", name="Hint: what is it worth?")).to_be_visible()


@pytest.mark.parametrize("language", proof.cases(["de", "fr", "en"], 1))
def test_hints_fit_a_phone_in_the_dark(players: Screens, language: str) -> None:
    page = sit(players, make_table(players.site), width=390, language=language, theme="dark")
    page.set_viewport_size(PHONE)
    assert awaits_decision(page)
    hints = page.locator("section.hints")
    for parts in (1, 2, 3):
        page.locator(".beside .hint, section.hints .btn").first.click()
        expect(hints.locator("[data-step]")).to_have_count(parts, timeout=TIMEOUT)
    expect(hints.locator("[data-step='3'] b")).to_be_visible()
    assert overflow(page) <= 0
    assert barriers(page) == []


def test_a_branch_of_a_replay_says_what_it_is_and_compares_both_outcomes(players: Screens) -> None:
    page = replayed(players, 30)
    page.get_by_role("button", name="What if? Play on from here").click()
    page.wait_for_url("**/table/*")
    branch = page.get_by_role("region", name="What if")
    expect(branch).to_contain_text("from move 30")
    expect(branch).to_contain_text("stays as it is")
    branch.get_by_role("button", name="Compare the outcomes").click()
    expect(branch.locator("tbody tr")).to_have_count(3, timeout=TIMEOUT)
    expect(branch.locator("tbody td").first).to_contain_text("%")
    expect(branch.locator("tbody td").first).to_contain_text("points")
    assert barriers(page) == []
    if awaits_decision(page):
        decide(page, 1)


def test_a_branch_fits_a_phone_and_is_marked_in_my_games(players: Screens) -> None:
    page = replayed(players, 30, width=390)
    page.set_viewport_size(PHONE)
    page.get_by_role("button", name="What if? Play on from here").click()
    page.wait_for_url("**/table/*")
    expect(page.get_by_role("region", name="What if")).to_be_attached()
    assert overflow(page) <= 0
    page.goto(f"{players.site}/")
    expect(page.locator("b.branch").first).to_have_text("What if")


def test_any_moment_of_a_review_branches_off(players: Screens) -> None:
    page = replayed(players, 0)
    page.locator(".more .link").first.click()
    page.wait_for_url("**/review#g=*")
    expect(page.locator("a[download]")).to_be_visible(timeout=TIMEOUT)
    page.get_by_role("button", name="What if? Play on from here").click()
    page.wait_for_url("**/table/*")
    expect(page.get_by_role("region", name="What if")).to_contain_text("stays as it is")
