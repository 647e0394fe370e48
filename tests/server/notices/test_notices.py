"""Whoever is not at the table is told once for each turn that waits."""

import time
from pathlib import Path
from random import Random

import pytest

from industry.server.hooks import GIVE_UP, signature
from industry.server.notices.sending import Ways
from tests.support import proof
from tests.support.waiting import wait_until

from ..playing import Client, Json, RandomPool, play_on, served
from .conftest import SENDER, SITE, Scene, ways_to
from .playing import (
    actor_of,
    confirmed_mail,
    devices,
    go_on,
    go_on_until,
    subscribe,
    subscribed,
    three_people,
    token_of,
)
from .receiving import Device, Mailbox, Receiver, claims_of

MINUTE = 60_000
TURNS = proof.amount(12, 1000)
SOON = proof.amount(20, 2)
"""Seconds within which a turn is told; beside other tests longer."""
"""Turns whose notices are timed."""


def other(seat: int) -> int:
    return seat % 3 + 1


def settled(scene: Scene) -> None:
    """Waits until all that is due has been done: a later notice overtakes nobody."""
    made = three_people(scene.server)
    device = Device(scene.web)
    subscribe(scene.server, made, other(actor_of(scene.server, made)), device.wish())
    go_on(scene.server, made)
    device.wait_for()


@pytest.mark.both_stores
def test_a_turn_is_told_once_on_each_device(scenes: Scene) -> None:
    made = three_people(scenes.server)
    seat = other(actor_of(scenes.server, made))
    phone, desk, third = Device(scenes.web), Device(scenes.web), Device(scenes.web)
    for device in (phone, desk):
        subscribe(scenes.server, made, seat, device.wish())
    subscribe(scenes.server, made, other(seat), third.wish())
    assert go_on(scenes.server, made) == seat
    for device in (phone, desk):
        (message,) = device.wait_for()
        assert message["title"] == "Your turn"
        assert message["body"].startswith("Industry (2010) with ")
        assert message["path"] == f"/table/{made['table']}"
        assert message["waiting"] == 1
    settled(scenes)
    assert [len(device.messages) for device in (phone, desk, third)] == [1, 1, 0]
    assert go_on(scenes.server, made) == other(seat)
    third.wait_for()
    settled(scenes)
    assert [len(device.messages) for device in (phone, desk, third)] == [1, 1, 1]


def test_a_push_service_gets_a_signed_message_that_it_cannot_read(scene: Scene) -> None:
    made = three_people(scene.server)
    seat, device = other(actor_of(scene.server, made)), Device(scene.web)
    subscribe(scene.server, made, seat, device.wish())
    go_on(scene.server, made)
    device.wait_for()
    (call,) = scene.web.at(device.path)
    key = scene.server.get("/api/notices")["key"]
    claims = claims_of(call.headers["authorization"], key)
    assert claims["aud"] == scene.web.url
    assert claims["sub"] == "mailto:host@example.org"
    assert b"turn" not in call.body and made["table"].encode() not in call.body
    assert made["table"] not in str(call.headers)


def test_words_are_in_the_language_of_the_device(scene: Scene) -> None:
    made = three_people(scene.server)
    seat, device = other(actor_of(scene.server, made)), Device(scene.web)
    subscribe(scene.server, made, seat, device.wish(language="de"))
    go_on(scene.server, made)
    assert device.wait_for()[0]["title"] == "Du bist dran"


def test_whoever_has_the_table_open_is_left_in_peace(scene: Scene) -> None:
    made = three_people(scene.server)
    seat, device = other(actor_of(scene.server, made)), Device(scene.web)
    subscribe(scene.server, made, seat, device.wish())
    with scene.server.client(made, seat).ready():
        go_on(scene.server, made)
        settled(scene)
        assert device.messages == []


def test_whoever_leaves_right_after_the_turn_began_is_told_then(scenes: Scene) -> None:
    """A phone that falls asleep keeps its socket for a while and shows nothing."""
    made = three_people(scenes.server)
    seat, device = other(actor_of(scenes.server, made)), Device(scenes.web)
    subscribe(scenes.server, made, seat, device.wish())
    with scenes.server.client(made, seat).ready():
        go_on(scenes.server, made)
    device.wait_for()
    settled(scenes)
    assert len(device.messages) == 1


