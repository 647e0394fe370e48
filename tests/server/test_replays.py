"""POST /api/replay: any record, position by position, for people at no table."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
import tomli_w

from industry.notation import record_from_data, replay, replay_steps
from industry.server.previews import field_report
from industry.server.protocol.replay import MAX_RECORD, MomentWorth, Replayed
from industry.texts import say
from tests.notation.samples import TABLES, board, finished, running
from tests.support import proof

from .applying import game_applied
from .playing import Json, RandomPool, Server, play_on, served


@pytest.fixture(scope="module")
def sqlite_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all: the process that replays records takes a while to start."""
    folder = tmp_path_factory.mktemp("replays")
    with served(f"sqlite:///{folder / 'tables.db'}", RandomPool()) as running:
        yield running


def ask(server: Server, record: str, language: str = "en") -> Any:
    body = {"record": record, "language": language}
    return server.http("POST", "/api/replay", json=body)


def replayed(server: Server, data: Json, language: str = "en") -> Json:
    response = ask(server, json.dumps(data), language)
    assert response.status_code == 200, response.text
    answer: Json = response.json()
    Replayed.model_validate(answer)
    return answer


def views(answer: Json) -> list[Json]:
    """The positions, as a client builds them."""
    found = [answer["first"]]
    for step in answer["steps"][1:]:
        found.append(game_applied(found[-1], step["changed"]["game"]) or {})
    return found


@pytest.mark.parametrize(("edition", "players"), proof.spread(TABLES, 3))
def test_every_position_of_a_record_is_shown(
    shared_server: Server, edition: str, players: int
) -> None:
    data = finished(edition, players)
    answer = replayed(shared_server, data)
    positions = views(answer)
    assert [step["entry"]["line"] for step in answer["steps"]] == [None, *data["moves"]]
    record = record_from_data(data)
    for view, game in zip(positions, replay_steps(record, board(edition)), strict=True):
        state = game.position.state
        assert view["moves"] == len(game.moves)
        assert view["talers"] == state.talers[:players]
        assert view["points"] == state.points[:players]
        assert (view["actor"], view["era"]) == (game.to_move, state.era + 1)
    assert positions[-1]["winners"] == data["result"]["winners"]
    assert answer["fault"] is None
    assert not answer["result_differs"]
    assert answer["board"]["hash"] == data["board_hash"]


def test_toml_and_json_are_the_same_game(shared_server: Server) -> None:
    data = running()
    assert ask(shared_server, tomli_w.dumps(data)).json() == replayed(shared_server, data)


def test_a_game_that_goes_on_is_replayed_so_far(shared_server: Server) -> None:
    answer = replayed(shared_server, running(moves=40))
    assert len(answer["steps"]) == 41
    assert views(answer)[-1]["winners"] == []


@pytest.mark.parametrize(("language", "word"), [("en", "Seat"), ("de", "Platz"), ("fr", "place")])
def test_a_replay_ends_before_an_illegal_line_and_says_why(
    shared_server: Server, language: str, word: str
) -> None:
    data = running(moves=20)
    data["moves"].append("1 bid 500")
    answer = replayed(shared_server, data, language)
    assert len(answer["steps"]) == 21
    assert (answer["fault"]["move"], answer["fault"]["line"]) == (21, "1 bid 500")
    assert word in answer["fault"]["sentence"]


def test_a_line_that_is_no_move_ends_a_replay_too(shared_server: Server) -> None:
    data = running(moves=20)
    data["moves"].append("1 dance")
    answer = replayed(shared_server, data)
    assert answer["fault"]["sentence"] == say("notation.verb", verb="dance")


def test_a_result_that_the_moves_do_not_have_is_told(shared_server: Server) -> None:
    data = finished()
    data["result"]["points"][0] += 1
    assert replayed(shared_server, data)["result_differs"]


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_what_is_no_record_is_refused_with_its_reason(shared_server: Server, language: str) -> None:
    response = ask(shared_server, '{"format": 1}', language)
    assert response.status_code == 422
    reason = say("record.missing", language, key="rules_version")
    assert response.json() == {"code": "bad_record", "detail": reason}


def test_a_record_of_another_board_is_refused(shared_server: Server) -> None:
    data = running() | {"board_hash": "sha256:" + 64 * "0"}
    response = ask(shared_server, json.dumps(data))
    assert (response.status_code, response.json()["code"]) == (422, "unknown_board")


def test_a_text_that_is_longer_than_any_record_is_not_read(shared_server: Server) -> None:
    response = ask(shared_server, "#" * (MAX_RECORD + 1))
    assert (response.status_code, response.json()["code"]) == (413, "too_large")


def test_another_message_than_a_record_is_refused(shared_server: Server) -> None:
    for body in ({}, {"record": 1}, {"record": "x", "more": 1}, {"record": "x", "language": "eo"}):
        response = shared_server.http("POST", "/api/replay", json=body)
        assert (response.status_code, response.json()["code"]) == (422, "bad_message")


def test_the_record_of_a_table_can_be_watched_by_anyone(shared_server: Server) -> None:
    made = shared_server.make("human", "human", "human", auto_forced=False)
    with shared_server.client(made, 1, 2, 3) as client:
        play_on(client.ready(), Random(5), moves=30)
        shown = client.view["game"]
    record = shared_server.http("GET", f"/api/tables/{made['table']}/record").text
    last = views(ask(shared_server, record).json())[-1]
    assert {key: last[key] for key in shown} == shown


def worth_at(server: Server, data: Json, at: int) -> Any:
    return server.http("POST", "/api/replay/worth", json={"record": json.dumps(data), "at": at})


@pytest.mark.parametrize(("edition", "players"), proof.spread(TABLES, 3))
def test_what_each_field_is_worth_is_told_for_any_moment(
    shared_server: Server, edition: str, players: int
) -> None:
    data = finished(edition, players)
    for at in (0, 60, len(data["moves"])):
        answer = worth_at(shared_server, data, at).json()
        MomentWorth.model_validate(answer)
        position = replay(record_from_data(data), board(edition), at).position
        for field in board(edition).fields:
            report = field_report(position, board(edition), field.id)
            assert answer["worth"][field.id] == report["worth"]
            assert answer["prospects"][field.id] == report["prospects"]


def test_a_moment_after_an_illegal_line_is_refused_with_its_reason(shared_server: Server) -> None:
    data = running(moves=20)
    data["moves"].append("1 bid 500")
    assert worth_at(shared_server, data, 20).status_code == 200
    refused = worth_at(shared_server, data, 21)
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_record")
    assert "Seat 1" in refused.json()["detail"]
