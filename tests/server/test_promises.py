"""What the server promises about moves: once, in order, to the position that was seen."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from industry.boards import BoardSpec, board_text, parse_board
from industry.notation import Record, record_from_toml, verify
from industry.notation import replay as replayed
from industry.server.board_catalogue import BoardCatalogue
from industry.server.bot_process import ChosenMove
from industry.server.tuning import wall_clock
from tests.support import proof
from tests.support.waiting import wait_until

from .playing import QUICK, Client, Json, RandomPool, Server, play_on, served

HUMANS = ("human",) * 4
TABLES = [("industry", 4), ("industria", 3), ("industry", 3), ("industria", 4)]

pytestmark = pytest.mark.both_stores


@pytest.fixture
def sqlite_server(shared_server: Server) -> Server:
    """These tests only talk to tables of their own."""
    return shared_server


@pytest.fixture
def server(shared_servers: Server) -> Server:
    """These tests only talk to tables of their own."""
    return shared_servers


def hot_seat(server: Server, **options: object) -> tuple[Json, Client]:
    """A table whose four seats are played at one screen."""
    made = server.make(*HUMANS, **options)
    return made, server.client(made, 1, 2, 3, 4).ready()


def state_of(server: Server, table: str) -> Json:
    """Everything that a command could change."""
    view = server.get(f"/api/tables/{table}")
    return view | {"log": server.get(f"/api/tables/{table}/log")}


# P2


def test_p2_a_move_that_is_sent_again_is_applied_once_and_gets_the_first_answer(
    server: Server,
) -> None:
    made, client = hot_seat(server)
    rng = Random(2)
    with client:
        for number in range(25):
            seat = client.until_mine()
            assert seat is not None
            message = {
                "type": "move",
                "id": f"move-{number}",
                "seat": seat,
                "version": client.version,
                "line": rng.choice(client.yours[seat]["legal"]),
            }
            first = client.ask(**message)
            assert first["type"] == "accepted"
            for _ in range(2):
                assert client.ask(**message) == first
            client.until_version(first["version"])
        moves = [entry for entry in server.log(made["table"]) if entry["kind"] == "move"]
        assert len([move for move in moves if move["how"] == "player"]) == 25


def test_p2_a_repeated_move_is_known_after_a_restart(database: str) -> None:
    with served(database, RandomPool()) as server:
        made, client = hot_seat(server)
        with client:
            seat = client.until_mine()
            message = {
                "type": "move",
                "id": "the-first",
                "seat": seat,
                "version": client.version,
                "line": client.yours[seat or 0]["legal"][0],
            }
            first = client.ask(**message)
            assert first["type"] == "accepted"
        before = state_of(server, made["table"])
    with served(database, RandomPool()) as server:
        with server.client(made, 1, 2, 3, 4).ready() as client:
            assert client.ask(**message) == first
            fresh = message | {"version": client.version}
            assert client.ask(**fresh) == first, "the id counts, not the version"
        assert state_of(server, made["table"]) == before


@pytest.mark.parametrize("kind", ["leave", "resign"])
def test_p2_leaving_twice_is_leaving_once(server: Server, kind: str) -> None:
    made = server.make(*HUMANS)
    with server.client(made, 2).ready() as client:
        seat = next(iter(client.yours))
        message = {"type": kind, "id": "bye", "seat": seat, "version": client.version}
        first = client.ask(**message)
        assert first["type"] == "accepted"
        assert client.ask(**message) == first
    kinds = [entry["kind"] for entry in server.log(made["table"])]
    assert kinds.count("absent") == 1


# P3


def test_p3_a_move_for_an_older_position_is_refused_with_what_is_missing(server: Server) -> None:
    made, client = hot_seat(server, auto_forced=False)
    with client:
        old = client.version
        play_on(client, Random(3), moves=3)
        before = state_of(server, made["table"])
        seat = client.until_mine()
        assert seat is not None
        answer = client.move(client.yours[seat]["legal"][0], version=old)
        assert answer["code"] == "stale"
        assert answer["version"] == client.version
        update = client.until("update")
        assert [step["entry"]["version"] for step in update["steps"]] == list(
            range(old + 1, client.version + 1)
        )
        assert state_of(server, made["table"]) == before


def test_p3_a_version_that_nobody_has_seen_is_refused(server: Server) -> None:
    _, client = hot_seat(server)
    with client:
        seat = client.until_mine()
        assert seat is not None
        line = client.yours[seat]["legal"][0]
        for version in (client.version + 1, client.version + 1000, -1):
            assert client.move(line, version=version)["code"] == "stale"
        assert client.move(line)["type"] == "accepted"


def test_f2_a_move_is_not_refused_for_a_subsidy_that_somebody_else_took_meanwhile(
    server: Server,
) -> None:
    """Ruling F2 with `any_time`: the move under way is checked again."""
    _, client = hot_seat(server, rules={"subsidy_timing": "any_time"}, auto_forced=False)
    with client:
        seat = client.until_mine()
        assert seat is not None
        seen = client.version
        other = seat % 4 + 1
        assert f"{other} subsidy" in client.yours[other]["legal"]
        assert client.move(f"{other} subsidy")["type"] == "accepted"
        line = next(line for line in client.yours[seat]["legal"] if "offer" in line)
        assert client.move(line, version=seen)["type"] == "accepted"


# P4


def test_p4_every_client_sees_the_same_history(server: Server) -> None:
    made = server.make(*HUMANS)
    players = [server.client(made, place).ready() for place in (1, 2, 3, 4)]
    watcher = server.client(made).ready()
    rng = Random(4)
    for _ in range(60):
        actor = next(p for p in players if p.actor() in p.yours)
        seat = actor.actor()
        answer = actor.move(rng.choice(actor.yours[seat or 0]["legal"]))
        assert answer["type"] == "accepted", answer
        for client in (*players, watcher):
            client.until_version(answer["version"])
    final = server.get(f"/api/tables/{made['table']}")
    for client in (*players, watcher):
        client.until_version(final["version"])
        assert client.entries == watcher.entries
        assert client.view["game"] == final["game"]
        assert [entry["version"] for entry in client.entries] == list(
            range(1, final["version"] + 1)
        )
        client.socket.close()


# P9, P10


@pytest.mark.parametrize(("edition", "players"), proof.cases(TABLES, 2))
def test_p9_p10_a_whole_game_keeps_all_talers_and_every_offered_move_is_accepted(
    sqlite_server: Server, edition: str, players: int
) -> None:
    server = sqlite_server
    made = server.make(*("human",) * players, edition=edition)
    rng = Random(f"{edition}{players}")
    counted = banked = 0
    with server.client(made, *range(1, players + 1)).ready() as client:
        while (seat := client.until_mine()) is not None:
            legal = client.yours[seat]["legal"]
            assert legal
            answer = client.move(rng.choice(legal))
            assert answer["type"] == "accepted", answer
            client.until_version(answer["version"])
            for entry in client.entries[counted:]:
                for event in entry["events"]:
                    if event["type"] == "talers_moved":
                        paid_out = (event["source"] is None) - (event["target"] is None)
                        banked += event["amount"] * paid_out
            counted = len(client.entries)
            assert sum(client.view["game"]["talers"]) == banked
    text = server.http("GET", f"/api/tables/{made['table']}/record").text
    record = record_from_toml(text)
    game = replayed(record, server.service.catalogue.by_name[edition])
    assert verify(record, game.board) is None
    assert client.view["game"]["winners"] == game.winners()
    assert [part["points"] for part in client.view["game"]["score"]] == [
        part.points for part in game.score()
    ]


def test_p10_every_move_that_is_not_offered_is_refused_and_changes_nothing(
    sqlite_server: Server,
) -> None:
    server = sqlite_server
    made, client = hot_seat(server)
    rng = Random(10)
    fields = [f"{era}{column}" for era in "12345" for column in "ABCDEFGHIJKL"]
    lines = [f"{seat} {verb}" for seat in "1234" for verb in ("pass", "sell", "claim", "done")]
    lines += [f"{seat} bid {talers}" for seat in "1234" for talers in (0, 1, 5, 99)]
    lines += [f"{seat} offer {rng.choice(fields)}" for seat in "1234"]
    lines += [f"{seat} cash 1A" for seat in "1234"]
    with client:
        for _ in range(6):
            seat = client.until_mine()
            before = state_of(server, made["table"])
            legal = {line for yours in client.yours.values() for line in yours["legal"]}
            for line in rng.sample(sorted(set(lines) - legal), 6):
                answer = client.move(line)
                assert answer["code"] == "illegal_move", (line, answer)
                assert answer["refusal"]["wrong"]
            for line in ("draw 1A 1B 1C 1D", "", "1 dance", f"{seat} bid 01", "5 pass", "x" * 80):
                answer = client.command("move", seat or 1, line=line)
                assert answer["code"] in ("bad_line", "bad_message"), (line, answer)
            other = (seat or 1) % 4 + 1
            line = next(iter(sorted(legal)))
            assert client.command("move", other, line=line)["code"] == "not_your_seat"
            assert state_of(server, made["table"]) == before
            play_on(client, rng, moves=5)


def test_a_refusal_speaks_the_language_of_its_reader(sqlite_server: Server) -> None:
    made = sqlite_server.make(*HUMANS)
    sentences = {}
    for language in ("en", "de", "fr"):
        with sqlite_server.client(made, 1, 2, 3, 4, language=language).ready() as client:
            sentences[language] = client.move(f"{client.actor()} claim")["refusal"]["wrong"]
            why = client.ask(type="ask_why", line=f"{client.actor()} claim")
            assert why["refusal"]["wrong"] == sentences[language]
    assert len(set(sentences.values())) == 3


# P13


def test_p13_time_that_runs_out_is_played_for_and_the_log_says_so(database: str) -> None:
    shift = [0]
    tuning = replace(QUICK, grace=0)
    with served(
        database, RandomPool(), tuning=tuning, clock=lambda: wall_clock() + shift[0]
    ) as server:
        made = server.make("human", "random", "random", "random", clock="live")
        with server.client(made, 1).ready() as client:
            client.until_mine()
            shift[0] += 10 * 60 * 1000
            while not any(entry["kind"] == "absent" for entry in client.entries):
                client.receive()
            absent = next(entry for entry in client.entries if entry["kind"] == "absent")
            assert absent["reason"] == "clock"
            assert client.view["seats"][absent["seat"] - 1]["absent"]


def test_p13_a_clock_that_is_set_marks_nobody_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even after a machine has slept, those present have a minute to decide."""
    shift, scans = [0], [0]
    with served(
        f"sqlite:///{tmp_path / 'tables.db'}",
        RandomPool(),
        tuning=replace(QUICK, scan=0.05),
        clock=lambda: wall_clock() + shift[0],
    ) as server:
        store = server.service.store
        due_before = store.due_before

        async def counted(until: int) -> list[str]:
            scans[0] += 1
            return await due_before(until)

        monkeypatch.setattr(store, "due_before", counted)
        made = server.make("human", "human", "human", clock="live")
        with server.client(made, 1, 2, 3).ready() as client:
            shift[0] += 3600 * 1000  # the grace after the start is over, too
            scanned = scans[0]
            wait_until(lambda: scans[0] >= scanned + 5, "nobody looks for what is due")
            view = server.get(f"/api/tables/{made['table']}")
            assert not any(seat["absent"] for seat in view["seats"])
            seat = client.until_mine()
            assert seat is not None
            assert client.move(client.yours[seat]["legal"][0])["type"] == "accepted"


