"""A test that lost its browser is repeated once, and the summary says so."""

import pytest
from _pytest.runner import runtestprotocol

from .lasting import LastingBrowser

LOST = "lost its browser"
FAULTS = pytest.StashKey[list[str]]()
"""What broke during the test that runs now."""
BROWSER = pytest.StashKey[LastingBrowser]()
"""The browser of this process; absent while none runs."""


def pytest_configure(config: pytest.Config) -> None:
    config.stash[FAULTS] = []


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Runs a test; once more where it failed and its browser broke, but not a third time."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports, faults = _run(item, nextitem)
    if faults and any(report.failed for report in reports):
        reports, again = _run(item, nextitem)
        for report in reports:
            report.user_properties.append((LOST, "\n".join(faults)))
            report.sections += [("browser", fault) for fault in again]
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def _run(
    item: pytest.Item, nextitem: pytest.Item | None
) -> tuple[list[pytest.TestReport], list[str]]:
    """The reports of one try, and what broke during it."""
    faults = item.config.stash[FAULTS]
    faults.clear()
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if BROWSER in item.config.stash:
        item.config.stash[BROWSER].works()  # lets news of its end arrive
    return reports, list(faults)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Names every test that was repeated, and says what had happened to its browser."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == LOST and report.when == "call":
                    terminalreporter.write_line(f"{report.nodeid} {LOST} and was repeated:")
                    terminalreporter.write_line(value)
