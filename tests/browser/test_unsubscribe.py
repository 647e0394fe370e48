"""The page to which the link in a mail leads."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.server.notices.conftest import ways_to
from tests.server.notices.playing import confirmed_mail, subscribed, three_people, token_of
from tests.server.notices.receiving import Mailbox
from tests.server.playing import RandomPool, Server, served

from .screens import Screens, barriers, overflow


@dataclass
class Club:
    server: Server
    post: Mailbox


@pytest.fixture
def club(built_client: None, tmp_path: Path) -> Iterator[Club]:
    """A server that sends mail and knows its own address."""
    post = Mailbox()
    with served(f"sqlite:///{tmp_path / 'x.db'}", RandomPool(), ways=ways_to(post)) as server:
        yield Club(server, post)
    post.stop()


@pytest.fixture
def people(browser: Browser, club: Club) -> Iterator[Screens]:
    opened = Screens(browser, club.server.url)
    yield opened
    opened.close()
    assert opened.troubles == []


def test_the_link_of_a_mail_ends_the_mails_on_a_phone_by_keyboard(
    people: Screens, club: Club
) -> None:
    made = three_people(club.server)
    address = confirmed_mail(club.server, made, 1, club.post, spare=False)
    (channel,) = subscribed(club.server, made, 1)
    path = f"/api/tables/{made['table']}/notices/{channel['id']}/test"
    club.server.post(path, token_of(made, 1))
    mail = club.post.wait_for(address, 2)[1].get_content()
    link = re.search(r"https://games\.example\.org(/unsubscribe/\S+)", mail)
    assert link is not None, mail
    page = people.open(link[1], width=390)
    expect(page.get_by_role("heading", name="No more mails")).to_be_visible()
    assert barriers(people.settled(page)) == []
    assert overflow(page) == 0
    assert len(subscribed(club.server, made, 1)) == 1
    page.get_by_role("button", name="End the mails").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Done. No more mails will come to this address.")).to_be_visible()
    assert subscribed(club.server, made, 1) == []


def test_a_link_that_is_not_whole_says_so(people: Screens) -> None:
    people.expected |= {401, 403, 404, 422}
    page = people.open(f"/unsubscribe/{'a' * 16}#{'0' * 32}")
    page.get_by_role("button", name="End the mails").click()
    expect(page.get_by_role("alert")).to_contain_text("This link is not complete.")
