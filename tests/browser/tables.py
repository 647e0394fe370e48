"""Tables for browser tests, and a person who plays at one by clicks or by keys."""

import atexit
import json
import secrets
from collections.abc import Callable
from typing import Any

import httpx
from playwright.sync_api import Page, expect

from industry.server.child_process import START_SECONDS
from tests.server.playing import Client

from .screens import PATIENCE, Screens, until

DECISION = ".decision:not(.unknown *), .list, main.end"
"""What stands on the stage when this screen has to decide, or when the game is over."""

BUTTONS = {
    "offer": "[data-key=o]",
    "pass": "[data-key=p]",
    "bid": "[data-bid]",
    "chosen": "[data-bid-chosen]",
    "sell": "[data-key=s]",
    "claim": "[data-key=c]:not(.unavailable)",
    "develop": "button.pay:not([aria-expanded])",
    "choose": "button.pay[aria-expanded=false]",
}
PAYMENT = ".go .btn:not(:disabled)"
PRESENT = f"""() => Object.entries({json.dumps(BUTTONS)})
    .filter(([, place]) => document.querySelector(place))
    .map(([name]) => name)"""

APPEARS = """([place, version, patience]) => new Promise((found) => {
    const end = performance.now() + patience
    const look = () => {
        const there = document.querySelector(place)
        if (there && (version === null || Number(there.dataset.version) >= version)) found(true)
        else if (performance.now() > end) found(false)
        else setTimeout(look, 10)
    }
    look()
})"""
STANDING = """([place, patience]) => new Promise((found) => {
    const end = performance.now() + patience
    let before = ''
    // what is pressed between two clicks makes them no double click, which the table ignores
    dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift' }))
    const look = () => {
        const button = document.querySelector(place)
        if (button && !button.disabled && getComputedStyle(button).visibility === 'visible') {
            button.scrollIntoView({ block: 'nearest' })
            const { x, y, width, height } = button.getBoundingClientRect()
            const middle = [x + width / 2, y + height / 2]
            if (String(middle) === before) return found(middle)
            before = String(middle)
        }
        if (performance.now() > end) found(null)
        else requestAnimationFrame(look)
    }
    look()
})"""
SHOWN = """() => Object.entries({
    version: document.querySelector('[data-version]')?.dataset.version,
    turn: document.querySelector('.turn')?.innerText,
    problem: document.querySelector('.trouble, .why')?.innerText,
    link: document.querySelector('.lost')?.innerText,
    waiting: [...document.querySelectorAll('.decision :disabled, .list :disabled')].length,
}).map(([name, value]) => `${name}: ${value ?? '–'}`).join('; ')"""

PLAYBACK = ".pace.now"
"""The button that skips what is shown of others' moves; it is there as long as that is shown."""
MOST_DECISIONS = 400
"""More than all people at one screen have in a game."""
HTTP = httpx.Client(timeout=60)
"""Each request outside of a client would read the certificates of the system first."""
atexit.register(HTTP.close)

Wanted = Callable[[dict[str, Any], list[str]], bool]
"""Whether a position, as the server tells it, with these legal moves is what a test needs."""


NOTE_PLAYBACK = f"""() => {{
    window.playbacks = 0
    let was = false
    const look = () => {{
        const is = document.querySelector('{PLAYBACK}') !== null
        if (was && !is) window.playbacks += 1
        was = is
    }}
    new MutationObserver(look).observe(document, {{childList: true, subtree: true}})
    look()
}}"""
SKIP_PLAYBACK = f"""() => {{
    window.skipped = null
    const look = () => {{
        const skip = document.querySelector('{PLAYBACK}')
        if (!skip) return requestAnimationFrame(look)
        const shown = Number(document.querySelector('[data-version]').dataset.version)
        skip.click()
        const note = () => (window.skipped = [shown, document.querySelector('{PLAYBACK}') === null])
        requestAnimationFrame(() => requestAnimationFrame(note))
    }}
    look()
}}"""


