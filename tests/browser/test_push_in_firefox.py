"""The whole way of a push message, in a Firefox: subscription, encryption, delivery, notification.

Nothing is replaced in the page. The push service is that of the tests, the owner's answer to the
browser's question is given in its settings. `make proof` runs it where a Firefox is installed.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from industry.server.notices import notices as notices_module
from industry.server.notices.sending import Ways
from tests.server.notices.receiving import Receiver, receiving
from tests.server.playing import Client, Json, RandomPool, Server, served
from tests.support.waiting import wait_until

from .firefox import Firefox, PushService, firefox, installed_firefox

SHOWN = """
    const found = await navigator.serviceWorker.ready
    return (await found.getNotifications()).map(({title, body, tag, data}) =>
        ({title, body, tag, path: data.path}))
"""


@pytest.fixture
def web() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def club(built_client: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(notices_module, "SCAN", 0.1)
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool(), persons="open", ways=Ways(private=True)) as server:
        yield server


@pytest.fixture
def browser(web: Receiver, tmp_path: Path) -> Iterator[tuple[Firefox, PushService]]:
    program = installed_firefox()
    if program is None:
        pytest.skip("there is no Firefox: install one, or name it in INDUSTRY_FIREFOX")
    with firefox(program, tmp_path / "profile", web) as found:
        yield found


def shown(page: Firefox) -> list[Json]:
    found = page.run(SHOWN)
    assert isinstance(found, list), found
    return found


@pytest.mark.proof
def test_a_message_goes_the_whole_way_to_a_notification(
    club: Server, browser: tuple[Firefox, PushService]
) -> None:
    page, service = browser
    page.allow_notifications(club.url)
    page.go(f"{club.url}/me")
    page.fill("Your name", "Ana")
    page.press("Create with a secret link")
    page.press("Notify me")
    page.press("Tell me on this device")
    page.element("//*[normalize-space()='this device']")
    page.press("Test: This device")
    wait_until(lambda: len(shown(page)) == 1, "no notification")
    assert shown(page)[0]["title"] == "It works"
    assert service.acknowledged == [100]
    table = turn_of_the_person(club, page)
    wait_until(lambda: len(shown(page)) == 2, "no notification of the turn")
    (turn,) = [one for one in shown(page) if one["title"] == "Your turn"]
    assert turn["path"] == f"/table/{table}"
    assert turn["body"].startswith("Industry (2010) with ")


def turn_of_the_person(club: Server, page: Firefox) -> str:
    """A table at which it becomes the person's turn, by the move of another one."""
    made = page.run(
        """const seats = [{kind: 'human', as_person: true}, {kind: 'human'}, {kind: 'human'}]
        const options = {players: 3, seating: 'as_joined', auto_forced: false}
        const answer = await fetch('/api/tables', {method: 'POST',
            headers: {'content-type': 'application/json'},
            body: JSON.stringify({id: crypto.randomUUID(), options, seats})})
        return await answer.json()"""
    )
    tokens = [held["token"] for held in made["seats"]]
    with Client(club, made["table"], tokens).ready() as own:
        while own.actor() == 1:
            play(own)
    with Client(club, made["table"], tokens[1:]).ready() as others:
        while others.actor() != 1:
            play(others)
    return str(made["table"])


def play(client: Client) -> None:
    seat = client.actor()
    assert seat is not None
    legal = client.yours[seat]["legal"]
    line = next((line for line in legal if line.endswith("pass")), legal[0])
    client.until_version(client.move(line)["version"])
