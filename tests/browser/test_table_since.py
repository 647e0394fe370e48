"""What happened since one's last move is shown as everybody at the table saw it then."""

import contextlib
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.server.applying import Json, applied
from tests.support import proof

from .screens import Screens
from .tables import PLAYBACK, GameOver, Made, Patient, Wanted, make_table, sit, version

MOST_TABLES = 4

WATCH = """() => {
    const all = (place) => [...document.querySelectorAll(place)]
    const numbers = (place) => all(place).map((one) => Number(one.textContent))
    window.seen = []
    const look = () => {
        const now = [numbers('[data-purse] .num'), numbers('.holdings .points .num')]
        if (JSON.stringify(now) !== JSON.stringify(window.seen.at(-1))) window.seen.push(now)
    }
    new MutationObserver(() => requestAnimationFrame(look)).observe(document, {
        childList: true, characterData: true, subtree: true,
    })
}"""
"""Notes every purse and every total that is shown, each time that one of them changes."""


def history(made: Made) -> list[Json]:
    """The game after every entry, as the server told everyone."""
    with Patient(made, made.id, []) as client:
        view: Json = {}
        games = []
        for step in client.ready().ask(type="ask_steps", after=0)["steps"]:
            view = applied(view, step["changed"])
            games.append(view["game"])
    return [game for game in games if game]


def much_has_happened() -> Wanted:
    """Seat 1 must decide, and purses have changed three times since it did so last."""
    since: list[list[int]] = []

    def is_there(game: Json, legal: list[str]) -> bool:
        if game["talers"] not in since:
            since.append(game["talers"])
        if not legal[0].startswith("1 "):
            return False
        is_wanted = len(since) > 3
        since[:] = [game["talers"]]
        return is_wanted

    return is_there


def eventful_table(site: str, options: dict[str, Any]) -> Made:
    """A table at which much has happened; by its bag a whole game can pass without that."""
    for _ in range(MOST_TABLES - 1):
        made = make_table(site, 3, 3, "industria", **options)
        with contextlib.suppress(GameOver):
            made.advance(much_has_happened())
            return made
    made = make_table(site, 3, 3, "industria", **options)
    made.advance(much_has_happened())
    return made


@pytest.mark.parametrize("hands", proof.cases(["closed", "open"]))
def test_what_happened_since_is_shown_as_it_was_seen_then(screens: Screens, hands: str) -> None:
    """The page is opened late: it has seen nothing of it itself."""
    rules = {"industria_hands": hands}
    options = {"seating": "as_joined", "auto_forced": False, "rules": rules}
    made = eventful_table(screens.site, options)
    page = sit(screens, made, pace="fast")
    page.evaluate(WATCH)
    page.locator(".log header .link").click()
    expect(page.locator(PLAYBACK)).to_be_visible()
    expect(page.locator(PLAYBACK)).to_have_count(0)
    assert version(page) == made.view()["version"]
    seen = page.evaluate("window.seen")
    games = history(made)
    told = [[game["talers"], [score["points"] for score in game["score"]]] for game in games]
    assert seen[-1] == told[-1]
    at = 0
    for moment in seen[1:] if seen[0] == seen[-1] else seen:  # the present, before it begins
        assert moment in told[at:], f"nobody saw {moment} then"
        at = told.index(moment, at)
    assert len(seen) > 2
