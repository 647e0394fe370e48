"""Who may do what with persons: every route, tried by everybody who must not."""

import uuid
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from industry.server.app import make_app
from industry.server.club import persons as book
from industry.server.service import Service
from industry.server.store import Store

from ..playing import Json, RandomPool, Server
from .members import Member

OWN: dict[tuple[str, str], Json] = {
    ("GET", "me/tables"): {},
    ("GET", "me/export"): {},
    ("POST", "me/name"): {"name": "Eve"},
    ("DELETE", "me"): {},
    ("DELETE", "me/sessions"): {},
    ("POST", "me/link"): {},
    ("DELETE", "me/link"): {},
    ("POST", "me/passkeys"): {},
    ("POST", "me/passkeys/finish"): {"ceremony": "x" * 43, "credential": {}},
    ("DELETE", "me/passkeys/{key}"): {},
    ("GET", "me/notices"): {},
    ("POST", "me/notices"): {"kind": "webhook", "url": "https://hooks.example.org/x"},
    ("POST", "me/notices/night"): {"begin": 1320, "end": 420, "zone": "Europe/Berlin"},
    ("DELETE", "me/notices/{channel}"): {},
    ("POST", "me/notices/{channel}/test"): {},
    ("POST", "me/notices/{channel}/code"): {"code": "000000"},
}
"""Routes for the person who is signed in."""
OPERATORS: dict[tuple[str, str], Json] = {
    ("GET", "operator/persons"): {},
    ("POST", "operator"): {"what": "invite"},
}
"""Routes for persons whom the host has made operators."""
ANYBODY = {
    ("GET", "club"),
    ("POST", "persons"),
    ("POST", "persons/passkey"),
    ("POST", "persons/passkey/finish"),
    ("GET", "persons/{person}"),
    ("GET", "persons/{person}/level"),
    ("POST", "session/link"),
    ("POST", "session/passkey"),
    ("POST", "session/passkey/finish"),
    ("DELETE", "session"),
}
"""Routes that need no session; they give nobody another's."""
OWNED = ("club", "persons", "session", "me", "operator")


def test_every_route_of_the_club_is_in_the_matrix(tmp_path: Path) -> None:
    service = Service(Store(f"sqlite:///{tmp_path / 'x.db'}"), RandomPool())
    paths = make_app(service).openapi()["paths"]
    routes = {
        (method.upper(), path.removeprefix("/api/"))
        for path, methods in paths.items()
        for method in methods
        if path.split("/")[2] in OWNED
    }
    assert routes == set(OWN) | set(OPERATORS) | ANYBODY


def stranger(server: Server, ana: Member) -> Member:
    return Member(server)


def forger(server: Server, ana: Member) -> Member:
    """Somebody with a session that was never given out."""
    eve = Member(server)
    eve.cookies["industry_session"] = uuid.uuid4().hex * 2
    return eve


def link_thief(server: Server, ana: Member) -> Member:
    """Somebody who takes a secret link for a session."""
    eve = Member(server)
    eve.cookies["industry_session"] = ana.link
    return eve


def banned(server: Server, ana: Member) -> Member:
    """Somebody whom the operator has shut out, and who keeps his cookie."""
    eve = Member(server, f"Eve {uuid.uuid4().hex[:8]}")
    engine = create_engine(str(server.service.store.url))
    with engine.begin() as connection:
        book.change(connection, eve.me["id"], banned=True)
    engine.dispose()
    return eve


@pytest.mark.parametrize("who", [stranger, forger, link_thief, banned], ids=lambda w: w.__name__)
@pytest.mark.parametrize("route", OWN, ids=" ".join)
def test_nobody_acts_for_a_person_who_is_not_signed_in(
    club: Server, who: object, route: tuple[str, str]
) -> None:
    ana = Member(club, f"Ana {uuid.uuid4().hex[:8]}")
    before = ana.get("me/export")
    eve = who(club, ana)  # type: ignore[operator]
    method, path = route
    assert (
        eve.code(method, path.replace("{key}", "abc").replace("{channel}", "x" * 16), **OWN[route])
        == "not_signed_in"
    )
    assert ana.get("me/export") == before


@pytest.mark.parametrize("route", OPERATORS, ids=" ".join)
def test_only_operators_operate(club: Server, route: tuple[str, str]) -> None:
    method, path = route
    ana = Member(club, f"Ana {uuid.uuid4().hex[:8]}")
    assert Member(club).code(method, path, **OPERATORS[route]) == "not_signed_in"
    assert ana.code(method, path, **OPERATORS[route]) == "not_operator"
    make_operator(club, ana)
    assert ana.ask(method, path, **OPERATORS[route]).is_success
    ana.headers["origin"] = "https://evil.example"
    assert method == "GET" or ana.ask(method, path, **OPERATORS[route]).status_code == 403


def make_operator(club: Server, person: Member) -> None:
    engine = create_engine(str(club.service.store.url))
    with engine.begin() as connection:
        book.change(connection, person.me["id"], operator=True)
    engine.dispose()


def test_an_operator_renames_bans_and_deletes(club: Server) -> None:
    ana, eve = (Member(club, f"{name} {uuid.uuid4().hex[:8]}") for name in ("Ana", "Eve"))
    make_operator(club, ana)
    whom, other = eve.me["id"], f"Eva {uuid.uuid4().hex[:8]}"
    ana.post("operator", what="rename", person=whom, name=other)
    ana.post("operator", what="ban", person=whom)
    rows = {row["id"]: row for row in ana.get("operator/persons")["persons"]}
    assert rows[whom]["name"] == other and rows[whom]["banned"]
    ana.post("operator", what="delete", person=whom)
    assert whom not in str(ana.get("operator/persons"))


def test_a_person_removes_no_passkey_of_another(club: Server) -> None:
    ana, eve = (Member(club, f"{name} {uuid.uuid4().hex[:8]}") for name in ("Ana", "Eve"))
    engine = create_engine(str(club.service.store.url))
    with engine.begin() as connection:
        for number in range(2):
            key = book.NewKey(f"{ana.me['id']}{number}", b"", 0, "phone")
            book.add_key(connection, ana.me["id"], key, 0)
    engine.dispose()
    assert eve.code("DELETE", f"me/passkeys/{ana.me['id']}0") == "not_found"
    assert len(ana.get("club")["me"]["passkeys"]) == 2


@pytest.mark.parametrize("path", ["session/passkey/finish", "persons/passkey/finish"])
def test_a_ceremony_that_nobody_began_signs_nobody_in(club: Server, path: str) -> None:
    answer = Member(club).ask("POST", path, ceremony="x" * 43, credential={"id": "abc"})
    assert answer.json()["code"] == "bad_passkey"
    assert "set-cookie" not in answer.headers


def test_whoever_is_banned_cannot_sign_in_again(club: Server) -> None:
    ana = Member(club)
    eve = banned(club, ana)
    assert Member(club).code("POST", "session/link", secret=eve.link) == "banned"


def test_no_answer_about_another_person_has_a_secret(club: Server) -> None:
    ana = Member(club, f"Ana {uuid.uuid4().hex[:8]}")
    made = ana.open_table("open", "open", listed=True)
    token = ana.tables()[made["table"]]["token"]
    cookie = ana.cookies["industry_session"]
    eve = Member(club, f"Eve {uuid.uuid4().hex[:8]}")
    for path in (f"persons/{ana.me['id']}", f"tables/{made['table']}", "tables"):
        told = eve.ask("GET", path).text
        assert not any(secret in told for secret in (ana.link, token, cookie)), path