class GameOver(AssertionError):
    """What was waited for did not happen in a whole game."""


class Patient(Client):
    """A client that waits as long as a process for bots may take to start."""

    def receive(self, timeout: float = START_SECONDS) -> dict[str, Any]:
        return super().receive(timeout)


class Made:
    """A table on the server, with the secrets of its seats."""

    def __init__(self, site: str, table: dict[str, Any]) -> None:
        self.site = site
        self.id: str = table["table"]
        self.host: str = table["host"]
        self.tokens: list[str] = [seat["token"] for seat in table["seats"]]

    def link(self, *seats: int) -> str:
        """The secret link of the seats that were taken first, second, …"""
        return f"/table/{self.id}#{','.join(self.tokens[seat] for seat in seats)}"

    @property
    def watching(self) -> str:
        return f"/table/{self.id}"

    @property
    def port(self) -> int:
        return int(self.site.rpartition(":")[2])

    def view(self) -> dict[str, Any]:
        answer = HTTP.get(f"{self.site}/api/tables/{self.id}").raise_for_status()
        found: dict[str, Any] = answer.json()
        return found

    def advance(self, is_there: Wanted) -> int:
        """Plays all seats of people without a browser until one of them is asked what is wanted.

        How many decisions it took; bots play theirs meanwhile.
        """
        with Patient(self, self.id, self.tokens) as client:
            for number in range(MOST_DECISIONS):
                seat = client.ready().until_mine()
                if seat is None:
                    raise GameOver("the game was over before")
                legal = client.yours[seat]["legal"]
                if is_there(client.view["game"], legal):
                    return number
                answer = client.move(_decided(legal, number))
                assert answer["type"] == "accepted", answer
                client.until_version(answer["version"])
        raise AssertionError(f"it did not happen in {MOST_DECISIONS} decisions")


def _decided(legal: list[str], number: int) -> str:
    """As `decide` decides: now bold, now timid, so that everything happens in a game."""
    by_verb: dict[str, str] = {}
    for line in legal:
        by_verb.setdefault(line.split()[1], line)
    if "pass" in by_verb:
        verb = "bid" if "bid" in by_verb and number % 3 else "pass"
    elif "sell" in by_verb:
        verb = "claim" if "claim" in by_verb and number % 2 else "sell"
    else:
        verb = next(verb for verb in ("offer", "develop", "done") if verb in by_verb)
    return by_verb[verb]


def make_table(
    site: str, people: int = 1, players: int = 4, edition: str = "industry", **options: Any
) -> Made:
    """A table that begins at once: this many people, and bots on the other seats."""
    persons = [{"kind": "human", "name": f"Person {n}"} for n in range(1, people + 1)]
    bots = [{"kind": "bot", "bot": "foreman"}] * (players - people)
    wish = {
        "id": secrets.token_hex(8),
        "options": {"edition": edition, "players": players, **options},
        "seats": persons + bots,
    }
    answer = HTTP.post(f"{site}/api/tables", json=wish).raise_for_status()
    return Made(site, answer.json())


def sit(screens: Screens, made: Made, *seats: int, **look: Any) -> Page:
    """The page of somebody who plays these seats."""
    page = screens.open(made.link(*seats or (0,)), **{"confirm": False, **look})
    expect(page.locator("[data-field]")).to_have_count(60)
    return page


def hot_seat(screens: Screens, players: int = 3, begin: Wanted | None = None, **look: Any) -> Page:
    """The page of people who share a screen, without any bot: every decision is made here.

    Whatever is drawn, the first decision is an offer and the second a bid. With `begin` the page
    is opened when the game has come so far.
    """
    made = make_table(screens.site, players, players, seating="as_joined", auto_forced=False)
    if begin is not None:
        made.advance(begin)
    return sit(screens, made, *range(players), **look)


def can(*verbs: str) -> Wanted:
    """Where each of these can be chosen."""
    return lambda game, legal: set(verbs) <= {line.split()[1] for line in legal}


