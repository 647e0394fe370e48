"""Recorded games are watched without a table: step by step, by rounds, from a link to a moment."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from industry.boards.spec import FIELD_INDEX
from industry.notation import replay
from industry.server.previews import field_report
from tests.notation.samples import board, finished, record, running

from .screens import Screens, as_file, copied

Data = dict[str, Any]


def watch(screens: Screens, data: Data, **look: Any) -> Page:
    page = screens.open("/replay", **look)
    page.get_by_label("Choose a file").set_input_files(as_file(record(data).to_toml()))
    expect(page.get_by_role("group", name="Playback")).to_be_visible()
    return page


def moment(page: Page) -> int:
    return int(page.get_by_role("slider").input_value())


def purses(page: Page) -> list[int]:
    return [int(purse) for purse in page.locator(".players .purse .num").all_inner_texts()]


def go_to(page: Page, at: int) -> None:
    page.get_by_role("slider").fill(str(at))


@pytest.mark.parametrize(("edition", "players"), [("industry", 3), ("industria", 4)])
def test_each_moment_shows_the_position_of_the_record(
    screens: Screens, edition: str, players: int
) -> None:
    data = finished(edition, players)
    page = watch(screens, data)
    for at in (0, 1, 57, 200, len(data["moves"])):
        go_to(page, at)
        state = replay(record(data), board(edition), at).position.state
        assert purses(page) == state.talers[:players]
        owned = [f for f in board(edition).fields if state.owner[FIELD_INDEX[f.id]] >= 0]
        marked = [field for field in owned if field.kind != "joker"]
        assert page.locator(".field .frame").count() == len(marked)


def test_it_steps_jumps_and_plays(screens: Screens) -> None:
    context = screens.context()
    context.clock.install()
    page = watch(screens, finished(), context=context)
    lines = finished()["moves"]
    page.get_by_role("button", name="One step forward").click()
    assert moment(page) == 1
    page.get_by_role("button", name="Next round").click()
    second_draw = [number for number, line in enumerate(lines) if line.startswith("draw")][1]
    assert moment(page) == second_draw
    page.get_by_role("button", name="To the end").click()
    assert moment(page) == len(lines)
    page.get_by_role("button", name="To the beginning").click()
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("slider")).to_have_value(re.compile(r"[4-9]|\d\d"))
    page.get_by_role("button", name="Pause").click()
    stopped = moment(page)
    page.clock.run_for(10_000)
    assert moment(page) == stopped


def test_it_is_driven_by_the_keyboard_alone(screens: Screens) -> None:
    page = watch(screens, finished())
    lines = finished()["moves"]
    offers = [number for number, line in enumerate(lines, start=1) if " offer " in line]
    page.locator("body").press("ArrowRight")
    page.locator("body").press("ArrowDown")
    assert moment(page) == offers[0]
    page.locator("body").press("ArrowDown")
    assert moment(page) == offers[1]
    page.locator("body").press("ArrowUp")
    page.locator("body").press("ArrowLeft")
    assert moment(page) == offers[0] - 1
    page.locator("body").press("End")
    assert moment(page) == len(lines)
    page.locator("body").press("Home")
    assert moment(page) == 0


def test_a_field_tells_what_it_was_worth_to_each_seat_at_the_moment(screens: Screens) -> None:
    data = finished()
    page = watch(screens, data)
    page.locator("[data-field='2F']").focus()
    page.keyboard.press("Enter")
    card = page.get_by_role("dialog")
    for at in (20, len(data["moves"])):
        go_to(page, at)
        position = replay(record(data), board("industry"), at).position
        worth = field_report(position, board("industry"), "2F")["worth"]
        told = [one["points"] + one["links"] + one["bonuses"] for one in worth]
        expect(card.locator("li .num")).to_have_text([str(points) for points in told])


def test_rounds_and_auctions_are_chosen_from_a_list(screens: Screens) -> None:
    page = watch(screens, finished())
    page.get_by_label("Jump to a round").select_option("Era II, round 5")
    assert page.get_by_label("Auctions of this round").locator("option").count() == 4
    page.get_by_label("Auctions of this round").select_option(index=2)
    expect(page.get_by_text("Lot 2 of 3")).to_be_visible()


def test_a_link_to_a_moment_holds_the_whole_game(screens: Screens) -> None:
    page = watch(screens, finished())
    go_to(page, 123)
    page.get_by_role("button", name="Copy link to this moment").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    other = screens.open(copied(page).removeprefix(screens.site))
    expect(other.get_by_role("slider")).to_have_value("123")
    assert purses(other) == purses(page)


def test_space_plays_after_a_link_was_copied(screens: Screens) -> None:
    page = watch(screens, finished())
    page.get_by_role("button", name="Copy link to this moment").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


IN_VIEW = """() => ['.viewer .board', '.controls'].map((place) =>
    document.querySelector(place).getBoundingClientRect())
    .every(({ top, bottom, left, right }) =>
        top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth)
    && [document.querySelector('.controls')].every((bar) => bar.scrollWidth <= bar.clientWidth)"""


def test_board_and_controls_are_in_view_together_in_windows_that_lie(screens: Screens) -> None:
    page = watch(screens, finished(), still=True)
    for width, height in ((844, 390), (960, 540), (1024, 768), (1093, 614), (1366, 625)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(IN_VIEW), f"{width} × {height}"


def test_the_address_of_a_file_s_game_follows_the_moment(screens: Screens) -> None:
    page = watch(screens, finished())
    go_to(page, 123)
    page.wait_for_url(re.compile(r"at=123#g="))
    page.reload()
    expect(page.get_by_role("slider")).to_have_value("123")
    page.get_by_role("button", name="Another game").click()
    page.wait_for_url(re.compile(r"/replay$"))


def test_a_file_is_dropped_anywhere_on_the_page(screens: Screens) -> None:
    page = screens.open("/replay")
    expect(page.get_by_label("Choose a file")).to_be_attached()
    dropped = page.evaluate_handle(
        """text => {
            const data = new DataTransfer()
            data.items.add(new File([text], 'game.toml'))
            return data
        }""",
        record(finished()).to_toml(),
    )
    page.dispatch_event("body", "drop", {"dataTransfer": dropped})
    expect(page.get_by_role("group", name="Playback")).to_be_visible()


def test_one_game_of_many_is_chosen(screens: Screens) -> None:
    games = "\n".join(record(finished("industry", players)).to_json() for players in (3, 4))
    page = screens.open("/replay")
    page.get_by_label("Choose a file").set_input_files(as_file(games, "games.jsonl"))
    expect(page.get_by_role("heading", name="2 games in this file")).to_be_visible()
    page.get_by_role("button", name="Game 2").click()
    expect(page.locator(".players > li")).to_have_count(4)
    page.get_by_role("button", name="Another game").click()
    page.get_by_role("button", name="Game 1").click()
    expect(page.locator(".players > li")).to_have_count(3)


def test_the_game_of_a_table_is_watched_by_its_address(screens: Screens) -> None:
    player = screens.open("/")
    player.get_by_role("button", name="Play now").click()
    player.wait_for_url("**/table/*")
    expect(player.locator("[data-field]")).to_have_count(60)
    table = player.url.rsplit("/", 1)[1]
    page = screens.open(f"/replay/{table}?at=1", language="de")
    expect(page.get_by_role("slider")).to_have_value("1")
    expect(page.locator(".players > li")).to_have_count(4)
    expect(page.locator(".players > li", has_text="Vorarbeiter")).not_to_have_count(0)


def test_the_end_tells_who_won_and_where_the_points_came_from(screens: Screens) -> None:
    data = finished()
    page = watch(screens, data)
    go_to(page, len(data["moves"]))
    winner = data["players"][data["result"]["winners"][0] - 1]
    points = max(data["result"]["points"])
    expect(page.get_by_role("heading", name=f"{winner} wins with {points} points.")).to_be_visible()


def test_a_record_that_breaks_a_rule_is_shown_up_to_there(screens: Screens) -> None:
    data = running(moves=20)
    data["moves"].append("1 bid 500")
    page = watch(screens, data)
    go_to(page, 20)
    expect(page.get_by_role("status").filter(has_text="1 bid 500")).to_be_visible()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("just some words", "not valid TOML"),
        ('{"format": 1}', "rules_version"),
        ("", "a game record"),
    ],
)
def test_what_is_no_record_is_told_with_its_reason(
    screens: Screens, text: str, reason: str
) -> None:
    screens.expected.add(422)
    page = screens.open("/replay")
    page.get_by_label("Choose a file").set_input_files(as_file(text))
    expect(page.get_by_role("alert")).to_contain_text(reason)
