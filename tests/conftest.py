"""What holds for all tests: `--proof`, names that occur once, and bots of a foreign package."""

import gc
import os
import signal
from collections import Counter
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path

import httpx
import platformdirs
import pytest
from hypothesis import HealthCheck, settings

from tests.support import proof
from tests.support.packages import install

from .browser import missing, repeating

TESTS = Path(__file__).parent
QUICK = ("rules", "notation", "boards", "texts", "engine", "golden", "perft", "property", "cups")
QUICK_FILES = ("test_house.py", "test_requirements.py")
"""Folders and files whose tests need no server, no browser and, unless marked, no machine code."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--proof", action="store_true", help="also what takes long: see `make proof`")
    parser.addoption("--part", choices=("quick", "rest"), help="tests without machine code, others")


def pytest_configure(config: pytest.Config) -> None:
    repeating.pytest_configure(config)
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        # as in the background of a shell; the commands that tests start would ignore Ctrl-C too
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # a test with another home, and programs that it starts, find the machine code all the same
    os.environ.setdefault("INDUSTRY_CACHE_DIR", platformdirs.user_cache_dir("industry"))
    if config.getoption("--proof"):
        proof.turn_on()
    # how long an example takes depends on what else the machine does
    settings.register_profile(
        "tests",
        max_examples=proof.amount(100, 1000),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("tests")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    missing.pytest_terminal_summary(terminalreporter)
    repeating.pytest_terminal_summary(terminalreporter)


def pytest_xdist_auto_num_workers() -> int:
    """Two processes more than there are cores: many tests wait for a server or a browser."""
    return (os.cpu_count() or 1) + 2


def is_quick(path: Path) -> bool:
    parts = path.relative_to(TESTS).parts
    return parts[0] in (QUICK_FILES if len(parts) == 1 else QUICK)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Whether a file has no test of the part that was asked for, and need not be read."""
    part = config.getoption("--part")
    if part is None or collection_path.suffix != ".py":
        return None
    if part == "quick":
        return not is_quick(collection_path) or None
    needs_none = "machine_code" not in collection_path.read_text(encoding="utf-8")
    return (is_quick(collection_path) and needs_none) or None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What was imported stays: a fifth of the work of the tests was to look for garbage there."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20, 10)
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    part = config.getoption("--part")
    twice = [name for name, count in Counter(item.nodeid for item in items).items() if count > 1]
    if twice:  # side by side, only one test of a name would run, without a word
        raise pytest.UsageError(f"tests share a name: {', '.join(twice)}")
    left_out = [item for item in items if is_left_out(item, part)]
    items[:] = [item for item in items if not is_left_out(item, part)]
    config.hook.pytest_deselected(items=left_out)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """A part may have none of the tests that were asked for: `make test` with a file or `-k`."""
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and session.config.getoption("--part"):
        session.exitstatus = pytest.ExitCode.OK


def is_left_out(item: pytest.Item, part: str | None) -> bool:
    if item.get_closest_marker("proof") and not proof.is_on():
        return True
    if part is None:
        return False
    quick = is_quick(item.path) and not item.get_closest_marker("machine_code")
    return quick != (part == "quick")


@pytest.fixture(scope="session", autouse=True)
def certificates_are_read_once() -> Iterator[None]:
    """A request of httpx reads all certificates of the system; that is most of its work."""
    with pytest.MonkeyPatch.context() as patch:
        once = cache(httpx.create_ssl_context)
        patch.setattr("httpx._transports.default.create_ssl_context", once)
        yield


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a foreign package with bots; nothing finds it yet."""
    return install(tmp_path_factory.mktemp("foreign"))


@pytest.fixture
def foreign(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bots of the foreign package can be named."""
    monkeypatch.syspath_prepend(package)