def test_a_turn_that_was_answered_is_not_told_any_more(scene: Scene) -> None:
    made = three_people(scene.server)
    seat, device = other(actor_of(scene.server, made)), Device(scene.web)
    subscribe(scene.server, made, seat, device.wish())
    scene.web.statuses[device.path] = 503
    go_on(scene.server, made)
    wait_until(lambda: scene.count("push", "failed") == 1)
    assert go_on(scene.server, made) == other(seat)
    scene.web.statuses.clear()
    scene.clock.ahead += MINUTE
    settled(scene)
    assert device.messages == []


def test_a_turn_that_could_not_be_told_is_told_later(scene: Scene) -> None:
    made = three_people(scene.server)
    seat, device = other(actor_of(scene.server, made)), Device(scene.web)
    subscribe(scene.server, made, seat, device.wish())
    scene.web.statuses[device.path] = 503
    go_on(scene.server, made)
    wait_until(lambda: scene.count("push", "failed") == 1)
    settled(scene)
    assert len(scene.web.at(device.path)) == 1  # not again at once
    scene.web.statuses.clear()
    scene.clock.ahead += MINUTE
    device.wait_for()
    scene.clock.ahead += GIVE_UP
    settled(scene)
    assert len(device.messages) == 1


def test_a_standing_order_that_plays_needs_no_notice(scene: Scene) -> None:
    made = three_people(scene.server)
    seat, device = other(actor_of(scene.server, made)), Device(scene.web)
    subscribe(scene.server, made, seat, device.wish())
    with scene.server.client(made, seat).ready() as client:
        line = {"do": "bid", "what": "any", "up_to": 0}
        wish = {"type": "set_orders", "seat": seat, "revision": 0, "lines": [line]}
        assert client.ask(**wish)["type"] == "accepted"
    assert go_on(scene.server, made) == other(seat)
    settled(scene)
    assert device.messages == []


def test_at_night_a_turn_waits_for_the_morning(scenes: Scene) -> None:
    made = three_people(scenes.server)
    seat, device = other(actor_of(scenes.server, made)), Device(scenes.web)
    subscribe(scenes.server, made, seat, device.wish())
    set_night(scenes, made, seat)
    go_on(scenes.server, made)
    settled(scenes)
    assert device.messages == []
    scenes.clock.ahead += 121 * MINUTE
    device.wait_for()
    settled(scenes)
    assert len(device.messages) == 1


def test_a_turn_answered_at_night_is_not_told_in_the_morning(scene: Scene) -> None:
    made = three_people(scene.server)
    seat, device = other(actor_of(scene.server, made)), Device(scene.web)
    subscribe(scene.server, made, seat, device.wish())
    set_night(scene, made, seat)
    go_on(scene.server, made)
    settled(scene)
    go_on(scene.server, made)
    scene.clock.ahead += 121 * MINUTE
    settled(scene)
    assert device.messages == []


def set_night(scene: Scene, made: Json, seat: int) -> None:
    """A night from an hour ago until in two hours."""
    minute = scene.clock() // MINUTE % 1440
    hours = {"begin": (minute - 60) % 1440, "end": (minute + 120) % 1440, "zone": "UTC"}
    path = f"/api/tables/{made['table']}/notices/night"
    assert scene.server.post(path, token_of(made, seat), **hours)["night"] == hours


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_forgotten_and_a_mail_is_sent_instead(
    scene: Scene, status: int
) -> None:
    made = three_people(scene.server)
    seat, device = other(actor_of(scene.server, made)), Device(scene.web)
    subscribe(scene.server, made, seat, device.wish())
    address = confirmed_mail(scene.server, made, seat, scene.post, spare=True)
    scene.web.statuses[device.path] = status
    go_on(scene.server, made)
    _, mail = scene.post.wait_for(address, 2)
    assert mail["subject"].startswith("Your turn: Industry (2010) with ")
    assert f"{SITE}/table/{made['table']}" in mail.get_content()
    assert mail["from"] == SENDER
    assert [one["kind"] for one in subscribed(scene.server, made, seat)] == ["mail"]
    settled(scene)
    assert len(scene.post.to(address)) == 2


