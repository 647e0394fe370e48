"""Mails can be ended from the mail itself: by its program (RFC 8058) or by its link."""

import re
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from ..club.members import Member
from ..club.test_persons import everything_stored
from ..cups.holding import named
from ..playing import PATIENCE, WIDE, Json, RandomPool, Server, served
from .conftest import SITE, Scene, ways_to
from .playing import URL, confirmed_mail, go_on, subscribe, subscribed, three_people, token_of
from .receiving import Device, Mailbox

FORM = {"content-type": "application/x-www-form-urlencoded"}
ONE_CLICK = b"List-Unsubscribe=One-Click"


def trial_mail(server: Server, made: Json, place: int, post: Mailbox, address: str) -> EmailMessage:
    """Asks for a test message; the mail that comes."""
    (channel,) = [one for one in subscribed(server, made, place) if one["kind"] == "mail"]
    server.post(f"{URL.format(made['table'])}/{channel['id']}/test", token_of(made, place))
    return post.wait_for(address, 2)[-1]


def path_of(mail: EmailMessage) -> str:
    """The path that its header names."""
    found = re.fullmatch(r"<(https://\S+)>", mail["List-Unsubscribe"])
    assert found is not None
    assert found[1].startswith(SITE)
    return urlsplit(found[1]).path


def press(server: Server, path: str) -> httpx.Response:
    """What a mail program sends when its reader presses “Unsubscribe”: no cookie, no origin."""
    url = f"{server.url}{path}"
    return httpx.post(url, content=ONE_CLICK, headers=FORM, timeout=PATIENCE)


def test_one_press_in_the_mail_program_ends_the_mails(scenes: Scene) -> None:
    server, made = scenes.server, three_people(scenes.server)
    address = confirmed_mail(server, made, 1, scenes.post, spare=False)
    mail = trial_mail(server, made, 1, scenes.post, address)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    path = path_of(mail)
    assert address not in path
    assert press(server, path).status_code == 204
    assert subscribed(server, made, 1) == []
    assert address not in everything_stored(server)
    assert press(server, path).status_code == 204  # mail programs may repeat it
    told = Device(scenes.web)
    subscribe(server, made, 2, told.wish())
    while go_on(server, made) != 2:
        pass
    told.wait_for()
    assert len(scenes.post.to(address)) == 2  # the code and the test


def test_it_ends_the_mails_of_all_tables_and_of_the_person_to_this_address(scene: Scene) -> None:
    server, one, other = scene.server, three_people(scene.server), three_people(scene.server)
    ana, address = named(server, "Ana"), "ana@example.org"
    wish = {"kind": "mail", "address": address, "spare": False}
    for made, place in ((one, 1), (other, 2)):
        name = subscribe(server, made, place, wish)["channel"]["id"]
        code = scene.post.wait_for(address)[-1]["subject"][:6]
        answer = f"{URL.format(made['table'])}/{name}/code"
        server.post(answer, token_of(made, place), code=code)
        scene.post.mails.clear()
    ana.post("me/notices", **wish)
    device = Device(scene.web)
    ana.post("me/notices", **device.wish())
    scene.post.mails.clear()
    (channel,) = subscribed(server, one, 1)
    server.post(f"{URL.format(one['table'])}/{channel['id']}/test", token_of(one, 1))
    assert press(server, path_of(scene.post.wait_for(address)[0])).status_code == 204
    assert subscribed(server, one, 1) == subscribed(server, other, 2) == []
    assert [one["kind"] for one in ana.get("me/notices")["channels"]] == ["push"]


def test_to_open_the_address_ends_nothing_and_leads_to_a_page(scene: Scene) -> None:
    """Programs that check mails for viruses open every link."""
    server, made = scene.server, three_people(scene.server)
    address = confirmed_mail(server, made, 1, scene.post, spare=False)
    mail = trial_mail(server, made, 1, scene.post, address)
    path = path_of(mail)
    answer = server.http("GET", path)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/unsubscribe/")
    assert f"{SITE}{answer.headers['location']}" in mail.get_content()
    assert server.http("GET", answer.headers["location"].partition("#")[0]).status_code == 200
    assert len(subscribed(server, made, 1)) == 1


