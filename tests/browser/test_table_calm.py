"""What the server answers later never moves a button away under a finger."""

import json
import time
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute

from .screens import PATIENCE, Screens
from .tables import appears, decide, make_table, version

PLACES = """() => Object.fromEntries(
    [...document.querySelectorAll('.lot button, .list button')].filter((button) =>
        getComputedStyle(button).visibility === 'visible'
    ).map((button, index) => {
        const { x, y, width, height } = button.getBoundingClientRect()
        return [`${index} ${button.dataset.key ?? button.dataset.bid}`, [x, y, width, height]]
    }),
)"""
ANSWERED = {
    "offer": (".lot .t .num", {"field"}),
    "bid": (".cons .purses", {"choices", "field"}),
    "settle": (".two .purses", {"choices"}),
    "develop": ("button.pay .num:not(:text-is('…'))", {"choices"}),
}
"""By phase: what stands there once these answers have come."""


JOKER = ".hero .pic use[href^='#r-']"
"""A joker on offer: it has no worth that would be asked for."""


class Slow:
    """A connection on which answers to questions are held back until they are let through."""

    def __init__(self, context: BrowserContext) -> None:
        self.held: list[str] = []
        self._released = -1
        self._page: WebSocketRoute
        context.route_web_socket("**/socket", self._connect)

    def _connect(self, page: WebSocketRoute) -> None:
        self._page = page
        server = page.connect_to_server()
        page.on_message(server.send)
        server.on_message(self._arrived)

    def _arrived(self, message: Any) -> None:
        is_answer = self._kind(message) in {"choices", "field"}
        if is_answer and json.loads(message)["version"] > self._released:
            self.held.append(message)
        else:
            self._page.send(message)

    def _kind(self, message: Any) -> str:
        return str(json.loads(message)["type"])

    def wait_for(self, page: Page, kinds: set[str]) -> None:
        deadline = time.monotonic() + PATIENCE / 1000
        while not kinds <= {self._kind(message) for message in self.held}:
            assert time.monotonic() < deadline, f"no {kinds}, only {len(self.held)} answers"
            page.wait_for_timeout(20)

    def let_through(self, version: int) -> None:
        """Answers about this version, also those that are still to come."""
        self._released = version
        for message in self.held:
            self._page.send(message)
        self.held = []


def phase(page: Page) -> str | None:
    """What is to be decided on this screen."""
    for name, place in {
        "settle": ".two",
        "bid": "[data-bid]",
        "offer": ".pick",
        "develop": "button.pay:not([aria-expanded])",
    }.items():
        if page.locator(place).count():
            return name
    return None


def stays(page: Page, slow: Slow, now: str) -> None:
    """Every button that was there before the answers came is where it was."""
    shown, kinds = ANSWERED[now]
    slow.wait_for(page, kinds)
    before = page.evaluate(PLACES)
    slow.let_through(version(page))
    page.locator(shown).first.wait_for(state="attached")
    after = page.evaluate(PLACES)
    assert {button: after.get(button) for button in before} == before, now


@pytest.mark.parametrize(("width", "language"), [(1440, "en"), (1440, "de"), (390, "fr")])
def test_buttons_stay_where_they_are_when_answers_come(
    screens: Screens, width: int, language: str
) -> None:
    context = screens.context(width, language, still=True, confirm=False)
    slow = Slow(context)
    made = make_table(screens.site, 4, 4, seating="as_joined", auto_forced=False)
    page = screens.open(made.link(0, 1, 2, 3), context=context)
    left = set(ANSWERED)
    for number in range(80):
        appears(page, ".act, .list")
        now = phase(page)
        if now == "offer":
            page.locator("button.pick").last.click()
        if now in left and not page.locator(JOKER).count():
            stays(page, slow, now)
            left.discard(now)
        if not left:
            return
        slow.let_through(version(page))
        decide(page, number)
    raise AssertionError(f"never came to {left}")
