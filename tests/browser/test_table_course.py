"""What surrounds the moves: taking back, pace, lost connections, and the end with what follows."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.server.forked import Forked

from .screens import Screens
from .tables import (
    awaits_change,
    awaits_decision,
    awaits_playback,
    awaits_version,
    can,
    decide,
    hot_seat,
    in_last_eras,
    make_table,
    note_playback,
    pays_in_one_way,
    play_to_the_end,
    sit,
    skip_playback,
    told,
    version,
)

DEVELOP = "button.pay:not([aria-expanded])"


def test_a_development_can_be_taken_back(screens: Screens) -> None:
    page = hot_seat(screens, begin=pays_in_one_way)
    assert awaits_decision(page)
    before = version(page)
    purses = page.locator("[data-purse]").all_inner_texts()
    to_develop = page.locator(DEVELOP).all_inner_texts()
    told_before = told(page)
    undo = page.get_by_role("button", name="Take back")
    page.locator(DEVELOP).first.click()
    awaits_version(page, before + 1)
    expect(undo).to_be_enabled()
    assert told(page) != told_before
    undo.click()
    awaits_version(page, before + 2)
    expect(page.locator(DEVELOP)).to_have_text(to_develop)
    expect(page.locator("[data-purse]")).to_have_text(purses)
    told_after = told(page)
    assert "takes back a decision (1×)" in told_after
    assert told_after.endswith(told_before)


def purses(page: Page) -> list[int]:
    return [int(text) for text in page.locator("[data-purse]").all_inner_texts()]


def number_in(text: str) -> int:
    return int(text.replace("−", "-").replace("±", ""))


@pytest.mark.parametrize("answer", ["sell", "claim"])
def test_sell_and_claim_bring_what_was_told_before(screens: Screens, answer: str) -> None:
    page = hot_seat(screens, begin=can("sell", "claim"))
    assert awaits_decision(page)
    button = page.locator(f"[data-key={answer[0]}]:not(.unavailable)")
    told = [number_in(button.locator("span").inner_text())]
    if answer == "sell":
        told.append(-told[0])  # all that the Auctioneer gets the buyer pays
        paid = page.locator(".column").first.locator("p").nth(1).inner_text()
        assert f"pays {told[0]}," in paid
    else:
        told += [number_in(text) for text in page.locator(".column .one .num").all_inner_texts()]
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
    page.get_by_label("Confirm expensive moves").uncheck()
    page.keyboard.press("Escape")
    assert version(page) == before
    dearest.click()
    awaits_change(page, before)


def decide_until(page: Page, seen: str) -> Any:
    """Decides until the page has seen something of others' moves; what it has seen."""
    for number in range(40):
        assert awaits_decision(page)
        if found := page.evaluate(seen):
            return found
        decide(page, number)
    raise AssertionError("nobody else had a move")


def test_moves_of_others_are_shown_one_by_one_and_can_be_skipped(screens: Screens) -> None:
    page = sit(screens, make_table(screens.site), pace="leisurely")
    assert awaits_decision(page)
    skip_playback(page)
    assert decide_until(page, "window.skipped") == [-1, True]
    assert version(page) > 0


def test_what_happened_since_the_last_turn_is_played_back(screens: Screens) -> None:
    page = sit(screens, make_table(screens.site), pace="fast")
    note_playback(page)
    decide_until(page, "window.playbacks")
    note_playback(page)
    page.get_by_role("button", name="new since your last turn").click()
    awaits_playback(page)
    assert awaits_decision(page)


def test_a_page_outlives_the_death_of_its_server(
    built_client: None, browser: Browser, tmp_path: Path
) -> None:
    with Forked(tmp_path, f"sqlite:///{tmp_path / 'tables.db'}") as server:
        screens = Screens(browser, server.until_ready().url)
        made = make_table(server.url, 3, 3)
        page = sit(screens, made, 0, 1, 2)
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
        gone = ("console: WebSocket", "net::ERR_")  # what was asked while there was no server
        assert [one for one in screens.troubles if not one.startswith(gone)] == []


def test_after_a_game_of_four_come_rematch_replay_and_record(screens: Screens) -> None:
    made = make_table(screens.site, edition="industria")
    made.advance(in_last_eras)
    page = sit(screens, made, still=True)
    play_to_the_end(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert "[result]" in download.value.path().read_text(encoding="utf-8")
    expect(page.get_by_role("link", name="Replay")).to_have_attribute("href", f"/replay/{made.id}")
    page.locator(".segment").first.click()
    expect(page.locator(".field.dim").first).to_be_visible()
    page.get_by_role("button", name="Board").click()
    expect(page.locator("ul.players")).to_be_visible()
    page.get_by_role("button", name="Back to the final scoring").click()
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: made.id not in url)
    assert awaits_decision(page)
