"""Cups on a server: joining, starting, playing, results, the proof of duplicate rounds."""

import hashlib
import hmac
import time
from dataclasses import replace
from pathlib import Path

import pytest

from industry.cups import Entrant
from industry.notation import record_from_toml
from industry.notation.proof import check_data
from industry.server.cups import changes
from industry.server.cups.document import round_secret, seating_seed
from tests.support import proof

from ..club.members import Member
from ..playing import Client, Json, RandomPool, Server, served
from .holding import BOTS, games, named, new_cup, own_client, play_games, until, until_over

MOST_CUPS = 10
HOUR = 3_600_000


def test_two_people_and_two_bots_play_a_cup_of_two_duplicate_rounds(clubs: Server) -> None:
    ana, bo = named(clubs, "Ana"), named(clubs, "Bo")
    made = new_cup(ana, bots=BOTS, duplicate=True, randomness="a1" * 32)
    assert (made["status"], len(made["entrants"]), made["me"]) == ("open", 3, 3)
    joined = bo.post(f"cups/{made['id']}/join", randomness="b2")
    assert joined["me"] == 4
    assert [one["addition"] for one in joined["entrants"]] == ["", "", "a1" * 32, "b2"]
    for number in (1, 2):
        until_round(ana, made["id"], number)
        play_games(made["id"], ana, bo)
    cup = until_over(ana, made["id"])
    assert [len(held["games"]) for held in cup["rounds"]] == [2, 2]
    assert all(game["over"] and len(game["points"]) == 3 for game in games(cup))
    assert sorted(row["entrant"] for row in cup["standings"]) == [1, 2, 3, 4]
    assert all(row["games"] == 2 for row in cup["standings"])
    assert {one["name"] for one in cup["entrants"]} >= {ana.me["name"], bo.me["name"]}
    check_proofs(clubs, cup)


def until_round(member: Member, cup: str, number: int) -> Json:
    """Waits until the tables of a round are made."""
    server = member.server
    return until(member, cup, lambda now: len(now["rounds"]) == number and all_made(server, now))


def all_made(server: Server, cup: Json) -> bool:
    tables = (game["table"] for game in games(cup))
    return all(server.http("GET", f"/api/tables/{t}").status_code != 404 for t in tables)


def check_proofs(server: Server, cup: Json) -> None:
    """Everything that docs/cups.md says anyone can check."""
    secret = bytes.fromhex(cup["secret"])
    added = [one["addition"] for one in cup["entrants"]]
    assert cup["commitment"] == f"sha256:{hashlib.sha256(secret).hexdigest()}"
    for held in cup["rounds"]:
        text = "\n".join([f"industry-cup-1 round {held['number']}", *added])
        of_round = hmac.digest(secret, text.encode(), "sha256")
        assert held["commitment"] == f"sha256:{hashlib.sha256(of_round).hexdigest()}"
        bags, starts = set(), set()
        for game in held["games"]:
            text = server.http("GET", f"/api/tables/{game['table']}/record").text
            record = record_from_toml(text)
            assert check_data(record.data()).secret
            proof = record.data()["proof"]
            assert proof["scheme"] == "industry-bag-1"
            assert proof["secret"] == of_round.hex()
            assert not any(proof["contributions"])
            bags.add(tuple(proof["era_keys"]))
            starts.add(record.starting_player)
        longest = max(bags, key=len)
        assert all(keys == longest[: len(keys)] for keys in bags)
        assert len(starts) == 1


def apart_in_a_round(ana: Member, bo: Member) -> tuple[Json, set[str], dict[Member, set[str]]]:
    """A duplicate round in which two people sit at different tables: the cup, all its tables and
    theirs. Where they sit follows from the cup's secret, so it may take several cups.
    """
    for _ in range(MOST_CUPS):
        made = new_cup(ana, bots=BOTS, duplicate=True, rounds=1)
        bo.post(f"cups/{made['id']}/join")
        tables = {game["table"] for game in games(until_round(ana, made["id"], 1))}
        own = {one: tables & set(one.tables()) for one in (ana, bo)}
        if own[ana] != own[bo]:
            return made, tables, own
    raise AssertionError(f"they sat together in {MOST_CUPS} cups")


