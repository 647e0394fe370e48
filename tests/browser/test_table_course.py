"""What surrounds the moves: taking back, pace, lost connections, and the end with what follows."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.server.playing import free_port

from .screens import Screens
from .tables import awaits_decision, decide, make_table, play_to_the_end, sit


def version(page: Page) -> int:
    return int(page.locator("[data-version]").get_attribute("data-version") or -1)


def until_develop(page: Page) -> None:
    """Plays until something can be developed."""
    for number in range(80):
        assert awaits_decision(page)
        if page.locator("button.pay:not([aria-expanded])").count():
            return
        decide(page, number)
    raise AssertionError("nothing could be developed")


def test_a_development_can_be_taken_back(screens: Screens) -> None:
    page = sit(screens, make_table(screens.site))
    until_develop(page)
    purse = page.locator("li:has(button.all) [data-purse]").all_inner_texts()
    undo = page.get_by_role("button", name="Take back")
    page.locator("button.pay:not([aria-expanded])").first.click()
    expect(undo).to_be_enabled()
    undo.click()
    expect(page.locator("button.pay:not([aria-expanded])").first).to_be_visible()
    expect(page.locator("li:has(button.all) [data-purse]")).to_have_text(purse)


def test_moves_of_others_are_shown_one_by_one_and_can_be_skipped(screens: Screens) -> None:
    page = sit(screens, make_table(screens.site), pace="leisurely")
    skip = page.get_by_role("button", name="Skip")
    for number in range(4):
        if skip.count():
            skip.click()
        assert awaits_decision(page)
        page.locator("[data-key=p], [data-key=s], [data-key=d], button.pick").first.click()
        if page.locator("[data-key=o]:not(:disabled)").count():
            page.locator("[data-key=o]").click()
        if number and skip.count():
            break
    expect(skip).to_be_visible()
    assert version(page) == -1
    skip.click()
    expect(skip).to_have_count(0)
    assert version(page) > 0


def test_what_happened_since_the_last_turn_is_played_back(screens: Screens) -> None:
    page = sit(screens, make_table(screens.site), pace="fast")
    for number in range(3):
        page.get_by_role("button", name="Skip").click() if page.locator(".pace.now").count() else 0
        assert awaits_decision(page)
        decide(page, number)
    assert awaits_decision(page)
    since = page.get_by_role("button", name="new since your last turn")
    expect(since).to_be_visible()
    since.click()
    expect(page.locator("[data-version='-1']")).to_have_count(1)
    assert awaits_decision(page)


class Server:
    """A server of one's own that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.site = f"http://127.0.0.1:{self.port}"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [str(Path(sys.executable).with_name("industry")), "serve"]
        command += ["--port", str(self.port)]
        command += ["--database", f"sqlite:///{self._folder / 'tables.db'}"]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        while True:
            assert self._process.poll() is None, "the server did not start"
            try:
                if httpx.get(f"{self.site}/healthz", timeout=2).is_success:
                    return
            except httpx.TransportError:
                pass

    def kill(self) -> None:
        if self._process is not None:
            os.kill(self._process.pid, signal.SIGKILL)
            self._process.wait(20)
            self._process = None


@pytest.fixture
def server(built_client: None, tmp_path: Path) -> Iterator[Server]:
    own = Server(tmp_path)
    own.start()
    yield own
    own.kill()


def test_a_page_outlives_the_death_of_its_server(server: Server, browser: Browser) -> None:
    screens = Screens(browser, server.site)
    page = sit(screens, make_table(server.site))
    assert awaits_decision(page)
    decide(page, 1)
    assert awaits_decision(page)
    seen = version(page)
    server.kill()
    expect(page.get_by_text("Connection lost")).to_be_visible(timeout=30_000)
    server.start()
    expect(page.get_by_text("Connection lost")).to_have_count(0, timeout=60_000)
    assert version(page) >= seen
    for number in range(2, 5):
        assert awaits_decision(page)
        decide(page, number)
    screens.close()


def test_after_the_game_come_rematch_replay_and_record(screens: Screens) -> None:
    made = make_table(screens.site, players=3, edition="industria")
    page = sit(screens, made)
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
