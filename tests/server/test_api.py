"""The HTTP interface: lobby, seats, papers, catalogues, pages, and what all answers share."""

import asyncio
import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, select, update

from industry.notation import record_from_toml, verify
from industry.notation.proof import check_data
from industry.server.middleware import HEADERS
from industry.server.pages import page
from industry.server.protocol.http import BoardInfo, LobbyTable, MyTable
from industry.server.protocol.server import Snapshot
from industry.server.protocol.view import TableView
from industry.server.store import schema
from industry.server.tuning import Tuning

from .playing import PATIENCE, Client, Json, RandomPool, Server, play_on, served

LONG = "0123456789abcdef0123456789"
"""An id that nobody guesses."""
OPEN_TABLE: Json = {"id": "x", "options": {"players": 3}, "seats": [{}, {}, {}]}


@pytest.fixture
def server(shared_servers: Server) -> Server:
    """These tests only talk to tables of their own."""
    return shared_servers


def problem(server: Server, method: str, path: str, **more: Any) -> tuple[int, str]:
    response = server.http(method, path, **more)
    answer = response.json()
    assert set(answer) - {"retry_after"} == {"code", "detail"}
    return response.status_code, answer["code"]


# Tables and seats


@pytest.mark.both_stores
def test_a_table_is_made_filled_and_begins_by_itself(server: Server) -> None:
    made = server.make("human", "open", "open", seating="as_joined")
    path = f"/api/tables/{made['table']}"
    assert server.get(path)["status"] == "open"
    held = server.post(f"{path}/seats", id="bo", name="Bo", randomness="beef")
    assert held["seat"] == 2
    view = server.post(f"{path}/bots", made["host"], id="bot", seat=3, bot="random")
    assert view["status"] == "running"
    assert [seat["name"] for seat in view["seats"]] == ["Player 1", "Bo", "Random"]
    assert [seat["kind"] for seat in view["seats"]] == ["human", "human", "bot"]
    assert view["proof"]["contributions"] == ["", "beef", ""]
    with Client(server, made["table"], [held["token"]]).ready() as client:
        assert list(client.yours) == [2]


def test_what_a_table_shows_has_the_form_of_its_models(sqlite_server: Server) -> None:
    made = sqlite_server.make("human", "human", "human", clock="live", listed=True)
    path = f"/api/tables/{made['table']}"
    view = sqlite_server.get(path)
    assert TableView.model_validate(view).model_dump() == view
    with sqlite_server.client(made, 1, 2, 3).ready() as client:
        play_on(client, Random(1), moves=20)
        with sqlite_server.client(made, 1).ready() as fresh:
            snapshot = fresh.received[-1]
            assert Snapshot.model_validate(snapshot).model_dump() == snapshot
    (listed,) = sqlite_server.get("/api/tables")["tables"]
    assert LobbyTable.model_validate(listed).model_dump() == listed
    tokens = [held["token"] for held in made["seats"]]
    for mine in sqlite_server.post("/api/mine", tokens=tokens)["tables"]:
        assert MyTable.model_validate(mine).model_dump() == mine


def test_a_repeated_request_with_an_unguessable_id_gets_the_same_answer(server: Server) -> None:
    body: Json = {
        "id": LONG,
        "options": {"players": 3},
        "seats": [{"kind": "human"}, {}, {}],
    }
    first = server.post("/api/tables", **body)
    assert server.post("/api/tables", **body) == first
    path = f"/api/tables/{first['table']}/seats"
    seat = server.post(path, id=LONG, name="Bo")
    assert server.post(path, id=LONG, name="Bo") == seat
    seats = server.get(f"/api/tables/{first['table']}")["seats"]
    assert [seat["kind"] for seat in seats] == ["human", "human", "open"]


def test_a_short_id_may_be_anybodys_and_gives_away_nothing(server: Server) -> None:
    first = server.post("/api/tables", **OPEN_TABLE)
    second = server.post("/api/tables", **OPEN_TABLE)
    assert first["table"] != second["table"]
    assert first["host"] != second["host"]


def test_a_repeated_request_is_known_after_a_restart(database: str) -> None:
    body: Json = {"id": LONG, "options": {"players": 3}, "seats": [{"kind": "human"}, {}, {}]}
    with served(database, RandomPool()) as server:
        first = server.post("/api/tables", **body)
    with served(database, RandomPool()) as server:
        assert server.post("/api/tables", **body) == first


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 422, "bad_message"),
        ({"id": "x", "seats": [{}]}, 422, "bad_message"),
        ({"id": "x", "seats": [{}, {}, {}, {}], "more": 1}, 422, "bad_message"),
        ({"id": "x", "seats": [{}, {}, {}]}, 422, "bad_options"),
        ({"id": "x", "options": {"edition": "chess"}, "seats": [{}] * 4}, 422, "bad_message"),
        ({"id": "x", "options": {"board": "moon"}, "seats": [{}] * 4}, 422, "unknown_board"),
        ({"id": "x", "options": {"rules": {"a": "b"}}, "seats": [{}] * 4}, 422, "bad_options"),
        ({"id": "x", "seats": [{"kind": "bot", "bot": "hal"}, {}, {}, {}]}, 422, "unknown_bot"),
        ({"id": "x", "seats": [{"kind": "human", "name": "\n"}] * 4}, 422, "bad_name"),
        ({"id": "x", "seats": [{"kind": "human", "name": "x" * 25}] * 4}, 422, "bad_message"),
    ],
)
def test_a_table_that_cannot_be_is_refused(
    sqlite_server: Server, body: Json, status: int, code: str
) -> None:
    assert problem(sqlite_server, "POST", "/api/tables", json=body) == (status, code)
    assert sqlite_server.get("/api/tables") == {"tables": []}


