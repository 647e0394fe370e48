"""Results and record of one's own games, and what one likes, before the first table."""

from pathlib import Path
from random import Random

from playwright.sync_api import Browser, expect

from tests.server.playing import RandomPool, play_on, served

from .screens import Screens, barriers, overflow


def test_my_games_tell_the_result_the_record_and_what_was_taken_back(
    built_client: None, browser: Browser, tmp_path: Path
) -> None:
    with served(f"sqlite:///{tmp_path / 'tables.db'}", RandomPool()) as server:
        made = server.make("human", "foreman", "foreman", seating="as_joined")
        with server.client(made, 1).ready() as client:
            play_on(client, Random(3), 3)
            client.until_mine()
            client.until_version(client.command("undo", 1)["version"])
            play_on(client, Random(4))
        game = server.get(f"/api/tables/{made['table']}")["game"]
        points = game["score"][0]["points"]
        screens = Screens(browser, server.url)
        page = screens.open(f"/table/{made['table']}#{made['seats'][0]['token']}")
        expect(page.locator(".win")).to_contain_text("took back 1 decision")
        page.goto(server.url)
        mine = page.locator("section", has=page.locator("#mine"))
        expect(mine.locator("li").first).to_contain_text(f"of 3, {points} points (1 taken back)")
        expect(mine.locator("dl")).to_contain_text("Against Foreman")
        won = 1 if 1 in game["winners"] else 0
        expect(mine.locator("dl")).to_contain_text(f"{won} of 1")
        assert barriers(page) == []
        screens.close()
        assert screens.troubles == []


def test_name_and_settings_are_there_before_the_first_table(screens: Screens) -> None:
    page = screens.open(width=390)
    assert overflow(page) <= 0
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Your name").press("Tab")
    page.keyboard.press("Escape")
    page.reload()
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_label("Your name")).to_have_value("Ada")
