"""Who may sit where: freed seats, new links, seats for invited people only, and rematches."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from industry.notation import record_from_toml
from industry.notation.proof import check_data

from .playing import Client, Json, RandomPool, Server, play_on, served
from .tables import Play


def sit(server: Server, made: Json, name: str, token: str | None = None, **more: object) -> Json:
    wish = {"id": name, "name": name} | more
    answer = server.http("POST", f"/api/tables/{made['table']}/seats", token, json=wish)
    found: Json = answer.json()
    return found


def act(server: Server, made: Json, what: str, token: str, seat: int, command: str = "x") -> Json:
    path = f"/api/tables/{made['table']}/{what}"
    found: Json = server.http("POST", path, token, json={"id": command, "seat": seat}).json()
    return found


def kinds(server: Server, made: Json) -> list[str]:
    return [entry["kind"] for entry in server.log(made["table"])]


# The host frees a seat


def test_a_host_takes_a_stranger_off_the_table_and_his_link_ends(server: Server) -> None:
    made = server.make("human", "open", "open")
    stranger = sit(server, made, "Mallory")
    with Client(server, made["table"], [stranger["token"]]).ready() as client:
        assert list(client.yours) == [2]
        view = act(server, made, "free", made["host"], 2)
        assert [seat["kind"] for seat in view["seats"]] == ["human", "open", "open"]
        client.until_version(view["version"])
        assert client.yours == {}  # he may watch
        assert client.command("leave", 2)["code"] == "not_your_seat"
    with Client(server, made["table"], [stranger["token"]]) as again:
        assert again.welcome["code"] == "bad_token"
    assert sit(server, made, "Bo")["seat"] == 2
    assert kinds(server, made)[-2:] == ["seat_freed", "seat_taken"]


def test_only_the_host_frees_seats_and_only_before_the_start(sqlite_server: Server) -> None:
    server = sqlite_server
    made = server.make("human", "human", "open")
    guest = sit(server, made, "Bo")  # the last seat: the game has begun
    for token in (made["seats"][0]["token"], guest["token"]):
        assert act(server, made, "free", token, 2)["code"] == "not_host"
    assert act(server, made, "free", made["host"], 2)["code"] == "already_started"
    other = server.make("human", "random", "open")
    assert act(server, other, "free", made["host"], 2)["code"] == "bad_token"
    assert act(server, other, "free", other["host"], 3)["code"] == "not_found"
    freed = act(server, other, "free", other["host"], 2)
    assert [seat["kind"] for seat in freed["seats"]] == ["human", "open", "open"]


# A new link


def test_a_leaked_link_is_replaced_by_its_holder_in_the_middle_of_a_game(server: Server) -> None:
    made = server.make("human", "human", "human", seating="as_joined")
    leaked = made["seats"][1]["token"]
    with Client(server, made["table"], [leaked]).ready() as thief:
        fresh = act(server, made, "link", leaked, 2)
        assert fresh["token"] != leaked
        assert fresh["seat"] == 2
        thief.until_version(thief.version + 1)
        assert thief.yours == {}
    assert act(server, made, "link", leaked, 2)["code"] == "bad_token"
    with Client(server, made["table"], [fresh["token"]]).ready() as holder:
        assert list(holder.yours) == [2]
    assert kinds(server, made)[-1] == "link_renewed"


def test_a_repeated_request_for_a_link_is_told_the_same_one(sqlite_server: Server) -> None:
    made = sqlite_server.make("human", "human", "open")
    command = "0123456789012345678901"
    held = [act(sqlite_server, made, "link", made["host"], 2, command) for _ in range(2)]
    assert held[0] == held[1]
    assert kinds(sqlite_server, made).count("link_renewed") == 1


def test_nobody_gets_a_link_of_somebody_elses_seat(sqlite_server: Server) -> None:
    """The host neither, once the game runs: except where somebody must be let in again."""
    server = sqlite_server
    made = server.make("human", "human", "human", "random", seating="as_joined")
    one, two = (held["token"] for held in made["seats"][:2])
    for token, seat in ((one, 2), (one, 4), (made["host"], 2), (made["host"], 4)):
        assert act(server, made, "link", token, seat)["code"] == "not_your_seat"
    with Client(server, made["table"], [two]).ready() as client:
        client.command("leave", 2)
    fresh = act(server, made, "link", made["host"], 2)
    with Client(server, made["table"], [fresh["token"]]).ready() as back:
        assert back.command("return", 2)["type"] == "accepted"
    assert act(server, made, "link", made["host"], 2)["code"] == "not_your_seat"


# Seats for invited people only


@pytest.mark.both_stores
def test_a_reserved_seat_is_taken_by_its_link_and_by_nobody_else(server: Server) -> None:
    made = server.make("human", "reserved", "open", seating="as_joined")
    (invitation,) = made["reserved"]
    assert invitation["seat"] == 2
    assert sit(server, made, "Mallory", seat=2)["code"] == "seat_taken"
    assert sit(server, made, "Mallory", made["host"], seat=2)["code"] == "seat_taken"
    stranger = sit(server, made, "Eve")
    assert stranger["seat"] == 3
    assert sit(server, made, "Late")["code"] == "table_full"
    with Client(server, made["table"], [invitation["token"]]).ready() as client:
        assert client.welcome["seats"] == []
        assert client.welcome["reserved"] == [{"seat": 2, "token": 0}]
        assert client.view["status"] == "open"
        held = sit(server, made, "Bo", invitation["token"], randomness="b0")
        assert (held["seat"], held["token"]) == (2, invitation["token"])
        while client.view["status"] != "running":
            client.receive()
        assert list(client.yours) == [2]
        assert client.view["proof"]["contributions"] == ["", "b0", ""]
    assert sit(server, made, "Bo-again", invitation["token"])["code"] == "already_started"


def test_a_host_reserves_an_open_seat_with_a_link_and_can_open_it_again(
    sqlite_server: Server,
) -> None:
    server = sqlite_server
    made = server.make("human", "open", "open")
    invitation = act(server, made, "link", made["host"], 3)
    assert sit(server, made, "Mallory", seat=3)["code"] == "seat_taken"
    assert act(server, made, "free", made["host"], 3)["seats"][2]["kind"] == "open"
    assert sit(server, made, "Bo", invitation["token"])["code"] == "bad_token"
    assert sit(server, made, "Bo", seat=3)["seat"] == 3
    assert kinds(server, made)[-3:] == ["seat_reserved", "seat_freed", "seat_taken"]


@pytest.fixture
def pair(postgres_database: str) -> Iterator[tuple[Server, Server]]:
    with (
        served(postgres_database, RandomPool()) as one,
        served(postgres_database, RandomPool()) as other,
    ):
        yield one, other


def test_links_end_and_begin_at_all_processes(pair: tuple[Server, Server]) -> None:
    one, other = pair
    made = one.make("human", "human", "open", seating="as_joined")
    leaked = made["seats"][1]["token"]
    with Client(other, made["table"], [leaked]).ready() as thief:
        fresh = act(one, made, "link", leaked, 2)
        thief.until_version(thief.version + 1)
        assert thief.command("leave", 2)["code"] == "not_your_seat"
    with Client(other, made["table"], [fresh["token"]]) as holder:
        assert holder.welcome["seats"] == [2]


# Rematches


def over(server: Server) -> tuple[Json, list[str]]:
    """A finished game of three people, and their tokens."""
    made = server.make("human", "human", "human")
    with server.client(made, 1, 2, 3).ready() as client:
        play_on(client, Random(3))
    return made, [held["token"] for held in made["seats"]]


def again(server: Server, made: Json, token: str, command: str = "again") -> Json:
    return server.post(f"/api/tables/{made['table']}/rematch", token, id=command)


def test_a_rematch_waits_for_everybody_and_everybody_adds_to_its_bag(server: Server) -> None:
    made, tokens = over(server)
    new = again(server, made, tokens[0])
    assert again(server, made, tokens[1], "me-too")["table"] == new["table"]
    view = server.get(f"/api/tables/{new['table']}")
    assert view["status"] == "open"
    assert sorted(seat["kind"] for seat in view["seats"]) == ["reserved"] * 3
    assert all(seat["name"] for seat in view["seats"])
    assert sit(server, new, "Mallory")["code"] == "table_full"
    assert view["clock"]["deadline"] == view["created"] + 60_000
    for token, addition in zip(tokens, ("aa", "bb", "cc"), strict=True):
        held = sit(server, new, f"Guest-{addition}", token, randomness=addition)
        assert (held["token"], held["commitment"]) == (token, view["proof"]["commitment"])
    with Client(server, new["table"], tokens).ready() as client:
        assert client.view["status"] == "running"
        assert sorted(client.view["proof"]["contributions"]) == ["aa", "bb", "cc"]
        play_on(client, Random(4))
    record = server.http("GET", f"/api/tables/{new['table']}/record").text
    assert check_data(record_from_toml(record).data()).secret


def test_a_rematch_begins_after_a_minute_and_who_comes_later_is_let_in(tmp_path: Path) -> None:
    now = [1_800_000_000_000]
    with served(
        f"sqlite:///{tmp_path / 'tables.db'}", RandomPool(), clock=lambda: now[0]
    ) as server:
        made, tokens = over(server)
        new = again(server, made, tokens[0])
        sit(server, new, "Ana", tokens[0], randomness="aa")
        with Client(server, new["table"], tokens[:1]).ready() as client:
            now[0] += 59_000
            assert server.get(f"/api/tables/{new['table']}")["status"] == "open"
            now[0] += 2_000
            while client.view["status"] == "open":
                client.receive()
            assert [seat["absent"] for seat in client.view["seats"]].count(True) == 2
            assert client.view["proof"]["contributions"].count("") == 2
            play_on(client, Random(5), 2)
        with Client(server, new["table"], tokens[1:2]).ready() as late:
            seat = next(iter(late.yours))
            assert late.command("return", seat)["type"] == "accepted"


def test_a_rematch_with_an_open_seat_waits_for_somebody_to_take_it() -> None:
    play = Play(("human", "open", "human"))
    play.table.previous = "zzzzzzzzzzzz"
    assert play.table.pending_action() is None
