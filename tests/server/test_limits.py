"""P12: what one address may ask for is limited, wide enough for a club, and others go on.

Every test here fails on version 0.1.0, which had limits for each socket and none for each client.
"""

import asyncio
import contextlib
import ipaddress
import json
import logging
import re
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from industry.server import address_limits
from industry.server.address_limits import UNKNOWN, AddressLimiter, address_key
from industry.server.commands import MOST_UNDOS
from industry.server.connection_limits import ConnectionCounter, most_connections
from industry.server.errors import Refused
from industry.server.limits import Limits
from industry.server.live_table import SHOWN
from industry.server.logs import JsonLines
from industry.server.metrics import Metrics
from industry.server.middleware import SecurityMiddleware
from industry.server.protocol.base import PROTOCOL
from industry.server.tuning import wall_clock
from tests.support.waiting import wait_until

from .playing import PATIENCE, QUICK, WIDE, Json, RandomPool, Server, play_on, served

HERE, THERE = "203.0.113.1", "203.0.113.2"
HELLO = json.dumps({"type": "hello", "protocol": PROTOCOL})


def limited(server: Server, kind: str) -> float:
    """How often something was refused, as /metrics tells it."""
    page = server.http("GET", "/metrics").text
    return sum(
        sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
        if sample.name == "industry_limited_total" and sample.labels == {"kind": kind}
    )


def asked(server: Server, method: str, path: str, address: str, **more: Any) -> httpx.Response:
    return server.http(method, path, headers={"x-forwarded-for": address}, **more)


def made(server: Server, address: str, *seats: str) -> httpx.Response:
    wishes = [{"kind": seat} for seat in seats or ("open", "open", "open")]
    wish = {"id": "make", "options": {"players": len(wishes)}, "seats": wishes}
    return asked(server, "POST", "/api/tables", address, json=wish)


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'tables.db'}"


# Accounts


def test_an_address_is_a_v4_address_or_a_v6_network() -> None:
    assert address_key("203.0.113.9") == "203.0.113.9"
    assert address_key("::ffff:203.0.113.9") == "203.0.113.9"
    assert address_key("2001:db8:1:2:3::4") == address_key("2001:db8:1:2::") == "2001:db8:1:2::/64"
    assert address_key("2001:db8:1:3::4") != address_key("2001:db8:1:2::4")
    assert address_key("fe80::1%eth0") == "fe80::/64"
    assert address_key("whoever") == address_key("") == UNKNOWN


def test_a_rate_is_given_back_evenly_and_told_with_the_time_to_wait() -> None:
    now = 0.0
    limiter = AddressLimiter(Limits(address_replays=60), Metrics(), clock=lambda: now)
    for _ in range(60):
        limiter.spend(HERE, "replays")
    with pytest.raises(Refused) as refused:
        limiter.spend(HERE, "replays")
    assert (refused.value.code, refused.value.retry_after) == ("too_fast", 1)
    limiter.spend(THERE, "replays")
    now = 10.0
    for _ in range(10):
        limiter.spend(HERE, "replays")
    with pytest.raises(Refused):
        limiter.spend(HERE, "replays")


def test_accounts_are_bounded_and_none_with_something_open_is_forgotten() -> None:
    limiter = AddressLimiter(Limits(), Metrics())
    assert limiter.acquire(HERE, "sockets")
    for number in range(2 * address_limits.ACCOUNTS):
        limiter.spend(str(ipaddress.IPv4Address(number)), "messages")
    assert len(limiter._accounts) <= address_limits.ACCOUNTS
    assert limiter._accounts[HERE].held["sockets"] == 1


def test_one_address_has_one_turn_in_each_pass_of_the_loop() -> None:
    """Whatever one address sends at once, somebody else waits for one thing of it at most."""

    async def run() -> list[str]:
        limiter, done = AddressLimiter(Limits(), Metrics()), []

        async def work(address: str) -> None:
            await limiter.wait_turn(address)
            done.append(address)

        flood = [asyncio.create_task(work(HERE)) for _ in range(50)]
        await asyncio.gather(*flood, asyncio.create_task(work(THERE)))
        return done

    assert asyncio.run(run()).index(THERE) < 3


