"""The board editor in a real browser: an owner of the printed game enters values."""

import re
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from industry.boards import board_text, load_board
from industry.cli.files import replace_file
from industry.server.editor.board_file import BoardFile
from tests.cli.running import run
from tests.server.editing import TOKEN, served
from tests.server.test_serve import program
from tests.support import proof

from .screens import HEIGHTS, Screens, barriers, overflow

Open = Callable[..., Page]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return tmp_path / "mine.toml"


@pytest.fixture
def edit(browser: Browser, built_client: None, mine: Path) -> Iterator[Open]:
    """Opens the editor for a file that begins from a board; nothing may go wrong in the browser."""
    with ExitStack() as stack:
        opened: list[Screens] = []

        def open_editor(
            origin: str | None = "industry",
            path: str = f"/#{TOKEN}",
            expected: frozenset[int] = frozenset(),
            **look: Any,
        ) -> Page:
            site = stack.enter_context(served(BoardFile(mine, origin, replace_file)))
            screens = Screens(browser, site)
            screens.expected |= expected
            opened.append(screens)
            return screens.open(path, **look)

        yield open_editor
        for screens in opened:
            screens.close()
            assert screens.troubles == []


def ready(page: Page) -> Page:
    expect(page.locator("[data-field]")).to_have_count(60)
    return page


def row(page: Page, value: str) -> Locator:
    return page.locator(f"[data-value={value}]")


def mark(page: Page, value: str) -> Locator:
    return row(page, value).locator(".mark")


def choose(page: Page, field: str) -> None:
    page.locator(f"[data-field='{field}']").click()
    expect(page.locator("#field-title")).to_contain_text(field)


def progress(page: Page) -> int:
    found = re.match(r"(\d+) of", page.locator(".progress span").inner_text())
    assert found is not None
    return int(found[1])


def test_an_owner_enters_values_sees_a_fault_corrects_it_and_plays_on_the_board(
    edit: Open, mine: Path
) -> None:
    page = ready(edit())
    choose(page, "1F")
    expect(mark(page, "cost")).to_have_value("attested")
    expect(mark(page, "networks")).to_have_value("ours")
    page.get_by_role("spinbutton", name="Cost").fill("5000")
    fault = "must be a whole number from 0 to 1000"
    expect(row(page, "cost")).to_contain_text(fault)
    expect(page.locator("#findings-title")).to_contain_text("1 fault")
    choose(page, "4K")
    page.get_by_role("button", name=f"1F: “Cost” {fault}").click()
    cost = page.get_by_role("spinbutton", name="Cost")
    expect(cost).to_be_focused()
    cost.fill("4")
    expect(page.locator("#findings-title")).to_contain_text("No faults")
    expect(mark(page, "cost")).to_have_value("printed")
    page.get_by_role("checkbox", name="Pipeline").check()
    expect(page.locator(".progress")).to_contain_text("2 of 395 values confirmed")
    expect(page.locator("[data-field='1F']")).to_have_attribute("aria-label", re.compile("2/8"))
    page.get_by_label("Add a link to").select_option("1G")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("industry play --board mine.toml")
    board = load_board(mine)
    field = board.field("1F")
    assert (field.cost, field.networks) == (4, ("rail", "pipeline"))
    (stated,) = (s for s in field.provenance if s.source.kind == "print")
    assert (stated.source.title, stated.values) == ("printed board", ("cost", "networks"))
    assert all("cost" not in s.values for s in field.provenance if s is not stated)
    assert ("1F", "1G") in board.links
    assert run("simulate", "-n", "2", "--board", mine).code == 0


