"""Takes the pictures of the README and the documents: `make pictures`.

They show the current version in a browser without any font of the machine, so that they come out
the same everywhere.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect

from industry.cli.files import replace_file
from industry.server.editor.board_file import BoardFile
from tests.cli.running import run
from tests.server.editing import TOKEN, served

from .chromium import browser_running
from .gallery import gallery
from .windows import Shown

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
WINDOW = (1440, 900)
EDITED = "3F"
"""The field whose values the picture of the board editor shows."""


def take_table(browser: Browser) -> Path:
    """A bid is due at a table of four."""
    target = FOLDER / "table.png"
    with gallery() as site:
        shown = Shown(browser, site)
        shown.resize(*WINDOW)
        shown.show(game="industry-4", state="bid", language="en", theme="light")
        expect(shown.page.get_by_text("can claim it up to")).to_be_visible()  # comes last
        shown.page.screenshot(path=target)
        shown.close()
    return target


def take_editor(browser: Browser) -> Path:
    """A board of one's own, with one of its fields chosen."""
    target = FOLDER / "board-editor.png"
    with tempfile.TemporaryDirectory() as folder:
        desk = BoardFile(Path(folder) / "mine.toml", "industry", replace_file)
        with served(desk) as site:
            width, height = WINDOW
            page = browser.new_page(viewport={"width": width, "height": height})
            page.emulate_media(reduced_motion="reduce")
            page.goto(f"{site}/#{TOKEN}")
            page.locator(f"[data-field='{EDITED}']").click()
            expect(page.locator("#field-title")).to_contain_text(EDITED)
            page.screenshot(path=target)
            page.close()
    return target


def draw_board() -> Path:
    target = FOLDER / "board.svg"
    drawn = run("board", "show", "industry", "--svg", str(target), "--force")
    assert drawn.code == 0, drawn.err
    return target


def main() -> None:
    with browser_running() as browser:
        for target in (take_table(browser), take_editor(browser), draw_board()):
            sys.stdout.write(f"{target}\n")


if __name__ == "__main__":
    main()