def test_the_log_names_an_address_once_a_minute_in_the_form_that_the_page_for_hosts_tells(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What fail2ban reads: docs/operations.md has the pattern."""
    now = 0.0
    limiter = AddressLimiter(Limits(address_requests=1), Metrics(), clock=lambda: now)
    with caplog.at_level(logging.WARNING, "industry.server"):
        for moment in (0.0, 0.1, 0.2, 61.0, 61.1):
            now = moment
            for _ in range(20):
                with contextlib.suppress(Refused):
                    limiter.spend(HERE, "requests")
                with contextlib.suppress(Refused):
                    limiter.spend(address_key("2001:db8::1:2"), "requests")
    lines = [JsonLines().format(record) for record in caplog.records]
    assert len(lines) == 4, "two addresses in two minutes"
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    (pattern,) = re.findall(r"^failregex = (.*)$", page, re.MULTILINE)
    named = [re.search(pattern.replace("<SUBNET>", "([0-9a-f.:/]+)"), line) for line in lines]
    assert {found[1] for found in named if found} == {HERE, "2001:db8::/64"}
    assert all(named)


# Tables (row 3)


def test_p12_one_address_makes_so_many_tables_and_others_go_on(database: str) -> None:
    limits = replace(WIDE, address_new_tables=5)
    with served(database, RandomPool(), limits=limits) as server:
        answers = [made(server, HERE) for _ in range(8)]
        assert [answer.status_code for answer in answers] == [201] * 5 + [429] * 3
        problem = answers[-1].json()
        assert problem["code"] == "too_fast"
        assert 100 <= problem["retry_after"] <= 120, "five in ten minutes"
        assert answers[-1].headers["retry-after"] == str(problem["retry_after"])
        assert made(server, THERE).status_code == 201
        assert limited(server, "tables") == 3


def test_p12_one_address_has_so_many_unfinished_tables(database: str) -> None:
    """Also after a restart, and nothing of the address itself is kept."""
    limits = replace(WIDE, address_tables=3)
    with served(database, RandomPool(), limits=limits) as server:
        assert [made(server, HERE).status_code for _ in range(3)] == [201] * 3
    with served(database, RandomPool(), limits=limits) as server:
        refused = made(server, HERE)
        assert refused.status_code == 429
        assert refused.json()["code"] == "too_many_tables"
        assert refused.json()["detail"] == "address"
        assert made(server, THERE).status_code == 201
    kept = Path(database.removeprefix("sqlite:///")).read_bytes()
    assert HERE.encode() not in kept


def test_a_table_that_is_over_counts_no_more(database: str) -> None:
    limits = replace(WIDE, address_tables=1)
    with served(database, RandomPool(), limits=limits) as server:
        wish = [{"kind": "bot", "bot": "random"}] * 3
        body = {"id": "make", "options": {"players": 3}, "seats": wish}
        table = server.http("POST", "/api/tables", json=body).json()["table"]
        wait_for_status(server, table, "over")
        assert server.http("POST", "/api/tables", json=body | {"id": "again"}).is_success


def test_p12_a_rematch_counts_as_a_table_of_its_address(database: str) -> None:
    """Else somebody could finish games and ask for rematches without end."""
    limits = replace(WIDE, address_new_tables=2)
    with served(database, RandomPool(), limits=limits) as server:
        wish = [{"kind": "human", "name": name} for name in ("Ana", "Bo", "Cy")]
        body = {"id": "make", "options": {"players": 3}, "seats": wish}
        tables = [asked(server, "POST", "/api/tables", HERE, json=body).json() for _ in range(2)]
        for table in tables:
            with server.client(table, 1, 2, 3) as client:
                play_on(client, Random(5))
        headers = {"x-forwarded-for": HERE}
        paths = [f"/api/tables/{table['table']}/rematch" for table in tables]
        token = tables[0]["seats"][0]["token"]
        refused = server.http("POST", paths[0], token, json={"id": "again"}, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (429, "too_fast")
        headers = {"x-forwarded-for": THERE}
        new = server.http("POST", paths[0], token, json={"id": "again"}, headers=headers)
        assert new.status_code == 201
        there = server.service.keys.maker(THERE)
        counted = server.service.store.count_unfinished(there)
        assert asyncio.run_coroutine_threadsafe(counted, server.loop).result(PATIENCE) == 1
        headers = {"x-forwarded-for": HERE}
        known = server.http("POST", paths[0], token, json={"id": "twice"}, headers=headers)
        assert known.json()["table"] == new.json()["table"], "asking for the same one costs nothing"


def test_the_last_tenth_of_all_tables_is_for_those_who_have_none(database: str) -> None:
    tuning = replace(QUICK, max_tables=20)
    with served(database, RandomPool(), tuning=tuning) as server:
        answers = [made(server, HERE) for _ in range(20)]
        assert [a.status_code for a in answers] == [201] * 18 + [429] * 2
        assert answers[-1].json()["code"] == "too_many_tables"
        assert made(server, THERE).status_code == 201
        assert made(server, THERE).status_code == 429


def test_p13_an_open_table_that_nobody_visits_closes_with_an_entry(database: str) -> None:
    """One with a socket stays, whatever its age."""
    tuning, shift = replace(QUICK, sweep=0.1, open_idle=3600), [0]
    with served(
        database, RandomPool(), tuning=tuning, clock=lambda: wall_clock() + shift[0]
    ) as server:
        left, visited = (server.make("human", "open", "open") for _ in range(2))
        with server.client(visited, 1).ready() as client:
            shift[0] += 2 * 3600 * 1000
            wait_for_status(server, left["table"], "closed")
            entry = server.log(left["table"])[-1]
            assert (entry["kind"], entry["reason"]) == ("closed", "never_started")
            assert client.ask(type="ping")["type"] == "pong"
            assert server.get(f"/api/tables/{visited['table']}")["status"] == "open"
        wish = {"id": "sit", "name": "Bo"}
        refused = server.http("POST", f"/api/tables/{left['table']}/seats", json=wish)
        assert (refused.status_code, refused.json()["code"]) == (409, "table_closed")
        listed = [table["table"] for table in server.get("/api/tables")["tables"]]
        assert left["table"] not in listed


def test_p13_a_game_without_a_clock_closes_after_a_month_without_a_move(database: str) -> None:
    """One with a clock does not: there the clock goes on."""
    tuning = replace(QUICK, sweep=0.3, still_idle=0.5)
    with served(database, RandomPool(), tuning=tuning) as server:
        still = server.make("human", "human", "human")
        timed = server.make("human", "human", "human", clock="days")
        wait_for_status(server, still["table"], "closed")
        assert server.log(still["table"])[-1]["reason"] == "abandoned"
        with server.client(still, 1, 2, 3).ready() as client:
            assert client.view["status"] == "closed"
            assert client.command("move", 1, line="1 pass")["code"] == "table_closed"
        assert server.get(f"/api/tables/{timed['table']}")["status"] == "running"


def wait_for_status(server: Server, table: str, status: str) -> None:
    wait_until(
        lambda: server.get(f"/api/tables/{table}")["status"] == status, f"{table} is not {status}"
    )


# Requests (row 2)


def raw(port: int, data: bytes, *, source: str = "127.0.0.1") -> bytes:
    """What the server answers to some bytes, until it hangs up."""
    place = ("127.0.0.1", port)
    with socket.create_connection(place, PATIENCE, source_address=(source, 0)) as line:
        answer = b""
        with contextlib.suppress(OSError):
            line.sendall(data)
        with contextlib.suppress(OSError):
            while part := line.recv(65_536):
                answer += part
        return answer


@pytest.mark.parametrize(
    "head",
    [
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 20_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + b"X: a\r\n" * 4000 + b"\r\n",
        b"POST /api/mine HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
        + b"X: a\r\n" * 200_000,
    ],
    ids=["header", "line", "many", "trailers"],
)
def test_p12_a_request_has_a_size(sqlite_server: Server, head: bytes) -> None:
    answer = raw(sqlite_server.port, head)
    assert answer.startswith((b"HTTP/1.1 431", b"HTTP/1.1 413")) or answer == b"", answer[:200]
    assert b'"code":"too_large"' in answer or answer == b""
    assert sqlite_server.get("/healthz") == {"status": "ok"}


def test_headers_of_a_usual_size_are_taken_however_they_come(sqlite_server: Server) -> None:
    """In pieces, two requests in one, and with a body behind them."""
    one = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 15_000 + b"\r\n"
    body = json.dumps({"tokens": []}).encode()
    two = b"POST /api/mine HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    two += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    last = one + b"Connection: close\r\n\r\n"
    answer = raw(sqlite_server.port, one + b"\r\n" + two + last)
    assert answer.count(b"HTTP/1.1 200") == 3, answer


def test_p12_a_request_that_does_not_end_is_answered_and_closed(database: str) -> None:
    limits = replace(WIDE, request_seconds=0.5)
    with served(database, RandomPool(), limits=limits) as server:
        begin = time.monotonic()
        assert raw(server.port, b"") == b"", "a connection without a request is closed silently"
        halves = (
            b"GET / HTTP/1.1\r\nHo",
            b"POST /api/mine HTTP/1.1\r\nContent-Length: 9\r\n\r\n{",
        )
        for half in halves:
            assert raw(server.port, half).startswith(b"HTTP/1.1 408")
        assert time.monotonic() - begin < PATIENCE
        assert limited(server, "slow_requests") == 2
        assert server.get("/healthz") == {"status": "ok"}


def test_p12_an_address_has_so_many_connections_and_a_proxy_as_many_as_it_needs(
    database: str,
) -> None:
    limits = replace(WIDE, address_connections=5)
    with served(database, RandomPool(), limits=limits) as server:
        place = ("127.0.0.1", server.port)
        stranger = ("127.0.1.1", 0)
        lines = [
            socket.create_connection(place, PATIENCE, source_address=stranger) for _ in range(8)
        ]
        answers = []
        for line in lines[5:]:
            line.settimeout(PATIENCE)
            answers.append(line.recv(4096))
        assert all(b" 429 " in answer and b"retry-after: 10" in answer for answer in answers)
        assert raw(server.port, ok("close"), source="127.0.1.2").startswith(b"HTTP/1.1 200")
        proxied = [socket.create_connection(place, PATIENCE) for _ in range(8)]
        assert server.get("/healthz") == {"status": "ok"}
        for line in (*lines, *proxied):
            line.close()
        wait_until(
            lambda: raw(server.port, ok("close"), source="127.0.1.1").startswith(b"HTTP/1.1 200"),
            "closed connections still count",
        )


def ok(connection: str) -> bytes:
    head = f"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: {connection}\r\n\r\n"
    return head.encode()


def test_what_cannot_be_accepted_is_told_and_answered(caplog: pytest.LogCaptureFixture) -> None:
    """Some descriptors are always left for the database and everything else."""
    counter = ConnectionCounter(AddressLimiter(Limits(), Metrics()), (), most=2)
    with caplog.at_level(logging.ERROR, "industry.server"):
        leaves = [counter.enter(f"203.0.113.{number}")[0] for number in range(3)]
    assert [leave is None for leave in leaves] == [False, False, True]
    assert [record.message for record in caplog.records] == ["accept_failed"]
    assert leaves[0] is not None
    leaves[0]()
    assert counter.enter(HERE)[0] is not None
    assert most_connections() >= 16


def test_p12_an_address_sends_so_many_requests_and_others_go_on(database: str) -> None:
    limits = replace(WIDE, address_requests=2)
    with served(database, RandomPool(), limits=limits, steady=lambda: 0.0) as server:
        answers = [asked(server, "GET", "/api/boards", HERE) for _ in range(5)]
        codes = [answer.status_code for answer in answers]
        assert codes[:2] == [200] * 2
        refused = answers[codes.index(429)]
        assert refused.json()["code"] == "too_fast"
        assert refused.json()["retry_after"] >= 1
        assert refused.headers["retry-after"]
        assert asked(server, "GET", "/api/boards", THERE).status_code == 200


def test_only_a_trusted_proxy_names_addresses(database: str) -> None:
    """Somebody else who names another address each time is still himself."""
    limits = replace(WIDE, address_requests=2)
    with served(database, RandomPool(), limits=limits, steady=lambda: 0.0) as server:
        answers = []
        for number in range(5):
            head = "GET /api/boards HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            head += f"X-Forwarded-For: 203.0.113.{number}\r\n\r\n"
            answers.append(raw(server.port, head.encode(), source="127.0.1.7")[:12])
        assert b"HTTP/1.1 429" in answers


# Sockets (rows 8 and 10)


def watcher(server: Server, table: str, address: str) -> Any:
    address_of_table = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
    headers = {"x-forwarded-for": address}
    line = connect(address_of_table, additional_headers=headers, max_size=None, close_timeout=1)
    with contextlib.suppress(ConnectionClosed):  # what it was told can still be read
        line.send(HELLO)
    return line


def first(line: Any) -> Json:
    message: Json = json.loads(line.recv(PATIENCE))
    return message


def test_p12_however_many_watch_players_can_come_back(database: str) -> None:
    """A thousand anonymous watchers locked the players of version 0.1.0 out."""
    limits = replace(WIDE, watchers=4, address_watchers=3)
    with served(database, RandomPool(), limits=limits) as server:
        table = server.make("human", "human", "human")
        lines = [watcher(server, table["table"], HERE) for _ in range(4)]
        kinds = [first(line) for line in lines]
        assert [m["type"] for m in kinds] == ["welcome"] * 3 + ["error"]
        assert kinds[3]["code"] == "too_many_watchers"
        assert kinds[3]["retry_after"] == 10
        lines.append(watcher(server, table["table"], THERE))
        assert first(lines[-1])["type"] == "welcome"
        lines.append(watcher(server, table["table"], THERE))
        assert first(lines[-1])["code"] == "too_many_watchers"
        with pytest.raises(ConnectionClosed) as closed:
            lines[-1].recv(PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013, "it does not count against its address any longer"
        with server.client(table, 1, 2, 3) as player:
            assert player.welcome["type"] == "welcome"
        for line in lines:
            line.close()


def test_p12_an_address_has_so_many_sockets_besides_those_of_players(database: str) -> None:
    limits = replace(WIDE, address_sockets=2)
    with served(database, RandomPool(), limits=limits) as server:
        table = server.make("human", "human", "human")
        lines = [watcher(server, table["table"], HERE) for _ in range(3)]
        answers = [first(line) for line in lines]
        assert [m["type"] for m in answers] == ["welcome", "welcome", "error"]
        assert (answers[2]["code"], answers[2]["retry_after"]) == ("too_fast", 10)
        with pytest.raises(ConnectionClosed) as closed:
            lines[2].recv(PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
        assert first(watcher(server, table["table"], THERE))["type"] == "welcome"


def test_p12_who_was_sent_away_does_not_come_back_at_once(database: str) -> None:
    """After 1008 the address opens no socket for a while; others do."""
    limits, now = replace(WIDE, messages=20, address_pause=10.0), [0.0]
    with served(database, RandomPool(), limits=limits, steady=lambda: now[0]) as server:
        table = server.make("human", "human", "human")["table"]
        line = watcher(server, table, HERE)
        with pytest.raises(ConnectionClosed) as closed:
            for number in range(60):
                line.send(json.dumps({"type": "ping", "id": f"p{number}"}))
            while True:
                line.recv(PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008
        again = first(watcher(server, table, HERE))
        assert (again["type"], again["code"]) == ("error", "too_fast")
        assert again["retry_after"] == 10
        assert first(watcher(server, table, THERE))["type"] == "welcome"
        now[0] += 10
        assert first(watcher(server, table, HERE))["type"] == "welcome"
        assert limited(server, "pause") >= 2


def test_p12_an_address_says_so_much_through_all_its_sockets(database: str) -> None:
    limits = replace(WIDE, address_messages=30)
    with served(database, RandomPool(), limits=limits, steady=lambda: 0.0) as server:
        table = server.make("human", "human", "human")["table"]
        lines = [watcher(server, table, HERE) for _ in range(4)]
        for line in lines:
            while first(line)["type"] != "snapshot":
                pass
            for number in range(8):
                line.send(json.dumps({"type": "ping", "id": f"p{number}"}))
        codes = []
        for line in lines:
            while (message := first(line)).get("id") != "p7":
                if message["type"] == "error":
                    codes.append(message)
                    break
        assert codes, "32 messages and four greetings are more than 30"
        assert codes[0]["code"] == "too_many_messages"
        assert codes[0]["id"], "the author knows which one was refused"
        assert codes[0]["retry_after"] >= 1
        with server.client({"table": table, "seats": []}) as other:
            assert other.ask(type="ping")["type"] == "pong"
        for line in lines:
            line.close()


def test_refusals_name_the_message_that_was_refused(database: str) -> None:
    """Also what came too fast and what was too large; version 0.1.0 left the id out."""
    with served(database, RandomPool(), limits=replace(WIDE, messages=5)) as server:
        table = server.make("human", "human", "human")
        with server.client(table, 1).ready() as client:
            large = client.ask(type="ask_why", line="1 pass", id="large", more="x" * 9000)
            assert (large["code"], large["id"]) == ("too_large", "large")
            for number in range(6):
                client.send(type="ping", id=f"p{number}")
            while (message := client.until("error", "pong"))["type"] != "error":
                pass
            assert message["code"] == "too_many_messages"
            assert message["id"].startswith("p")
            assert 1 <= message["retry_after"] <= 20


@pytest.mark.parametrize("frame", [b"\x89\x80\0\0\0\0", b"\x00\x80\0\0\0\0"], ids=["ping", "part"])
def test_p12_frames_that_are_no_messages_are_counted_too(
    sqlite_server: Server, frame: bytes
) -> None:
    """Pings were answered, and empty parts of a message kept, without end."""
    table = sqlite_server.make("human", "human", "human")["table"]
    with socket.create_connection(("127.0.0.1", sqlite_server.port), PATIENCE) as line:
        line.sendall(
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        assert b" 101 " in line.recv(4096)
        line.sendall(b"\x01\x80\0\0\0\0")  # a text begins that has no end
        answer = b""
        try:
            for _ in range(100):
                line.sendall(frame * 100)
            while part := line.recv(65_536):
                answer += part
        except OSError:
            return  # hung up while it was still talked to
        assert b"\x03\xf0" in answer[-200:], "closed with 1008"


# Logs that grow (row 9)


def test_p12_a_seat_takes_back_so_often_between_two_draws(sqlite_server: Server) -> None:
    table = sqlite_server.make("human", "human", "human", seating="as_joined")
    with sqlite_server.client(table, 1, 2, 3).ready() as client:
        seat = client.until_mine()
        assert seat is not None
        codes = set()
        for _ in range(MOST_UNDOS + 2):
            moved = client.move(client.yours[seat]["legal"][0])
            client.until_version(moved["version"])
            undone = client.command("undo", seat)
            if undone["type"] == "error":
                codes.add(undone["code"])
                break
            client.until_version(undone["version"])
        assert codes == {"too_many_undos"}
        next_seat = client.until_mine()
        assert next_seat is not None
        assert client.move(client.yours[next_seat]["legal"][0])["type"] == "accepted"


def test_p12_seats_of_an_open_table_are_not_taken_and_left_without_end(database: str) -> None:
    """It was somebody else's table whose log grew by 130 entries a second."""
    with served(database, RandomPool(), limits=replace(WIDE, address_table_seats=6)) as server:
        table = server.make("human", "open", "open")["table"]
        codes = []
        for number in range(5):
            wish = {"id": f"sit-{number}", "name": "Bo"}
            answer = asked(server, "POST", f"/api/tables/{table}/seats", HERE, json=wish)
            if not answer.is_success:
                codes.append((answer.status_code, answer.json()["code"]))
                continue
            headers = {"x-forwarded-for": HERE}
            address = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
            with connect(address, additional_headers=headers, close_timeout=1) as line:
                hello = {"type": "hello", "protocol": PROTOCOL, "tokens": [answer.json()["token"]]}
                line.send(json.dumps(hello))
                while (message := first(line))["type"] != "snapshot":
                    pass
                version = message["view"]["version"]
                leave = {"type": "leave", "id": f"l{number}", "seat": answer.json()["seat"]}
                line.send(json.dumps(leave | {"version": version}))
                while (message := first(line)).get("id") != f"l{number}":
                    pass
                assert message["type"] == "accepted"
        assert codes == [(429, "too_fast")] * 2
        wish = {"id": "sit-there", "name": "Cy"}
        assert asked(server, "POST", f"/api/tables/{table}/seats", THERE, json=wish).is_success


def test_p12_leaving_and_returning_has_an_end(database: str) -> None:
    """Each is an entry of the log, which grew by 75 a second."""
    with served(database, RandomPool(), limits=replace(WIDE, address_table_seats=6)) as server:
        table = server.make("human", "human", "human", seating="as_joined")
        with server.client(table, 1, 2, 3).ready() as client:
            answers = []
            for _ in range(4):
                for kind in ("leave", "return"):
                    answers.append(client.command(kind, 2))
                    if answers[-1]["type"] == "accepted":
                        client.until_version(answers[-1]["version"])
            assert [answer["type"] for answer in answers] == ["accepted"] * 6 + ["error"] * 2
            assert answers[-1]["code"] == "too_fast"
            assert answers[-1]["retry_after"] >= 1
            seat = client.until_mine()
            assert seat is not None
            assert client.move(client.yours[seat]["legal"][0])["type"] == "accepted"


def test_p12_a_host_changes_seats_so_often(database: str) -> None:
    """Bots seated and freed again, and links replaced, are entries too."""
    with served(database, RandomPool(), limits=replace(WIDE, address_table_seats=6)) as server:
        made = server.make("human", "open", "open")
        path = f"/api/tables/{made['table']}"
        codes = []
        for number in range(3):
            for what, more in (("bots", {"bot": "random"}), ("free", {}), ("link", {})):
                wish = {"id": f"{what}-{number}", "seat": 2} | more
                answer = server.http("POST", f"{path}/{what}", made["host"], json=wish)
                codes.append(answer.status_code)
                if what == "link" and answer.is_success:  # the seat is reserved now
                    wish = {"id": f"open-{number}", "seat": 2}
                    server.http("POST", f"{path}/free", made["host"], json=wish)
        assert codes[:3] == [200, 200, 201]
        assert codes[-3:] == [429] * 3


@pytest.fixture
def long_table(database: str) -> Iterator[tuple[Server, Json]]:
    """A table whose log is longer than a snapshot."""
    with served(database, RandomPool()) as server:
        table = server.make("human", "human", "human", seating="as_joined", auto_forced=False)
        with server.client(table, 1, 2, 3).ready() as client:
            rng = Random(1)
            while client.version <= SHOWN + 20:
                seat = client.until_mine()
                assert seat is not None, "the game was too short"
                moved = client.move(rng.choice(client.yours[seat]["legal"]))
                client.until_version(moved["version"])
                if client.yours[seat]["can_undo"]:
                    undone = client.command("undo", seat)
                    if undone["type"] == "accepted":
                        client.until_version(undone["version"])
                        again = client.until_mine()
                        assert again is not None
                        moved = client.move(rng.choice(client.yours[again]["legal"]))
                        client.until_version(moved["version"])
        yield server, table


def test_p14_a_snapshot_has_the_last_entries_and_the_rest_is_told_on_request(
    long_table: tuple[Server, Json],
) -> None:
    server, table = long_table
    whole = server.log(table["table"])
    with server.client(table).ready() as client:
        assert [entry["version"] for entry in client.entries] == [
            entry["version"] for entry in whole[-SHOWN:]
        ]
        before = client.entries[0]["version"]
        entries = [step["entry"] for step in client.ask(type="ask_steps", after=-1)["steps"]]
        assert [entry["version"] for entry in entries] == list(range(1, SHOWN + 1))
        assert [entry["kind"] for entry in entries] == [entry["kind"] for entry in whole[:SHOWN]]
        last = client.ask(type="ask_steps", after=before - 1)["steps"]
        assert [step["entry"] for step in last] == client.entries
        assert client.ask(type="ask_steps", after=10**9)["steps"] == []
    with server.client(table, version=1).ready() as behind:
        assert behind.received[1]["type"] == "snapshot", "too much is missing for an update"
    with server.client(table, version=whole[-1]["version"] - 5) as close_behind:
        assert close_behind.until("update", "snapshot")["type"] == "update"


def test_a_long_log_is_taken_in_while_others_are_served(long_table: tuple[Server, Json]) -> None:
    """The loop is never kept from others for longer than a part of the log takes."""
    server, table = long_table

    async def reload() -> tuple[int, float]:
        service = server.service
        del service.live_tables[table["table"]]
        passes, longest, last = 0, 0.0, time.thread_time()
        loading = asyncio.create_task(service.open(table["table"]))
        while not loading.done():
            await asyncio.sleep(0)
            now = time.thread_time()
            passes, longest, last = passes + 1, max(longest, now - last), now
        await loading
        return passes, longest

    passes, longest = asyncio.run_coroutine_threadsafe(reload(), server.loop).result(PATIENCE)
    print(f"{passes} passes of the loop, the longest {longest * 1000:.0f} ms")
    assert passes > SHOWN // 50
    assert longest < 0.1


# Lists (row 10)


def test_the_list_of_tables_is_put_together_once_a_second_and_compressed(
    sqlite_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        sqlite_server.make("human", "open", "open", listed=True)
    reads = 0
    lobby = sqlite_server.service.store.lobby

    async def counted() -> list[str]:
        nonlocal reads
        reads += 1
        return await lobby()

    monkeypatch.setattr(sqlite_server.service.store, "lobby", counted)
    begin = time.monotonic()
    plain = {"accept-encoding": "identity"}
    sizes = set()
    for _ in range(10):
        small = sqlite_server.http("GET", "/api/tables", headers={"accept-encoding": "gzip"})
        large = sqlite_server.http("GET", "/api/tables", headers=plain)
        assert small.json() == large.json()
        assert small.headers["content-encoding"] == "gzip"
        sizes.add((int(small.headers["content-length"]), int(large.headers["content-length"])))
    assert reads <= 1 + (time.monotonic() - begin)
    assert all(small * 3 < large for small, large in sizes)


# Hosts (row 13)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("", 421),
        ("localhost:8000", 200),
        ("127.0.0.1", 200),
        ("[::1]:8000", 200),
        ("192.168.1.20:8000", 200),
        (socket.gethostname(), 200),
    ],
)
def test_a_name_that_is_not_this_servers_is_refused(
    sqlite_server: Server, host: str, status: int
) -> None:
    """Any page can let its own name lead to this machine (DNS rebinding); an address cannot lie."""
    answer = raw(
        sqlite_server.port,
        f"GET /api/bots HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode(),
    )
    assert answer.startswith(b"HTTP/1.1 %d" % status), answer[:100]
    if status == 421:
        assert b'"code":"wrong_host"' in answer


