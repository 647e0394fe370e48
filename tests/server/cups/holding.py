"""What tests do with cups: make them, wait for rounds, play the games of persons."""

import uuid
from collections.abc import Callable
from random import Random
from typing import Any

from ...support.waiting import wait_until
from ..club.members import Member
from ..playing import Client, Json, play_on

BOTS = ["foreman", "engineer"]


def named(server: Any, name: str) -> Member:
    """A new person whose name nobody else has."""
    return Member(server, f"{name} {uuid.uuid4().hex[:8]}")


def new_cup(owner: Member, **wish: Any) -> Json:
    wish = {"id": uuid.uuid4().hex, "name": "Cup", "size": 3, "rounds": 2, "places": 4, **wish}
    return owner.post("cups", **wish)


def until(asking: Member, cup: str, is_so: Callable[[Json], bool]) -> Json:
    """Waits until something is so of a cup; returns the cup."""
    found: Json = {}

    def is_now() -> bool:
        found.clear()
        found.update(asking.get(f"cups/{cup}"))
        return is_so(found)

    wait_until(is_now, lambda: f"the cup stays like this: {found}")
    return found


def until_over(asking: Member, cup: str) -> Json:
    return until(asking, cup, lambda found: found["status"] == "over")


def games(cup: Json) -> list[Json]:
    return [game for held in cup["rounds"] for game in held["games"]]


def own_client(member: Member, table: str) -> Client:
    return Client(member.server, table, [member.tables()[table]["token"]])


def play_games(cup: str, *members: Member) -> None:
    """Plays all unfinished games of some persons in a cup."""
    found = members[0].get(f"cups/{cup}")
    persons = {entrant["number"]: entrant["person"] for entrant in found["entrants"]}
    for game in games(found):
        seated = {persons.get(number) for number in game["seats"]}
        own = [member for member in members if member.me["id"] in seated]
        if own and not game["over"]:
            tokens = [_token_at(game["table"], member) for member in own]
            with Client(members[0].server, game["table"], tokens) as client:
                play_on(client.ready(), Random(1))


def _token_at(table: str, member: Member) -> str:
    """A round is announced before its tables are there: waits until the person has the seat."""
    wait_until(lambda: table in member.tables(), "the person has no seat at the table of the cup")
    token: str = member.tables()[table]["token"]
    return token
