"""Two people and two bots play a cup of two duplicate rounds over days, by orders and notices.

The server's clock is turned on between visits. A person comes only when a message has reached the
service worker of their browser. On the first visit to a table they leave an order in the page; from
then on they decide by hand and leave orders for the rest of the round.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Worker, expect

from industry.server.notices import notices as notices_module
from industry.server.notices.sending import Ways
from tests.server.notices.conftest import Clock
from tests.server.notices.receiving import Device, Receiver, receiving
from tests.server.playing import Client, Json, RandomPool, Server, served
from tests.server.test_orders import PASS, set_orders
from tests.support import proof

from .devices import CLICK, READY, WATCH, deliver, phone
from .screens import Screens, barriers, overflow, until
from .test_cups import asked, find_cups, new_cup

TIME_TO_COME = 11_000
HALF_A_DAY = 12 * 3_600_000
VISITS = proof.amount(4, 10_000)
"""After this many visits to a table people leave their orders for the rest of the game."""
REST: list[Json] = [
    {"do": "offer", "fields": ["any"]},
    {"do": "settle", "what": "any", "sell_from": 0},
    {"do": "develop", "fields": []},
    PASS,
]
"""Orders that decide everything."""


@dataclass
class Club:
    server: Server
    clock: Clock
    web: Receiver


@pytest.fixture
def club(built_client: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    """A club whose clock can be turned, and whose bots are quick."""
    monkeypatch.setattr(notices_module, "SCAN", 0.1)
    monkeypatch.setattr(notices_module, "GLANCE", 0.3)
    clock, database = Clock(), f"sqlite:///{tmp_path / 'tables.db'}"
    with (
        receiving() as web,
        served(
            database, RandomPool(), persons="open", clock=clock, ways=Ways(private=True)
        ) as server,
    ):
        yield Club(server, clock, web)


@pytest.fixture
def people(browser: Browser, club: Club) -> Iterator[Screens]:
    opened = Screens(browser, club.server.url)
    yield opened
    opened.close()
    assert opened.troubles == []


@dataclass
class Player:
    """Somebody with a browser, whose service worker gets what the push service has for it."""

    name: str
    page: Page
    device: Device
    worker: Worker
    site: str
    read: int = 0
    visits: Counter[str] = field(default_factory=Counter)
    """How often they have been at each table."""

    def has_news(self) -> bool:
        return len(self.device.messages) > self.read

    def next_message(self) -> Json:
        """Hands the next message to the service worker, which shows it; presses on it."""
        message = self.device.messages[self.read]
        self.read += 1
        deliver(self.page, self.site, json.dumps(message))
        until(
            self.page,
            lambda: self.worker.evaluate("self.shown.length") == self.read,
            "the message was not shown",
        )
        shown = self.worker.evaluate("self.shown.at(-1)")
        assert shown == {key: message[key] for key in ("title", "body", "tag", "path")}
        assert self.worker.evaluate(CLICK, shown["path"]) == "done"
        assert self.worker.evaluate("self.opened") == shown["path"]
        return message


def arrive(people: Screens, club: Club, name: str, width: int) -> Player:
    """Somebody new, whose browser is told about their turns at all tables."""
    device = Device(club.web)
    context = phone(people, device, width=width)
    page = people.open("/me", context=context)
    page.get_by_label("Your name", exact=True).fill(name)
    page.get_by_role("button", name="Create with a secret link").click()
    expect(page.get_by_text(f"Signed in as {name}")).to_be_visible()
    page.get_by_role("button", name="Notify me").click()
    page.get_by_role("button", name="Tell me on this device").click()
    expect(page.get_by_text("this device", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    assert page.evaluate(READY)
    (worker,) = context.service_workers
    worker.evaluate(WATCH)
    return Player(name, page, device, worker, club.server.url)


def come(club: Club, player: Player, message: Json) -> None:
    """What somebody does who has read a message: on the first visit in the page."""
    table = message["path"].rpartition("/")[2]
    held = {one["table"]["table"]: one for one in asked(player.page, "me/tables")["tables"]}
    token = held[table]["token"]
    if not player.visits[table]:
        leave_order(player, message["path"])
    player.visits[table] += 1
    with Client(club.server, table, [token]) as client:
        decide(client.ready(), for_this_round=player.visits[table] <= VISITS)


def leave_order(player: Player, path: str) -> None:
    """Makes an order in the page, and goes away."""
    page = player.page
    page.goto(player.site + path)
    page.locator("[data-field]").first.wait_for()
    page.keyboard.press("r")
    page.keyboard.press("r")
    orders = page.get_by_role("dialog", name="Standing orders")
    expect(orders).to_be_visible()
    orders.get_by_label("For which decision").select_option("bid")
    orders.get_by_label("About").select_option(label="everything")
    orders.get_by_label("Bid at most").fill("0")
    orders.get_by_role("button", name="Add this order").click()
    expect(orders.get_by_text("1. Pass on everything")).to_be_visible()
    page.goto(f"{player.site}/rules")


def decide(client: Client, *, for_this_round: bool) -> None:
    """Decides by hand while it is one's turn, and leaves orders for what follows."""
    (seat,) = client.welcome["seats"]
    while client.view["status"] == "running" and client.actor() == seat:
        legal = client.yours[seat]["legal"]
        line = next((line for line in legal if line.endswith("pass")), legal[0])
        answer = client.move(line)
        assert answer["type"] == "accepted", answer
        client.until_version(answer["version"])
        if client.view["status"] != "running" or client.actor() != seat:
            break
    if client.view["status"] != "running":
        return
    number = client.view["game"]["round"]
    wake: list[Json] = [{"do": "wake", "after_round": number}] if for_this_round else []
    answer = set_orders(client, seat, [*wake, *REST])
    assert answer["type"] == "accepted", answer
    client.until_version(answer["version"])