def test_an_old_mail_does_not_end_what_was_added_since(scene: Scene) -> None:
    server, made = scene.server, three_people(scene.server)
    address = confirmed_mail(server, made, 1, scene.post, spare=False)
    path = path_of(trial_mail(server, made, 1, scene.post, address))
    press(server, path)
    wish = {"kind": "mail", "address": address, "spare": False}
    name = subscribe(server, made, 1, wish)["channel"]["id"]
    code = scene.post.wait_for(address, 3)[-1]["subject"][:6]
    server.post(f"{URL.format(made['table'])}/{name}/code", token_of(made, 1), code=code)
    assert press(server, path).status_code == 204
    assert len(subscribed(server, made, 1)) == 1


def forged(path: str) -> str:
    *rest, proof = path.split("/")
    return "/".join((*rest, f"{int(proof, 16) ^ 1:032x}"))


def test_nobody_ends_the_mails_of_others(scene: Scene) -> None:
    """Neither by a wrong proof, nor by that of another mail, nor as another person or seat."""
    server, made = scene.server, three_people(scene.server)
    address = confirmed_mail(server, made, 1, scene.post, spare=False)
    path = path_of(trial_mail(server, made, 1, scene.post, address))
    others = confirmed_mail(server, made, 2, scene.post, spare=False)
    other = path_of(trial_mail(server, made, 2, scene.post, others))
    mixed = "/".join((*path.split("/")[:-1], other.split("/")[-1]))
    eve = Member(server, "Eve of the mails")
    for wrong in (forged(path), mixed):
        assert press(server, wrong).json()["code"] == "bad_token"
        assert eve.code("POST", wrong.removeprefix("/api/")) == "bad_token"
        token = token_of(made, 2)
        assert server.http("POST", wrong, token).json()["code"] == "bad_token"
    assert len(subscribed(server, made, 1)) == len(subscribed(server, made, 2)) == 1


def test_the_page_of_another_site_ends_nothing(scene: Scene) -> None:
    server, made = scene.server, three_people(scene.server)
    address = confirmed_mail(server, made, 1, scene.post, spare=False)
    path = path_of(trial_mail(server, made, 1, scene.post, address))
    headers = FORM | {"origin": "https://evil.example"}
    answer = httpx.post(f"{server.url}{path}", content=ONE_CLICK, headers=headers)
    assert answer.status_code == 403
    assert len(subscribed(server, made, 1)) == 1


def test_guessing_is_limited_and_mail_programs_are_not(tmp_path: Path, post: Mailbox) -> None:
    """Those of a large provider ask for many people from one address."""
    limits = replace(WIDE, address_notices=4)
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool(), limits=limits, ways=ways_to(post)) as server:
        made = three_people(server)
        address = confirmed_mail(server, made, 1, post, spare=False)
        path = path_of(trial_mail(server, made, 1, post, address))
        for _ in range(9):
            assert press(server, path).status_code == 204
        codes = [press(server, forged(path)).json()["code"] for _ in range(4)]
        assert codes == ["bad_token", "bad_token", "too_fast", "too_fast"]


@pytest.mark.parametrize(
    ("url", "has_address", "has_post"),
    [("https://a.example", True, True), ("http://a.example", True, False), ("", False, False)],
)
def test_a_mail_names_what_its_server_can_do(
    tmp_path: Path, post: Mailbox, url: str, has_address: bool, has_post: bool
) -> None:
    """One-click addresses must be HTTPS; without `public_url` a server does not know its own."""
    ways = replace(ways_to(post), public_url=url)
    with served(f"sqlite:///{tmp_path / 'x.db'}", RandomPool(), ways=ways) as server:
        made = three_people(server)
        address = confirmed_mail(server, made, 1, post, spare=False)
        mail = trial_mail(server, made, 1, post, address)
    assert ("List-Unsubscribe" in mail, "List-Unsubscribe-Post" in mail) == (has_address, has_post)
    assert ("/unsubscribe/" in mail.get_content()) == has_address


def test_the_mail_with_a_code_has_no_such_address(scene: Scene) -> None:
    """It is no subscription yet; its reader need not do anything."""
    made = three_people(scene.server)
    confirmed_mail(scene.server, made, 1, scene.post, spare=False)
    ((_, code),) = scene.post.mails
    assert "List-Unsubscribe" not in code