def test_a_field_is_entered_by_the_keyboard_alone(edit: Open, mine: Path) -> None:
    page = ready(edit("industria"))
    choose(page, "1K")
    expect(page.get_by_role("combobox", name="Kind", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    for letters in ("Bridges", "Brücken", "Ponts"):
        page.keyboard.type(letters)
        page.keyboard.press("Enter")
    expect(page.get_by_role("combobox", name="Resource 1")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_role("spinbutton", name="Points", exact=True)).to_be_focused()
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # the links
    expect(page.locator("#field-title")).to_contain_text("1L")
    page.keyboard.press("Alt+ArrowLeft")
    expect(page.locator("#field-title")).to_contain_text("1K Bridges")
    for value in ("kind", "name", "needs", "points"):
        expect(mark(page, value)).to_have_value("printed")
    expect(page.locator("[data-field='1K']")).to_have_attribute("aria-label", re.compile("✓"))
    page.keyboard.press("Control+s")
    expect(page.get_by_role("status")).to_contain_text("Saved")
    names = tomllib.loads(mine.read_text("utf-8"))["field"][10]["name"]
    assert names == {"en": "Bridges", "de": "Brücken", "fr": "Ponts"}


def test_everything_can_be_undone_step_by_step(edit: Open) -> None:
    page = ready(edit())
    choose(page, "2E")
    name = row(page, "name").get_by_role("textbox").first
    name.fill("")
    name.press_sequentially("Dock")
    page.get_by_role("combobox", name="Kind", exact=True).select_option("technology")
    expect(row(page, "cost")).to_have_count(0)
    expect(page.locator("#findings-title")).to_contain_text("fault")
    page.keyboard.press("Control+z")
    expect(row(page, "cost")).to_have_count(1)
    expect(name).to_have_value("Dock")
    page.keyboard.press("Control+z")
    expect(name).to_have_value("Shipyard")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    expect(page.get_by_role("status")).to_contain_text("not saved yet")
    page.keyboard.press("Control+Shift+z")
    expect(name).to_have_value("Dock")


def test_what_is_ones_own_design_is_never_marked_as_printed(edit: Open, mine: Path) -> None:
    page = ready(edit())
    page.get_by_label("What I enter").select_option("own")
    choose(page, "1F")
    page.get_by_role("spinbutton", name="Cost").fill("7")
    page.keyboard.press("Enter")
    expect(mark(page, "cost")).to_have_value("ours")
    expect(mark(page, "name")).to_have_value("attested")
    status = page.get_by_label("Status", exact=True)
    expect(status.locator("option[value=verified]")).to_be_disabled()
    page.keyboard.press("Control+s")
    expect(page.get_by_role("status")).to_contain_text("Saved")
    assert progress(page) == 0
    field = load_board(mine).field("1F")
    assert field.cost == 7
    assert "cost" not in field.attested
    assert "printed board" not in mine.read_text("utf-8")


def test_a_draft_with_faults_is_kept_for_tomorrow_and_no_command_plays_on_it(
    edit: Open, mine: Path
) -> None:
    page = ready(edit())
    choose(page, "3G")
    row(page, "name").get_by_role("textbox").first.fill("")
    expect(page.locator("#findings-title")).to_contain_text("1 fault")
    page.keyboard.press("Control+s")
    expect(page.get_by_role("status")).to_contain_text("Saved as a draft")
    refused = run("simulate", "-n", "1", "--board", mine)
    assert refused.code == 1
    assert "3G: the name must be given in every language (en, de, fr)" in refused.err
    tomorrow = ready(edit(None))
    expect(tomorrow.get_by_role("status")).to_contain_text("As in the file")
    tomorrow.get_by_role("button", name="3G: the name").click()
    name = row(tomorrow, "name").get_by_role("textbox").first
    expect(name).to_be_focused()
    name.fill("Locomotive works")
    expect(tomorrow.locator("#findings-title")).to_contain_text("No faults")


def test_a_file_that_changed_meanwhile_is_loaded_anew_or_left_alone(edit: Open, mine: Path) -> None:
    page = ready(edit())
    page.keyboard.press("Control+s")
    expect(page.get_by_role("status")).to_contain_text("Saved")
    theirs = mine.read_text("utf-8").replace('en = "Sawmill"', 'en = "Lumber mill"')
    mine.write_text(theirs, "utf-8")
    choose(page, "1E")
    page.get_by_role("spinbutton", name="Cost").fill("1")
    page.keyboard.press("Control+s")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("was changed by another program")
    assert mine.read_text("utf-8") == theirs
    dialog.get_by_label("Name of the file").fill("yours")
    dialog.get_by_role("button", name="Save under this name").click()
    expect(page.locator("header .file")).to_have_text("yours.toml")
    assert load_board(mine.with_name("yours.toml")).field("1E").cost == 1
    mine.with_name("yours.toml").write_text(theirs.replace('"mine"', '"yours"', 1), "utf-8")
    page.keyboard.press("Control+s")
    page.get_by_role("button", name="Load the file as it is now").click()
    expect(page.locator("#field-title")).to_contain_text("Lumber mill")
    page.keyboard.press("Control+z")
    expect(page.locator("#field-title")).to_contain_text("Sawmill")


def test_leaving_with_unsaved_values_is_asked_about(edit: Open) -> None:
    page = ready(edit())
    choose(page, "1F")
    page.get_by_role("spinbutton", name="Cost").fill("5")
    asked: list[str] = []

    def answer(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    for _ in range(2):  # what was not saved is gone then, and nothing more is asked
        page.reload()
        ready(page)
        assert asked == ["beforeunload"]
    page.remove_listener("dialog", answer)


LOOKS = [
    ("en", "light", 1440, "Board editor"),
    ("de", "dark", 820, "Spielplan-Editor"),
    ("fr", "light", 3840, "Éditeur de plateau"),
]


def test_a_table_is_made_and_drawn_on_ones_own_board(
    browser: Browser, built_client: None, mine: Path, tmp_path: Path
) -> None:
    text = board_text("industry").replace('id      = "industry"', 'id      = "mine"')
    mine.write_text(text.replace('en = "Sawmill"', 'en = "Lumber mill"'), encoding="utf-8")
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with program(tmp_path, "serve", "--port", "0", "--database", database, "--board", mine) as club:
        club.until_ready()
        screens = Screens(browser, club.url.rstrip("/"))
        page = screens.open("/new")
        page.locator("label.board select").select_option("mine")
        seats = [{"kind": "human", "name": "Ana"}, *[{"kind": "bot", "bot": "random"}] * 2]
        wish = {"id": "make", "options": {"players": 3, "board": "mine"}, "seats": seats}
        made = httpx.post(f"{club.url}api/tables", json=wish, timeout=60).json()
        page.goto(f"{club.url}table/{made['table']}?watch")
        drawn = page.locator("[data-field='1E']")
        expect(drawn).to_have_attribute("aria-label", re.compile("1E Lumber mill"))
        screens.close()
        assert screens.troubles == []


@pytest.mark.parametrize(("language", "theme", "width", "title"), proof.cases(LOOKS))
def test_the_editor_fits_every_screen_in_every_language(
    edit: Open, language: str, theme: str, width: int, title: str
) -> None:
    page = ready(edit("industria", language=language, theme=theme, width=width))
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    choose(page, "4J")
    row(page, "name").get_by_role("textbox").first.fill("")
    expect(page.locator(".problem")).not_to_have_count(0)
    assert overflow(page) <= 0
    if width < max(HEIGHTS):
        assert barriers(page) == []


def test_the_window_for_another_name_has_no_barrier(edit: Open) -> None:
    page = ready(edit())
    page.get_by_role("button", name="Save as").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert barriers(page) == []


def test_a_page_without_the_whole_link_says_so(edit: Open) -> None:
    page = edit(path="/#wrong", expected=frozenset({401}))
    expect(page.get_by_role("alert")).to_contain_text("the whole link")
    expect(page.locator("[data-field]")).to_have_count(0)
