"""A friend who vanishes does not block a table without a clock: others seat a stand-in (J2)."""

from pathlib import Path

import pytest

from industry.server.clock import DAY, MINUTE, PATIENCE

from .playing import Client, RandomPool, served
from .tables import Play
from .test_table import refusal

LONG = 10 * MINUTE


def ask(play: Play, seat: int, target: int, *, host: bool = False, after: int = 0) -> None:
    draft = play.draft(after)
    draft.stand_in(seat, target, host=host)
    play.keep(draft)


def others(play: Play) -> list[int]:
    return [seat for seat in range(len(play.table.seats)) if seat != play.actor - 1]


def test_nobody_is_replaced_before_the_time_is_up() -> None:
    play = Play(auto_forced=False)
    late, voter = play.actor - 1, others(play)[0]
    with refusal("too_early"):
        play.draft(LONG - 1).stand_in(voter, late, host=True)
    play.draft(1).stand_in(voter, late, host=True)


def test_the_host_alone_seats_a_stand_in_and_the_friend_returns_by_a_move() -> None:
    play = Play(auto_forced=False)
    late = play.actor - 1
    ask(play, others(play)[0], late, host=True, after=LONG)
    assert play.table.seats[late].absent == "voted"
    assert play.moves("zombie"), "the stand-in decides at once"
    assert play.table.actor != late
    draft = play.draft()
    draft.come_back(late)
    play.keep(draft)
    assert play.table.seats[late].absent is None


def test_without_the_host_a_majority_of_the_others_is_needed() -> None:
    play = Play(auto_forced=False)
    late, (first, second, _) = play.actor - 1, others(play)
    ask(play, first, late, after=LONG)
    assert play.table.seats[late].absent is None
    assert play.table.asked == {first}
    with refusal("too_early"):
        play.draft().stand_in(first, late, host=False)
    ask(play, second, late)
    assert play.table.seats[late].absent == "voted"
    assert play.table.asked == frozenset()


def test_a_wish_is_forgotten_once_the_friend_decides() -> None:
    play = Play(auto_forced=False)
    late, first = play.actor - 1, others(play)[0]
    ask(play, first, late, after=LONG)
    play.move(play.legal()[0])
    assert play.table.asked == frozenset()
    assert play.table.stand_in_at == play.now + LONG


@pytest.mark.parametrize(
    "options", [{"patience": "never"}, {"clock": "live"}, {"clock": "days", "patience": "2m"}]
)
def test_where_the_table_does_not_allow_it_nobody_is_replaced(options: dict[str, str]) -> None:
    play = Play(auto_forced=False, **options)
    assert play.table.stand_in_at is None
    with refusal("too_early"):
        play.draft(DAY).stand_in(others(play)[0], play.actor - 1, host=True)


def test_only_people_at_the_table_ask_and_only_for_whom_all_wait() -> None:
    play = Play(auto_forced=False)
    late, (first, second, _) = play.actor - 1, others(play)
    with refusal("too_early"):
        play.draft(LONG).stand_in(first, second, host=True)
    with refusal("not_your_seat"):
        play.draft().stand_in(late, late, host=True)


def test_against_bots_alone_there_is_nobody_who_waits() -> None:
    play = Play(("human", "random", "random"), auto_forced=False)
    while play.table.seats[play.actor - 1].kind == "bot":
        draft = play.draft()
        draft.bot_move(play.legal()[0])
        play.keep(draft)
    assert play.table.stand_in_at is None


def test_a_table_says_when_and_the_host_s_socket_decides_alone(tmp_path: Path) -> None:
    now = [1_800_000_000_000]
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool(), clock=lambda: now[0]) as server:
        made = server.make("human", "human", "human", seating="as_joined", patience="2m")
        with server.client(made, 1, 2, 3).ready() as all_seats:
            late = all_seats.actor()
            assert late is not None
            at = all_seats.view["clock"]["stand_in_at"]
            assert at == now[0] + (PATIENCE["2m"] or 0)
        seat = late % 3 + 1
        tokens = {held["seat"]: held["token"] for held in made["seats"]}
        with Client(server, made["table"], [tokens[seat]]).ready() as friend:
            assert friend.command("stand_in", seat, target=late)["code"] == "too_early"
            now[0] = at
            answer = friend.command("stand_in", seat, target=late)
            assert answer["type"] == "accepted"
            friend.until_version(answer["version"])
            assert friend.view["clock"]["stand_in_asked"] == [seat]
            assert friend.entries[-1]["target"] == late
        third = seat % 3 + 1
        with Client(server, made["table"], [tokens[third], made["host"]]).ready() as host:
            assert host.command("stand_in", third, target=late)["type"] == "accepted"
            while not host.view["seats"][late - 1]["absent"]:
                host.receive()


def test_a_host_without_a_seat_seats_a_stand_in(tmp_path: Path) -> None:
    now = [1_800_000_000_000]
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool(), clock=lambda: now[0]) as server:
        made = server.make("human", "human", "human", seating="as_joined", patience="2m")
        path = f"/api/tables/{made['table']}/stand_in"
        late = server.get(f"/api/tables/{made['table']}")["game"]["actor"]
        wish = {"id": "host-asks", "seat": late}
        seat_token = made["seats"][late % 3]["token"]
        assert server.http("POST", path, made["host"], json=wish).json()["code"] == "too_early"
        now[0] += PATIENCE["2m"] or 0
        for token, code in ((None, "bad_token"), (seat_token, "not_host")):
            assert server.http("POST", path, token, json=wish).json()["code"] == code
        other = wish | {"id": "other", "seat": late % 3 + 1}
        assert server.http("POST", path, made["host"], json=other).json()["code"] == "too_early"
        view = server.post(path, made["host"], **wish)
        assert view["seats"][late - 1]["absent"]
        assert server.post(path, made["host"], **wish)["version"] == view["version"], "repeated"
        entries = server.log(made["table"])
        absent = next(entry for entry in entries if entry["kind"] == "absent")
        assert (absent["seat"], absent["reason"]) == (late, "voted")