def test_nobody_sees_the_draws_of_a_duplicate_round_before_all_its_games_are_over(
    clubs: Server,
) -> None:
    ana, bo = named(clubs, "Ana"), named(clubs, "Bo")
    made, tables, own = apart_in_a_round(ana, bo)
    first = next(iter(own[ana]))
    play_games(made["id"], ana)
    with own_client(ana, first) as client:
        client.ready()
        assert client.view["status"] == "over"
        assert client.view["proof"]["secret"] is None
        assert client.view["proof"]["era_keys"] == []
    for table in tables:
        for path in ("", "/record", "/log"):
            answer = clubs.http("GET", f"/api/tables/{table}{path}")
            assert (answer.status_code, answer.json()["code"]) == (403, "sealed"), path
        with Client(clubs, table, []) as stranger:
            assert stranger.welcome["code"] == "sealed"
        other = next(iter(own[bo] - own[ana]))
        with Client(clubs, other, [ana.tables()[first]["token"]]) as neighbour:
            assert neighbour.welcome["code"] == "bad_token"
    review = clubs.http("POST", "/api/reviews", json={"table": first, "language": "en"})
    assert review.json()["code"] == "sealed"
    play_games(made["id"], bo)
    until_over(ana, made["id"])
    for table in tables:
        assert clubs.get(f"/api/tables/{table}")["proof"]["secret"]


def test_what_each_player_adds_changes_every_bag_and_the_seating() -> None:
    secret, entrants = "00" * 32, [Entrant(1, "Player x", addition="a1"), Entrant(2, "Player y")]
    other = [replace(entrants[0], addition="a2"), entrants[1]]
    swapped = [replace(entrants[0], addition=""), replace(entrants[1], addition="a1")]
    for found in (
        {round_secret(secret, n, who) for n in (1, 2) for who in (entrants, other, swapped)},
        {seating_seed(secret, who) for who in (entrants, other, swapped, entrants[:1])},
    ):
        assert len(found) in (6, 4)


def test_what_somebody_has_added_stays_when_they_leave_and_come_back(club: Server) -> None:
    ana, bo = named(club, "Ana"), named(club, "Bo")
    made = new_cup(ana, places=3)
    path = f"cups/{made['id']}"
    bo.post(f"{path}/join", randomness="b2")
    bo.post(f"{path}/leave")
    again = bo.post(f"{path}/join", randomness="c3")
    assert again["entrants"][1]["addition"] == "b2"
    cy = named(club, "Cy")
    assert cy.code("POST", f"{path}/join", randomness="not hexadecimal") == "bad_message"


def test_a_cup_starts_when_it_is_full_and_takes_nobody_else(club: Server) -> None:
    ana, bo, cy = (named(club, name) for name in ("Ana", "Bo", "Cy"))
    made = new_cup(ana, places=2, rounds=1)
    assert bo.post(f"cups/{made['id']}/join")["me"] == 2
    assert bo.code("POST", f"cups/{made['id']}/join") == "in_cup"
    assert cy.code("POST", f"cups/{made['id']}/join") in ("cup_full", "cup_started")
    until(ana, made["id"], lambda cup: cup["status"] == "running")
    assert cy.code("POST", f"cups/{made['id']}/join") == "cup_started"


def test_who_leaves_before_the_start_makes_room_and_may_come_back(club: Server) -> None:
    ana, bo = named(club, "Ana"), named(club, "Bo")
    made = new_cup(ana, places=3)
    bo.post(f"cups/{made['id']}/join")
    left = bo.post(f"cups/{made['id']}/leave")
    assert [one["withdrawn"] for one in left["entrants"]] == [False, True]
    assert bo.code("POST", f"cups/{made['id']}/leave") == "not_in_cup"
    assert bo.post(f"cups/{made['id']}/join")["me"] == 2


def test_the_games_of_who_left_a_running_cup_are_played_by_a_bot_of_the_house(
    club: Server,
) -> None:
    ana, bo = named(club, "Ana"), named(club, "Bo")
    made = new_cup(ana, bots=["foreman"], places=3, rounds=2)
    bo.post(f"cups/{made['id']}/join")
    until_round(ana, made["id"], 1)
    number = bo.post(f"cups/{made['id']}/leave")["me"]
    play_games(made["id"], ana, bo)
    cup = until(ana, made["id"], lambda cup: len(cup["rounds"]) == 2)
    assert number not in cup["rounds"][1]["games"][0]["seats"]
    assert 0 in cup["rounds"][1]["games"][0]["seats"]


def test_a_cup_starts_at_its_time_with_those_who_have_come(club: Server) -> None:
    ana = named(club, "Ana")
    starts = round(time.time() * 1000) + 2_000
    made = new_cup(ana, bots=BOTS, places=20, starts=starts)
    alone = new_cup(ana, places=20, starts=starts)
    cup = until(ana, made["id"], lambda cup: cup["status"] == "running")
    assert len(cup["entrants"]) == 3
    assert until(ana, alone["id"], lambda cup: cup["status"] != "open")["status"] == "cancelled"


def test_a_cup_cannot_start_in_the_past(club: Server) -> None:
    ana = named(club, "Ana")
    wish = {"id": "a-start-in-the-past-12", "name": "Cup", "starts": 1_000}
    answer = ana.ask("POST", "cups", **wish).json()
    assert (answer["code"], answer["detail"]) == ("bad_options", "starts")


