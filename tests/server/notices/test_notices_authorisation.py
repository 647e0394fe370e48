"""Who may see and change where somebody is told: every route, tried by everybody who must not."""

import asyncio
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from industry.server.app import make_app
from industry.server.service import Service
from industry.server.store import Store

from ..club.members import Member
from ..club.test_persons import everything_stored
from ..playing import WIDE, Client, Json, RandomPool, Server, play_on, served
from .conftest import Scene, ways_to
from .playing import URL, confirmed_mail, subscribe, subscribed, three_people, token_of
from .receiving import Device, Mailbox, Receiver

CALL = {"kind": "webhook", "url": "https://hooks.example.org/x"}
NIGHT = {"begin": 1320, "end": 420, "zone": "Europe/Berlin"}
OWNED: dict[tuple[str, str], Json] = {
    ("GET", ""): {},
    ("POST", ""): CALL,
    ("POST", "/night"): NIGHT,
    ("DELETE", "/{channel}"): {},
    ("POST", "/{channel}/test"): {},
    ("POST", "/{channel}/code"): {"code": "000000"},
}
"""What an owner can do, below `tables/{table}/notices` and `me/notices`."""
UNSUBSCRIBE = "notices/unsubscribe/{channel}/{proof}"
"""What anyone can do who has got a mail: `test_unsubscribing.py` tries the others."""


def test_every_route_about_notices_is_in_the_matrix(tmp_path: Path) -> None:
    service = Service(Store(f"sqlite:///{tmp_path / 'x.db'}"), RandomPool())
    paths = make_app(service).openapi()["paths"]
    routes = {
        (method.upper(), path.removeprefix("/api/"))
        for path, methods in paths.items()
        for method in methods
        if "notices" in path
    }
    owners = ("tables/{table}/notices", "me/notices")
    expected = {(method, f"{owner}{rest}") for owner in owners for method, rest in OWNED}
    of_mails = {("GET", UNSUBSCRIBE), ("POST", UNSUBSCRIBE)}
    assert routes == expected | of_mails | {("GET", "notices")}


def stranger(server: Server, made: Json) -> str | None:
    return None


def neighbour(server: Server, made: Json) -> str | None:
    """Somebody at another table."""
    return token_of(three_people(server), 1)


def forger(server: Server, made: Json) -> str | None:
    return uuid.uuid4().hex


@pytest.mark.parametrize("who", [stranger, neighbour, forger], ids=lambda who: who.__name__)
@pytest.mark.parametrize("route", OWNED, ids=" ".join)
def test_a_seat_is_for_the_holder_of_its_link(
    shared_server: Server, who: Callable[[Server, Json], str | None], route: tuple[str, str]
) -> None:
    made = three_people(shared_server)
    name = subscribe(shared_server, made, 1, CALL)["channel"]["id"]
    before = subscribed(shared_server, made, 1)
    path = URL.format(made["table"]) + route[1].replace("{channel}", name)
    body = OWNED[route] if route[0] == "POST" else None
    answer = shared_server.http(route[0], path, who(shared_server, made), json=body)
    assert answer.json()["code"] == "bad_token"
    assert subscribed(shared_server, made, 1) == before


@pytest.mark.parametrize("place", [0, 2])
def test_the_others_at_a_table_see_and_change_nothing_of_a_seat(
    shared_server: Server, place: int
) -> None:
    made = three_people(shared_server)
    name = subscribe(shared_server, made, 1, CALL)["channel"]["id"]
    path, token = URL.format(made["table"]), token_of(made, place)
    assert subscribed(shared_server, made, place) == []
    for method, rest in OWNED:
        if "{channel}" in rest:
            body = OWNED[method, rest] if method == "POST" else None
            url = path + rest.replace("{channel}", name)
            answer = shared_server.http(method, url, token, json=body)
            assert answer.json()["code"] == "not_found", (method, rest)
    assert len(subscribed(shared_server, made, 1)) == 1


