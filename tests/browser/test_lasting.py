"""A browser that dies takes no other test with it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOG = "base/chromium0/chromium.log"
CONFTEST = """
from tests.browser.conftest import browser, lasting
from tests.browser.repeating import (
    pytest_configure, pytest_runtest_protocol, pytest_terminal_summary
)
"""
TESTS = """
import os, signal
from pathlib import Path
from playwright.sync_api import Error
from tests.browser.screens import Screens

def kill(browser):
    session = browser.new_browser_cdp_session()
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    os.kill(next(each["id"] for each in found if each["type"] == "browser"), signal.SIGKILL)

def is_first(name):
    try:
        Path(name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True

def opens(browser):
    screens = Screens(browser, "data:text/html,")
    assert screens.open("hello").locator("body").text_content() == "hello"
    screens.close()

def test_whose_browser_is_killed_in_the_middle(browser):
    opens(browser)
    if is_first("killed"):
        kill(browser)
    opens(browser)

def test_after_it(browser):
    opens(browser)

def test_that_leaves_a_dead_browser(browser):
    kill(browser)

def test_after_that(browser):
    opens(browser)

def test_with_a_page_that_crashes_once(browser):
    screens = Screens(browser, "")
    page = screens.open("about:blank")
    if is_first("crashed"):
        page.goto("chrome://crash")
    screens.close()
    opens(browser)

def test_with_a_page_that_crashes_always(browser):
    Screens(browser, "").open("chrome://crash")

def test_at_the_end(browser):
    opens(browser)

def test_that_fails_by_itself(browser):
    assert is_first("failed"), "a second try"
    assert False
"""


@pytest.mark.proof
def test_a_test_that_loses_its_browser_is_repeated_and_the_next_one_works(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_dying.py").write_text(TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--basetemp", "base", "-rA"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    said = done.stdout
    assert "2 failed, 6 passed" in said, said
    assert "FAILED test_dying.py::test_with_a_page_that_crashes_always" in said
    assert "FAILED test_dying.py::test_that_fails_by_itself - assert False" in said
    repeated = [line for line in said.splitlines() if line.endswith("and was repeated:")]
    assert sorted(repeated) == [
        f"test_dying.py::test_{name} lost its browser and was repeated:"
        for name in (
            "whose_browser_is_killed_in_the_middle",
            "with_a_page_that_crashes_always",
            "with_a_page_that_crashes_once",
        )
    ]
    assert "the browser died; its last words:" in said
    assert "exitCode=null, signal=SIGKILL" in said
    assert re.search("the renderer of .+ crashed", said)
    ends = re.findall("process did exit: (.*)>", (tmp_path / LOG).read_text(encoding="utf-8"))
    killed = "exitCode=null, signal=SIGKILL"
    assert ends == [killed, killed, "exitCode=0, signal=null"], "nothing else has ended it"
