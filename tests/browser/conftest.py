"""A real server with the built client, and a real Chromium that looks at it."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from .screens import Screens
from .serving import Serving

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "industry" / "server" / "static" / "index.html"
SOURCES = (ROOT / "web" / "src", ROOT / "src" / "industry" / "texts")


@pytest.fixture(scope="session")
def built_client() -> None:
    """The client as its sources are now."""
    newest = max(path.stat().st_mtime for source in SOURCES for path in source.rglob("*.*"))
    if not STATIC.exists() or STATIC.stat().st_mtime < newest:
        npm = shutil.which("npm")
        assert npm is not None, "the browser client is built with npm"
        subprocess.run([npm, "run", "build"], cwd=ROOT / "web", check=True, capture_output=True)


@pytest.fixture(scope="session")
def site(built_client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `industry serve`, with its bots, on an empty database."""
    serving = Serving(tmp_path_factory.mktemp("site"))
    serving.start()
    yield serving.site
    serving.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium; per module, because it holds the event loop of this thread as long as it runs."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        yield chromium
        chromium.close()


@pytest.fixture
def screens(browser: Browser, site: str) -> Iterator[Screens]:
    """Browsers of several people. None may meet an error in the console or a failed request."""
    opened = Screens(browser, site)
    yield opened
    opened.close()
    assert opened.troubles == []
