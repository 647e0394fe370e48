"""The pace of the others: every move of theirs is shown for its pause, and one press skips it."""

import json
from typing import Any

from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from .screens import PATIENCE, Screens, until
from .tables import (
    DECISION,
    PLAYBACK,
    awaits_decision,
    decide,
    make_table,
    press,
    sit,
    version,
)

WATCH = """() => {
    window.changes = []
    let isOwn = false
    addEventListener('pointerdown', () => { isOwn = true }, true)
    const look = () => {
        const at = performance.now()
        if (at - (window.changes.at(-1)?.at ?? -1e6) < 40) return
        window.changes.push({ at, isOwn })
        isOwn = false
    }
    const whole = { childList: true, characterData: true, subtree: true }
    new MutationObserver(look).observe(document.querySelector('.log ol'), whole)
}"""
"""Notes when the log changes, and whether this screen made that move: it was pressed before."""
PAUSES_SHOWN = """() => window.changes
    .map((change, index, all) => ({ ...change, before: all[index - 1] }))
    .filter(({ isOwn, before }) => before && !isOwn && !before.isOwn)
    .map(({ at, before }) => Math.round(at - before.at))"""
"""How long each move of others was shown before the next one. One's own moves do not wait."""
STEADY = 1300
SKIP_AND_WATCH = f"""([by, before, patience]) => new Promise((found, failed) => {{
    const there = (place) => document.querySelector(place)
    let [later, isPressed, isOver] = [0, false, false]
    const press = () => {{
        if (by === 'n') dispatchEvent(new KeyboardEvent('keydown', {{ key: 'n' }}))
        else there('{PLAYBACK}').click()
        requestAnimationFrame(() => requestAnimationFrame(() => {{ isOver = true; look() }}))
        isPressed = true
    }}
    const end = (result) => {{
        observer.disconnect()
        found(result)
    }}
    const look = () => {{
        if (there('{PLAYBACK}') && !isPressed) return press()
        if (there('{PLAYBACK}') && isOver) later += 1
        if (there('{DECISION}') && isOver) return end(later)
        const version = Number(there('[data-version]').dataset.version)
        if (there('{DECISION}') && !isPressed && version > before) end(null)
    }}
    const observer = new MutationObserver(look)
    observer.observe(document, {{ attributes: true, childList: true, subtree: true }})
    setTimeout(() => failed(new Error(`no decision; pressed: ${{isPressed}}`)), patience)
    look()
}})"""
"""Presses as soon as a move of others is shown, and counts how often one still is before this
screen has to decide; null where nobody else moved. The page does it by itself: a press from
outside may come too late, and how long the bots think is not the subject here."""
MOST_TRIES = 20
SHORTEST = 0.6
"""Of the usual pause: a pass is shown for that long."""


def test_every_move_of_a_bot_is_shown_for_its_pause(screens: Screens) -> None:
    page = sit(screens, make_table(screens.site), pace="steady")
    page.evaluate(WATCH)
    pauses: list[int] = []
    for number in range(MOST_TRIES):
        assert awaits_decision(page)
        pauses = page.evaluate(PAUSES_SHOWN)
        if len(pauses) >= 5:
            break
        decide(page, number)
    assert len(pauses) >= 5, "the bots have decided too"
    # half of it, because a slow machine may draw one move late and the next one in time
    assert [pause for pause in pauses if pause < SHORTEST * STEADY / 2] == []


def test_one_press_shows_everything_until_one_s_own_decision(screens: Screens) -> None:
    page = sit(screens, make_table(screens.site), pace="leisurely")
    assert awaits_decision(page)
    for by in ("n", "button"):
        assert played_back_after_press(page, by) == 0, f"{by} did not end the playback"


def played_back_after_press(page: Page, by: str) -> int:
    """Decides until others move, skips that, and counts how often a move is shown nevertheless."""
    for _ in range(MOST_TRIES):
        before = version(page)
        decide_at_once(page)
        later: int | None = page.evaluate(SKIP_AND_WATCH, [by, before, PATIENCE])
        if later is not None:
            return later
    raise AssertionError("nobody else ever moved")


def decide_at_once(page: Page) -> None:
    """A decision, without waiting for what follows from it."""
    if page.locator("[data-key=o]").count():
        press(page, "button.pick")
        press(page, "[data-key=o]")
    else:
        press(page, "[data-key=p], [data-key=s], [data-key=d]")


class Held:
    """News of the table reach this page only when they are let through."""

    def __init__(self, context: BrowserContext) -> None:
        self.holds = False
        self.kept: list[str] = []
        self.sent: list[dict[str, Any]] = []
        self._page: WebSocketRoute | None = None
        context.route_web_socket("**/socket", self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        self._page = socket

        def from_server(message: str | bytes) -> None:
            text = str(message)
            is_bot = '"how":"bot"' in text and '"type":"update"' in text
            if self.holds and (is_bot or self.kept):
                self.kept.append(text)
            else:
                socket.send(text)

        def from_page(message: str | bytes) -> None:
            self.sent.append(json.loads(message))
            server.send(message)

        server.on_message(from_server)
        socket.on_message(from_page)

    def let_through(self) -> None:
        self.holds = False
        assert self._page is not None
        for text in self.kept:
            self._page.send(text)
        self.kept = []


def test_a_bot_that_takes_its_time_is_seen_to_think(screens: Screens) -> None:
    context = screens.context(pace="instant", confirm=False)
    held = Held(context)
    page = screens.open(make_table(screens.site).link(0), context=context)
    assert awaits_decision(page)
    held.holds = True
    decide_at_once(page)
    expect(page.locator(".thinking")).to_contain_text("is thinking")
    held.let_through()
    assert awaits_decision(page)
    expect(page.locator(".thinking .dots")).to_have_count(0)


def test_instant_asks_the_bots_to_answer_at_once(screens: Screens) -> None:
    context = screens.context(pace="instant", confirm=False)
    held = Held(context)
    page = screens.open(make_table(screens.site).link(0), context=context)
    assert awaits_decision(page)

    def hurries() -> list[bool]:
        return [message["on"] for message in held.sent if message["type"] == "hurry"]

    assert hurries() == [True]
    page.locator(".tools .pace").click()
    expect(page.locator(".tools .pace")).to_contain_text("Fast")
    until(page, lambda: len(hurries()) > 1, "the bots were not told")
    assert hurries() == [True, False]
