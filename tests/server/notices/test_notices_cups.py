"""People are told once for each round of a cup that their table is ready."""

import threading
from typing import Any

import pytest
from sqlalchemy import select

from industry.server.cups.tables import CupTables
from industry.server.notices import notices as notices_module
from industry.server.store.notices_schema import notices
from tests.support.waiting import wait_until

from ..club.members import Member
from ..club.rated import in_database
from ..cups.holding import games, named, new_cup, own_client, play_games, until
from ..playing import Json, RandomPool, Server, served
from .conftest import Clock, Scene, ways_to
from .playing import devices, go_on, three_people
from .receiving import Device, Mailbox, Receiver

MINUTE = 60_000
SOON = 11_000
"""Milliseconds after which somebody is told who has not come by themselves."""
PAIR: Json = {"name": "Winter cup", "bots": ["foreman"] * 2, "places": 4, "size": 4}
"""A cup at one table."""
NO_BOTS: Json = {"bots": [], "places": 3, "size": 3, "rounds": 1}
"""One at which nobody moves until people do."""


def people_with_devices(scene: Scene, count: int) -> tuple[list[Member], list[Device]]:
    members = [named(scene.server, name) for name in ("Ana", "Bo", "Cy", "Di")[:count]]
    phones = [Device(scene.web) for _ in members]
    for member, phone in zip(members, phones, strict=True):
        member.post("me/notices", **phone.wish())
    return members, phones


def cup_of(members: list[Member], **wish: Any) -> Json:
    made = new_cup(members[0], **PAIR | wish)
    for member in members[1:]:
        made = member.post(f"cups/{made['id']}/join")
    return made


def until_round(member: Member, cup: Json, number: int) -> Json:
    """Waits until the tables of a round are made; returns the cup."""
    found = until(member, cup["id"], lambda now: len(now["rounds"]) == number)
    tables = [game["table"] for game in found["rounds"][-1]["games"]]
    wait_until(lambda: all(is_made(member, table) for table in tables), "no tables")
    return found


def is_made(member: Member, table: str) -> bool:
    return member.server.http("GET", f"/api/tables/{table}").status_code != 404


def settled(scene: Scene) -> None:
    """Waits until all that is due has been done: a later notice overtakes nobody."""
    made = three_people(scene.server)
    others = devices(scene.server, made, scene.web)
    others[go_on(scene.server, made)].wait_for()


def test_everybody_is_told_once_for_each_round(scenes: Scene) -> None:
    members, phones = people_with_devices(scenes, 2)
    cup = cup_of(members, rounds=2)
    for number in (1, 2):
        made = until_round(members[0], cup, number)
        table = made["rounds"][-1]["games"][0]["table"]
        scenes.clock.ahead += SOON
        for phone in phones:
            message = phone.wait_for(number)[-1]
            assert message["title"] in ("Your table is ready", "Your turn")
            assert message["body"].startswith(f"Winter cup, round {number}: Industry (2010) with ")
            assert message["path"] == f"/table/{table}"
        settled(scenes)
        assert [len(phone.messages) for phone in phones] == [number, number]
        titles = [phone.messages[-1]["title"] for phone in phones]
        assert titles.count("Your turn") == 1  # bots have moved; one of the two must decide
        play_games(cup["id"], *members)


def test_whoever_has_come_by_themselves_is_left_in_peace(scene: Scene) -> None:
    members, phones = people_with_devices(scene, 3)
    made = until_round(members[0], cup_of(members, **NO_BOTS), 1)
    with own_client(members[0], games(made)[0]["table"]).ready():
        scene.clock.ahead += SOON
        for phone in phones[1:]:
            phone.wait_for()
        settled(scene)
        assert phones[0].messages == []


def test_nobody_is_told_before_there_was_time_to_come(scene: Scene) -> None:
    """Bots move at once, so the person is told only that it is their turn, not about the table."""
    (ana,), (phone,) = people_with_devices(scene, 1)
    until_round(ana, cup_of([ana], places=3, rounds=1), 1)
    settled(scene)
    before = len(phone.messages)  # a turn that a bot has brought, if it was not hers at once
    scene.clock.ahead += SOON
    phone.wait_for()
    settled(scene)
    assert len(phone.messages) == 1
    assert phone.messages[0]["title"] == "Your turn"
    assert before in (0, 1)


