"""What if: a branch of a finished game is a table of its own, and never touches the game."""

import uuid
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import httpx
import pytest

from industry.notation import Record, record_from_toml, verify
from tests.notation.samples import board, finished, record

from .playing import QUICK, Json, RandomPool, Server, play_on, served
from .test_seats import over

FEW = replace(QUICK, review_lines=2)
GAME = finished("industria", 3)


@pytest.fixture(scope="module")
def branching(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    database = f"sqlite:///{tmp_path_factory.mktemp('branches') / 'tables.db'}"
    with served(database, RandomPool(), tuning=FEW) as server:
        yield server


def branch(server: Server, **more: object) -> httpx.Response:
    wish = {"id": uuid.uuid4().hex, "name": "Ana", "bot": "random", "seat": 1, "move": 20}
    return server.http(
        "POST",
        "/api/what-if",
        json=wish | more,
    )


def outlook(server: Server, table: str) -> Json:
    found: Json = server.http(
        "GET",
        f"/api/tables/{table}/what-if",
    ).json()
    return found


def recorded(server: Server, table: str) -> Record:
    return record_from_toml(server.http("GET", f"/api/tables/{table}/record").text)


def decision(seat: int, after: int = 20) -> int:
    """The first decision of a seat after some moves."""
    lines = GAME["moves"]
    return next(n for n in range(after, len(lines)) if lines[n].startswith(f"{seat} "))


def test_a_branch_begins_at_the_moment_with_everything_as_it_was(branching: Server) -> None:
    move = decision(2)
    made = branch(branching, record=record(GAME).to_toml(), move=move, seat=2).json()
    with branching.client(made, 2).ready() as client:
        view = client.view
        assert view["branch"] == {
            "moves": move,
            "line": GAME["moves"][move],
            "players": GAME["players"],
            "origin": None,
        }
        assert view["options"]["what_if"] is True
        assert client.actor() == 2
        assert view["game"]["moves"] == move
        assert [seat["kind"] for seat in view["seats"]] == ["bot", "human", "bot"]
        assert view["proof"]["commitment"] == ""  # its first draws were those of another bag
    kinds = [entry["kind"] for entry in branching.log(made["table"])]
    assert kinds.count("branched") == 1
    assert "move" not in kinds


def test_a_branch_is_played_to_its_end_and_its_record_holds(branching: Server) -> None:
    move = decision(1, 60)
    made = branch(branching, record=record(GAME).to_toml(), move=move, seat=1).json()
    with branching.client(made, 1).ready() as client:
        play_on(client, Random(3))
    played = recorded(branching, made["table"])
    assert list(played.moves[:move]) == GAME["moves"][:move]
    assert played.proof is None
    assert verify(played, board("industria")) is None


def test_the_game_of_a_branch_stays_as_it_is(branching: Server) -> None:
    table = over(branching)[0]["table"]
    before, log = branching.get(f"/api/tables/{table}"), branching.log(table)
    lines = recorded(branching, table).moves
    move = next(n for n, line in enumerate(lines) if line.startswith("1 "))
    made = branch(branching, table=table, move=move).json()
    with branching.client(made, 1).ready() as client:
        assert client.view["branch"]["origin"] == table
        play_on(client, Random(1), 4)
    assert branching.get(f"/api/tables/{table}") == before
    assert branching.log(table) == log


def test_both_outcomes_are_shown_with_their_errors(branching: Server) -> None:
    move = decision(1)
    made = branch(branching, record=record(GAME).to_toml(), move=move).json()
    found = outlook(branching, made["table"])
    for side in ("original", "branch"):
        seats = found[side]["seats"]
        assert len(seats) == 3
        assert sum(seat["win"] for seat in seats) == pytest.approx(1)
        assert all(seat["low"] <= seat["high"] for seat in seats)
        assert not found[side]["over"]


def test_one_goes_back_no_further_than_the_moment(branching: Server) -> None:
    made = branch(branching, record=record(GAME).to_toml(), move=decision(1)).json()
    with branching.client(made, 1).ready() as client:
        assert client.command("undo", 1)["code"] == "nothing_to_undo"


@pytest.mark.parametrize(
    ("wish", "status", "code"),
    [
        ({"record": "{"}, 422, "bad_record"),
        ({"move": 10_000}, 404, "not_found"),
        ({"seat": 4}, 404, "not_found"),
        ({"bot": "nobody"}, 422, "unknown_bot"),
        ({"move": len(GAME["moves"])}, 409, "game_over"),
        ({"record": None, "review": "0" * 32}, 404, "not_found"),
        ({"record": None}, 422, "bad_message"),
    ],
)
def test_a_branch_that_cannot_be_has_its_reason(
    branching: Server, wish: Json, status: int, code: str
) -> None:
    answer = branch(branching, **({"record": record(GAME).to_toml()} | wish))
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_running_game_has_no_branches(branching: Server) -> None:
    made = branching.make("human", "human", "human")
    assert branch(branching, table=made["table"]).json()["code"] == "not_over"


def test_only_a_branch_is_called_one(branching: Server) -> None:
    wish = {"id": "plain", "options": {"what_if": True}, "seats": [{"kind": "human"}] * 4}
    answer = branching.http("POST", "/api/tables", json=wish)
    assert answer.json()["detail"] == "what_if"
    made = branching.make("human", "random", "random")
    assert branching.http("GET", f"/api/tables/{made['table']}/what-if").status_code == 404