def test_p13_the_game_of_somebody_who_has_left_goes_on(server: Server) -> None:
    """The others go on at once; what the stand-in does is told as such."""
    made = server.make("human", "human", "random", "random")
    with server.client(made, 1).ready() as leaver, server.client(made, 2).ready() as stayer:
        seat = next(iter(leaver.yours))
        while leaver.command("leave", seat)["type"] != "accepted":
            pass  # a bot was faster
        rng = Random(13)
        while not any(entry["how"] == "zombie" for entry in stayer.entries):
            play_on(stayer, rng, moves=1)
        stand_in = next(entry for entry in stayer.entries if entry["how"] == "zombie")
        assert stand_in["seat"] == seat
        while leaver.command("return", seat)["type"] != "accepted":
            pass
        assert not server.get(f"/api/tables/{made['table']}")["seats"][seat - 1]["absent"]


# P14


def test_p14_who_comes_back_gets_what_is_missing_in_one_answer(server: Server) -> None:
    made, client = hot_seat(server)
    with client:
        play_on(client, Random(14), moves=5)
        known, entries = client.view, list(client.entries)
        play_on(client, Random(15), moves=5)
        with server.client(made, 1, 2, 3, 4, known=known) as back:
            update = back.receive()
            assert update["type"] == "update"
            assert entries + [step["entry"] for step in update["steps"]] == client.entries
            assert back.view == client.view
            assert {yours["seat"] for yours in update["yours"]} == {1, 2, 3, 4}
        with server.client(made, version=10_000) as lost:
            assert lost.receive()["type"] == "snapshot"


