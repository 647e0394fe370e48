"""A friend who vanishes from a table without a clock: the others seat a stand-in, he may return."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from industry.server.clock import PATIENCE
from tests.server.playing import RandomPool, served

from .screens import Screens

MOMENT = 1_800_000_000_000


def test_the_others_seat_a_stand_in_and_the_friend_comes_back(
    built_client: None, browser: Browser, tmp_path: Path
) -> None:
    now = [MOMENT]
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool(), clock=lambda: now[0]) as server:
        screens = Screens(browser, server.url)
        made = server.make("human", "human", "human", "human", seating="as_joined", patience="2m")
        table = f"/table/{made['table']}"
        late = server.get(f"/api/tables/{made['table']}")["game"]["actor"]
        tokens = [seat["token"] for seat in made["seats"]]
        first, second = (tokens[(late + step) % 4] for step in (0, 1))
        friend = screens.open(f"{table}#{first}")
        expect(friend.locator("[data-field]")).to_have_count(60)
        expect(friend.get_by_text("hasn’t decided")).to_have_count(0)
        now[0] += PATIENCE["2m"] or 0
        friend.reload()
        expect(friend.get_by_text("hasn’t decided for 2 minutes")).to_be_visible()
        friend.get_by_role("button", name="Ask for a stand-in").click()
        expect(friend.get_by_text("1 of 2 votes")).to_be_visible()
        other = screens.open(f"{table}#{second}", language="de")
        other.get_by_role("button", name="Ersatz vorschlagen").click()
        expect(friend.get_by_text("for 2 minutes")).to_have_count(0)
        expect(friend.locator(".log")).to_contain_text("A stand-in plays for")
        missing = screens.open(f"{table}#{tokens[late - 1]}")
        missing.locator(".away button").click()
        expect(missing.locator(".away")).to_have_count(0)
        assert not server.get(f"/api/tables/{made['table']}")["seats"][late - 1]["absent"]
        screens.close()
        assert screens.troubles == []


def test_a_host_without_a_seat_seats_a_stand_in(
    built_client: None, browser: Browser, tmp_path: Path
) -> None:
    now = [MOMENT]
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool(), clock=lambda: now[0]) as server:
        screens = Screens(browser, server.url)
        made = server.make("human", "human", "human", "human", seating="as_joined", patience="2m")
        path = f"/api/tables/{made['table']}"
        late = server.get(path)["game"]["actor"]
        now[0] += PATIENCE["2m"] or 0
        host = screens.open("/")
        held = [{"table": made["table"], "tokens": [], "host": made["host"], "seen": MOMENT}]
        host.evaluate("held => localStorage.setItem('industry.seats', JSON.stringify(held))", held)
        host.goto(f"{server.url}/table/{made['table']}")
        host.get_by_role("button", name="Let a stand-in play").click()
        expect(host.locator(".log")).to_contain_text("A stand-in plays for")
        assert server.get(path)["seats"][late - 1]["absent"]
        screens.close()
        assert screens.troubles == []
