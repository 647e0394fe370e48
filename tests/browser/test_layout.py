"""No text is cut off or covered, and what is decided is in view: measured in many windows."""

from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from playwright.sync_api import Browser

from tests.support import proof

from .gallery import Site
from .windows import LONGER, SIZES, Shown

LANGUAGES = ("en", "de", "fr", LONGER)
GAMES = ("industry-4", "industria-3")
STATES = ("offer", "bid", "settle", "develop", "waiting", "over")
DECISIONS = ("offer", "bid", "settle", "develop")
WINDOWS = (
    *((360, 640), (375, 667), (390, 844), (412, 915), (430, 932), (480, 800), (540, 720)),
    *((600, 960), (640, 1024), (768, 1024), (820, 1180), (1024, 1366)),
    *((640, 360), (667, 375), (683, 384), (720, 450), (844, 390), (932, 430), (960, 540)),
    *((1024, 600), (1024, 768), (1080, 810), (1093, 614), (1180, 820), (1280, 720)),
    *((1366, 625), (1440, 900), (1920, 1080), (2560, 1440)),
)
"""From a small phone to a large screen, upright and sideways; several are what is left of a larger
window at a zoom of 125 to 200 %."""
HIDDEN = """() => {
    const within = (box, around) => box.left >= around.left - 1 && box.right <= around.right + 1
        && box.top >= around.top - 1 && box.bottom <= around.bottom + 1
    const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
    const seen = (element) => {
        const box = element.getBoundingClientRect()
        if (box.width < 1 || !within(box, screen)) return false
        for (let around = element.parentElement; around; around = around.parentElement) {
            const scrolls = getComputedStyle(around).overflowY !== 'visible'
            if (scrolls && !within(box, around.getBoundingClientRect())) return false
        }
        const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
        return element.contains(top)
    }
    const first = (place) => [...document.querySelectorAll(place)].slice(0, 1)
    const always = '.pass, .columns > .btn, [data-key=o], [data-key=d]'
    const needed = [...document.querySelectorAll(always)]
    needed.push(...document.querySelectorAll('[data-bid-chosen]'))
    needed.push(...first('[data-bid]'), ...first('button.pick'), ...first('.list .btn'))
    const found = needed.filter((button) => !seen(button))
        .map((button) => button.textContent.trim())
    if (!needed.length) found.push('no decision')
    const board = document.querySelector('.frame').getBoundingClientRect()
    const sheet = document.querySelector('.sheet').getBoundingClientRect()
    const isOver = sheet.left < board.right - 1 && sheet.top < board.bottom
    const high = (isOver ? Math.min(board.bottom, sheet.top) : board.bottom) - board.top
    if (board.width < 200 || high < 120) found.push(`the board has ${board.width} × ${high}`)
    const down = document.documentElement.scrollHeight - innerHeight
    if (down > 0) found.push(`${down} px to scroll`)
    return found
}"""
HIDDEN_BUTTONS = f"() => ({HIDDEN})().filter((each) => !each.startsWith('the board'))"
SMALLEST = """() => {
    const board = document.querySelector('.room .board')
    const scale = board.getBoundingClientRect().width / board.offsetWidth
    return Math.min(...[...board.querySelectorAll('text')].map((text) => {
        const { a } = text.getCTM()
        return parseFloat(getComputedStyle(text).fontSize) * a * scale
    }))
}"""


@pytest.fixture(scope="module")
def pictures(moments: Site) -> Site:
    return moments


def shown(browser: Browser, site: Site, languages: Sequence[str]) -> Iterator[tuple[str, Shown]]:
    """One page for all real languages, another one for the longer language."""
    for is_longer in (False, True):
        spoken = [language for language in languages if (language == LONGER) == is_longer]
        if spoken:
            page = Shown(browser, site, is_longer)
            for language in spoken:
                yield language, page
            page.close()