def test_p14_a_restart_loses_nothing(database: str) -> None:
    with served(database, RandomPool()) as server:
        made, client = hot_seat(server)
        with client:
            play_on(client, Random(16), moves=10)
        before = state_of(server, made["table"])
    with served(database, RandomPool()) as server:
        assert state_of(server, made["table"]) == before
        with server.client(made, 1, 2, 3, 4, known=client.view) as client:
            assert client.until("update")["steps"] == []
            play_on(client, Random(17), moves=10)


# Undo, rematch, hot seat


def test_undo_is_an_entry_of_the_log_that_everyone_sees(server: Server) -> None:
    made, client = hot_seat(server, auto_forced=False)
    with client, server.client(made).ready() as watcher:
        seat = client.until_mine()
        assert seat is not None
        before = json.dumps(client.view["game"], sort_keys=True)
        line = client.yours[seat]["legal"][0]
        assert client.move(line)["type"] == "accepted"
        while not client.yours[seat]["can_undo"]:
            client.receive()
        answer = client.command("undo", seat)
        assert answer["type"] == "accepted"
        for socket in (client, watcher):
            socket.until_version(answer["version"])
            assert json.dumps(socket.view["game"], sort_keys=True) == before
            assert socket.entries[-1]["kind"] == "undone"
            assert socket.entries[-1]["line"] == line
        assert client.command("undo", seat)["code"] == "nothing_to_undo"