def test_a_device_that_fails_hands_over_to_the_next_channel_and_stays(scenes: Scene) -> None:
    made = three_people(scenes.server)
    seat, device = other(actor_of(scenes.server, made)), Device(scenes.web)
    subscribe(scenes.server, made, seat, device.wish())
    first, second = (
        confirmed_mail(scenes.server, made, seat, scenes.post, spare=True) for _ in range(2)
    )
    scenes.web.statuses[device.path] = 500
    scenes.post.busy.add(first)
    go_on(scenes.server, made)
    scenes.post.wait_for(second, 2)
    scenes.clock.ahead += MINUTE
    settled(scenes)
    assert len(scenes.web.at(device.path)) == 1  # somebody has been told
    assert len(scenes.post.to(first)) == 1
    scenes.web.statuses.clear()
    go_on_until(scenes.server, made, seat)
    device.wait_for()
    settled(scenes)
    assert len(scenes.post.to(second)) == 2


def test_a_spare_channel_is_quiet_while_the_others_work(scene: Scene) -> None:
    made = three_people(scene.server)
    seat, device = other(actor_of(scene.server, made)), Device(scene.web)
    subscribe(scene.server, made, seat, device.wish())
    spare = confirmed_mail(scene.server, made, seat, scene.post, spare=True)
    always = confirmed_mail(scene.server, made, seat, scene.post, spare=False)
    go_on(scene.server, made)
    device.wait_for()
    scene.post.wait_for(always, 2)
    settled(scene)
    assert len(scene.post.to(spare)) == 1


def test_a_mailbox_that_does_not_exist_is_forgotten(scene: Scene) -> None:
    made = three_people(scene.server)
    seat = other(actor_of(scene.server, made))
    address = confirmed_mail(scene.server, made, seat, scene.post, spare=True)
    scene.post.unknown.add(address)
    go_on(scene.server, made)
    wait_until(lambda: subscribed(scene.server, made, seat) == [])
    assert scene.count("mail", "gone") == 1


def test_a_webhook_is_called_in_our_form_and_signed(scene: Scene) -> None:
    made = three_people(scene.server)
    seat = other(actor_of(scene.server, made))
    wish = {"kind": "webhook", "url": f"{scene.web.url}/ours?x=1"}
    secret = subscribe(scene.server, made, seat, wish)["secret"]
    go_on(scene.server, made)
    (call,) = scene.web.wait_for("/ours?x=1")
    assert call.headers["industry-signature"] == signature(secret, call.body)
    told = call.json()
    assert (told["type"], told["table"], told["seat"]) == ("turn", made["table"], seat)
    assert told["link"] == f"{SITE}/table/{made['table']}"


def test_discord_and_slack_get_what_they_read(scene: Scene) -> None:
    made = three_people(scene.server)
    seat = other(actor_of(scene.server, made))
    for kind in ("discord", "slack"):
        wish = {"kind": kind, "url": f"{scene.web.url}/{kind}"}
        assert subscribe(scene.server, made, seat, wish)["secret"] is None
    go_on(scene.server, made)
    discord = scene.web.wait_for("/discord")[0].json()
    assert discord["content"].startswith("**Your turn**\n")
    assert discord["content"].endswith(f"{SITE}/table/{made['table']}")
    assert discord["allowed_mentions"] == {"parse": []}
    slack = scene.web.wait_for("/slack")[0].json()
    assert slack["text"].startswith("*Your turn*\n")


def test_a_full_table_and_the_end_of_a_game_are_told(scene: Scene) -> None:
    server, device, desk = scene.server, Device(scene.web), Device(scene.web)
    made = server.make("human", "open", "open", seating="as_joined")
    subscribe(server, made, 1, device.wish())
    subscribe(server, made, 0, desk.wish())
    tokens = [token_of(made, 1)]
    for name in ("Bo", "Cy"):
        path = f"/api/tables/{made['table']}/seats"
        tokens.append(server.post(path, id=name, name=name)["token"])
    assert desk.wait_for()[0]["title"] == "The game has begun"
    begun = device.wait_for()[0]["title"]
    assert begun == ("Your turn" if actor_of(server, made) == 1 else "The game has begun")
    with Client(server, made["table"], tokens).ready() as everybody:
        play_on(everybody, Random(1))
    assert desk.wait_for(2)[1]["title"] == "The game is over"


