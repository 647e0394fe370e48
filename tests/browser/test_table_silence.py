"""A server that does not answer: the table says so, and the move is not lost."""

import os
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from .screens import Screens
from .serving import Serving
from .tables import awaits_decision, awaits_version, hot_seat, press, version

STOPS = getattr(signal, "SIGSTOP", None)


@pytest.mark.skipif(STOPS is None, reason="needs signals of POSIX")
def test_a_move_sent_to_a_silent_server_is_waited_for_and_made(
    browser: Browser, built_client: None, tmp_path: Path
) -> None:
    serving = Serving(tmp_path)
    serving.start()
    try:
        screens = Screens(browser, serving.site)
        page = hot_seat(screens)
        assert awaits_decision(page)
        before = version(page)
        press(page, "button.pick")
        os.kill(serving.pid, signal.SIGSTOP)
        press(page, "[data-key=o]")
        silence = page.get_by_text("The server hasn’t answered yet. Your move isn’t lost.")
        expect(silence).to_be_visible()
        os.kill(serving.pid, signal.SIGCONT)
        awaits_version(page, before + 1)
        expect(silence).to_have_count(0)
        screens.close()
        assert screens.troubles == []
    finally:
        serving.kill()
