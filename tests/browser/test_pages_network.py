"""Inviting others from `industry play`: what a link reaches is said, the network is opened."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from .screens import Screens, barriers

ALIAS = "127.0.0.2"


@pytest.fixture
def played(built_client: None, tmp_path: Path) -> Iterator[str]:
    """The address of `industry play`, for which another loopback address is its network."""
    command = [str(Path(sys.executable).with_name("industry")), "play", "--no-browser"]
    command += ["--network-address", ALIAS, "--language", "en"]
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield line[line.index("http://") :].split()[0].rstrip("/.")
        process.terminate()


def test_the_network_is_opened_with_address_and_code_and_closed_again(
    played: str, browser: Browser
) -> None:
    screens = Screens(browser, played)
    page = screens.open("/new")
    page.get_by_label("Seat 2: Who sits here").select_option("open")
    page.locator("button[type=submit]").click()
    invite = page.locator("section", has=page.get_by_role("heading", name="Invite others"))
    expect(invite).to_contain_text("works on this computer only")
    invite.get_by_role("button", name="Open to my network").click()
    link = invite.get_by_role("textbox")
    expect(link).to_have_value(page.url.replace("127.0.0.1", ALIAS))
    shown = link.input_value()
    expect(invite.locator("[data-qr]")).to_have_attribute("data-qr", shown)
    expect(invite.locator("[data-qr] path")).to_have_attribute("d", re.compile("M"))
    invite.locator("summary").click()
    expect(invite).to_contain_text("ufw allow")
    assert barriers(page) == []
    guest = Screens(browser, played.replace("127.0.0.1", ALIAS))
    other = guest.open(shown.removeprefix(guest.site))
    expect(other.get_by_role("heading", name="Take a seat").first).to_be_visible()
    expect(other.get_by_role("button", name="Close again")).to_have_count(0)
    invite.get_by_role("button", name="Close again").click()
    expect(link).to_have_value(page.url)
    with pytest.raises(httpx.TransportError):
        httpx.get(f"{guest.site}/healthz")
    screens.close()
    assert screens.troubles == []
    other.context.close()