def faults_of(page: Shown, language: str, game: str, states: tuple[str, ...]) -> list[str]:
    found = []
    for state in states:
        page.resize(1440, 900)
        page.show(game=game, state=state, language=language, bots="yes")
        where = f"{language} {game} {state}"
        for width, height in SIZES:
            page.resize(width, height)
            # the board is scaled as a whole: what fits in one window fits in all
            faults = page.unreadable(with_board=width == 1440)
            found += [f"{where} {width}×{height}: {fault}" for fault in faults]
    return found


def test_no_text_of_the_table_is_cut_off_or_covered(browser: Browser, pictures: Site) -> None:
    """The languages with the longest words; `make proof` has all in all states of both games."""
    for language, page in shown(browser, pictures, ("de", LONGER)):
        state = "develop" if language == "de" else "bid"
        assert faults_of(page, language, GAMES[0], (state,)) == []


@pytest.mark.proof
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_no_text_is_cut_off_in_any_state_of_both_games(
    browser: Browser, pictures: Site, game: str, language: str
) -> None:
    for _, page in shown(browser, pictures, (language,)):
        assert faults_of(page, language, game, STATES) == []


def decision_faults(
    page: Shown,
    language: str,
    states: tuple[str, ...],
    windows: tuple[tuple[int, int], ...],
    game: str,
) -> list[str]:
    found = []
    for state in states:
        page.show(game=game, state=state, language=language, bots="yes")
        for width, height in windows:
            page.resize(width, height)
            hidden = page.page.evaluate(HIDDEN)
            found += [f"{language} {game} {state} {width}×{height}: {each}" for each in hidden]
    return found


def test_decision_and_board_are_in_view_together(browser: Browser, pictures: Site) -> None:
    for language, page in shown(browser, pictures, ("de",)):
        assert decision_faults(page, language, DECISIONS, WINDOWS[::4], GAMES[0]) == []


TEXT_SIZE = """() => {
    const said = document.querySelector('.turn')
    return parseFloat(getComputedStyle(said).fontSize) * said.currentCSSZoom
}"""


def enlarged_faults(page: Shown, language: str, states: tuple[str, ...]) -> list[str]:
    found = []
    for state in states:
        page.resize(1440, 900)
        page.show(state=state, language=language, bots="yes")
        usual = page.page.evaluate(TEXT_SIZE)
        page.show(state=state, language=language, bots="yes", large="yes")
        assert page.page.evaluate(TEXT_SIZE) >= 1.15 * usual
        for width, height in SIZES:
            page.resize(width, height)
            hidden = page.page.evaluate(HIDDEN_BUTTONS) if state in DECISIONS else []
            faults = page.unreadable(with_board=False)
            found += [f"{language} {state} {width}×{height}: {each}" for each in hidden + faults]
    return found


def test_enlarged_texts_are_whole_and_leave_the_decision_in_view(
    browser: Browser, pictures: Site
) -> None:
    for language, page in shown(browser, pictures, ("de",)):
        assert enlarged_faults(page, language, ("settle",)) == []


@pytest.mark.proof
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_enlarged_texts_are_whole_at_every_decision(
    browser: Browser, pictures: Site, language: str
) -> None:
    for _, page in shown(browser, pictures, (language,)):
        assert enlarged_faults(page, language, STATES) == []


STILL = """() => [...document.querySelectorAll(
        '.stage-panel > *, .stage-panel .decision > *, .stage-panel button, .log')]
    .map((element) => element.getBoundingClientRect())
    .map(({ x, y, width, height }) => [x, y, width, height].join())"""


def test_nothing_on_the_stage_moves_when_a_field_is_chosen(
    browser: Browser, pictures: Site
) -> None:
    windows = ((390, 844), (1366, 625), (820, 1180), (1440, 900))
    for language, page in shown(browser, pictures, proof.cases(("de", "en"))):
        for width, height in proof.cases(windows, 2):
            page.resize(width, height)
            page.show(state="offer", language=language)
            places = page.page.locator("button.pick")
            before = page.page.evaluate(STILL)
            for index in range(places.count()):
                places.nth(index).click()
                page.resize(width, height)
                assert page.page.evaluate(STILL) == before, f"{language} {width}: {index}"