def test_a_test_message_shows_whether_a_channel_works(scene: Scene) -> None:
    made, device = three_people(scene.server), Device(scene.web)
    name = subscribe(scene.server, made, 1, device.wish())["channel"]["id"]
    path, token = f"/api/tables/{made['table']}/notices/{name}/test", token_of(made, 1)
    assert scene.server.post(path, token) == {"outcome": "told"}
    assert device.messages[0]["title"] == "It works"
    scene.web.statuses[device.path] = 500
    assert scene.server.post(path, token) == {"outcome": "failed"}
    scene.web.statuses[device.path] = 410
    assert scene.server.post(path, token) == {"outcome": "gone"}
    assert subscribed(scene.server, made, 1) == []


def test_p99_of_notices_come_within_two_seconds(scenes: Scene) -> None:
    """From the moment when the move is sent to the call of the push service."""
    made = three_people(scenes.server)
    by_seat = devices(scenes.server, made, scenes.web)
    late = told = 0
    while told < TURNS:
        before = actor_of(scenes.server, made)
        waiting = {seat: len(one.service.at(one.path)) for seat, one in by_seat.items()}
        sent = time.monotonic()
        seat = go_on(scenes.server, made)
        if seat == before:
            continue  # it still has the same turn
        told += 1
        scenes.web.wait_for(by_seat[seat].path, waiting[seat] + 1)
        late += time.monotonic() - sent > SOON
    assert late <= TURNS // 100
    assert sum(len(one.messages) for one in by_seat.values()) == TURNS
    wait_until(lambda: scenes.count("push") == TURNS)
    assert scenes.sample("industry_notice_seconds_count") == TURNS


def test_a_restart_neither_loses_nor_doubles_a_notice(
    database: str, web: Receiver, post: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("industry.server.notices.notices.SCAN", 0.1)
    monkeypatch.setattr("industry.server.notices.notices.AFTER_START", 0)
    device, quiet = Device(web), Device(web)
    with served(database, RandomPool(), ways=ways_to(post)) as one:
        made = three_people(one)
        seat = other(actor_of(one, made))
        subscribe(one, made, seat, device.wish())
        subscribe(one, made, other(seat), quiet.wish())
        go_on(one, made)
        device.wait_for()
    with served(database, RandomPool(), ways=ways_to(post)) as one:
        # as if the server died right after the move became durable
        one.service.on_change = lambda live, before, own: None
        assert go_on(one, made) == other(seat)
    with served(database, RandomPool(), ways=ways_to(post)) as one:
        quiet.wait_for()
        go_on_until(one, made, seat)
        device.wait_for(2)
    assert (len(device.messages), len(quiet.messages)) == (2, 1 + 0)


def test_private_addresses_are_refused_unless_the_operator_allows_them(
    tmp_path: Path, web: Receiver
) -> None:
    with served(f"sqlite:///{tmp_path / 'tables.db'}", RandomPool(), ways=Ways()) as server:
        made, device = three_people(server), Device(web)
        path, token = f"/api/tables/{made['table']}/notices", token_of(made, 1)
        answer = server.http("POST", path, token, json=device.wish())
        assert answer.json()["detail"] == "endpoint"  # no push service does without TLS
        for kind in ("webhook", "discord", "slack"):
            wish = {"kind": kind, "url": f"{web.url}/{kind}"}
            name = subscribe(server, made, 1, wish)["channel"]["id"]
            assert server.post(f"{path}/{name}/test", token) == {"outcome": "failed"}
    assert web.calls == []


def test_logs_and_metrics_say_nothing_about_whose_channel_it_is(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    made = three_people(scene.server)
    seat, device = other(actor_of(scene.server, made)), Device(scene.web, path="/secret/place")
    subscribe(scene.server, made, seat, device.wish())
    address = confirmed_mail(scene.server, made, seat, scene.post, spare=True)
    scene.web.statuses[device.path] = 500
    scene.post.busy.add(address)
    with caplog.at_level("DEBUG", "industry.server"):
        go_on(scene.server, made)
        wait_until(lambda: scene.count("mail", "failed") == 1)
    own = [str(vars(one)) for one in caplog.records if one.name.startswith("industry")]
    assert "notice_failed" in str(own)
    told = str(own) + scene.server.http("GET", "/metrics").text
    for secret in ("secret", "@example.org", scene.web.url):
        assert secret not in told
