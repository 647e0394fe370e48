"""A decision is whole when it appears, and no later answer moves a button under a finger."""

import json
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute

from industry.boards import load_board
from tests.support import proof

from .screens import Screens, until
from .tables import Wanted, appears, can, make_table, pays_in_one_way, version

PLACES = """() => Object.fromEntries(
    [...document.querySelectorAll('.stage-panel button, .list button')].filter((button) =>
        getComputedStyle(button).visibility === 'visible'
    ).map((button, index) => {
        const { x, y, width, height } = button.getBoundingClientRect()
        return [`${index} ${button.dataset.key ?? button.dataset.bid}`, [x, y, width, height]]
    }),
)"""
ANSWERED = {
    "offer": (".stage-panel .worth .num", {"field"}),
    "bid": (".stage-panel .worth .num", {"field"}),
}
"""By phase: what stands there once these answers have come."""
AT_ONCE = {
    "bid": ".consequences .purses",
    "settle": ".columns .purses",
    "develop": "button.pay .num:not(:text-is('…'))",
}
"""By phase: what stands there with the decision, before anything is answered."""


JOKERS = {field.id for field in load_board("industry").fields if field.kind == "joker"}
"""They have no worth that would be asked for."""


def about_no_joker(wanted: Wanted) -> Wanted:
    """Such a position in which all fields that are or can be offered have a worth."""

    def is_there(game: dict[str, Any], legal: list[str]) -> bool:
        fields = {line.split()[2] for line in legal if " offer " in line}
        if game["auction"]:
            fields.add(game["auction"]["field"])
        return wanted(game, legal) and not fields & JOKERS

    return is_there


POSITIONS = {
    "offer": about_no_joker(can("offer")),
    "bid": about_no_joker(can("bid")),
    "settle": about_no_joker(can("sell", "claim")),
    "develop": pays_in_one_way,
}
"""By phase: where it is looked at, in the order in which a game comes there."""


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
        is_answer = self._kind(message) == "field"
        if is_answer and json.loads(message)["version"] > self._released:
            self.held.append(message)
        else:
            self._page.send(message)

    def _kind(self, message: Any) -> str:
        return str(json.loads(message)["type"])

    def wait_for(self, page: Page, kinds: set[str]) -> None:
        until(page, lambda: kinds <= set(map(self._kind, self.held)), f"no {kinds}")

    def let_through(self, version: int) -> None:
        """Answers about this version, also those that are still to come."""
        self._released = version
        for message in self.held:
            self._page.send(message)
        self.held = []


def stays(page: Page, slow: Slow, now: str) -> None:
    """Consequences are there, and every button stays where it was when the answers come."""
    if now in AT_ONCE:
        assert page.locator(AT_ONCE[now]).count(), now
    if now not in ANSWERED:
        return
    shown, kinds = ANSWERED[now]
    slow.wait_for(page, kinds)
    before = page.evaluate(PLACES)
    slow.let_through(version(page))
    page.locator(shown).first.wait_for(state="attached")
    after = page.evaluate(PLACES)
    assert {button: after.get(button) for button in before} == before, now


@pytest.mark.parametrize(
    ("width", "language"), proof.cases([(1440, "de"), (390, "fr"), (1440, "en")])
)
def test_buttons_stay_where_they_are_when_answers_come(
    screens: Screens, width: int, language: str
) -> None:
    context = screens.context(width, language, still=True, confirm=False)
    slow = Slow(context)
    made = make_table(screens.site, 4, 4, seating="as_joined", auto_forced=False)
    for phase, position in POSITIONS.items():
        made.advance(position)
        page = screens.open(made.link(0, 1, 2, 3), context=context)
        appears(page, ".decision, .list")
        if phase == "offer":
            page.locator("button.pick").last.click()
        stays(page, slow, phase)
        page.close()