CLOCKS = """() => [...document.querySelectorAll('[role=timer]')].map((clock) => {
    const box = clock.getBoundingClientRect()
    const panel = clock.closest('li')?.getBoundingClientRect()
    return [box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight,
        panel ? Math.round(panel.right - box.right) : 'header']
})"""


def test_a_live_clock_is_whole_in_every_window(browser: Browser, pictures: Site) -> None:
    for language, page in shown(browser, pictures, proof.cases((LONGER, "fr"))):
        page.show(state="bid", language=language, seconds=754)
        for width, height in proof.spread(SIZES, 2):
            page.resize(width, height)
            clocks = page.page.evaluate(CLOCKS)
            assert [whole for whole, _ in clocks] == [True, True], width
            assert clocks[0][1] == "header"
            assert [fault for fault in page.unreadable(with_board=False) if "time" in fault] == []


LISTEN = """
    localStorage.setItem('industry.prefs', JSON.stringify({ sound: true }))
    window.rung = 0
    const make = AudioContext.prototype.createOscillator
    AudioContext.prototype.createOscillator = function () {
        window.rung += 1
        return make.call(this)
    }
"""


def test_the_own_clock_warns_ten_seconds_before_its_end(browser: Browser, pictures: Site) -> None:
    page = Shown(browser, pictures)
    page.context.add_init_script(LISTEN)
    page.page.clock.install()
    page.page.reload()
    page.page.locator("[data-field]").first.wait_for()
    page.show(state="bid", seconds=600)
    clock = page.page.locator(".own-time")
    assert "short" not in (clock.get_attribute("class") or "")
    rung = page.page.evaluate("rung")
    page.page.clock.fast_forward(591_000)
    page.page.locator(".own-time.short").wait_for()
    assert page.page.get_by_role("alert").text_content() == "10 seconds left"
    assert page.page.evaluate("rung") > rung
    page.close()


def test_the_board_grows_by_wheel_keys_and_button(browser: Browser, pictures: Site) -> None:
    page = Shown(browser, pictures)
    page.resize(1366, 625)
    page.show(state="bid")
    width = "document.querySelector('.room .board').getBoundingClientRect().width"
    whole = page.page.evaluate(width)
    page.page.keyboard.press("+")
    page.page.wait_for_function(f"{width} > {whole * 1.2}")
    page.page.get_by_role("button", name="Show the whole board").click()
    page.page.wait_for_function(f"Math.abs({width} - {whole}) < 1")
    page.page.mouse.move(300, 300)
    page.page.mouse.wheel(0, -600)
    page.page.wait_for_function(f"{width} > {whole * 1.2}")
    before = page.page.evaluate("document.querySelector('.frame').scrollLeft")
    page.page.mouse.down()
    page.page.mouse.move(240, 300, steps=4)
    page.page.mouse.up()
    assert page.page.evaluate("document.querySelector('.frame').scrollLeft") > before
    page.close()


@pytest.mark.proof
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_decision_and_board_are_in_view_together_in_every_window(
    browser: Browser, pictures: Site, game: str, language: str
) -> None:
    assert len(WINDOWS) >= 24
    for _, page in shown(browser, pictures, (language,)):
        assert decision_faults(page, language, DECISIONS, WINDOWS, game) == []


def test_on_a_small_laptop_the_smallest_text_of_the_board_has_eight_pixels(
    browser: Browser, pictures: Site
) -> None:
    for language, page in shown(browser, pictures, ("en", "de", "fr")):
        page.resize(1366, 625)
        page.show(state="bid", language=language)
        assert page.page.evaluate(SMALLEST) >= 8, language


OUT_OF_VIEW = """() => {
    const about = document.querySelector('.about').getBoundingClientRect()
    return ['.hero h2', '.hero dl', '.prospects'].filter((place) => {
        const box = document.querySelector(place).getBoundingClientRect()
        return box.height < 1 || box.top < about.top - 1 || box.bottom > about.bottom + 1
    })
}"""