def test_there_are_not_more_tables_than_the_operator_wants(tmp_path: Path) -> None:
    tuning = Tuning(max_tables=2)
    with served(f"sqlite:///{tmp_path / 'x.db'}", RandomPool(), tuning=tuning) as server:
        for _ in range(2):
            server.post("/api/tables", **OPEN_TABLE)
        answer = problem(server, "POST", "/api/tables", json=OPEN_TABLE)
        assert answer == (429, "too_many_tables")


@pytest.mark.both_stores
def test_the_lobby_shows_listed_tables_that_are_not_over(server: Server) -> None:
    hidden = server.make("human", "open", "open")
    listed = server.make("human", "open", "open", listed=True)
    running = server.make("human", "human", "human", listed=True)
    found = {table["table"]: table for table in server.get("/api/tables")["tables"]}
    assert hidden["table"] not in found
    assert found[listed["table"]]["status"] == "open"
    assert found[running["table"]]["status"] == "running"
    assert found[running["table"]]["actor"] in (1, 2, 3)


@pytest.mark.both_stores
def test_a_persons_games_and_whose_turn_it_is_are_found_by_tokens(server: Server) -> None:
    made = server.make("human", "human", "human")
    tokens = [held["token"] for held in made["seats"]]
    mine = server.post("/api/mine", tokens=[*tokens, made["host"], "z" * 43])["tables"]
    assert {entry["token"] for entry in mine} == {0, 1, 2, 3}
    turns = [entry for entry in mine if entry["your_turn"]]
    assert len(turns) == 1
    assert turns[0]["seat"] == turns[0]["table"]["actor"]
    assert next(entry for entry in mine if entry["token"] == 3)["seat"] is None


def test_lists_number_the_bots_of_tables_that_an_older_version_has_stored(
    sqlite_server: Server,
) -> None:
    made = sqlite_server.make("open", "random", "random", listed=True)

    def store_as_before(connection: Connection) -> None:
        stored = connection.execute(select(schema.tables.c.summary)).scalar_one()
        summary = json.loads(stored)
        for seat in summary["seats"]:
            del seat["bot_number"]
        connection.execute(update(schema.tables).values(summary=json.dumps(summary)))

    write = sqlite_server.service.store.write(store_as_before)
    asyncio.run_coroutine_threadsafe(write, sqlite_server.loop).result(PATIENCE)
    (listed,) = sqlite_server.get("/api/tables")["tables"]
    (mine,) = sqlite_server.post("/api/mine", tokens=[made["host"]])["tables"]
    for table in (listed, mine["table"]):
        assert [seat["bot_number"] for seat in table["seats"]] == [None, 1, 2]


# Papers


def test_the_record_is_a_game_record_with_the_proof_of_its_bag(server: Server) -> None:
    made = server.make("human", "human", "human", edition="industria")
    path = f"/api/tables/{made['table']}"
    with server.client(made, 1, 2, 3).ready() as client:
        play_on(client, Random(2), moves=30)
        text = server.http("GET", f"{path}/record").text
        running = record_from_toml(text)
        assert running.result is None
        assert not check_data(running.data()).secret
        play_on(client, Random(3))
    response = server.http("GET", f"{path}/record")
    assert response.headers["content-type"].startswith("application/toml")
    record = record_from_toml(response.text)
    assert verify(record, server.service.catalogue.by_name["industria"]) is None
    assert check_data(record.data()).secret
    proof = server.get(f"{path}/proof")
    assert proof["secret"] == record.proof.secret if record.proof else False


def test_the_log_is_a_chain_that_anyone_can_check(server: Server) -> None:
    made = server.make("human", "human", "human")
    with server.client(made, 1, 2, 3).ready() as client:
        play_on(client, Random(4), moves=10)
    head = hashlib.sha256(f"industry table {made['table']}".encode()).hexdigest()
    entries = server.get(f"/api/tables/{made['table']}/log")["entries"]
    for number, line in enumerate(entries, start=1):
        head = hashlib.sha256(f"{head}\n{line['entry']}".encode()).hexdigest()
        assert line["hash"] == head
        assert json.loads(line["entry"])["version"] == number


