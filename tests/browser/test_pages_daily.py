"""The daily deal in the browser: one try, a result to share, and a clear word without a server."""

import json

from playwright.sync_api import Page, expect

from industry.texts import say

from .screens import Screens, barriers

RESULT = {
    "points": 61,
    "place": 1,
    "players": 3,
    "others": [
        {"bot": "foreman", "name": "Foreman", "points": 55},
        {"bot": "engineer", "name": "Engineer", "points": 61},
    ],
}


def deal_date(page: Page) -> str:
    date: str = page.evaluate("async () => (await (await fetch('/api/daily')).json()).date")
    return date


def keep(page: Page, date: str, result: object) -> None:
    one = {"date": date, "table": "abcdefghijkl", "edition": "industry", "result": result}
    page.evaluate(
        "kept => localStorage.setItem('industry.daily', kept)",
        json.dumps([one]),
    )
    page.reload()


def test_the_deal_of_the_day_is_played_once_in_a_browser(screens: Screens) -> None:
    page = screens.open("/daily", pace="instant", still=True)
    expect(page.locator("[data-portrait]").first).to_be_visible()
    expect(page.get_by_text(say("daily.public"))).to_be_visible()
    page.get_by_role("button", name=say("daily.play")).click()
    page.wait_for_url("**/table/*")
    table = page.url.rpartition("/")[2]
    expect(page.locator("[data-field]")).to_have_count(60)
    page.goto(f"{screens.site}/daily")
    expect(page.get_by_role("button", name=say("daily.play"))).to_have_count(0)
    again = page.get_by_role("link", name=say("daily.continue"))
    expect(again).to_have_attribute("href", f"/table/{table}")
    assert barriers(page) == []


def test_a_result_has_differences_a_line_and_a_picture(screens: Screens) -> None:
    page = screens.open("/daily", still=True)
    date = deal_date(page)
    keep(page, date, RESULT)
    section = page.get_by_role("region", name=say("daily.result"))
    expect(section).to_contain_text("61 points")
    expect(section).to_contain_text("6 points ahead of Foreman")
    expect(section).to_contain_text("level with Engineer")
    expect(section.locator(".line")).to_contain_text(f"{date} (Industry (2010), 3 players)")
    expect(section.locator(".line")).to_contain_text("[+6 ±0]")
    with page.expect_download() as started:
        section.get_by_role("button", name=say("daily.download")).click()
    picture = started.value.path().read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 5000
    assert barriers(page) == []
    page.goto(f"{screens.site}/")
    history = page.get_by_role("region", name=say("daily.history"))
    expect(history).to_contain_text("61 points")
    expect(history).to_contain_text("1 day in a row")


def test_without_a_server_the_page_says_so(screens: Screens) -> None:
    page = screens.open("/daily", still=True)
    expect(page.get_by_role("button", name=say("daily.play"))).to_be_visible()
    page.route("**/api/daily", lambda route: route.abort())
    page.get_by_role("button", name=say("daily.play")).click()
    expect(page.get_by_role("alert")).to_contain_text(say("daily.offline"))
    page.unroute("**/api/daily")
    page.get_by_role("button", name=say("daily.retry")).click()
    expect(page.get_by_role("alert")).to_have_count(0)
    screens.troubles.clear()
