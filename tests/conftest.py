"""What holds for all tests: `--proof`, names that occur once, and bots of a foreign package."""

import os
import signal
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import httpx
import pytest
from hypothesis import HealthCheck, settings

from tests.support import proof
from tests.support.packages import install

from .browser import missing, repeating


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--proof", action="store_true", help="also what takes long: see `make proof`")


def pytest_configure(config: pytest.Config) -> None:
    repeating.pytest_configure(config)
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        # as in the background of a shell; the commands that tests start would ignore Ctrl-C too
        signal.signal(signal.SIGINT, signal.default_int_handler)
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
    """One process more than there are cores: many tests wait for a server or a browser."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    twice = [name for name, count in Counter(item.nodeid for item in items).items() if count > 1]
    if twice:  # side by side, only one test of a name would run, without a word
        raise pytest.UsageError(f"tests share a name: {', '.join(twice)}")
    if not proof.is_on():
        left_out = [item for item in items if item.get_closest_marker("proof")]
        items[:] = [item for item in items if not item.get_closest_marker("proof")]
        config.hook.pytest_deselected(items=left_out)


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
