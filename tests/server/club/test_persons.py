"""Persons: a name that is found again on any device, and that can be forgotten whole."""

import json
import uuid
from typing import Any

import httpx
import pytest
from sqlalchemy import create_engine, inspect, text

from industry.notation import record_from_toml, verify
from industry.server.store.access import store_url

from ..playing import Client, Json, RandomPool, Server, served
from .members import Member


def a_name() -> str:
    return f"Ana {uuid.uuid4().hex[:8]}"


def everything_stored(server: Server) -> str:
    """All rows of the database as text."""
    engine = create_engine(store_url(server.service.store.url.render_as_string(False)))
    with engine.connect() as connection:
        found = []
        for table in inspect(engine).get_table_names():
            found += [str(row) for row in connection.execute(text(f"SELECT * FROM {table}"))]
    engine.dispose()
    return "\n".join(found)


def play_out(server: Server, made: Json) -> None:
    """Plays a table to its end, by the tokens of its maker."""
    tokens = [held["token"] for held in made["seats"]]
    with Client(server, made["table"], tokens).ready() as client:
        while client.view["status"] == "running":
            seat = client.until_mine()
            if seat is None:
                break
            client.move(client.yours[seat]["legal"][0])


@pytest.mark.both_stores
def test_a_person_finds_the_own_table_on_another_device(clubs: Server) -> None:
    name = a_name()
    ana = Member(clubs, name)
    made = ana.open_table("human", "human")
    phone = Member(clubs, link=ana.link)
    assert phone.me["id"] == ana.me["id"]
    own = phone.tables()[made["table"]]
    assert own["table"]["seats"][own["seat"] - 1]["name"] == name
    with Client(clubs, made["table"], [own["token"]]).ready() as client:
        assert list(client.yours) == [own["seat"]]


def test_the_log_never_names_a_person(clubs: Server) -> None:
    """So that a game stays what it is, with its hashes and its proof, when he is forgotten."""
    name = a_name()
    made = Member(clubs, name).open_table("human", "human")
    table = made["table"]
    seats = clubs.get(f"/api/tables/{table}")["seats"]
    assert name in [seat["name"] for seat in seats]
    for path in ("log", "record"):
        assert name not in clubs.http("GET", f"/api/tables/{table}/{path}").text


def test_guests_are_named_in_the_log_as_ever(clubs: Server) -> None:
    made = clubs.make("human", "open", "open")
    clubs.post(f"/api/tables/{made['table']}/seats", id="guest", name="Guest")
    assert "Guest" in [entry.get("name") for entry in clubs.log(made["table"])]
    seats = clubs.get(f"/api/tables/{made['table']}")["seats"]
    assert all(seat["person"] is None for seat in seats)


def test_a_deleted_person_leaves_readable_games_and_nothing_personal(clubs: Server) -> None:
    name = a_name()
    ana, bo = Member(clubs, name), Member(clubs, a_name())
    made = ana.open_table("open", "human")
    bo.sit(made["table"])
    play_out(clubs, made | {"seats": [*made["seats"], {"token": _token(bo, made)}]})
    assert name in str(bo.get(f"persons/{bo.me['id']}"))
    stored = everything_stored(clubs)
    assert name in stored and ana.me["id"] in stored
    assert ana.ask("DELETE", "me").status_code == 204
    stored = everything_stored(clubs)
    assert name not in stored
    assert ana.me["id"] not in stored
    assert name not in clubs.http("GET", f"/api/tables/{made['table']}").text
    assert name not in str(bo.get(f"persons/{bo.me['id']}"))
    record = record_from_toml(clubs.http("GET", f"/api/tables/{made['table']}/record").text)
    assert record.result is not None
    board = clubs.service.catalogue.by_name["industry"]
    assert verify(record, board) is None
    assert ana.code("GET", "me/tables") == "not_signed_in"
    assert Member(clubs).code("POST", "session/link", secret=ana.link) == "bad_token"


def _token(person: Member, made: Json) -> str:
    return str(person.tables()[made["table"]]["token"])


def test_deleting_a_person_leaves_the_seat_to_the_link(club: Server) -> None:
    ana = Member(club, a_name())
    made = ana.open_table("human", "human")
    ana.ask("DELETE", "me")
    with club.client(made, 1).ready() as client:
        assert client.yours


@pytest.mark.both_stores
def test_an_export_holds_what_is_stored_and_no_secret(clubs: Server) -> None:
    name = a_name()
    ana = Member(clubs, name)
    made = ana.open_table("human", "human")
    play_out(clubs, made)
    told = ana.get("me/export")
    assert told["name"] == name and told["has_link"]
    assert [seat["table_id"] for seat in told["seats"]] == [made["table"]]
    assert [game["table"] for game in told["games"]] == [made["table"]]
    cookie = ana.cookies["industry_session"]
    assert not any(secret in json.dumps(told) for secret in (ana.link, cookie))


def test_a_new_name_is_shown_everywhere_also_to_those_who_watch(clubs: Server) -> None:
    ana, other = Member(clubs, a_name()), a_name()
    made = ana.open_table("human", "human", listed=True)
    with clubs.client(made).ready() as watcher:
        ana.post("me/name", name=other)
        assert watcher.closed_with() == 1012
    with clubs.client(made).ready() as watcher:
        assert other in [seat["name"] for seat in watcher.view["seats"]]
    assert other in clubs.http("GET", "/api/tables").text


def test_names_that_look_alike_are_refused(clubs: Server) -> None:
    name = a_name()
    Member(clubs, name)
    assert Member(clubs).code("POST", "persons", name=name.upper()) == "name_taken"
    assert Member(clubs).code("POST", "persons", name=name.replace("A", "А")) == "name_taken"


