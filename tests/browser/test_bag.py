"""The browser keeps what it was promised about the bag, and says so when a server cheats."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Page, expect

from industry.engine import Draw, Position
from industry.notation.proof import commitment_of
from industry.server.bag import FairBag
from industry.server.commands import Draft
from industry.server.entries import chain_start, chained
from tests.cli.running import run
from tests.server.playing import Client, RandomPool, Server, free_port, play_on, served

from .screens import Screens
from .test_pages_room import link, new_table, sit_down


class Club:
    """A server in this process, so that a test can make it cheat, and people at their screens."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.file = folder / "tables.db"
        self.port = free_port()
        self.screens = Screens(browser, f"http://127.0.0.1:{self.port}")

    def served(self) -> Any:
        return served(f"sqlite:///{self.file}", RandomPool(), port=self.port)

    def begin(self) -> tuple[Page, Page]:
        """A game of a host, who plays two seats, and a guest."""
        host = new_table(self.screens)
        return host, self.join(host)

    def join(self, host: Page) -> Page:
        guest = self.screens.open(link(host, "Invite others"))
        sit_down(guest, "Bo")
        for page in (host, guest):
            expect(page.locator("[data-field]")).to_have_count(60)
        return guest


@pytest.fixture
def club(built_client: None, browser: Browser, tmp_path: Path) -> Iterator[Club]:
    club = Club(browser, tmp_path)
    yield club
    club.screens.close()


def held(page: Page) -> dict[str, Any]:
    """What the browser of a page keeps of its table."""
    kept: list[dict[str, Any]] = json.loads(page.evaluate("localStorage['industry.seats']"))
    return kept[0]


def seats(server: Server, *pages: Page) -> Client:
    """A client that plays all seats of these pages."""
    tokens = [token for page in pages for token in held(page)["tokens"]]
    return Client(server, held(pages[0])["table"], tokens).ready()


@contextmanager
def elsewhere(page: Page) -> Iterator[None]:
    """The page looks at nothing meanwhile: drawing every move is most of the work of a game."""
    address = page.url
    page.goto(urljoin(address, "/healthz"))
    yield
    page.goto(address)


def alarm(page: Page) -> Any:
    return page.get_by_role("alert").filter(has_text="Do not trust this game")


def test_at_the_end_every_browser_shows_that_its_bag_was_the_promised_one(
    club: Club, tmp_path: Path
) -> None:
    with club.served() as server:
        host, guest = club.begin()
        with seats(server, host, guest) as client, elsewhere(host), elsewhere(guest):
            play_on(client, Random(1))
            table = client.table
        for page in (host, guest):
            for what in ("promise", "addition", "draws"):
                expect(page.locator(f"[data-bag={what}]")).to_have_attribute("data-found", "kept")
            assert alarm(page).count() == 0
        watcher = club.screens.open(f"/table/{table}")
        expect(watcher.locator("[data-bag=draws]")).to_have_attribute("data-found", "kept")
        expect(watcher.locator("[data-bag=promise]")).to_have_attribute("data-found", "unknown")
        record = tmp_path / "game.toml"
        record.write_text(server.http("GET", f"/api/tables/{table}/record").text, "utf-8")
        assert club.screens.troubles == []  # once the server is gone, pages look for it
    kept = held(guest)
    (mine,) = kept["additions"].values()
    checked = run("verify", record, "--commitment", kept["commitment"], "--mine", mine)
    assert checked.code == 0


@pytest.mark.proof
def test_a_server_that_replaces_what_a_guest_added_is_found_out_when_the_game_begins(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Draft.take_seat

    def cheat(self: Draft, name: str, seat: int | None, randomness: str, *more: Any) -> int:
        return honest(self, name, seat, "ab" * 32, *more)

    monkeypatch.setattr(Draft, "take_seat", cheat)
    with club.served() as server:
        host, guest = club.begin()
        expect(alarm(guest)).to_contain_text("was replaced by something else")
        expect(alarm(guest)).to_contain_text(held(guest)["commitment"])
        expect(alarm(host)).to_have_count(0)
        table = held(guest)["table"]
        text = server.http("GET", f"/api/tables/{table}/record").text
        record = club.file.with_name("game.toml")
        record.write_text(text, "utf-8")
    (mine,) = held(guest)["additions"].values()
    assert run("verify", record).code == 0  # the record itself tells nothing
    assert run("verify", record, "--mine", mine).code == 1


def test_a_bag_that_was_exchanged_in_the_database_is_found_out(club: Club) -> None:
    with club.served():
        host = new_table(club.screens)
    exchange_secret(club.file, held(host)["table"])
    with club.served():
        guest = club.join(host)
        expect(alarm(host)).to_contain_text("a different seal")
        expect(alarm(guest)).to_have_count(0)  # he was promised this bag


def exchange_secret(file: Path, table: str) -> None:
    """Another bag, with everything that follows from it: to the server the table is whole."""
    secret, head = bytes(32), chain_start(table)
    with sqlite3.connect(file) as database:
        database.execute("UPDATE secrets SET bag = ? WHERE table_id = ?", (secret.hex(), table))
        query = "SELECT version, entry FROM logs WHERE table_id = ? ORDER BY version"
        for version, entry in database.execute(query, [table]).fetchall():
            data = json.loads(entry)
            if data["kind"] == "created":
                data["commitment"] = commitment_of(secret)
            text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            head = chained(head, text)
            database.execute(
                "UPDATE logs SET entry = ?, hash = ? WHERE table_id = ? AND version = ?",
                (text, head, table, version),
            )
    database.close()


@pytest.mark.proof
def test_draws_that_do_not_come_from_the_bag_are_found_out_when_the_era_is_over(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(self: FairBag, position: Position) -> Draw:
        return Draw(tuple(sorted(position.bag)[: position.draw_count]))

    monkeypatch.setattr(FairBag, "draw", choose)
    with club.served() as server:
        host, guest = club.begin()
        with seats(server, host, guest) as client, elsewhere(host), elsewhere(guest):
            while not any(entry["kind"] == "era_revealed" for entry in client.entries):
                play_on(client, Random(client.version), 1)
        for page in (host, guest):
            expect(alarm(page)).to_contain_text("don’t come from the promised bag")
