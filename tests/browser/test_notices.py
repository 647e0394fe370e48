"""Notices and the installed page in a real browser: a device, mail, hours without a network."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.server.notices.receiving import Device, Mailbox, Receiver, receiving
from tests.support import proof

from .devices import CLICK, READY, WATCH, deliver, phone
from .screens import Screens, as_file, barriers, overflow, until
from .serving import Serving
from .tables import HTTP, Made, Patient, make_table

LOOKS = [
    (language, *look)
    for language, look in product(("de", "fr", "en"), ((390, "light"), (1440, "dark")))
]


@dataclass
class Club:
    serving: Serving
    post: Mailbox

    @property
    def site(self) -> str:
        return self.serving.site


@pytest.fixture(scope="module")
def club(built_client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A server with persons and mail, whose notices may go to this machine."""
    post = Mailbox()
    serving = Serving(
        tmp_path_factory.mktemp("notices"),
        INDUSTRY_PERSONS="open",
        INDUSTRY_PRIVATE_HOOKS="on",
        INDUSTRY_MAIL_HOST="127.0.0.1",
        INDUSTRY_MAIL_PORT=str(post.port),
        INDUSTRY_MAIL_TLS="off",
        INDUSTRY_MAIL_FROM="games@example.org",
    )
    serving.start()
    yield Club(serving, post)
    serving.stop()
    post.stop()


@pytest.fixture
def people(browser: Browser, club: Club) -> Iterator[Screens]:
    opened = Screens(browser, club.site)
    yield opened
    opened.close()
    assert opened.troubles == []


@pytest.fixture
def web() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


def three_people(club: Club) -> Made:
    return make_table(club.site, people=3, players=3, seating="as_joined", auto_forced=False)


def others_play(table: Made) -> None:
    """Everybody decides until the first player must, who has nothing open then."""
    with Patient(table, table.id, table.tokens[:1]) as own:
        while own.ready().actor() == 1:
            play(own)
    with Patient(table, table.id, table.tokens[1:]) as others:
        while others.ready().actor() != 1:
            play(others)


def play(client: Patient) -> None:
    seat = client.actor()
    assert seat is not None
    legal = client.yours[seat]["legal"]
    line = next((line for line in legal if line.endswith("pass")), legal[0])
    client.until_version(client.move(line)["version"])


def open_dialog(page: Page) -> None:
    page.get_by_role("button", name="Settings").first.click()
    page.get_by_role("button", name="Notify me").click()
    expect(page.get_by_role("heading", name="Notify me")).to_be_visible()


def test_a_turn_reaches_a_phone(people: Screens, club: Club, web: Receiver) -> None:
    """From the press of the button to the notification, through the whole server."""
    table, device = three_people(club), Device(web)
    context = phone(people, device, width=390)
    page = people.open(table.link(0), context=context)
    page.locator("[data-field]").first.wait_for()
    open_dialog(page)
    assert page.evaluate("window.asked ?? 0") == 0  # only a press asks
    page.get_by_role("button", name="Tell me on this device").click()
    expect(page.get_by_text("this device", exact=True)).to_be_visible()
    assert page.evaluate(READY)
    page.get_by_role("button", name="Test: This device").click()
    expect(page.get_by_text("The test message is on its way.")).to_be_visible()
    assert device.wait_for()[0]["title"] == "It works"
    page.goto(f"{club.site}/rules")
    others_play(table)
    message = device.wait_for(2)[1]
    assert message["title"] == "Your turn"
    (worker,) = context.service_workers
    worker.evaluate(WATCH)
    deliver(page, club.site, json.dumps(message))
    until(page, lambda: bool(worker.evaluate("self.shown.length")), "nothing was shown")
    expected = {name: message[name] for name in ("title", "body", "tag", "path")}
    assert worker.evaluate("self.shown") == [expected]
    assert worker.evaluate("self.badge") == message["waiting"] == 1
    assert worker.evaluate(CLICK, message["path"]) == "done"
    assert worker.evaluate("[self.closed, self.opened]") == [True, f"/table/{table.id}"]
    page.goto(f"{club.site}/table/{table.id}")
    worker.evaluate("self.opened = null")
    # the browser lets only a real click focus a window, but none more is opened
    assert worker.evaluate(CLICK, message["path"]) in ("done", "InvalidAccessError")
    assert worker.evaluate("self.opened") is None


def test_who_does_not_allow_messages_is_told_how_to_change_that(
    people: Screens, club: Club, web: Receiver
) -> None:
    table = three_people(club)
    page = people.open(table.link(0), context=phone(people, Device(web), "denied"))
    page.locator("[data-field]").first.wait_for()
    open_dialog(page)
    page.get_by_role("button", name="Tell me on this device").click()
    denied = page.get_by_role("alert").filter(has_text="You haven’t allowed messages.")
    expect(denied).to_be_visible()
    expect(page.get_by_text("Nowhere yet.")).to_be_visible()