def test_seats_of_one_screen_are_told_each_its_own(server: Server) -> None:
    made = server.make("human", "human", "random", "random")
    with server.client(made, 1, 2).ready() as client:
        assert len(client.yours) == 2
        assert client.welcome["seats"] == sorted(client.yours)
        play_on(client, Random(18), moves=8)


def test_a_rematch_has_the_same_people_one_seat_further(server: Server) -> None:
    made, client = hot_seat(server, seating="as_joined")
    tokens = {held["seat"]: held["token"] for held in made["seats"]}
    path = f"/api/tables/{made['table']}/rematch"
    early = server.http("POST", path, tokens[1], json={"id": "early"})
    assert (early.status_code, early.json()["code"]) == (409, "not_over")
    with client:
        play_on(client, Random(19))
        again = server.post(path, tokens[1], id="again")
        other = server.post(path, tokens[3], id="other")
        assert again["table"] == other["table"]
        assert [(held["seat"], held["token"]) for held in again["seats"]] == [(2, tokens[1])]
        while client.view["next_table"] is None:
            client.receive()
        assert client.view["next_table"] == again["table"]
    old = [seat["name"] for seat in server.get(f"/api/tables/{made['table']}")["seats"]]
    for place in (1, 2, 3, 4):  # all come: the game begins
        wish = {"id": f"come{place}", "name": old[place - 1]}
        server.post(f"/api/tables/{again['table']}/seats", tokens[place], **wish)
    new = server.get(f"/api/tables/{again['table']}")
    assert new["status"] == "running"
    assert [seat["name"] for seat in new["seats"]] == [old[-1], *old[:-1]]
    everyone = Client(server, again["table"], list(tokens.values())).ready()
    assert sorted(everyone.yours) == [1, 2, 3, 4]
    play_on(everyone, Random(20), moves=3)
    everyone.socket.close()