def test_a_first_turn_is_not_told_again_when_a_server_starts(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    members, phones = people_with_devices(scene, 3)
    until_round(members[0], cup_of(members, **NO_BOTS), 1)
    scene.clock.ahead += SOON
    for phone in phones:
        phone.wait_for()
    assert sorted(phone.messages[0]["title"] for phone in phones) == [
        "Your table is ready",
        "Your table is ready",
        "Your turn",
    ]
    monkeypatch.setattr(notices_module, "AFTER_START", 0)
    database = str(scene.server.service.store.url)
    ways = ways_to(scene.post)
    again = served(database, RandomPool(), persons="open", clock=scene.clock, ways=ways)
    with again:  # another process
        settled(scene)
    assert [len(phone.messages) for phone in phones] == [1, 1, 1]


def test_a_device_that_fails_hands_over_to_a_mail(scene: Scene) -> None:
    (ana,), (phone,) = people_with_devices(scene, 1)
    address = "ana@example.org"
    channel = ana.post("me/notices", kind="mail", address=address, spare=True)["channel"]["id"]
    ana.post(f"me/notices/{channel}/code", code=scene.post.code(address))
    scene.web.statuses[phone.path] = 404
    until_round(ana, cup_of([ana], name="Spring cup", places=3, rounds=1), 1)
    scene.clock.ahead += SOON
    _, mail = scene.post.wait_for(address, 2)
    assert "Spring cup, round 1: Industry (2010) with " in mail["subject"]


def test_at_night_a_round_waits_for_the_morning(scene: Scene) -> None:
    (ana,), (phone,) = people_with_devices(scene, 1)
    minute = scene.clock() // MINUTE % 1440
    hours = {"begin": (minute - 60) % 1440, "end": (minute + 120) % 1440, "zone": "UTC"}
    ana.post("me/notices/night", **hours)
    until_round(ana, cup_of([ana], places=3, rounds=1), 1)
    scene.clock.ahead += SOON
    settled(scene)
    assert phone.messages == []
    scene.clock.ahead += 121 * MINUTE
    phone.wait_for()


def test_a_table_that_is_not_made_yet_is_told_once_it_is(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that began the round has died before it made the table."""
    make, may_go_on = CupTables.make, threading.Event()

    async def late(self: CupTables, *given: Any) -> None:
        if not may_go_on.is_set():
            raise RuntimeError("the process has died")
        await make(self, *given)

    monkeypatch.setattr(CupTables, "make", late)
    (ana,), (phone,) = people_with_devices(scene, 1)
    cup = cup_of([ana], places=3, rounds=1)
    until(ana, cup["id"], lambda now: len(now["rounds"]) == 1)
    scene.clock.ahead += SOON
    settled(scene)
    assert phone.messages == []
    may_go_on.set()
    until_round(ana, cup, 1)
    scene.clock.ahead += SOON
    phone.wait_for()


def test_a_table_of_an_evening_is_told_without_a_round(scene: Scene) -> None:
    members, phones = people_with_devices(scene, 3)
    cup_of(members, name="Friday", format="evening", bots=[], size=3, places=9)
    wait_until(lambda: any(members[0].tables()), "no table")
    scene.clock.ahead += SOON
    for phone in phones:
        assert phone.wait_for()[0]["body"].startswith("Friday: Industry (2010) with ")


@pytest.mark.proof
def test_two_processes_tell_a_round_once(
    postgres_database: str, web: Receiver, post: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices_module, "SCAN", 0.1)
    monkeypatch.setattr("industry.server.cups.announcing.TIME_TO_COME", 1_000)
    ways = ways_to(post)
    with (
        served(postgres_database, RandomPool(), persons="open", ways=ways) as one,
        served(postgres_database, RandomPool(), persons="open", ways=ways) as two,
    ):
        ana, bo, phone, other = named(one, "Ana"), named(two, "Bo"), Device(web), Device(web)
        ana.post("me/notices", **phone.wish())
        bo.post("me/notices", **other.wish())
        made = new_cup(ana, **PAIR | {"places": 4, "rounds": 2})
        bo.post(f"cups/{made['id']}/join")
        for number in (1, 2):
            until_round(ana, made, number)
            phone.wait_for(number)
            other.wait_for(number)
            play_games(made["id"], ana, bo)
        until(ana, made["id"], lambda cup: cup["status"] == "over")
        assert [len(phone.messages), len(other.messages)] == [2, 2]


def test_whoever_is_at_the_table_in_another_process_is_left_in_peace(
    postgres_database: str, web: Receiver, post: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices_module, "SCAN", 0.1)
    monkeypatch.setattr("industry.server.cups.announcing.TIME_TO_COME", 60 * MINUTE)
    ways, clock = ways_to(post), Clock()
    with served(postgres_database, RandomPool(), persons="open", ways=ways, clock=clock) as one:
        members, phone = [named(one, name) for name in ("Ana", "Bo", "Cy")], Device(web)
        ana = members[0]
        ana.post("me/notices", **phone.wish())
        with served(postgres_database, RandomPool(), persons="open", clock=clock) as two:
            made = until_round(ana, cup_of(members, **NO_BOTS), 1)
            there = Member(two, link=ana.link)
            with own_client(there, games(made)[0]["table"]).ready() as client:
                (place,) = client.welcome["seats"]
                wait_until(lambda: is_seen(one, place), "the process does not say who is there")
                clock.ahead += 61 * MINUTE
                settled(Scene(one, web, post, clock))
                assert phone.messages == []


def is_seen(server: Server, place: int) -> bool:
    """Whether the holder of a place need not be told any more that their table is ready."""
    own = notices.c
    query = select(own.due).where(own.kind == "cup", own.place == place)
    return in_database(server, lambda connection: connection.execute(query).one()).due is None