def test_what_a_field_may_become_worth_is_in_view_in_small_windows(
    browser: Browser, pictures: Site
) -> None:
    for language, page in shown(browser, pictures, proof.cases(("de", "en", "fr"))):
        for state, (width, height) in product(("bid", "settle"), ((360, 640), (1093, 614))):
            page.show(state=state, language=language)
            page.resize(width, height)
            hidden = page.page.evaluate(OUT_OF_VIEW)
            assert hidden == [], f"{language} {state} {width}"


MADE = """() => [...document.querySelectorAll('.players > li')].map((seat) =>
    [...seat.querySelectorAll('.products > .icon')].filter((icon) => {
        const [box, panel] = [icon, seat].map((each) => each.getBoundingClientRect())
        return box.width > 6 && box.right <= panel.right && box.bottom <= panel.bottom
    }).length)"""


def test_a_phone_shows_what_each_player_makes(browser: Browser, pictures: Site) -> None:
    page = Shown(browser, pictures)
    page.show(state="develop")
    page.resize(1440, 900)
    made = page.page.evaluate(MADE)
    assert sum(made) > 3
    page.resize(360, 640)
    assert page.page.evaluate(MADE) == made
    page.close()


def test_on_a_phone_the_last_round_of_an_era_fits_beside_any_decision(
    browser: Browser, pictures: Site
) -> None:
    for language, page in shown(browser, pictures, LANGUAGES):
        page.resize(360, 640)
        page.show(state="settle", language=language, last="yes")
        assert page.page.locator("header em").is_visible()
        assert page.unreadable(with_board=False) == [], language


def test_on_a_tablet_held_upright_only_the_log_and_the_chat_stand_beside_the_decision(
    browser: Browser, pictures: Site
) -> None:
    page = Shown(browser, pictures)
    page.resize(820, 1180)
    for state in DECISIONS:
        page.show(state=state)
        decision = page.page.locator(".deciding").bounding_box()
        log = page.page.locator(".log").bounding_box()
        chat = page.page.locator(".chat").bounding_box()
        assert decision is not None and log is not None and chat is not None
        assert decision["width"] > 0.55 * 820, state
        assert chat["x"] == log["x"] and chat["width"] == log["width"], state
        assert chat["y"] + chat["height"] < log["y"], state
    page.close()


def test_whoever_asks_for_a_hint_on_a_small_phone_sees_it(browser: Browser, pictures: Site) -> None:
    """The gallery has no server: what is seen is that it could not be asked."""
    page = Shown(browser, pictures)
    page.resize(360, 640)
    for state in DECISIONS:
        page.show(state=state)
        page.page.get_by_role("button", name="Hint: what is it worth?").click()
        hints = page.page.get_by_role("region", name="Hint")
        hints.get_by_role("alert").wait_for()
        page.resize(360, 640)
        box = hints.bounding_box()
        assert box is not None and box["y"] + box["height"] <= 640 and box["height"] >= 60, state
        assert page.page.evaluate(HIDDEN_BUTTONS) == [], state
    page.close()


WRITTEN = """(field) => [...document.querySelector(`[data-field='${field}']`)
    .closest('svg').querySelectorAll('text')].map((text) => text.textContent.trim())"""


@pytest.mark.parametrize(
    ("language", "short", "long"),
    [("en", "Stone joker", "Steel joker"), ("de", "Stein-Joker", "Stahl-Joker")],
)
def test_jokers_are_written_as_their_language_writes_them(
    browser: Browser, pictures: Site, language: str, short: str, long: str
) -> None:
    page = Shown(browser, pictures)
    page.show(language=language)
    for field, name in (("1A", short), ("3B", long)):
        written = page.page.evaluate(WRITTEN, field)
        assert name in ("".join(written[:2]), " ".join(written[:2]), written[0]), written
    page.close()


@pytest.mark.parametrize(
    ("game", "brand"), proof.cases([("industria-3", "Industria"), ("industry-4", "Industry")])
)
def test_the_header_names_the_game_that_is_played(
    browser: Browser, pictures: Site, game: str, brand: str
) -> None:
    page = Shown(browser, pictures)
    page.resize(1440, 900)
    page.show(game=game)
    assert page.page.locator(".brand span").text_content() == brand
    page.close()
