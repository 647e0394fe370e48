"""What surrounds the moves: taking back, pace, lost connections, and the end with what follows."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from .screens import Screens
from .serving import Serving
from .tables import (
    awaits_change,
    awaits_decision,
    awaits_version,
    decide,
    hot_seat,
    make_table,
    play_to_the_end,
    sit,
    told,
    version,
)

DEVELOP = "button.pay:not([aria-expanded])"
PLAYBACK = ".pace.now"


def until_develop(page: Page) -> None:
    """Plays until something can be developed.

    At the latest when the first era is sold somebody has a field that he can pay for.
    """
    for number in range(80):
        assert awaits_decision(page)
        if page.locator(DEVELOP).count():
            return
        decide(page, number)
    raise AssertionError("nothing could be developed")


def test_a_development_can_be_taken_back(screens: Screens) -> None:
    page = hot_seat(screens)
    until_develop(page)
    before = version(page)
    purses = page.locator("[data-purse]").all_inner_texts()
    to_develop = page.locator(DEVELOP).all_inner_texts()
    log = told(page)
    undo = page.get_by_role("button", name="Take back")
    page.locator(DEVELOP).first.click()
    awaits_version(page, before + 1)
    expect(undo).to_be_enabled()
    assert told(page) != log
    undo.click()
    awaits_version(page, before + 2)
    expect(page.locator(DEVELOP)).to_have_text(to_develop)
    expect(page.locator("[data-purse]")).to_have_text(purses)
    assert told(page) == log


def purses(page: Page) -> list[int]:
    return [int(text) for text in page.locator("[data-purse]").all_inner_texts()]


def number_in(text: str) -> int:
    return int(text.replace("−", "-").replace("±", ""))


@pytest.mark.parametrize("answer", ["sell", "claim"])
def test_sell_and_claim_bring_what_was_told_before(screens: Screens, answer: str) -> None:
    page = hot_seat(screens)
    button = page.locator(f"[data-key={answer[0]}]:not(.off)")
    for number in range(1, 60):
        assert awaits_decision(page)
        if page.locator("[data-key=c]:not(.off)").count():
            break
        decide(page, number)
    told = [number_in(button.locator("span").inner_text())]
    if answer == "sell":
        told.append(-told[0])  # all that the Auctioneer gets the buyer pays
        paid = page.locator(".col").first.locator("p").nth(1).inner_text()
        assert f"pays {told[0]}," in paid
    else:
        told += [number_in(text) for text in page.locator(".col .one .num").all_inner_texts()]
    before, at = purses(page), version(page)
    button.click()
    awaits_change(page, at)
    changes = [now - old for old, now in zip(before, purses(page), strict=True)]
    assert sorted(change for change in changes if change) == sorted(told)


def test_a_dear_bid_is_asked_for_twice_unless_one_does_not_like_that(screens: Screens) -> None:
    page = hot_seat(screens, confirm=True)
    assert awaits_decision(page)
    decide(page, 0)
    before = version(page)
    dearest = page.locator("[data-bid]").last
    dearest.click()
    expect(dearest).to_contain_text("Sure?")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Ask once more before dear moves").uncheck()
    page.keyboard.press("Escape")
    assert version(page) == before
    dearest.click()
    awaits_change(page, before)


def until_playback(page: Page) -> None:
    """Decides until moves of others are shown one by one."""
    for number in range(40):
        page.locator(f"{PLAYBACK}, .act, .list").first.wait_for()
        if page.locator(PLAYBACK).count():
            return
        decide(page, number)
    raise AssertionError("nobody else had a move")


def test_moves_of_others_are_shown_one_by_one_and_can_be_skipped(screens: Screens) -> None:
    page = sit(screens, make_table(screens.site), pace="leisurely")
    until_playback(page)
    assert version(page) == -1
    skip = page.get_by_role("button", name="Skip")
    skip.click()
    expect(skip).to_have_count(0)
    assert version(page) > 0


def test_what_happened_since_the_last_turn_is_played_back(screens: Screens) -> None:
    page = sit(screens, make_table(screens.site), pace="leisurely")
    until_playback(page)
    page.locator(PLAYBACK).click()
    assert awaits_decision(page)
    page.get_by_role("button", name="new since your last turn").click()
    expect(page.locator("[data-version='-1']")).to_have_count(1)
    page.locator(PLAYBACK).click()
    assert awaits_decision(page)


@pytest.fixture
def server(built_client: None, tmp_path: Path) -> Iterator[Serving]:
    own = Serving(tmp_path)
    own.start()
    yield own
    own.kill()


def test_a_page_outlives_the_death_of_its_server(server: Serving, browser: Browser) -> None:
    screens = Screens(browser, server.site)
    made = make_table(server.site)
    page = sit(screens, made)
    for number in range(3):
        assert awaits_decision(page)
        decide(page, number)
    assert awaits_decision(page)
    seen, log = version(page), told(page)
    server.kill()
    expect(page.get_by_text("Connection lost")).to_be_visible()
    server.start()
    expect(page.get_by_text("Connection lost")).to_have_count(0)
    assert version(page) == seen == made.view()["version"]
    assert told(page) == log
    for number in range(3, 6):
        assert awaits_decision(page)
        decide(page, number)
    screens.close()
    assert all("WebSocket" in trouble for trouble in screens.troubles)


def test_after_a_whole_game_of_four_come_rematch_replay_and_record(screens: Screens) -> None:
    made = make_table(screens.site, edition="industria")
    page = sit(screens, made, still=True)
    play_to_the_end(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert "[result]" in download.value.path().read_text(encoding="utf-8")
    expect(page.get_by_role("link", name="Replay")).to_have_attribute("href", f"/replay/{made.id}")
    page.locator(".seg").first.click()
    expect(page.locator(".fld.dim").first).to_be_visible()
    page.get_by_role("button", name="Board").click()
    expect(page.locator("ul.players")).to_be_visible()
    page.get_by_role("button", name="To the final count").click()
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: made.id not in url)
    assert awaits_decision(page)