def play_on(club: Club, players: list[Player], is_over: Callable[[], bool]) -> int:
    """Lets half days pass until nothing is left to play; how many."""
    for half_days in count():
        until(
            players[0].page,
            lambda: is_over() or any(player.has_news() for player in players),
            "nobody is told anything, and the cup goes on",
        )
        if not any(player.has_news() for player in players):
            return half_days
        for player in players:
            while player.has_news():
                message = player.next_message()
                if message["title"] in ("Your turn", "Your table is ready"):
                    come(club, player, message)
        club.clock.ahead += HALF_A_DAY
    raise AssertionError("it counts for ever")


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_two_people_and_two_bots_play_a_cup_over_days_by_orders_and_notices(
    people: Screens, club: Club
) -> None:
    ana, bo = arrive(people, club, "Ana", 1440), arrive(people, club, "Bo", 390)
    players = [ana, bo]
    address = new_cup(ana.page, "Winter cup")
    cup = address.rpartition("/")[2]
    find_cups(bo.page)
    bo.page.get_by_role("link", name="Winter cup").click()
    bo.page.get_by_role("button", name="Take part").click()
    expect(bo.page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    for player in players:
        player.page.goto(f"{club.server.url}/rules")
    club.clock.ahead += TIME_TO_COME
    half_days = play_on(club, players, lambda: asked(ana.page, f"cups/{cup}")["status"] == "over")
    print(f"{half_days} half days")
    assert half_days >= 2 * min(VISITS, 4)
    check_games(club, asked(ana.page, f"cups/{cup}"), players)
    for player in players:
        player.page.goto(address)
        expect(player.page.get_by_text("Finished")).to_be_visible()
        for name in ("Ana", "Bo", "Foreman"):
            header = player.page.get_by_role("table").get_by_role("rowheader", name=name)
            expect(header.first).to_be_visible()
        assert barriers(people.settled(player.page)) == []
        assert overflow(player.page) == 0


def check_games(club: Club, cup: Json, players: list[Player]) -> None:
    """Nobody was replaced by a stand-in; orders made most decisions; each turn was told once."""
    assert [len(held["games"]) for held in cup["rounds"]] == [2, 2]
    by: Counter[str] = Counter()
    for held in cup["rounds"]:
        for game in held["games"]:
            assert game["forfeits"] == []
            log = club.server.log(game["table"])
            by += Counter(entry["how"] for entry in log if "how" in entry)
            assert {"created", "started", "bag_revealed"} <= {entry["kind"] for entry in log}
    print(dict(by))
    assert by["order"] > by["player"] > 0 and by["zombie"] == 0
    for player in players:
        while player.has_news():
            player.next_message()
        assert len(player.visits) == 2
        assert min(player.visits.values()) >= min(VISITS, 4)
        shown = player.worker.evaluate("self.shown")
        assert len(shown) == player.read == len(player.device.messages)
        rounds = Counter(str(one["body"])[: len("Winter cup, round 1: ")] for one in shown)
        assert set(rounds) == {"Winter cup, round 1: ", "Winter cup, round 2: "}
