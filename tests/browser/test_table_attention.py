"""Somebody who looks away, presses long, or loses the connection: the table waits and calls."""

from playwright.sync_api import BrowserContext, WebSocketRoute, expect

from .screens import Screens
from .tables import appears, awaits_decision, awaits_version, decide, make_table, told, version

CALLS = """
(() => {
  window.notices = []
  window.tones = 0
  const Real = Notification
  window.Notification = class extends Real {
    static permission = 'granted'
    constructor(title, options) {
      super(title, options)
      window.notices.push(`${title}: ${options.body}`)
    }
  }
  const start = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (...given) {
    window.tones += 1
    return start.apply(this, given)
  }
})()
"""
"""Chromium's headless shell calls the permission denied even where it was granted, so the page is
told that it has it."""
AWAY = "Object.defineProperty(document, 'hidden', {get: () => true})"
"""Pages of this browser are never hidden; what the client asks about it is told otherwise."""


class Three:
    """A table of three people: the first offers, then the second bids, then the third."""

    def __init__(self, site: str) -> None:
        self.made = make_table(site, 3, 3, seating="as_joined", auto_forced=False)
        self._starts: int = self.made.view()["game"]["actor"] - 1

    def link(self, *persons: int) -> str:
        """The link of the first (0), second and third to decide."""
        return self.made.link(*((self._starts + person) % 3 for person in persons))


def listening(screens: Screens, notify: bool = False) -> BrowserContext:
    """The browser of somebody who can be called, and in which one sees whether it was tried."""
    context = screens.context(still=True, notify=notify)
    context.grant_permissions(["notifications"])
    context.add_init_script(CALLS)
    return context


def test_a_notice_of_the_system_calls_those_who_look_elsewhere(screens: Screens) -> None:
    table = Three(screens.site)
    first = screens.open(table.link(0), still=True)
    away = screens.open(table.link(1), context=listening(screens, notify=True))
    away.evaluate(AWAY)
    here = screens.open(table.link(1), context=listening(screens, notify=True))
    never = screens.open(table.link(1), context=listening(screens))
    never.evaluate(AWAY)
    assert awaits_decision(first)
    assert away.evaluate("window.notices") == []
    decide(first, 0)
    for page in (away, here, never):
        awaits_version(page, version(first))
        assert awaits_decision(page)
    (notice,) = away.evaluate("window.notices")
    assert "bid on" in notice
    assert here.evaluate("window.notices") == []
    assert never.evaluate("window.notices") == []


def test_a_bell_rings_for_those_who_have_switched_it_on(screens: Screens) -> None:
    table = Three(screens.site)
    first = screens.open(table.link(0), still=True)
    second = screens.open(table.link(1), context=listening(screens))
    assert awaits_decision(first)
    second.get_by_role("button", name="Sound").click()
    third = screens.open(table.link(2), context=listening(screens))
    assert second.evaluate("window.tones") == 0
    decide(first, 0)
    assert awaits_decision(second)
    assert second.evaluate("window.tones") == 2
    decide(second, 0)
    assert awaits_decision(third)
    assert third.evaluate("window.tones") == 0


def test_a_long_press_on_a_phone_opens_the_card_of_a_field(screens: Screens) -> None:
    table = Three(screens.site)
    page = screens.open(table.link(0), width=390, still=True)
    assert awaits_decision(page)
    appears(page, ".decision-tag")
    offered = page.locator("svg.field:has(.decision-tag) [data-field]").first
    box = offered.bounding_box()
    assert box
    finger = page.context.new_cdp_session(page)
    spot = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [spot]})
    card = page.get_by_role("dialog")
    expect(card).to_be_visible()
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(card).to_contain_text(offered.get_attribute("data-field") or "")
    expect(page.locator(".field.dim")).not_to_have_count(0)


class Cable:
    """The way of one page's sockets to the server, which somebody can pull out."""

    def __init__(self, context: BrowserContext) -> None:
        self.is_plugged_in = True
        self._open: list[WebSocketRoute] = []
        context.route_web_socket("**/socket", self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        if self.is_plugged_in:
            socket.connect_to_server()
            self._open.append(socket)
        else:
            socket.close()

    def pull_out(self) -> None:
        self.is_plugged_in = False
        for socket in self._open:
            socket.close()
        self._open = []


def test_a_cut_connection_is_told_and_comes_back_and_loses_nothing(screens: Screens) -> None:
    table = Three(screens.site)
    context = screens.context(still=True)
    cable = Cable(context)
    cut = screens.open(table.link(1), context=context)
    others = screens.open(table.link(0, 2), still=True)
    assert awaits_decision(others)
    decide(others, 0)
    assert awaits_decision(cut)
    cable.pull_out()
    expect(cut.get_by_text("Connection lost")).to_be_visible()
    cut.locator("[data-key=p]").click()
    before = version(others)
    cable.is_plugged_in = True
    awaits_version(others, before + 1)
    expect(cut.get_by_text("Connection lost")).to_have_count(0)
    cable.pull_out()
    expect(cut.get_by_text("Connection lost")).to_be_visible()
    assert awaits_decision(others)
    decide(others, 0)
    cable.is_plugged_in = True
    awaits_version(cut, version(others))
    assert told(cut) == told(others)
