"""Tables for browser tests, and a person who plays at one by clicks or by keys."""

import json
import secrets
from typing import Any

import httpx
from playwright.sync_api import Page, expect

from .screens import PATIENCE, Screens

DECISION = ".act:not(.unknown *), .list, main.end"
"""What stands on the stage when this screen has to decide, or when the game is over."""

BUTTONS = {
    "offer": "[data-key=o]",
    "pass": "[data-key=p]",
    "bid": "[data-bid]",
    "sell": "[data-key=s]",
    "claim": "[data-key=c]:not(.off)",
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
    waiting: [...document.querySelectorAll('.act :disabled, .list :disabled')].length,
}).map(([name, value]) => `${name}: ${value ?? '–'}`).join('; ')"""


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

    def view(self) -> dict[str, Any]:
        answer = httpx.get(f"{self.site}/api/tables/{self.id}").raise_for_status()
        found: dict[str, Any] = answer.json()
        return found


def make_table(
    site: str, people: int = 1, players: int = 4, edition: str = "industry", **options: Any
) -> Made:
    """A table that begins at once: so many people, and bots on the other seats."""
    persons = [{"kind": "human", "name": f"Person {n}"} for n in range(1, people + 1)]
    bots = [{"kind": "bot", "bot": "foreman"}] * (players - people)
    wish = {
        "id": secrets.token_hex(8),
        "options": {"edition": edition, "players": players, **options},
        "seats": persons + bots,
    }
    answer = httpx.post(f"{site}/api/tables", json=wish).raise_for_status()
    return Made(site, answer.json())


def sit(screens: Screens, made: Made, *seats: int, **look: Any) -> Page:
    """The page of somebody who plays these seats."""
    page = screens.open(made.link(*seats or (0,)), **{"confirm": False, **look})
    expect(page.locator("[data-field]")).to_have_count(60)
    return page


def hot_seat(screens: Screens, players: int = 3, **look: Any) -> Page:
    """The page of people who share a screen, without any bot: every decision is made here.

    Whatever is drawn, the first decision is an offer and the second a bid.
    """
    made = make_table(screens.site, players, players, seating="as_joined", auto_forced=False)
    return sit(screens, made, *range(players), **look)


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
        return BUTTONS["bid" if "bid" in there and number % 3 else "pass"]
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


def play_to_the_end(page: Page, most: int = 400) -> int:
    """Plays all decisions of this screen; how many there were."""
    for number in range(most):
        if not awaits_decision(page):
            return number
        decide(page, number)
    raise AssertionError(f"the game is not over after {most} decisions")