def test_a_person_sees_and_changes_nothing_of_another(scene: Scene) -> None:
    ana, eve = (Member(scene.server, f"{name} {uuid.uuid4().hex[:8]}") for name in ("Ana", "Eve"))
    name = ana.post("me/notices", **CALL)["channel"]["id"]
    assert eve.get("me/notices")["channels"] == []
    for method, rest in OWNED:
        if "{channel}" in rest:
            path = f"me/notices{rest.replace('{channel}', name)}"
            assert eve.code(method, path, **OWNED[method, rest]) == "not_found"
    assert len(ana.get("me/notices")["channels"]) == 1


def test_nothing_about_notices_is_ever_told_to_others(scene: Scene) -> None:
    server, device = scene.server, Device(scene.web)
    ana = Member(server, f"Ana {uuid.uuid4().hex[:8]}")
    made = ana.open_table("human", "human", listed=True)
    ana.post("me/notices", **device.wish(label="Anas Telefon"))
    subscribe(server, made, 1, device.wish(label="Anas Telefon"))
    address = confirmed_mail(server, made, 1, scene.post, spare=True)
    server.post(URL.format(made["table"]) + "/night", token_of(made, 1), **NIGHT)
    secrets = (device.path, address, "Anas Telefon", "Europe/Berlin", '"begin"')
    eve = Member(server, f"Eve {uuid.uuid4().hex[:8]}")
    table = f"tables/{made['table']}"
    for path in (f"persons/{ana.me['id']}", table, f"{table}/log", f"{table}/record", "tables"):
        told = eve.ask("GET", path).text
        assert not any(secret in told for secret in secrets), path
    with server.client(made, 2).ready() as client:
        client.ask(type="ping")
        assert not any(secret in str(client.received) for secret in secrets)


def test_a_new_link_of_the_host_ends_the_notices_of_a_seat(scene: Scene) -> None:
    """Otherwise whoever held the seat before would be told of somebody else's turns."""
    made = scene.server.make("human", "human", "open", seating="as_joined")
    subscribe(scene.server, made, 2, Device(scene.web).wish())
    path = f"/api/tables/{made['table']}/link"
    new = scene.server.post(path, made["host"], id=uuid.uuid4().hex, seat=2)
    answer = scene.server.http("GET", URL.format(made["table"]), new["token"])
    assert answer.json() == {"channels": [], "night": None}


def test_a_deleted_person_leaves_no_trace_of_notices(scenes: Scene) -> None:
    device, server = Device(scenes.web), scenes.server
    ana = Member(server, f"Ana {uuid.uuid4().hex[:8]}")
    ana.open_table("human", "human")
    ana.post("me/notices", **device.wish(label="Anas Telefon"))
    ana.post("me/notices/night", **NIGHT)
    address = f"{uuid.uuid4().hex}@example.org"
    ana.post("me/notices", kind="mail", address=address)
    told = ana.get("me/export")["notices"]
    assert {one["address"] for one in told["channels"]} == {
        scenes.web.url + device.path,
        address,
    }
    assert told["night"] == NIGHT
    traces = (device.path, address, "Anas Telefon", "Europe/Berlin", ana.me["id"])
    assert all(trace in everything_stored(server) for trace in traces)
    assert ana.ask("DELETE", "me").status_code == 204
    stored = everything_stored(server)
    assert not [trace for trace in traces if trace in stored]


def test_a_mail_address_gets_nothing_before_its_reader_has_confirmed_it(scene: Scene) -> None:
    made = three_people(scene.server)
    address = f"{uuid.uuid4().hex}@example.org"
    added = subscribe(scene.server, made, 1, {"kind": "mail", "address": address})
    name, token = added["channel"]["id"], token_of(made, 1)
    assert not added["channel"]["confirmed"]
    path = f"{URL.format(made['table'])}/{name}"
    assert scene.server.http("POST", f"{path}/test", token).json()["code"] == "not_found"
    code = scene.post.code(address)
    assert code not in str(added)
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    for _ in range(4):
        answer = scene.server.http("POST", f"{path}/code", token, json={"code": wrong})
        assert answer.json()["code"] == "bad_token"
    confirmed = scene.server.post(f"{path}/code", token, code=code)
    assert [one["confirmed"] for one in confirmed["channels"]] == [True]


