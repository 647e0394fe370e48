"""Who may do what with ratings: everybody reads them, nobody changes them from a page."""

import uuid
from pathlib import Path

import pytest

from industry.server.app import make_app
from industry.server.service import Service
from industry.server.store import Store

from ..playing import RandomPool, Server
from .members import Member
from .rated import begin_rated, counted, game
from .test_club_authorisation import banned, make_operator

ANYBODY = {
    ("GET", "ratings"),
    ("GET", "ratings/forecasts"),
    ("GET", "ratings/persons/{person}"),
    ("GET", "ratings/tables/{table}"),
    ("GET", "clubhouse"),
}


def test_every_route_of_ratings_is_in_the_matrix(tmp_path: Path) -> None:
    service = Service(Store(f"sqlite:///{tmp_path / 'x.db'}"), RandomPool())
    paths = make_app(service).openapi()["paths"]
    routes = {
        (method.upper(), path.removeprefix("/api/"))
        for path, methods in paths.items()
        for method in methods
        if path.split("/")[2] in ("ratings", "clubhouse")
    }
    assert routes == ANYBODY


def a_person(club: Server, name: str) -> Member:
    return Member(club, f"{name} {uuid.uuid4().hex[:8]}")


@pytest.mark.parametrize("route", sorted(ANYBODY), ids=" ".join)
def test_a_stranger_reads_what_the_person_reads_and_no_secret(
    club: Server, route: tuple[str, str]
) -> None:
    ana, bo = a_person(club, "Ana"), a_person(club, "Bo")
    made = begin_rated(ana)
    counted(club, game(uuid.uuid4().hex[:12], (ana.me["id"], bo.me["id"], None), (1, 2, 3)))
    _, path = route
    path = path.replace("{person}", ana.me["id"]).replace("{table}", made["table"])
    told = Member(club).ask("GET", path)
    assert told.is_success and told.json() == ana.get(path)
    secrets = (ana.link, ana.cookies["industry_session"], made["seats"][0]["token"], made["host"])
    assert not any(secret in told.text for secret in secrets)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("path", ["ratings", "ratings/forecasts", "clubhouse"])
def test_nobody_changes_ratings_by_a_request(club: Server, method: str, path: str) -> None:
    assert a_person(club, "Ana").ask(method, path).status_code in (404, 405)


@pytest.mark.parametrize("what", ["rating_list", "rating_show", "rating_recompute"])
def test_not_even_an_operator_computes_ratings_from_the_page(club: Server, what: str) -> None:
    ana = a_person(club, "Ana")
    make_operator(club, ana)
    assert ana.code("POST", "operator", what=what) == "bad_message"


def test_who_is_banned_is_neither_on_the_ladder_nor_here(club: Server) -> None:
    ana = a_person(club, "Ana")
    eve = banned(club, ana)
    counted(club, game(uuid.uuid4().hex[:12], (ana.me["id"], eve.me["id"], None), (1, 2, 3)))
    assert ana.me["id"] in str(ana.get("ratings"))
    assert eve.me["id"] not in str(ana.get("ratings"))
    assert eve.me["id"] not in str(ana.get("clubhouse"))


def test_an_unrated_private_table_tells_nothing_but_its_kind(club: Server) -> None:
    ana = a_person(club, "Ana")
    made = ana.open_table("open", "open")
    told = Member(club).get(f"ratings/tables/{made['table']}")
    assert told["status"] == "unrated" and told["seats"] == []


@pytest.mark.parametrize("path", ["ratings/persons/aaaaaaaaaaaa", "ratings/tables/aaaaaaaaaaaa"])
def test_what_does_not_exist_is_not_found(club: Server, path: str) -> None:
    assert a_person(club, "Ana").ask("GET", path).status_code == 404
