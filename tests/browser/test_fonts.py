"""The page brings its fonts: complete, small, without any shift, and the same on every machine."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fontTools.ttLib import TTFont
from playwright.sync_api import Browser, Page, Route

from tests.support import proof

from .fonts import FONTS
from .screens import Screens, until
from .tables import make_table

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "industry" / "server" / "static"
TERMINAL_ONLY = {"terminal.json", "play.json", "lab.json"}
"""Catalogues of the commands, which a terminal shows."""
SHIFTS = """new Promise((found) => {
    let sum = 0
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => found(sum), 600)
})"""


def covered() -> set[str]:
    """Every character that the fonts of the page can draw, in all of its stacks."""
    signs = characters("signs")
    return (characters("sans") | signs) & (characters("slab") | signs)


def characters(name: str) -> set[str]:
    return {chr(code) for code in TTFont(FONTS / f"{name}.woff2").getBestCmap()}


def texts_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    else:
        for inner in value.values():
            yield from texts_of(inner)


def test_every_character_of_the_texts_is_in_the_fonts() -> None:
    drawn = covered()
    for path in sorted((ROOT / "src" / "industry" / "texts").rglob("*.json")):
        if path.name in TERMINAL_ONLY:
            continue
        for text in texts_of(json.loads(path.read_text(encoding="utf-8"))):
            assert set(text) - drawn <= {"\n"}, f"{path.parent.name}/{path.name}: {text}"


def test_every_character_of_the_page_and_of_the_boards_is_in_the_fonts() -> None:
    drawn = covered() | {"\n", "\t"}
    sources = [
        path for ext in ("svelte", "ts", "css") for path in (ROOT / "web").glob(f"src/**/*.{ext}")
    ]
    for path in [*sources, *(ROOT / "src" / "industry" / "boards").glob("*.toml")]:
        if not path.name.endswith(".test.ts"):
            missing = set(path.read_text(encoding="utf-8")) - drawn
            assert not missing, f"{path.name}: {missing}"


def test_no_style_asks_for_a_font_of_the_system() -> None:
    """Except as the very last resort of the three stacks."""
    generic = {"sans-serif", "serif", "inherit"}
    ours = {f"Industry {name}" for name in ("Condensed", "Text", "Slab", "Signs")}
    for path in (ROOT / "web" / "src").rglob("*"):
        if path.suffix in {".css", ".svelte"}:
            text = path.read_text(encoding="utf-8")
            for stack in re.findall(r"(?:--font-\w+|font-family):([^;]*);", text):
                names = {name.strip().strip("\"'") for name in stack.split(",")}
                others = {name for name in names if not name.startswith("var(--font-")}
                assert others <= generic | ours, f"{path.name}: {others}"


def test_the_licences_of_the_fonts_are_in_the_built_page(built_client: None) -> None:
    roboto = (STATIC / "assets" / "LICENSE-roboto.txt").read_text(encoding="utf-8")
    slab = (STATIC / "assets" / "LICENSE-roboto-slab.txt").read_text(encoding="utf-8")
    assert "SIL Open Font License, Version 1.1" in roboto
    assert "Apache License" in slab


def fonts_drawn(page: Page, place: str) -> dict[str, bool]:
    """The fonts that the browser draws this part of the page with; whether they came with it."""
    session = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    nodes = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": place})["nodeIds"]
    found: dict[str, bool] = {}
    for node in nodes:
        for font in session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]:
            found[font["familyName"]] = font["isCustomFont"]
    return found


@pytest.mark.parametrize("language", proof.cases(["fr", "en"]))
def test_all_that_is_read_is_drawn_with_the_fonts_of_the_page(
    screens: Screens, language: str
) -> None:
    made = make_table(screens.site)
    for path, shown in ((made.link(0), "[data-field='5L']"), ("/rules", "article h2")):
        page = screens.open(path, language=language)
        page.locator(shown).first.wait_for()
        fonts = fonts_drawn(page, "p, b, span, text, button, h1, h2, h3, li, a, kbd, code, dd, td")
        assert fonts
        assert [name for name, is_ours in fonts.items() if not is_ours] == []


@pytest.mark.parametrize("path", proof.spread(["/", "/rules", "table"], 2))
def test_nothing_shifts_when_the_fonts_arrive_late(screens: Screens, path: str) -> None:
    """The page waits for them a moment; then everything stands where it stays."""
    context = screens.context(1440, "de", still=True)
    page = context.new_page()
    held: list[Route] = []
    is_late = True

    def late(route: Route) -> None:
        if is_late:
            held.append(route)
        else:
            route.continue_()

    context.route("**/*.woff2", late)
    where = make_table(screens.site).link(0) if path == "table" else path
    page.goto(screens.site + where, wait_until="commit")
    until(page, lambda: len(held) >= 3, "the fonts were not asked for")
    shown = page.locator("[data-field='5L'], article h2, main h1").first
    assert shown.count() == 0, "nothing is laid out before"
    is_late = False
    for route in held:
        route.continue_()
    shown.wait_for()
    page.evaluate("document.fonts.ready.then(() => true)")
    assert page.evaluate(SHIFTS) == 0


def test_a_text_that_no_font_has_does_not_end_the_browser(browser: Browser) -> None:
    """Without any font Chromium crashed here, and every later test of its process failed."""
    page = browser.new_page()
    page.goto("data:text/html,<p>text in a system font</p>")
    page.evaluate("new Promise((on) => requestAnimationFrame(() => requestAnimationFrame(on)))")
    assert browser.is_connected()
    page.close()
