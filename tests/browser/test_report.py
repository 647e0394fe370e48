"""The report of `industry report` in a real browser."""

import pytest
from playwright.sync_api import Browser

from industry.texts import LANGUAGES
from tests.arena.test_report import small_page
from tests.support import proof

CUT = """() => [...document.querySelectorAll('svg[role=img] text')].filter((text) => {
    const [box, picture] = [text, text.ownerSVGElement].map((each) => each.getBoundingClientRect())
    return box.left < picture.left - 1 || box.right > picture.right + 1
        || box.top < picture.top - 1 || box.bottom > picture.bottom + 1
}).map((text) => text.textContent)"""


@pytest.mark.parametrize("language", proof.cases(sorted(LANGUAGES)))
def test_no_label_of_a_picture_is_cut_off(browser: Browser, language: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_content(small_page(language))
    assert page.locator("svg[role=img] text").count() > 100
    assert page.evaluate(CUT) == []
    page.close()