def test_what_is_not_needed_any_more_goes_after_a_day(scene: Scene) -> None:
    """Addresses that nobody has confirmed, and all that belongs to finished games."""
    server = scene.server
    running, finished = three_people(server), three_people(server)
    subscribe(server, running, 1, {"kind": "mail", "address": "nobody@example.org"})
    confirmed = confirmed_mail(server, running, 1, scene.post, spare=True)
    subscribe(server, finished, 2, CALL | {"url": "https://hooks.example.org/finished"})
    tokens = [held["token"] for held in finished["seats"]]
    with Client(server, finished["table"], tokens).ready() as everybody:
        play_on(everybody, Random(1))
    scene.clock.ahead += 25 * 3_600_000
    swept = server.service.retention.sweep()
    asyncio.run_coroutine_threadsafe(swept, server.loop).result(60)
    stored = everything_stored(server)
    assert "nobody@example.org" not in stored and "finished" not in stored
    assert confirmed in stored


def test_who_guesses_a_code_has_five_attempts(scene: Scene) -> None:
    made = three_people(scene.server)
    address = f"{uuid.uuid4().hex}@example.org"
    name = subscribe(scene.server, made, 1, {"kind": "mail", "address": address})["channel"]["id"]
    code, path = scene.post.code(address), f"{URL.format(made['table'])}/{name}/code"
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    for _ in range(5):
        scene.server.http("POST", path, token_of(made, 1), json={"code": wrong})
    answer = scene.server.http("POST", path, token_of(made, 1), json={"code": code})
    assert answer.json()["code"] == "not_found"
    assert subscribed(scene.server, made, 1) == []


def test_nobody_is_flooded_with_codes(scene: Scene) -> None:
    address = f"{uuid.uuid4().hex}@example.org"
    codes = []
    for _ in range(6):
        made = three_people(scene.server)
        wish = {"kind": "mail", "address": address}
        path = URL.format(made["table"])
        codes.append(scene.server.http("POST", path, token_of(made, 1), json=wish).status_code)
    assert codes == [201] * 4 + [429] * 2
    assert len(scene.post.to(address)) == 4


NO_ADDRESSES = (
    "x",
    "a@b@c",
    "a b@example.org",
    "a@example.org\r\nBcc: b@example.org",
    "<a@example.org>",
)


def test_what_is_no_mail_address_is_refused(scene: Scene) -> None:
    made = three_people(scene.server)
    for address in NO_ADDRESSES:
        wish = {"kind": "mail", "address": address}
        answer = scene.server.http("POST", URL.format(made["table"]), token_of(made, 1), json=wish)
        assert answer.json()["code"] == "bad_message", address
    assert scene.post.mails == []


def test_without_a_mail_server_there_is_no_mail(shared_server: Server) -> None:
    made = three_people(shared_server)
    assert shared_server.get("/api/notices")["mail"] is False
    wish = {"kind": "mail", "address": "a@example.org"}
    answer = shared_server.http("POST", URL.format(made["table"]), token_of(made, 1), json=wish)
    assert answer.json()["code"] == "bad_message"


def test_an_owner_has_so_many_channels(shared_server: Server) -> None:
    made = three_people(shared_server)
    for number in range(12):
        subscribe(shared_server, made, 1, CALL | {"url": f"https://hooks.example.org/{number}"})
    path = URL.format(made["table"])
    answer = shared_server.http("POST", path, token_of(made, 1), json=CALL)
    assert (answer.status_code, answer.json()["detail"]) == (429, "channels")
    again = CALL | {"url": "https://hooks.example.org/3"}
    assert subscribe(shared_server, made, 1, again)["channel"]["id"]
    assert len(subscribed(shared_server, made, 1)) == 12


def test_p12_an_address_subscribes_so_often(tmp_path: Path, web: Receiver, post: Mailbox) -> None:
    limits = replace(WIDE, address_notices=2)
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool(), limits=limits, ways=ways_to(post)) as server:
        made = three_people(server)
        path = URL.format(made["table"])
        wishes = [Device(web).wish() for _ in range(3)]
        answers = [server.http("POST", path, token_of(made, 1), json=wish) for wish in wishes]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert answers[2].json()["code"] == "too_fast"
