"""Tables whose players come and go, as people do who play over days."""

import uuid
from typing import Any

from ..playing import Json, Server
from .receiving import Device

URL = "/api/tables/{}/notices"


def three_people(server: Server) -> Json:
    return server.make("human", "human", "human", seating="as_joined", auto_forced=False)


def token_of(made: Json, place: int) -> str:
    tokens = {0: made["host"], **{held["seat"]: held["token"] for held in made["seats"]}}
    return str(tokens[place])


def actor_of(server: Server, made: Json) -> int:
    return int(server.get(f"/api/tables/{made['table']}")["game"]["actor"])


def subscribe(server: Server, made: Json, place: int, wish: Json) -> Json:
    """Adds a channel with the link of a place."""
    return server.post(URL.format(made["table"]), token_of(made, place), **wish)


def subscribed(server: Server, made: Json, place: int) -> list[Json]:
    """The channels of a place."""
    answer = server.http("GET", URL.format(made["table"]), token_of(made, place))
    assert answer.is_success, answer.text
    found: list[Json] = answer.json()["channels"]
    return found


def confirmed_mail(server: Server, made: Json, place: int, post: Any, spare: bool) -> str:
    """Subscribes a new mail address and confirms it; returns the address."""
    address = f"{uuid.uuid4().hex[:12]}@example.org"
    wish = {"kind": "mail", "address": address, "spare": spare}
    name = subscribe(server, made, place, wish)["channel"]["id"]
    path = f"{URL.format(made['table'])}/{name}/code"
    server.post(path, token_of(made, place), code=post.code(address))
    return address


def go_on(server: Server, made: Json, **more: Any) -> int:
    """Whoever must decide comes, decides and leaves; returns who must decide then."""
    seat = actor_of(server, made)
    with server.client(made, seat, **more).ready() as client:
        legal = client.yours[seat]["legal"]
        line = next((line for line in legal if line.endswith("pass")), legal[0])
        answer = client.move(line)
        assert answer["type"] == "accepted", answer
        client.until_version(answer["version"])
        found = client.actor()
    assert found is not None
    return found


def go_on_until(server: Server, made: Json, seat: int) -> None:
    """Everybody decides until it is this seat's turn."""
    while go_on(server, made) != seat:
        pass


def devices(server: Server, made: Json, service: Any) -> dict[int, Device]:
    """A device for each seat."""
    found = {seat: Device(service) for seat in (1, 2, 3)}
    for seat, device in found.items():
        subscribe(server, made, seat, device.wish())
    return found