def test_a_mail_address_is_confirmed_by_keyboard(people: Screens, club: Club) -> None:
    table = three_people(club)
    page = people.open(table.link(0))
    page.locator("[data-field]").first.wait_for()
    open_dialog(page)
    page.get_by_label("Your mail address").fill("ana@example.org")
    page.keyboard.press("Enter")
    label = "The six digits from the mail to ana@example.org"
    expect(page.get_by_label(label)).to_be_visible()
    page.get_by_label(label).fill(club.post.code("ana@example.org"))
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Test: ana@example.org").click()
    expect(page.get_by_text("The test message is on its way.")).to_be_visible()
    assert club.post.wait_for("ana@example.org", 2)[1]["subject"] == "It works"
    page.get_by_label("Quiet from").fill("23:00")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.get_by_text("Quiet from 23:00 to 07:00")).to_be_visible()
    page.get_by_role("button", name="Remove: ana@example.org").click()
    expect(page.get_by_text("Nowhere yet.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Notify me")).to_have_count(0)


def test_a_person_chooses_for_all_tables(people: Screens, club: Club) -> None:
    page = people.open("/me", context=people.context())
    page.get_by_label("Your name", exact=True).fill("Ana Berg")
    page.get_by_role("button", name="Create with a secret link").click()
    page.get_by_role("button", name="Notify me").click()
    page.get_by_text("Webhook", exact=True).click()
    page.get_by_label("Address (URL)").fill("https://hooks.example.org/x")
    page.get_by_role("button", name="Add this webhook").click()
    expect(page.get_by_text("Discord: hooks.example.org").first).to_be_visible()


@pytest.mark.parametrize(("language", "width", "theme"), proof.cases(LOOKS))
def test_everybody_can_use_the_dialog(
    people: Screens, club: Club, language: str, width: int, theme: str
) -> None:
    table = three_people(club)
    wish = {"kind": "slack", "url": "https://hooks.example.org/x"}
    headers = {"authorization": f"Bearer {table.tokens[0]}"}
    path = f"{club.site}/api/tables/{table.id}/notices"
    HTTP.post(path, json=wish, headers=headers).raise_for_status()
    page = people.open(table.link(0), width=width, theme=theme, language=language)
    page.locator("[data-field]").first.wait_for()
    page.keyboard.press("?")
    words = {"en": "Notify me", "de": "Benachrichtigen", "fr": "Me prévenir"}
    page.get_by_role("button", name=words[language]).click()
    expect(page.get_by_role("heading", name=words[language])).to_be_visible()
    expect(page.get_by_text("Slack: hooks.example.org").first).to_be_visible()
    assert barriers(people.settled(page)) == []
    assert overflow(page) == 0


def test_the_page_can_be_installed(club: Club) -> None:
    answer = httpx.get(f"{club.site}/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert manifest["display"] == "standalone" and manifest["start_url"] == "/"
    sizes = {icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes
    for icon in manifest["icons"]:
        found = httpx.get(club.site + icon["src"])
        assert found.headers["content-type"] == icon["type"]
    worker = httpx.get(f"{club.site}/sw.js")
    assert worker.headers["cache-control"] == "no-cache"
    assert "javascript" in worker.headers["content-type"]


def installed(people: Screens, path: str = "/") -> tuple[BrowserContext, Page]:
    """A page whose service worker has kept all files."""
    context = people.context(installs=True)
    page = people.open(path, context=context)
    assert page.evaluate(READY)
    page.reload()  # from now on the worker answers
    assert page.evaluate("Boolean(navigator.serviceWorker.controller)")
    return context, page


def without_network(people: Screens, context: BrowserContext, work: Callable[[], None]) -> None:
    """What a page asks for in vain is no trouble then."""
    before = list(people.troubles)
    people.goes_offline = True
    context.set_offline(True)
    try:
        work()
    finally:
        context.set_offline(False)
        people.troubles[:] = before


def test_rules_the_last_position_lessons_and_a_replay_are_there_without_a_network(
    people: Screens, club: Club
) -> None:
    table = three_people(club)
    record = HTTP.get(f"{club.site}/api/tables/{table.id}/record").text
    context, page = installed(people)
    page.goto(club.site + table.link(0))
    page.locator("[data-field]").first.wait_for()
    kept = f"caches.match('/positions/{table.id}').then(Boolean)"
    until(page, lambda: bool(page.evaluate(kept)), "the position was not kept")

    def look() -> None:
        page.goto(f"{club.site}/rules")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.goto(f"{club.site}/table/{table.id}")
        expect(page.locator(".board").first).to_be_visible()
        expect(page.get_by_text("Connection lost")).to_be_visible()

    without_network(people, context, look)
    until(
        page,
        lambda: bool(page.evaluate("caches.match('/api/lessons').then(Boolean)")),
        "the lessons were not kept",
    )

    def drop() -> None:
        page.goto(f"{club.site}/replay")
        page.locator("input[type=file]").first.set_input_files(as_file(record))
        expect(page.locator(".board").first).to_be_visible()

    drop()
    without_network(people, context, drop)

    def learn() -> None:
        page.goto(f"{club.site}/tutorial")
        expect(page.get_by_role("heading", level=1)).to_be_visible()

    without_network(people, context, learn)