def test_a_rematch_is_on_the_same_board_though_the_server_no_longer_offers_it(
    tmp_path: Path,
) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    text = board_text("industry").replace('id      = "industry"', 'id      = "mine"')
    with served(database, RandomPool(), catalogue=BoardCatalogue({"mine": text})) as server:
        made, client = hot_seat(server, board="mine")
        with client:
            play_on(client, Random(21))
    with served(database, RandomPool()) as server:
        path = f"/api/tables/{made['table']}/rematch"
        again = server.post(path, made["seats"][0]["token"], id="again")
        new = server.get(f"/api/tables/{again['table']}")
    assert (new["status"], new["options"]["board"]) == ("open", "mine")
    assert new["board_hash"] == parse_board(text, "mine").hash


# Bots and stand-ins


class HeldPool(RandomPool):
    """Bots that think for as long as they are held."""

    def __init__(self) -> None:
        super().__init__()
        self.holds = False
        self.held = 0
        """How many think at the moment."""

    async def choose(
        self, bot: str, record: Record, board: BoardSpec, seed: str, share: float = 1.0
    ) -> ChosenMove:
        self.held += 1
        try:
            while self.holds:
                await asyncio.sleep(0.01)
        finally:
            self.held -= 1
        return await super().choose(bot, record, board, seed, share)


def test_a_move_is_taken_back_while_the_next_bot_still_thinks(tmp_path: Path) -> None:
    """What the bot has thought of meanwhile is forgotten."""
    database, pool = f"sqlite:///{tmp_path / 'tables.db'}", HeldPool()
    with served(database, pool) as server:
        made = server.make("human", "random", "random", seating="as_joined", auto_forced=False)
        with server.client(made, 1).ready() as client:
            while client.until_mine() and client.view["game"]["phase"] != "offer":
                client.move(client.yours[1]["legal"][-1])
            line = next(line for line in client.yours[1]["legal"] if "offer" in line)
            pool.holds = True
            moved = client.move(line)
            assert moved["type"] == "accepted"
            client.until_version(moved["version"])
            wait_until(lambda: pool.held, "no bot was asked")
            undone = client.command("undo", 1)
            assert undone["type"] == "accepted"
            client.until_version(undone["version"])
            pool.holds = False
            wait_until(lambda: not pool.held, "the bot still thinks")
            assert client.ask(type="ping")["type"] == "pong"
            assert client.version == undone["version"]
            assert client.actor() == 1
            again = client.move(line)
            client.until_version(again["version"] + 1)
            assert client.entries[-1]["how"] == "bot"


def test_a_bot_plays_for_an_absent_player_where_the_table_says_so(server: Server) -> None:
    made = server.make("human", "human", "random", zombie="bot", auto_forced=False)
    with server.client(made, 1).ready() as leaver, server.client(made, 2).ready() as stayer:
        seat = next(iter(leaver.yours))
        while leaver.command("leave", seat)["type"] != "accepted":
            pass  # a bot was faster
        play_on(stayer, Random(21))
        stand_in = [entry["line"] for entry in stayer.entries if entry["how"] == "zombie"]
        assert {line.split()[0] for line in stand_in} == {str(seat)}
        assert {line.split()[1] for line in stand_in} & {"bid", "claim", "develop"}


def test_a_table_that_nobody_uses_leaves_the_memory_and_comes_back(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool(), tuning=replace(QUICK, idle=0.1)) as server:
        made, client = hot_seat(server)
        with client:
            play_on(client, Random(22), moves=5)
            assert made["table"] in server.service.live_tables
        before = client.view["game"]
        wait_until(lambda: made["table"] not in server.service.live_tables, "it is still in memory")
        assert server.get(f"/api/tables/{made['table']}")["game"] == before