def test_a_guest_cannot_sit_under_the_name_of_a_person_at_the_table(club: Server) -> None:
    name = a_name()
    made = Member(club, name).open_table("open", "open")
    path = f"tables/{made['table']}/seats"
    guest = Member(club)
    assert guest.code("POST", path, id="a", name=name) == "name_taken"
    alias = next(e["name"] for e in club.log(made["table"]) if e["kind"] == "seat_taken")
    assert guest.code("POST", path, id="b", name=alias) == "name_taken"


def test_who_left_an_open_table_finds_it_no_more(clubs: Server) -> None:
    ana = Member(clubs, a_name())
    made = ana.open_table("open", "open")
    with clubs.client(made, 1).ready() as client:
        assert client.command("leave", 1)["type"] == "accepted"
    assert made["table"] not in ana.tables()


def test_a_person_keeps_the_seat_in_a_rematch(clubs: Server) -> None:
    name = a_name()
    ana = Member(clubs, name)
    made = ana.open_table("human", "human")
    play_out(clubs, made)
    token = made["seats"][0]["token"]
    again = clubs.post(f"/api/tables/{made['table']}/rematch", token, id=uuid.uuid4().hex)
    seats = clubs.get(f"/api/tables/{again['table']}")["seats"]
    assert {"reserved"} == {seat["kind"] for seat in seats}
    assert name in [seat["name"] for seat in seats]
    phone = Member(clubs, link=ana.link)
    link = phone.tables()[again["table"]]["token"]
    clubs.post(f"/api/tables/{again['table']}/seats", link, id="sit", name="Somebody")
    view = clubs.get(f"/api/tables/{again['table']}")
    assert [seat["person"] for seat in view["seats"]].count(ana.me["id"]) == 1


def test_a_new_link_of_the_holder_leaves_the_seat_to_the_person(clubs: Server) -> None:
    ana = Member(clubs, a_name())
    made = ana.open_table("open", "open")
    token = made["seats"][0]["token"]
    clubs.post(f"/api/tables/{made['table']}/link", token, id="new", seat=1)
    with Client(clubs, made["table"], [_token(ana, made)]).ready() as client:
        assert list(client.yours) == [1]


def test_the_host_takes_a_seat_from_a_person_for_good(clubs: Server) -> None:
    ana = Member(clubs, a_name())
    made = clubs.make("human", "open", "open")
    ana.sit(made["table"])
    clubs.post(f"/api/tables/{made['table']}/free", made["host"], id="free", seat=2)
    assert made["table"] not in ana.tables()


def test_the_last_way_to_sign_in_stays(club: Server) -> None:
    assert Member(club, a_name()).code("DELETE", "me/link") == "last_key"


def test_a_renewed_link_ends_the_old_one(club: Server) -> None:
    ana = Member(club, a_name())
    old = ana.link
    ana.take(ana.post("me/link"))
    assert Member(club).code("POST", "session/link", secret=old) == "bad_token"
    assert Member(club, link=ana.link).me["id"] == ana.me["id"]


@pytest.mark.parametrize("path", ["session", "me/sessions"])
def test_who_signs_out_is_signed_out(club: Server, path: str) -> None:
    ana = Member(club, a_name())
    cookie = ana.cookies["industry_session"]
    phone = Member(club, link=ana.link)
    assert ana.ask("DELETE", path).status_code == 204
    thief = Member(club)
    thief.cookies["industry_session"] = cookie
    assert thief.code("GET", "me/tables") == "not_signed_in"
    is_in = phone.ask("GET", "me/tables").is_success
    assert is_in == (path == "session")


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(club: Server) -> None:
    answer = httpx.post(f"{club.url}/api/persons", json={"name": a_name()})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=lax" in cookie
    secret = cookie.partition("=")[2].partition(";")[0]
    assert len(secret) >= 43  # 256 bits
    assert secret not in everything_stored(club).lower()


@pytest.mark.parametrize("path", ["me", "session", "me/sessions", "me/link"])
def test_a_page_of_another_site_changes_nothing(club: Server, path: str) -> None:
    ana = Member(club, a_name())
    ana.headers["origin"] = "https://evil.example"
    assert ana.ask("DELETE", path).status_code == 403
    del ana.headers["origin"]
    assert ana.get("me/tables") == {"tables": []}


def test_without_persons_a_server_is_as_before(shared_server: Server) -> None:
    guest = Member(shared_server)
    off = {"persons": "off", "cups": False, "passkeys": False, "me": None}
    assert guest.get("club") == off
    assert guest.code("POST", "persons", name="Ana") == "persons_off"
    wish: dict[str, Any] = {"id": "x", "options": {"players": 3}}
    seats = [{"kind": "human", "as_person": True}, {"kind": "open"}, {"kind": "open"}]
    assert guest.code("POST", "tables", **wish, seats=seats) == "persons_off"


def test_a_private_game_is_on_no_profile_but_the_own(club: Server) -> None:
    ana = Member(club, a_name())
    made = ana.open_table("human", "human")
    play_out(club, made)
    own = ana.get(f"persons/{ana.me['id']}")
    assert [game["table"] for game in own["past"]] == [made["table"]]
    others = Member(club).get(f"persons/{ana.me['id']}")
    assert others["past"] == [] and others["games"] == 1


def test_an_invitation_is_good_for_one_person(tmp_path: Any) -> None:
    from industry.server.club import persons as book

    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool(), persons="invitation") as server:
        guest = Member(server)
        assert guest.code("POST", "persons", name="Ana") == "not_invited"
        now = server.service.now()
        engine = create_engine(database)
        with engine.begin() as connection:
            secret = book.invite(connection, now)
        engine.dispose()
        guest.post("persons", name="Ana", invitation=secret)
        code = Member(server).code("POST", "persons", name="Bo", invitation=secret)
        assert code == "not_invited"