@pytest.mark.parametrize("host", ["games.example.org", "GAMES.LAN:8000", "other.example.org:444"])
def test_names_that_the_operator_has_set_are_this_servers(host: str) -> None:
    """`public_url` and `origins` as well as `hosts`."""
    own = ("https://games.example.org", "https://other.example.org:444")
    guard = SecurityMiddleware(no_app, origins=own, most_bytes=1, hosts=("Games.lan",))
    assert guard._is_own_host({"headers": [(b"host", host.encode())]})
    assert not guard._is_own_host({"headers": [(b"host", b"x" + host.encode())]})


async def no_app(*_: object) -> None:
    """Nothing behind the guard."""


# Health (row 11)


def test_health_is_bad_while_the_last_commit_failed_and_the_log_names_the_cause(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """P1: also where the store can still be read."""
    file = tmp_path / "tables.db"
    with served(f"sqlite:///{file}", RandomPool()) as server:
        table = server.make("human", "human", "human")
        access = server.service.store._access

        def full(*_: object) -> None:
            raise disk_full()

        with server.client(table, 1, 2, 3).ready() as client:
            seat = client.until_mine()
            assert seat is not None
            line = client.yours[seat]["legal"][0]
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(access, "_write", full)
                patch.setattr(access, "_run", full)
                with caplog.at_level(logging.ERROR, "industry.server"):
                    assert client.move(line)["code"] == "store_unavailable"
                health = server.http("GET", "/healthz")
                assert (health.status_code, health.json()["code"]) == (503, "store_unavailable")
            assert server.get("/healthz") == {"status": "ok"}, "a write has shown that it works"
            assert client.move(line)["type"] == "accepted"
    noted = [record for record in caplog.records if record.message == "commit_failed"]
    assert noted
    values: Json = noted[0].values  # type: ignore[attr-defined]
    assert values["cause"] == "OperationalError: database or disk is full"


def disk_full() -> Exception:
    import sqlite3

    from sqlalchemy.exc import OperationalError

    return OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))
