"""The tutorial: lessons whose actions the engine checks, and a first era with a coach."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from industry.server.lessons.course import Lesson, course
from industry.texts import say
from tests.support import proof

from .screens import Screens, barriers
from .tables import appears, awaits_change, press, version

COURSES = [lesson for edition in ("industry", "industria") for lesson in course(edition)]
LESSONS = sorted(COURSES, key=lambda one: one.name not in ("board", "free_claim", "eras"))
"""Quick representatives come first."""
SMALL = ((360, 640), (844, 390), (1366, 625))
BOXES = """() => {
    const box = (element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect()
        return { left, top, right, bottom }
    }
    return {
        card: box(document.querySelector('.lesson')),
        rings: [...document.querySelectorAll('.target-ring')].map(box),
        stage: box(document.querySelector('.lessontable > .stage')),
        board: box(document.querySelector('.lessontable > .board')),
    }
}"""

RINGS_STAND = """() => {
    const rooms = [...document.querySelectorAll('.lessontable > .board, .lessontable > .stage')]
    const rings = [...document.querySelectorAll('.target-ring')]
    return rings.length && rings.every((ring) => rooms.some((room) => {
        const [one, other] = [ring.getBoundingClientRect(), room.getBoundingClientRect()]
        return one.left >= other.left - 1 && one.right <= other.right + 1
            && one.top >= other.top - 1 && one.bottom <= other.bottom + 1
    }))
}"""
"""Rings follow a new size of the window within a moment."""


def named(lesson: Lesson) -> str:
    return f"{lesson.edition}-{lesson.name}"


def open_lesson(screens: Screens, lesson: Lesson, **look: Any) -> Page:
    path = f"/tutorial?edition={lesson.edition}&lesson={lesson.name}"
    page = screens.open(path, pace="instant", still=True, **look)
    expect(page.locator(f".lesson[data-lesson='{lesson.name}']")).to_be_visible()
    expect(page.locator(".target-ring").first).to_be_visible()
    return page


def is_apart(one: dict[str, float], other: dict[str, float]) -> bool:
    return (
        one["right"] <= other["left"] + 1
        or other["right"] <= one["left"] + 1
        or one["bottom"] <= other["top"] + 1
        or other["bottom"] <= one["top"] + 1
    )


@pytest.mark.parametrize("lesson", proof.cases(LESSONS, 2), ids=named)
def test_the_card_never_covers_what_it_explains(screens: Screens, lesson: Lesson) -> None:
    page = open_lesson(screens, lesson, language="de")
    for width, height in SMALL:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(RINGS_STAND)
        boxes = page.evaluate(BOXES)
        place = json.dumps({"size": (width, height), **boxes})
        for part in (*boxes["rings"], boxes["stage"], boxes["board"]):
            assert is_apart(boxes["card"], part), place
        for part in (boxes["card"], boxes["stage"], boxes["board"]):
            assert part["right"] <= width + 1, place
            assert part["bottom"] <= height + 1, place
        assert boxes["board"]["bottom"] - boxes["board"]["top"] >= 120, place


@pytest.mark.proof
def test_on_a_small_phone_no_card_of_all_lessons_covers_what_it_explains(screens: Screens) -> None:
    page = open_lesson(screens, COURSES[0], language="de")
    page.set_viewport_size({"width": 360, "height": 640})
    for lesson in COURSES:
        page.goto(f"{screens.site}/tutorial?edition={lesson.edition}&lesson={lesson.name}")
        expect(page.locator(f".lesson[data-lesson='{lesson.name}']")).to_be_visible()
        page.wait_for_function(RINGS_STAND)
        boxes = page.evaluate(BOXES)
        for part in (*boxes["rings"], boxes["stage"], boxes["board"]):
            assert is_apart(boxes["card"], part), (named(lesson), boxes)
        assert boxes["card"]["bottom"] <= 641, (named(lesson), boxes)


def test_a_wrong_action_is_explained_and_the_right_one_leads_on(screens: Screens) -> None:
    page = open_lesson(screens, COURSES[0])
    card = page.locator(".lesson")
    page.locator(".stage .pick", has_text="1G").click()
    press(page, "[data-key='o']")
    expect(card).to_contain_text(say("lesson.not_yet"))
    expect(card).to_have_attribute("data-done", "false")
    page.locator(".stage .pick", has_text="1E").click()
    press(page, "[data-key='o']")
    expect(card).to_have_attribute("data-done", "true")
    expect(card.locator("[aria-live]")).to_contain_text(say("lesson.well"))
    expect(page.locator(".target-ring")).to_have_count(0)
    card.get_by_role("link", name=say("lesson.next")).click()
    expect(page.locator(".lesson")).to_have_attribute("data-lesson", "auction")


def test_progress_is_kept_and_every_lesson_can_be_entered_skipped_and_repeated(
    screens: Screens,
) -> None:
    claim = next(lesson for lesson in COURSES if lesson.name == "free_claim")
    page = open_lesson(screens, claim)
    expect(page.locator("[data-key='c']")).to_be_visible()
    page.keyboard.press("c")
    page.keyboard.press("c")
    card = page.locator(".lesson")
    expect(card).to_have_attribute("data-done", "true")
    card.get_by_role("button", name=say("lesson.again")).click()
    expect(card).to_have_attribute("data-done", "false")
    card.get_by_role("link", name=say("lesson.skip")).click()
    expect(page.locator(".lesson")).to_have_attribute("data-lesson", "resources")
    page.locator(".lesson").get_by_role("link", name=say("lesson.all")).click()
    expect(page.get_by_role("listitem").filter(has_text=say("lesson.done_mark"))).to_have_count(0)
    page.get_by_role("button", name=say("edition.industria")).click()
    expect(page.get_by_role("listitem").filter(has_text=say("lesson.done_mark"))).to_have_count(1)
    assert barriers(page) == []


def test_lessons_have_no_faults_of_access(screens: Screens) -> None:
    assert barriers(open_lesson(screens, COURSES[3], language="fr")) == []


def test_the_coach_speaks_before_a_bad_mistake_and_the_move_waits(screens: Screens) -> None:
    page = screens.open("/tutorial?edition=industry", pace="instant", still=True)
    warned = json.dumps({"warns": True, "loss": 0.12, "better": "1 pass"})
    page.route("**/api/tables/*/coach", lambda route: route.fulfill(body=warned))
    page.get_by_role("button", name=say("lesson.coach.begin")).click()
    page.wait_for_url("**/tutorial/*")
    page.locator("[data-key='p']:enabled, button.pick").first.wait_for()
    before = page.locator("[data-version]").get_attribute("data-version")
    if page.locator("button.pick").count():
        press(page, "button.pick")
        press(page, "[data-key='o']")
    else:
        press(page, "[data-key='p']")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("12 %")
    expect(dialog).to_contain_text(say("lesson.coach.pass"))
    dialog.get_by_role("button", name=say("lesson.coach.change")).click()
    expect(dialog).to_have_count(0)
    assert page.locator("[data-version]").get_attribute("data-version") == before


COACHED_TABLES = 4
"""Somebody who always bids everything is warned at nearly every table."""
DECIDES = "[data-key='p']:enabled, button.pick, [data-key='s']:enabled, [data-key='d']:enabled"


def errs_until_warned(page: Page) -> bool:
    """Bids the whole purse whenever possible; whether the coach has spoken in the first era."""
    while True:
        appears(page, f"{DECIDES}, dialog")
        if page.get_by_role("dialog").count():
            return page.get_by_text(say("lesson.coach.change")).count() > 0
        before = version(page)
        if page.locator("button.pick").count():
            press(page, "button.pick")
            press(page, "[data-key='o']")
        elif page.locator("[data-bid]").count():
            press(page, ":nth-last-child(1 of [data-bid])")
        else:
            press(page, DECIDES)
        appears(page, f"dialog, [data-version]:not([data-version='{before}'])")


def test_the_real_coach_warns_against_bidding_everything(screens: Screens) -> None:
    for _ in range(COACHED_TABLES):
        page = screens.open("/tutorial?edition=industry", pace="instant", still=True, confirm=False)
        page.get_by_role("button", name=say("lesson.coach.begin")).click()
        page.wait_for_url("**/tutorial/*")
        if errs_until_warned(page):
            break
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("%")
    before = version(page)
    dialog.get_by_role("button", name=say("lesson.coach.keep")).click()
    expect(dialog).to_have_count(0)
    awaits_change(page, before)
