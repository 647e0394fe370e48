"""A real server with the built client, and a real Chromium that looks at it."""

import os
import sys
from collections.abc import Iterator
from functools import partial

import pytest
from filelock import FileLock
from playwright.sync_api import Browser

from tools import page

from .gallery import Site, build_gallery, shown_from
from .lasting import LastingBrowser
from .missing import NoChromium, is_required
from .repeating import BROWSER, FAULTS
from .repeating import pytest_runtest_protocol as pytest_runtest_protocol
from .screens import Screens
from .serving import Serving

STATIC = page.ROOT / "src" / "industry" / "server" / "static"


@pytest.fixture(scope="session")
def built_client() -> None:
    """The client as its sources are now; one process builds it, the others wait."""
    with FileLock(STATIC.with_suffix(".lock")):
        if page.is_due():
            page.bundle()


@pytest.fixture(scope="session")
def site(built_client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `industry serve`, with its bots, on an empty database."""
    serving = Serving(tmp_path_factory.mktemp("site"))
    serving.start()
    yield serving.site
    serving.stop()


@pytest.fixture(scope="session")
def moments(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The gallery: moments of recorded games in the real client, the same every time.

    One process builds it for all that run tests side by side.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "gallery"
    with FileLock(folder.with_suffix(".lock")):
        if not folder.exists():
            build_gallery(unfinished := folder.with_suffix(".new"))
            unfinished.rename(folder)
    with shown_from(folder) as site:
        yield site


@pytest.fixture(scope="session")
def pictures(moments: Site) -> str:
    """The address of the gallery."""
    return moments.url


@pytest.fixture(scope="package")
def lasting(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LastingBrowser]:
    """One Chromium for this folder alone: it holds the event loop of this thread while it runs."""
    folder = tmp_path_factory.mktemp("chromium")
    kept = LastingBrowser(folder, pytestconfig.stash[FAULTS], partial(tell_at_once, pytestconfig))
    pytestconfig.stash[BROWSER] = kept
    yield kept
    del pytestconfig.stash[BROWSER]
    kept.close()


@pytest.fixture
def browser(lasting: LastingBrowser) -> Browser:
    """A Chromium that works, whatever the tests before have done to it."""
    try:
        return lasting.living()
    except NoChromium as missing:
        if is_required():
            pytest.fail(str(missing))
        pytest.skip(str(missing))


def tell_at_once(config: pytest.Config, text: str) -> None:
    """Say something before the test is over: fetching a browser takes long."""
    with config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        sys.stderr.write(f"\n{text}\n")


@pytest.fixture
def screens(browser: Browser, site: str) -> Iterator[Screens]:
    """Browsers of several people. None may meet an error in the console or a failed request."""
    opened = Screens(browser, site)
    yield opened
    opened.close()
    assert opened.troubles == []
