"""Size and speed of the browser client: `python -m benchmarks.browser`.

Measures in headless Chromium, against a server that it starts: how much is loaded, how soon the
board is visible, how soon a move is visible after its acknowledgement, and frames per second.
"""

import gzip
import json
import re
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.chromium import browser_running
from tests.browser.serving import Serving
from tests.browser.tables import awaits_decision, decide, make_table

STATIC = Path(__file__).parents[1] / "src" / "industry" / "server" / "static"
TIMES = 5
MOVES = 40
SECONDS = 1.2
ENOUGH = 8
"""Entries to play back: at the pace “fast” they take longer than the count of frames."""
SLOWDOWN = 4

WATCH_MOVES = """
(() => {
  const Real = WebSocket;
  window.effects = [];
  let accepted = 0;
  window.WebSocket = class extends Real {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', (event) => {
        if (event.data.startsWith('{"type":"accepted"')) accepted = performance.now();
      });
    }
  };
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver(() => requestAnimationFrame(() => {
      if (accepted) window.effects.push(performance.now() - accepted);
      accepted = 0;
    })).observe(document, {subtree: true, attributes: true, attributeFilter: ['data-version']});
  });
})()
"""
SKIP = "document.querySelector('.pace.now')?.click()"
"""In one step: the button goes by itself when everything is shown."""
COUNT_FRAMES = """
(seconds) => new Promise((resolve) => {
  let frames = 0;
  const began = performance.now();
  const tick = (now) => {
    if (now - began > seconds * 1000) resolve(frames / seconds);
    else { frames += 1; requestAnimationFrame(tick); }
  };
  requestAnimationFrame(tick);
})
"""


@contextmanager
def serving() -> Iterator[str]:
    """Yields the address of a fresh server."""
    with tempfile.TemporaryDirectory() as folder:
        server = Serving(Path(folder))
        server.start()
        try:
            yield server.site
        finally:
            server.stop()


def context(browser: Browser, pace: str) -> BrowserContext:
    made = browser.new_context(viewport={"width": 1440, "height": 900})
    prefs = json.dumps({"pace": pace, "confirm": False, "language": "en"})
    made.add_init_script(f"localStorage.setItem('industry.prefs', {json.dumps(prefs)})")
    return made


def loaded(browser: Browser, site: str) -> tuple[int, float]:
    """Measures compressed bytes of scripts and styles of a table, and milliseconds to its board."""
    asked: set[str] = set()
    times = []
    for _ in range(TIMES):
        made = make_table(site)
        page = context(browser, "instant").new_page()
        page.on("request", lambda request: asked.add(request.url))
        began = time.perf_counter()
        page.goto(f"{site}{made.link(0)}", wait_until="commit")
        page.locator("[data-field='5L']").wait_for()
        times.append((time.perf_counter() - began) * 1000)
        page.context.close()
    names = {found[1] for url in asked if (found := re.search(r"/(assets/[\w.-]+)$", url))}
    size = sum(len(gzip.compress((STATIC / name).read_bytes())) for name in names)
    return size, statistics.median(times)


def effects(browser: Browser, site: str) -> list[float]:
    """Milliseconds from the acknowledgement of a move to the frame that shows it."""
    made = make_table(site)
    own = context(browser, "instant")
    own.add_init_script(WATCH_MOVES)
    page = own.new_page()
    page.goto(f"{site}{made.link(0)}")
    for number in range(MOVES):
        if not awaits_decision(page):
            break
        decide(page, number)
    found: list[float] = page.evaluate("window.effects")
    own.close()
    return sorted(found)


def smoothness(browser: Browser, site: str, slowdown: int) -> float:
    """Frames per second while moves of bots are shown one after the other, with coins flying."""
    made = make_table(site)
    page = context(browser, "fast").new_page()
    page.goto(f"{site}{made.link(0)}")
    expect(page.locator("[data-field]")).to_have_count(60)
    for number in range(2 * MOVES):
        page.evaluate(SKIP)
        awaits_decision(page)
        if new_entries(page) >= ENOUGH:
            break
        decide(page, number)
    slow = {"rate": slowdown}
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", slow)
    page.locator(".log header button").click()
    rate: float = page.evaluate(COUNT_FRAMES, SECONDS)
    assert page.locator(".pace.now").count(), "the playback was over before the count"
    page.context.close()
    return rate


def new_entries(page: Page) -> int:
    """Returns how much can be played back: what happened since this screen's last move."""
    words = page.locator(".log header button").all_inner_texts()
    return int(words[0].split()[0]) if words else 0


def main() -> None:
    with serving() as site, browser_running() as browser:
        size, visible = loaded(browser, site)
        print(f"first load of a table: {size / 1000:.1f} kB compressed")
        print(f"board visible after {visible:.0f} ms (median of {TIMES}, nothing cached)")
        seen = effects(browser, site)
        print(
            f"a move is seen {statistics.median(seen):.0f} ms after its acknowledgement "
            f"(median of {len(seen)}; slowest {seen[-1]:.0f} ms)"
        )
        for slowdown in (1, SLOWDOWN):
            rate = smoothness(browser, site, slowdown)
            print(f"{rate:.0f} frames per second while moves are shown (CPU / {slowdown})")


if __name__ == "__main__":
    main()
