"""Who may do what with cups: every route, tried by everybody who must not."""

import uuid
from pathlib import Path

import pytest

from industry.server.app import make_app
from industry.server.service import Service
from industry.server.store import Store

from ..club.members import Member
from ..club.test_club_authorisation import banned, forger, link_thief, make_operator, stranger
from ..playing import WIDE, Json, RandomPool, Server, served
from .holding import named, new_cup

OWN = {("POST", "cups"), ("POST", "cups/{cup}/join"), ("POST", "cups/{cup}/leave")}
"""Routes for somebody who is signed in."""
MANAGED = {("POST", "cups/{cup}/start"), ("POST", "cups/{cup}/cancel")}
"""Routes for the creator of a cup, and for operators."""
ANYBODY = {("GET", "cups"), ("GET", "cups/{cup}"), ("GET", "cups/{cup}/export")}
WISH: Json = {"id": "x" * 22, "name": "Cup"}


def test_every_route_of_cups_is_in_the_matrix(tmp_path: Path) -> None:
    service = Service(Store(f"sqlite:///{tmp_path / 'x.db'}"), RandomPool())
    paths = make_app(service).openapi()["paths"]
    routes = {
        (method.upper(), path.removeprefix("/api/"))
        for path, methods in paths.items()
        for method in methods
        if path.startswith("/api/cups")
    }
    assert routes == OWN | MANAGED | ANYBODY


@pytest.mark.parametrize("who", [stranger, forger, link_thief, banned], ids=lambda w: w.__name__)
@pytest.mark.parametrize("route", sorted(OWN | MANAGED), ids=" ".join)
def test_nobody_changes_a_cup_who_is_not_signed_in(
    club: Server, who: object, route: tuple[str, str]
) -> None:
    ana = named(club, "Ana")
    made = new_cup(ana)
    eve = who(club, ana)  # type: ignore[operator]
    method, path = route
    wish = WISH if path == "cups" else {}
    assert eve.code(method, path.replace("{cup}", made["id"]), **wish) == "not_signed_in"
    assert ana.get(f"cups/{made['id']}") == made


@pytest.mark.parametrize("route", sorted(MANAGED), ids=" ".join)
def test_only_its_creator_and_operators_manage_a_cup(club: Server, route: tuple[str, str]) -> None:
    ana, eve = named(club, "Ana"), named(club, "Eve")
    made = new_cup(ana, bots=["foreman"], places=9)
    method, path = route[0], route[1].replace("{cup}", made["id"])
    eve.post(f"cups/{made['id']}/join")
    assert eve.code(method, path) == "not_cup_owner"
    assert ana.get(f"cups/{made['id']}")["status"] == "open"
    make_operator(club, eve)
    eve.headers["origin"] = "https://evil.example"
    assert eve.ask(method, path).status_code == 403
    del eve.headers["origin"]
    assert eve.ask(method, path).is_success


def test_people_leave_for_nobody_but_themselves(club: Server) -> None:
    ana, eve = named(club, "Ana"), named(club, "Eve")
    made = new_cup(ana)
    assert eve.code("POST", f"cups/{made['id']}/leave") == "not_in_cup"
    assert ana.get(f"cups/{made['id']}") == made


def test_only_operators_create_cups_unless_the_host_lets_everybody(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'x.db'}"
    with served(database, RandomPool(), persons="open", cups="operators") as server:
        ana = named(server, "Ana")
        assert ana.get("cups")["may_create"] is False
        assert ana.code("POST", "cups", **WISH) == "not_operator"
        make_operator(server, ana)
        assert ana.get("cups")["may_create"] is True
        assert ana.ask("POST", "cups", **WISH).status_code == 201


@pytest.mark.parametrize("off", [{"cups": "off", "persons": "open"}, {"persons": "off"}])
def test_where_cups_are_off_no_route_says_anything(tmp_path: Path, off: Json) -> None:
    with served(f"sqlite:///{tmp_path / 'x.db'}", RandomPool(), **off) as server:
        eve = Member(server)
        for method, path in sorted(OWN | MANAGED | ANYBODY):
            wish = WISH if path == "cups" and method == "POST" else {}
            assert eve.code(method, path.replace("{cup}", "a" * 12), **wish) == "cups_off"


def test_no_answer_about_a_cup_has_a_secret(club: Server) -> None:
    ana, eve = named(club, "Ana"), named(club, "Eve")
    made = new_cup(ana, bots=["foreman"] * 2, places=3, duplicate=True)
    for path in ("cups", f"cups/{made['id']}", f"cups/{made['id']}/export"):
        told = eve.ask("GET", path).text
        tokens = [one["token"] for one in ana.tables().values()]
        assert not any(one in told for one in (ana.link, ana.cookies["industry_session"], *tokens))


def test_a_person_has_a_limited_number_of_unfinished_cups(club: Server) -> None:
    ana = named(club, "Ana")
    for _ in range(10):
        new_cup(ana, take_part=False)
    wish = WISH | {"id": uuid.uuid4().hex}
    assert ana.ask("POST", "cups", **wish).status_code == 429
    assert ana.code("POST", "cups", **wish) == "too_many_cups"


def test_an_address_creates_and_joins_a_limited_number_of_cups(tmp_path: Path) -> None:
    from dataclasses import replace

    limits = replace(WIDE, address_cups=2)
    database = f"sqlite:///{tmp_path / 'x.db'}"
    with served(database, RandomPool(), persons="open", limits=limits) as server:
        ana = named(server, "Ana")
        made = new_cup(ana)
        ana.post(f"cups/{made['id']}/leave")
        assert ana.code("POST", f"cups/{made['id']}/join") == "too_fast"


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"bots": ["nobody"]}, "unknown_bot"),
        ({"house": "nobody"}, "unknown_bot"),
        ({"name": "\u200b"}, "bad_name"),
        ({"format": "evening", "duplicate": True}, "bad_options"),
        ({"bots": ["foreman"] * 8, "places": 8}, "bad_options"),
        ({"after": "a" * 12}, "bad_options"),
        ({"format": "league", "after": "a" * 12}, "no_cup"),
        ({"size": 5}, "bad_message"),
        ({"secret": "0"}, "bad_message"),
    ],
)
def test_a_cup_that_cannot_be_is_refused(club: Server, wish: Json, code: str) -> None:
    ana = named(club, "Ana")
    assert ana.code("POST", "cups", **(WISH | {"id": uuid.uuid4().hex} | wish)) == code
