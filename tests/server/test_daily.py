"""The daily deal: everyone has the same, and nobody is told that it was secret."""

from datetime import UTC, date, datetime, timedelta
from random import Random

import pytest

from industry.bots.levels import Engineer, Foreman
from industry.notation import Record, verify
from industry.notation.proof import ProofError, check_data, commitment_of, daily_secret
from industry.notation.record import record_from_toml
from industry.server.board_catalogue import BoardCatalogue
from industry.server.daily import WEEK, daily_of, day_at, deal_of

from .playing import Json, Server, play_on

DECIDED = {"foreman": Foreman, "engineer": Engineer}


def today(server: Server) -> Json:
    found: Json = server.http("GET", "/api/daily").json()
    return found


def begin(server: Server, name: str) -> Json:
    wish = {"id": f"daily-{name}", "name": name, "date": today(server)["date"]}
    answer = server.http("POST", "/api/daily", json=wish)
    assert answer.status_code == 201, answer.text
    made: Json = answer.json()
    return made


def record_of(server: Server, table: str) -> Record:
    return record_from_toml(server.http("GET", f"/api/tables/{table}/record").text)


def play_out(server: Server, made: Json, seed: int) -> None:
    with server.client(made, 1) as client:
        play_on(client, Random(seed))


def view(server: Server, table: str) -> Json:
    found: Json = server.http("GET", f"/api/tables/{table}").json()
    return found


def test_the_deal_follows_from_the_date_alone() -> None:
    monday = date(2026, 11, 16)
    assert [deal_of(monday + timedelta(days=n)) for n in range(14)] == [*WEEK, *WEEK]
    assert daily_secret("2026-11-18").hex() == (
        "b606d4e2c42e4a4cd86488c56ce8f6eb445a319706ddae4a053b45761266fb07"
    )
    assert len({daily_secret(f"2026-11-{day}") for day in range(10, 31)}) == 21


def test_the_day_changes_at_midnight_in_utc() -> None:
    midnight = datetime(2026, 11, 19, tzinfo=UTC)
    at = round(midnight.timestamp() * 1000)
    assert day_at(at - 1) == date(2026, 11, 18)
    assert day_at(at) == date(2026, 11, 19)
    assert daily_of(date(2026, 11, 18)).ends == at


def test_opponents_decide_without_chance_and_clock() -> None:
    """So the same play meets the same answers, on every machine."""
    assert {bot for deal in WEEK for bot in deal.bots} <= set(DECIDED)


def test_everyone_has_the_same_bag_seats_and_opponents(shared_server: Server) -> None:
    one, other = (view(shared_server, begin(shared_server, n)["table"]) for n in ("Ana", "Bo"))
    assert one["proof"]["commitment"] == other["proof"]["commitment"]
    assert [s["bot"] for s in one["seats"]] == [s["bot"] for s in other["seats"]]
    records = [record_of(shared_server, found["table"]) for found in (one, other)]
    assert records[0].starting_player == records[1].starting_player
    assert records[0].moves[0] == records[1].moves[0]
    assert records[0].moves[0].startswith("draw ")


def test_the_bag_is_said_to_be_public_from_the_beginning(shared_server: Server) -> None:
    day = today(shared_server)["date"]
    table = begin(shared_server, "Cy")["table"]
    proof = view(shared_server, table)["proof"]
    assert proof["daily"] == day
    assert proof["commitment"] == commitment_of(daily_secret(day))
    assert f'daily = "{day}"' in shared_server.http("GET", f"/api/tables/{table}/record").text


def test_a_finished_daily_deal_verifies_and_another_date_does_not(shared_server: Server) -> None:
    made = begin(shared_server, "Dee")
    play_out(shared_server, made, 3)
    record = record_of(shared_server, made["table"])
    board = BoardCatalogue().by_hash[record.board_hash]
    assert verify(record, board) is None
    data = record.data()
    check_data(data)
    data["proof"]["daily"] = "2001-01-01"
    with pytest.raises(ProofError, match="daily"):
        check_data(data)


def test_nothing_is_taken_back_in_a_daily_deal(shared_server: Server) -> None:
    assert view(shared_server, begin(shared_server, "Eve")["table"])["options"]["undo"] == "off"


def test_only_today_s_deal_can_be_begun(shared_server: Server) -> None:
    wish = {"id": "yesterday", "name": "Ana", "date": "2001-01-01"}
    answer = shared_server.http("POST", "/api/daily", json=wish)
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")


def test_no_other_table_can_call_itself_a_daily_deal(shared_server: Server) -> None:
    wish = {
        "id": "pretends",
        "options": {"players": 3, "daily": today(shared_server)["date"]},
        "seats": [{"kind": "human", "name": "Ana"}, *[{"kind": "bot", "bot": "random"}] * 2],
    }
    answer = shared_server.http("POST", "/api/tables", json=wish)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_options")


def test_a_rematch_of_a_daily_deal_is_a_game_like_any_other(shared_server: Server) -> None:
    made = begin(shared_server, "Fay")
    play_out(shared_server, made, 5)
    headers = {"Authorization": f"Bearer {made['seats'][0]['token']}"}
    path = f"/api/tables/{made['table']}/rematch"
    again = shared_server.http("POST", path, json={"id": "again"}, headers=headers).json()
    found = view(shared_server, again["table"])
    assert found["options"]["daily"] == found["proof"]["daily"] == ""
    assert found["proof"]["scheme"] == 2
    assert found["proof"]["commitment"] != view(shared_server, made["table"])["proof"]["commitment"]


# The coach


def ask(server: Server, made: Json, line: str) -> Json:
    headers = {"Authorization": f"Bearer {made['seats'][0]['token']}"}
    question = {"id": "coach", "line": line}
    path = f"/api/tables/{made['table']}/coach"
    answer: Json = server.http("POST", path, json=question, headers=headers).json()
    return answer


def test_the_coach_is_silent_about_the_daily_deal(shared_server: Server) -> None:
    assert ask(shared_server, begin(shared_server, "Gil"), "1 pass")["code"] == "no_coach"


def test_the_coach_does_not_help_among_people(shared_server: Server) -> None:
    made = shared_server.make("human", "human", "random")
    assert ask(shared_server, made, "1 pass")["code"] == "no_coach"
