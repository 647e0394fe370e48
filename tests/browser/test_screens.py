"""What the browser tests rely on: people at screens know nothing of those before them."""

from playwright.sync_api import Browser, Page

from .screens import Screens

KNOWN = """() => ({
    stored: [localStorage.getItem('mine'), sessionStorage.getItem('mine')],
    cookie: document.cookie,
    language: JSON.parse(localStorage.getItem('industry.prefs')).language,
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    still: matchMedia('(prefers-reduced-motion: reduce)').matches,
    width: innerWidth,
})"""
STORE = """() => {
    localStorage.setItem('mine', 'yes')
    sessionStorage.setItem('mine', 'yes')
    document.cookie = 'mine=yes'
}"""
NEW = {
    "stored": [None, None],
    "cookie": "",
    "language": "en",
    "dark": False,
    "still": False,
    "width": 1440,
}


def windows(browser: Browser) -> int:
    return len(browser.contexts)


def test_a_window_is_used_again_and_has_forgotten_who_used_it(browser: Browser, site: str) -> None:
    first, second = Screens(browser, site), Screens(browser, site)
    page = first.open("/", language="de", theme="dark", width=390, still=True)
    page.evaluate(STORE)
    first.close()
    before = windows(browser)
    page = second.open("/")
    assert page.evaluate(KNOWN) == NEW
    assert windows(browser) == before
    page.evaluate(STORE)
    page.reload()
    kept = {**NEW, "stored": ["yes", "yes"], "cookie": "mine=yes"}
    assert page.evaluate(KNOWN) == kept
    second.close()


def test_people_at_two_screens_share_nothing(screens: Screens) -> None:
    pages: list[Page] = [screens.open("/"), screens.open("/")]
    pages[0].evaluate(STORE)
    pages[1].reload()
    assert pages[1].evaluate(KNOWN) == NEW


def test_a_window_that_was_closed_is_not_used_again(browser: Browser, site: str) -> None:
    first, second = Screens(browser, site), Screens(browser, site)
    first.open("/").close()
    first.close()
    assert second.open("/").evaluate(KNOWN) == NEW
    second.close()
