"""The check of the layout tests: it finds texts that cannot be read, and only those."""

import pytest
from playwright.sync_api import Browser

from .windows import BOXES

LETTER = "<text x='30' y='40' font-size='24'>A</text>"
MARK = "<rect x='20' y='15' width='40' height='40' fill='navy'/>"
DRAWING = "<svg width='100' height='100'>{}</svg>"
LINE = "<p style='position: absolute; top: {}px; font: 20px sans-serif'>Twelve Talers</p>"
NARROW = "<p style='width: 40px; overflow: hidden; white-space: nowrap'>Twelve Talers</p>"


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (DRAWING.format(LETTER + MARK), "under: “A”"),
        (LINE.format(30) + LINE.format(38), "over: “Twelve Talers”"),
        (NARROW, "cut: “Twelve Talers”"),
    ],
    ids=["covered", "overlapping", "cut off"],
)
def test_a_text_that_cannot_be_read_is_found(browser: Browser, body: str, fault: str) -> None:
    found = faults(browser, body)
    assert any(fault in one for one in found), found


@pytest.mark.parametrize(
    "body",
    [DRAWING.format(MARK + LETTER), LINE.format(30) + LINE.format(70)],
    ids=["on a mark", "below each other"],
)
def test_a_text_that_can_be_read_is_not_reported(browser: Browser, body: str) -> None:
    assert faults(browser, body) == []


def faults(browser: Browser, body: str) -> list[str]:
    """What the check says about a page with this body, its drawings enlarged as on a big screen."""
    page = browser.new_page(viewport={"width": 2560, "height": 1440})
    page.set_content(f"<body style='margin: 20px; zoom: 1.37'>{body}</body>")
    page.evaluate(BOXES.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate("() => unreadable(false)")
    page.close()
    return found