def test_its_creator_starts_or_cancels_a_cup(club: Server) -> None:
    ana = named(club, "Ana")
    made = new_cup(ana, bots=BOTS, places=20, take_part=False, rounds=1)
    assert made["may_manage"] and made["me"] is None
    assert ana.post(f"cups/{made['id']}/start")["status"] == "running"
    over = until_over(ana, made["id"])
    assert ana.code("POST", f"cups/{made['id']}/cancel") == "cup_over"
    assert len(over["rounds"]) == 1
    other = new_cup(ana, bots=["foreman"], take_part=False)
    assert ana.code("POST", f"cups/{other['id']}/start") == "cup_too_small"
    assert ana.post(f"cups/{other['id']}/cancel")["status"] == "cancelled"


def test_a_running_cup_ends_after_the_games_that_have_begun(club: Server) -> None:
    ana = named(club, "Ana")
    made = new_cup(ana, bots=BOTS, places=3, rounds=9)
    until_round(ana, made["id"], 1)
    ana.post(f"cups/{made['id']}/cancel")
    play_games(made["id"], ana)
    assert len(until_over(ana, made["id"])["rounds"]) == 1


def test_a_repeated_request_creates_one_cup(club: Server) -> None:
    ana = named(club, "Ana")
    one, other = (new_cup(ana, id="the-same-request-id") for _ in range(2))
    assert one["id"] == other["id"]
    assert len(other["entrants"]) == 1


@pytest.mark.parametrize("format", proof.cases(["swiss", "cup", "league"]))
def test_bots_play_every_format_to_its_end(club: Server, format: str) -> None:
    ana = named(club, "Ana")
    made = new_cup(
        ana, format=format, bots=["foreman"] * 5, places=6, size=4, rounds=2, take_part=False
    )
    ana.post(f"cups/{made['id']}/start")
    cup = until_over(ana, made["id"])
    assert {row["entrant"] for row in cup["standings"]} == {1, 2, 3, 4, 5}
    assert len(cup["rounds"]) == (5 if format == "league" else 2)


def test_the_next_season_moves_two_up_and_two_down(club: Server) -> None:
    ana, bo = named(club, "Ana"), named(club, "Bo")
    wish: Json = {"format": "league", "size": 4, "places": 9, "bots": ["foreman"] * 7}
    first = new_cup(ana, **wish)
    assert ana.code("POST", "cups", id="x" * 22, name="y", after=first["id"]) == "bad_options"
    bo.post(f"cups/{first['id']}/join")
    until(ana, first["id"], lambda cup: cup["status"] == "running")
    stored = stored_of(club, first["id"])
    ranks = changes.final_ranks(stored)
    assert sorted(ranks.values()) == list(range(1, 10))
    again = changes.started(
        replace(stored, status="open", cup=replace(stored.cup, rounds=())), ranks
    )
    strongest = {number for number, rank in ranks.items() if rank <= 5}
    groups: dict[int, set[int]] = {game.group: set() for plan in again.cup.plan for game in plan}
    for plan in again.cup.plan:
        for game in plan:
            groups[game.group].update(game.seats)
    assert groups[1] == strongest


def stored_of(server: Server, cup: str):  # type: ignore[no-untyped-def]
    from sqlalchemy import create_engine

    from industry.server.cups import book

    engine = create_engine(str(server.service.store.url))
    with engine.begin() as connection:
        found = book.find(connection, cup)
    engine.dispose()
    return found


def test_an_evening_seats_whoever_is_free(club: Server) -> None:
    people = [named(club, name) for name in ("Ana", "Bo", "Cy", "Di")]
    made = new_cup(people[0], format="evening", places=20)
    assert made["status"] == "running"
    for person in people[1:]:
        person.post(f"cups/{made['id']}/join")
    cup = until(people[0], made["id"], lambda cup: len(cup["rounds"]) == 1)
    assert len(games(cup)) == 1
    assert people[0].post(f"cups/{made['id']}/cancel")["status"] == "running"


def test_who_is_away_when_the_schedule_is_up_forfeits(tmp_path: Path) -> None:
    """The clock of the server is set forward; stand-ins finish the round."""
    ahead = [0]
    database = f"sqlite:///{tmp_path / 'tables.db'}"

    def clock() -> int:
        return round(time.time() * 1000) + ahead[0]

    with served(database, RandomPool(), persons="open", clock=clock) as server:
        ana = named(server, "Ana")
        made = new_cup(ana, bots=BOTS, places=3, rounds=1, hours=24)
        until_round(ana, made["id"], 1)
        ahead[0] = 25 * HOUR
        until(ana, made["id"], lambda cup: is_absent(server, cup, ana))


