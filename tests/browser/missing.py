"""What the tests say and do where there is no browser."""

import os

import pytest

VARIABLE = "INDUSTRY_CHROMIUM"
SIGN = "no browser for the tests was found or could be fetched"


class NoChromium(Exception):
    """There is no browser, and none could be fetched; the message says why and what to do."""

    def __init__(self, reasons: list[str]) -> None:
        super().__init__(
            f"{SIGN} ({'; '.join(reasons)}). "
            f"Install Chromium, Chrome or Edge, or name one: {VARIABLE}=/path/to/program"
        )


def is_required() -> bool:
    """Whether tests fail without a browser: with CI set, nobody would see that they are skipped."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One sentence for all tests that had no browser."""
    skipped = terminalreporter.getreports("skipped")
    reasons = [str(report.longrepr[2]) for report in skipped if isinstance(report.longrepr, tuple)]
    missing = [reason for reason in reasons if SIGN in reason]
    if missing:
        sentence = missing[0].removeprefix("Skipped: ")
        terminalreporter.write_line(f"{len(missing)} browser tests were skipped: {sentence}")