def test_a_game_that_has_not_started_has_no_record(shared_server: Server) -> None:
    made = shared_server.make("human", "open", "open")
    path = f"/api/tables/{made['table']}/record"
    assert problem(shared_server, "GET", path) == (409, "not_started")


# Catalogues


def test_boards_are_listed_and_told_whole(shared_server: Server) -> None:
    names = [board["id"] for board in shared_server.get("/api/boards")["boards"]]
    assert names == ["industry", "industria"]
    for name in names:
        info = BoardInfo.model_validate(shared_server.get(f"/api/boards/{name}"))
        assert len(info.fields) == 60
    assert problem(shared_server, "GET", "/api/boards/moon") == (404, "not_found")


def test_the_schema_of_both_directions_is_published(shared_server: Server) -> None:
    schema = shared_server.get("/api/schema")
    assert set(schema["client"]["discriminator"]["mapping"]) >= {"hello", "move", "undo", "leave"}
    assert set(schema["server"]["discriminator"]["mapping"]) >= {"welcome", "snapshot", "update"}


def test_health_and_numbers_are_told(sqlite_server: Server) -> None:
    made = sqlite_server.make("human", "human", "human")
    with sqlite_server.client(made, 1, 2, 3).ready() as client:
        play_on(client, Random(5), moves=5)
        text = sqlite_server.http("GET", "/metrics").text
    assert sqlite_server.get("/healthz") == {"status": "ok"}
    assert 'industry_moves_total{how="player"} 5.0' in text
    assert "industry_sockets 1.0" in text
    assert made["table"] not in text


# What every answer has in common


@pytest.mark.parametrize(
    "path", ["/", "/healthz", "/metrics", "/api/boards", "/api/tables/aaaaaaaaaaaa", "/api/nope"]
)
def test_every_answer_has_the_headers_that_protect_browsers(
    shared_server: Server, path: str
) -> None:
    response = shared_server.http("GET", path)
    for name, value in HEADERS.items():
        assert response.headers[name] == value
    assert "server" not in response.headers
    assert response.headers["content-security-policy"].startswith("default-src 'self'")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/tables/aaaaaaaaaaaa", 404),
        ("GET", "/api/tables/short", 404),
        ("GET", "/api/tables/..%2F..%2Fetc", 404),
        ("DELETE", "/api/tables", 405),
        ("POST", "/api/boards", 405),
        ("GET", "/api/unknown", 404),
    ],
)
def test_what_does_not_exist_is_not_found(
    shared_server: Server, method: str, path: str, status: int
) -> None:
    assert problem(shared_server, method, path)[0] == status


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 5000, b"\xff\xfe", b'{"id":"x"', b"null"])
def test_a_body_that_is_no_json_gets_a_code(shared_server: Server, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    answer = problem(shared_server, "POST", "/api/tables", content=body, headers=headers)
    assert answer == (422, "bad_message")


def test_a_large_body_is_refused_before_it_is_read(shared_server: Server) -> None:
    body = json.dumps(OPEN_TABLE | {"id": "x" * 9000}).encode()
    answer = problem(shared_server, "POST", "/api/tables", content=body)
    assert answer == (413, "too_large")


@pytest.mark.parametrize("origin", ["http://evil.example", "null"])
def test_pages_of_other_origins_change_nothing(shared_server: Server, origin: str) -> None:
    headers = {"Origin": origin}
    answer = problem(shared_server, "POST", "/api/tables", json=OPEN_TABLE, headers=headers)
    assert answer == (403, "not_your_seat")
    own = {"Origin": shared_server.url}
    assert shared_server.http("POST", "/api/tables", json=OPEN_TABLE, headers=own).is_success


# Pages


def test_the_clients_addresses_lead_to_its_page(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<p>the game</p>")
    (tmp_path / "assets" / "app.js").write_text("1")
    for path in ("", "lobby", "table/abcdefghijkl", "replay", "rules"):
        assert page(path, tmp_path).status_code == 200
    assert page("assets/app.js", tmp_path).headers["cache-control"].endswith("immutable")
    assert page("nowhere", tmp_path).status_code == 404
    for path in ("assets/none.js", "api/nope", "../secret.txt", "index.html/../../x.txt"):
        assert page(path, tmp_path).status_code == 404


def test_a_server_without_built_pages_says_so(tmp_path: Path) -> None:
    answer = page("", tmp_path / "nothing")
    assert answer.status_code == 200
    assert b"not been built" in answer.body


@pytest.mark.parametrize("path", ["/%00", "/a%00b", "/" + "a" * 5000, "/" + "a/" * 3000, "/%ff"])
def test_a_path_that_can_be_no_file_is_not_found(sqlite_server: Server, path: str) -> None:
    """Version 0.1.0 answered 500."""
    assert sqlite_server.http("GET", path).status_code == 404