def test_a_round_begins_when_the_schedule_says_so_and_not_before(tmp_path: Path) -> None:
    """All games of the first round are over at once; the second waits for its day."""
    ahead = [0]

    def clock() -> int:
        return round(time.time() * 1000) + ahead[0]

    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool(), persons="open", clock=clock) as server:
        ana = named(server, "Ana")
        made = new_cup(ana, bots=BOTS, places=9, rounds=2, hours=24, take_part=False)
        assert made["hours"] == 24
        ana.post(f"cups/{made['id']}/start")
        cup = until(ana, made["id"], lambda cup: all_over(cup) and len(games(cup)) == 1)
        (first,) = cup["rounds"]
        assert first["due"] == first["begun"] + 24 * HOUR
        (row,) = ana.get("cups")["cups"]
        assert (row["hours"], row["due"]) == (24, first["due"])
        ahead[0] = 24 * HOUR - 60_000
        other = new_cup(ana, bots=BOTS, places=9, rounds=1, take_part=False)
        ana.post(f"cups/{other['id']}/start")
        until_over(ana, other["id"])  # the driver has looked at all cups since
        assert len(ana.get(f"cups/{made['id']}")["rounds"]) == 1
        ahead[0] = 24 * HOUR
        cup = until_over(ana, made["id"])
        assert cup["rounds"][1]["begun"] >= first["due"]
        assert "due" in cup["rounds"][1]
        assert ana.get("cups")["cups"][0]["due"] is None


def all_over(cup: Json) -> bool:
    return bool(games(cup)) and all(game["over"] for game in games(cup))


def test_a_cup_without_a_schedule_has_no_hour_at_which_a_round_ends(club: Server) -> None:
    ana = named(club, "Ana")
    made = new_cup(ana, bots=BOTS, places=9, rounds=1, take_part=False)
    ana.post(f"cups/{made['id']}/start")
    (held,) = until_over(ana, made["id"])["rounds"]
    assert held["due"] is None


def is_absent(server: Server, cup: Json, person: Member) -> bool:
    seats = server.get(f"/api/tables/{games(cup)[0]['table']}")["seats"]
    return any(seat["absent"] for seat in seats if seat["person"] == person.me["id"])


def test_a_forfeit_is_the_last_place(club: Server) -> None:
    ana = named(club, "Ana")
    made = new_cup(ana, bots=BOTS, places=3, rounds=1)
    cup = until_round(ana, made["id"], 1)
    with own_client(ana, games(cup)[0]["table"]) as client:
        client.ready()
        seat = next(iter(client.yours))
        assert client.command("resign", seat)["type"] == "accepted"
        while client.view["status"] != "over":
            client.receive()
    cup = until_over(ana, made["id"])
    assert games(cup)[0]["forfeits"] == [seat]
    assert cup["standings"][-1]["entrant"] == cup["entrants"][-1]["number"]
    assert games(cup)[0]["scores"][seat - 1] == 0


@pytest.mark.both_stores
def test_a_deleted_person_leaves_a_cup_that_can_be_read(clubs: Server) -> None:
    ana, bo = named(clubs, "Ana"), named(clubs, "Bo")
    made = new_cup(ana, places=5)
    bo.post(f"cups/{made['id']}/join")
    exported = bo.get("me/export")["cups"]
    assert exported == [{"cup": made["id"], "number": 2, "owner": False}]
    assert ana.ask("DELETE", "me").is_success
    cup = bo.get(f"cups/{made['id']}")
    assert cup["entrants"][0]["name"].startswith("Player ")
    assert cup["entrants"][0]["person"] is None
    assert ana.me["name"] not in str(cup) and ana.me["id"] not in str(cup)
    assert bo.ask("DELETE", "me").is_success
    assert clubs.get(f"/api/cups/{made['id']}/export")["entrants"][1]["person"] is None


def test_an_export_is_a_file_that_says_nothing_about_who_asks(club: Server) -> None:
    ana = named(club, "Ana")
    made = new_cup(ana, places=5)
    answer = ana.ask("GET", f"cups/{made['id']}/export")
    assert "attachment" in answer.headers["content-disposition"]
    assert answer.json()["secret"] is None
    assert not {"me", "may_manage"} & set(answer.json())
    stored = stored_of(club, made["id"])
    assert stored.secret not in answer.text
    assert stored.bag_secret(1).hex() not in answer.text


def test_people_cannot_make_tables_of_a_cup_themselves(club: Server) -> None:
    for options in ({"cup": "a" * 12}, {"duplicate": True}):
        seats = [{"kind": "open"}] * 4
        answer = club.http(
            "POST", "/api/tables", json={"id": "x", "options": options, "seats": seats}
        )
        assert answer.json()["code"] == "bad_options"
