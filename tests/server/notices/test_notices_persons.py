"""Persons are told about all their tables, and several processes tell them once."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from industry.server.notices import notices as notices_module

from ..club.members import Member
from ..playing import Client, Json, RandomPool, Server, served
from .conftest import Scene, ways_to
from .playing import actor_of, go_on, subscribe, three_people
from .receiving import Device, Mailbox, Receiver


def name() -> str:
    return f"Ana {uuid.uuid4().hex[:8]}"


def until_turn_of(server: Server, made: Json, place: int, tokens: list[str]) -> None:
    """Everybody decides until it is the turn of the one who sits at a place."""
    with Client(server, made["table"], tokens).ready() as client:
        while client.actor() != place:
            seat = client.actor()
            assert seat is not None
            legal = client.yours[seat]["legal"]
            line = next((line for line in legal if line.endswith("pass")), legal[0])
            client.until_version(client.move(line)["version"])


def test_a_person_is_told_about_every_own_table(scenes: Scene) -> None:
    server, device, ana = scenes.server, Device(scenes.web), Member(scenes.server, name())
    ana.post("me/notices", **device.wish())
    for count in (1, 2):
        made = ana.open_table("human", "human", seating="as_joined")
        tokens = [held["token"] for held in made["seats"] if held["seat"] != 1]
        if actor_of(server, made) == 1:
            token = ana.tables()[made["table"]]["token"]
            with Client(server, made["table"], [token]).ready() as own:
                answer = own.move(own.yours[1]["legal"][0])
                own.until_version(answer["version"])
        until_turn_of(server, made, 1, tokens)
        message = device.wait_for(count)[-1]
        assert message["path"] == f"/table/{made['table']}"
        assert message["waiting"] == count  # the badge of the device


def test_a_device_of_seat_and_person_is_told_once(scene: Scene) -> None:
    server, device, ana = scene.server, Device(scene.web), Member(scene.server, name())
    made = ana.open_table("human", "human", seating="as_joined")
    ana.post("me/notices", **device.wish())
    subscribe(server, made, 1, device.wish())
    go_round(server, made)
    device.wait_for()
    go_round(server, made)
    assert len(device.wait_for(2)) == 2


def go_round(server: Server, made: Json) -> None:
    """Everybody decides once, the person at last."""
    while actor_of(server, made) == 1:
        go_on(server, made)
    while go_on(server, made) != 1:
        pass


def test_who_has_lost_the_seat_is_told_no_more(scene: Scene) -> None:
    """The host gives it to somebody else, who is told instead."""
    server, device, heir = scene.server, Device(scene.web), Device(scene.web)
    ana = Member(server, name())
    made = server.make("human", "open", "open", seating="as_joined")
    ana.sit(made["table"], seat=2)
    ana.post("me/notices", **device.wish())
    path = f"/api/tables/{made['table']}"
    new = server.post(f"{path}/link", made["host"], id=uuid.uuid4().hex, seat=2)
    last = server.post(f"{path}/seats", id=uuid.uuid4().hex, name="Zoe", seat=3)
    made["seats"] += [{"seat": 2, "token": new["token"]}, {"seat": 3, "token": last["token"]}]
    subscribe(server, made, 2, heir.wish())
    while actor_of(server, made) == 2:
        go_on(server, made)
    while go_on(server, made) != 2:
        pass
    heir.wait_for()
    assert device.messages == []


@dataclass
class Pair:
    """Two processes that share a database."""

    one: Server
    two: Server
    web: Receiver


@pytest.fixture
def pair(
    postgres_database: str, web: Receiver, post: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Pair]:
    monkeypatch.setattr(notices_module, "SCAN", 0.1)
    ways = ways_to(post)
    with (
        served(postgres_database, RandomPool(), ways=ways) as one,
        served(postgres_database, RandomPool(), ways=ways) as two,
    ):
        yield Pair(one, two, web)


def test_two_processes_tell_a_turn_once(pair: Pair) -> None:
    made = three_people(pair.one)
    by_seat = {seat: Device(pair.web) for seat in (1, 2, 3)}
    for seat, device in by_seat.items():
        subscribe(pair.one, made, seat, device.wish())
    expected = dict.fromkeys(by_seat, 0)
    with pair.one.client(made).ready(), pair.two.client(made).ready():  # both have the table
        for number in range(12):
            server = (pair.one, pair.two)[number % 2]
            before = actor_of(server, made)
            seat = go_on(server, made)
            if seat != before:
                expected[seat] += 1
                by_seat[seat].wait_for(expected[seat])
    assert {seat: len(device.messages) for seat, device in by_seat.items()} == expected


def test_a_turn_is_quiet_whose_player_is_at_another_process(pair: Pair) -> None:
    made = three_people(pair.one)
    device, after = Device(pair.web), Device(pair.web)
    seat = actor_of(pair.one, made) % 3 + 1
    subscribe(pair.one, made, seat, device.wish())
    subscribe(pair.one, made, seat % 3 + 1, after.wish())
    with pair.two.client(made, seat).ready() as player:
        assert go_on(pair.one, made) == seat
        assert player.until_mine() == seat
        answer = player.move(f"{seat} pass")
        assert answer["type"] == "accepted"
        player.until_version(answer["version"])
        after.wait_for()
        assert device.messages == []