def pays_in_one_way(game: dict[str, Any], legal: list[str]) -> bool:
    """Some field can be developed, and there is nothing to choose about it."""
    fields = [line.split()[2] for line in legal if " develop " in line]
    return any(fields.count(field) == 1 for field in fields)


def in_last_eras(game: dict[str, Any], legal: list[str]) -> bool:
    """Everyone still decides in the fourth era; in the fifth a single person may not."""
    return bool(game["era"] >= 4)


def version(page: Page) -> int:
    """What this screen shows; -1 while it still plays back what others did."""
    return int(page.locator("[data-version]").get_attribute("data-version") or -1)


def told(page: Page) -> str:
    """The whole log of a screen, also what is scrolled away and therefore not laid out."""
    return page.locator(".log ol").text_content() or ""


def appears(page: Page, place: str, version: int | None = None) -> None:
    """Waits until the page has such a thing; a locator would look only twice a second."""
    if not page.evaluate(APPEARS, [place, version, PATIENCE]):
        wanted = place if version is None else f"version {version}"
        raise AssertionError(f"no {wanted}; the page shows {page.evaluate(SHOWN)}")


def awaits_version(page: Page, at_least: int) -> None:
    """Waits until this screen shows that version or a later one, in one look at a time.

    Two looks, one to compare and one to wait from, would miss a change between them.
    """
    appears(page, "[data-version]", at_least)


def awaits_change(page: Page, before: int) -> None:
    """Waits until this screen shows another version."""
    appears(page, f"[data-version]:not([data-version='{before}'])")


def note_playback(page: Page) -> None:
    """From now on the page counts how often moves of others were shown one by one."""
    page.evaluate(NOTE_PLAYBACK)


def awaits_playback(page: Page) -> None:
    """Waits until moves of others were shown, from the first to the last."""
    until(page, lambda: page.evaluate("window.playbacks"), "nothing was played back")


def skip_playback(page: Page) -> None:
    """The page skips as soon as moves of others are shown: `window.skipped` then has what it showed
    before, and whether the playback ended at once.

    A click from outside may come too late on a busy machine.
    """
    page.evaluate(SKIP_PLAYBACK)


def awaits_decision(page: Page) -> bool:
    """Waits until this screen must decide; false once the game is over."""
    appears(page, DECISION)
    return page.locator("main.end").count() == 0


def decide(page: Page, number: int) -> None:
    """One decision by clicks: now bold, now timid, so that everything happens in a game."""
    before = version(page)
    press(page, _wanted(page, number))
    awaits_change(page, before)


def press(page: Page, place: str) -> None:
    """Clicks with the mouse, as soon as such a button can be pressed and no longer moves.

    A locator does the same in many small questions, which take most of the time of a game.
    """
    middle = page.evaluate(STANDING, [place, PATIENCE])
    assert middle, f"{place} cannot be pressed; the page shows {page.evaluate(SHOWN)}"
    page.mouse.click(*middle)


def _wanted(page: Page, number: int) -> str:
    """The button of the next decision; what must be chosen before is chosen."""
    there = set(page.evaluate(PRESENT))
    if "offer" in there:
        press(page, "button.pick")
        return BUTTONS["offer"]
    if "pass" in there:
        bid = "chosen" if "chosen" in there else "bid"
        return BUTTONS[bid if "bid" in there and number % 3 else "pass"]
    if "sell" in there:
        return BUTTONS["claim" if "claim" in there and number % 2 else "sell"]
    if "develop" in there:
        return BUTTONS["develop"]
    if "choose" in there:
        press(page, BUTTONS["choose"])
        for need in page.locator(".bill fieldset").all():
            need.locator("label").first.click()
        if page.locator(PAYMENT).count():
            return PAYMENT
    return "[data-key=d]"


def play_to_the_end(page: Page, most: int = MOST_DECISIONS) -> int:
    """Plays all decisions of this screen; how many there were."""
    for number in range(most):
        if not awaits_decision(page):
            return number
        decide(page, number)
    raise AssertionError(f"the game is not over after {most} decisions")
