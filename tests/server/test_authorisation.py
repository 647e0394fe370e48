"""P11: only a seat's holder acts for it; spectators only watch.

Every message that acts for somebody is tried by everybody who must not.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from industry.server.protocol.client import (
    AskField,
    AskSteps,
    AskWhy,
    ClientMessage,
    Command,
    Hello,
    Hurry,
    Leave,
    Ping,
    PlayMove,
    Resign,
    Return,
    Say,
    StandIn,
    Undo,
)
from industry.server.protocol.orders import AskOrders, SetOrders

from .playing import Client, Json, Server

ACTING: dict[type, Json] = {
    PlayMove: {"type": "move"},
    Undo: {"type": "undo"},
    Leave: {"type": "leave"},
    Resign: {"type": "resign"},
    Return: {"type": "return"},
    StandIn: {"type": "stand_in", "target": 1},
    Say: {"type": "say", "text": "hello"},
    SetOrders: {"type": "set_orders", "revision": 0, "lines": []},
    AskOrders: {"type": "ask_orders", "lines": []},
}
"""Messages that need a seat."""
ANYBODY = {Hello, AskWhy, AskField, AskSteps, Hurry, Ping}
"""Messages that tell only what everyone may see."""


@dataclass
class Scene:
    """A running table at which seat `actor` must decide, and its log before anything is tried."""

    server: Server
    made: Json
    actor: int
    line: str
    view: Json

    def unchanged(self) -> bool:
        path = f"/api/tables/{self.made['table']}"
        now = self.server.get(path)
        same = ("version", "game", "proof", "status")
        return all(now[key] == self.view[key] for key in same)


@pytest.fixture
def scene(shared_server: Server) -> Iterator[Scene]:
    made = shared_server.make("human", "human", "human", "human", auto_forced=False)
    with shared_server.client(made, 1, 2, 3, 4).ready() as everyone:
        actor = everyone.actor()
        assert actor is not None
        offer = everyone.yours[actor]["legal"][0]
        assert everyone.move(offer)["type"] == "accepted"
        next_seat = actor % 4 + 1
        while everyone.actor() != next_seat:
            everyone.receive()
        view = shared_server.get(f"/api/tables/{made['table']}")
        yield Scene(shared_server, made, next_seat, f"{next_seat} pass", view)


def place_at(scene: Scene, seat: int) -> int:
    """The place of the person who sits there now, found by trying every token."""
    for held in scene.made["seats"]:
        with scene.server.client(scene.made, held["seat"]).ready() as client:
            if seat in client.yours:
                return int(held["seat"])
    raise AssertionError(seat)


def without_token(scene: Scene) -> Client:
    return scene.server.client(scene.made).ready()


def wrong_seat(scene: Scene) -> Client:
    """The holder of the seat after the deciding one."""
    place = place_at(scene, scene.actor % 4 + 1)
    return scene.server.client(scene.made, place).ready()


def host(scene: Scene) -> Client:
    """May begin and invite, but plays for nobody."""
    return Client(scene.server, scene.made["table"], [scene.made["host"]]).ready()


def resigned(scene: Scene) -> Client:
    """Somebody who has given up his seat for good, and tries to act for it again."""
    place = place_at(scene, scene.actor)
    client = scene.server.client(scene.made, place).ready()
    assert client.command("resign", scene.actor)["type"] == "accepted"
    scene.view = scene.server.get(f"/api/tables/{scene.made['table']}")
    return client


WHO: list[Callable[[Scene], Client]] = [without_token, wrong_seat, host, resigned]


def test_every_message_of_the_protocol_is_in_the_matrix() -> None:
    union = ClientMessage.__origin__.__args__  # type: ignore[attr-defined]
    assert set(ACTING) | ANYBODY == set(union)
    assert {kind for kind in union if issubclass(kind, Command)} <= set(ACTING)


@pytest.mark.parametrize("who", WHO, ids=lambda who: who.__name__)
def test_nobody_acts_for_a_seat_that_is_not_his(
    scene: Scene, who: Callable[[Scene], Client]
) -> None:
    """Every kind of message, one after the other: none of them changes anything."""
    with who(scene) as client:
        for kind in ACTING:
            message: dict[str, Any] = {**ACTING[kind], "seat": scene.actor}
            if issubclass(kind, Command):
                message["version"] = scene.view["version"]
            if kind is PlayMove:
                message["line"] = scene.line
            answer = client.ask(**message)
            assert answer["type"] == "error", kind
            assert answer["code"] == "not_your_seat", kind
            assert scene.unchanged(), kind


@pytest.mark.parametrize("which", ["another table's", "nobody's", "a host's of another table"])
def test_a_token_of_another_table_opens_nothing(scene: Scene, which: str) -> None:
    other = scene.server.make("human", "human", "human")
    token = {
        "another table's": other["seats"][0]["token"],
        "nobody's": "x" * 43,
        "a host's of another table": other["host"],
    }[which]
    with Client(scene.server, scene.made["table"], [token]) as client:
        assert client.welcome["code"] == "bad_token"
        for kind in ACTING:
            message: Json = {**ACTING[kind], "seat": scene.actor, "id": "x"}
            if issubclass(kind, Command):
                message["version"] = scene.view["version"]
            if kind is PlayMove:
                message["line"] = scene.line
            answer = client.ask(**message)
            assert answer["code"] == "hello_first"
        assert scene.unchanged()
    for path in ("rematch", "webhook", "bots", "free", "link"):
        answer = scene.server.http(
            "POST", f"/api/tables/{scene.made['table']}/{path}", token, json=bodies(path)
        ).json()
        assert answer["code"] == "bad_token", path
    assert scene.unchanged()


def test_who_left_before_the_start_has_no_seat_any_more(shared_server: Server) -> None:
    """Also not when somebody else sits there now: the open socket holds nothing."""
    server = shared_server
    made = server.make("human", "human", "open")
    with server.client(made, 2).ready() as leaver:
        assert leaver.command("leave", 2)["type"] == "accepted"
        heir = server.post(f"/api/tables/{made['table']}/seats", id="heir", name="Eve", seat=2)
        server.post(f"/api/tables/{made['table']}/seats", id="last", name="Zoe")
        while leaver.view["status"] != "running":
            leaver.receive()
        assert leaver.yours == {}
        with Client(server, made["table"], [heir["token"]]).ready() as holder:
            seat = next(iter(holder.yours))
        for kind in ("leave", "resign", "undo"):
            assert leaver.command(kind, seat)["code"] == "not_your_seat"
    with server.client(made, 2) as again:
        assert again.welcome["code"] == "bad_token"


def bodies(path: str) -> Json:
    more: dict[str, Json] = {
        "bots": {"seat": 1, "bot": "random"},
        "webhook": {"url": ""},
        "free": {"seat": 1},
        "link": {"seat": 1},
    }
    return {"id": "x", **more.get(path, {})}


@pytest.mark.parametrize("path", ["bots", "free"])
@pytest.mark.parametrize(
    ("who", "code"), [("nobody", "bad_token"), ("seat", "not_host"), ("stranger", "bad_token")]
)
def test_only_the_host_invites_bots_and_begins(
    shared_server: Server, path: str, who: str, code: str
) -> None:
    made = shared_server.make("human", "open", "open")
    token = {"nobody": None, "seat": made["seats"][0]["token"], "stranger": "y" * 43}[who]
    before = shared_server.get(f"/api/tables/{made['table']}")
    answer = shared_server.http(
        "POST", f"/api/tables/{made['table']}/{path}", token, json=bodies(path)
    )
    assert answer.json()["code"] == code
    assert shared_server.get(f"/api/tables/{made['table']}") == before


def test_a_spectator_sees_everything_but_what_seats_are_told(scene: Scene) -> None:
    with scene.server.client(scene.made) as watcher:
        snapshot = watcher.receive()
        assert snapshot["yours"] == []
        assert watcher.welcome["seats"] == []
        assert not watcher.welcome["host"]
        assert watcher.ask(type="ask_why", line=scene.line)["refusal"] is None
        assert watcher.ask(type="ask_field", field="1C")["worth"]
        assert watcher.ask(type="ping")["type"] == "pong"


def test_tokens_and_secrets_stand_nowhere_in_what_everyone_may_read(scene: Scene) -> None:
    secrets = [scene.made["host"], *(held["token"] for held in scene.made["seats"])]
    secrets.append(scene.server.service.live_tables[scene.made["table"]].secret.hex())
    table = scene.made["table"]
    for path in ("", "/log", "/proof", "/record"):
        text = scene.server.http("GET", f"/api/tables/{table}{path}").text
        assert not any(secret in text for secret in secrets), path
    with scene.server.client(scene.made, 1).ready() as client:
        client.ask(type="ping")
        text = str(client.received)
        assert not any(secret in text for secret in secrets)
