"""Webhooks: one signed call per turn, neither lost nor doubled, never into a private network."""

import asyncio
import ipaddress
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from industry.server import hooks as hooks_module
from industry.server.hooks import (
    GIVE_UP,
    LONGEST_PAUSE,
    PER_HOST,
    Hooks,
    pause_after,
    signature,
)
from industry.server.limits import Limits
from industry.server.metrics import Metrics
from industry.server.outgoing import BadHook, SparedHosts, check_hook, is_public
from industry.server.service import Service
from industry.server.store import Hook, Store, schema
from industry.server.store.calls import Call, Calls, DueCall
from industry.server.table import Table
from industry.server.tuning import wall_clock
from tests.support.waiting import wait_until

from .playing import PATIENCE, QUICK, WIDE, Client, RandomPool, Server, free_port, served

MINUTE = 60_000


class Receiver:
    """A web server that somebody wants to be called at; it answers as told."""

    def __init__(self) -> None:
        self.calls: list[tuple[dict[str, str], bytes]] = []
        self.statuses: list[int] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.calls.append((headers, body))
                status = receiver.statuses.pop(0) if receiver.statuses else 204
                self.send_response(status)
                self.send_header("location", "/elsewhere")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Nobody reads it."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/turn?who=me"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def turns(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.calls]

    def wait_for(self, count: int) -> None:
        wait_until(
            lambda: len(self.calls) >= count, lambda: f"{len(self.calls)} of {count} calls came"
        )


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.http.shutdown()
    receiver.http.server_close()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hooks_module, "SCAN", 0.02)


class Book(Calls):
    """Counts how often somebody has looked for calls that are due."""

    looks = 0

    async def take(self, now: int, until: int, most: int) -> list[DueCall]:
        due = await super().take(now, until, most)
        self.looks += 1
        return due


class Club:
    """A server with webhooks, whose clock can be turned on."""

    def __init__(self, database: str, ahead: int, private: bool) -> None:
        self.ahead = ahead
        self.metrics = Metrics()
        store = Store(database)
        self.book = Book(store)
        self.hooks = Hooks(
            self.book,
            self.metrics,
            private=private,
            public_url="https://games.example.org",
            clock=self.now,
        )
        service = Service(store, RandomPool(), self.hooks, tuning=QUICK)
        self.server = Server(service, Limits(messages=100_000), free_port())

    def now(self) -> int:
        return wall_clock() + self.ahead

    def outcomes(self, outcome: str) -> float:
        return (
            self.metrics.registry.get_sample_value(
                "industry_hook_calls_total", {"outcome": outcome}
            )
            or 0.0
        )

    def wait_for(self, outcome: str, count: int = 1) -> None:
        wait_until(lambda: self.outcomes(outcome) >= count, f"no call was {outcome}")

    def settle(self) -> None:
        """Wait until every turn up to now is noted and every call that is due now was made.

        A look at the store that begins after this moment finds all that is due: the first to end
        may have begun earlier, the second has not, and when the third ends, the calls of the second
        are under way or done.
        """
        wait_until(self._is_quiet, "a call does not end")
        looks = self.book.looks
        wait_until(lambda: self.book.looks >= looks + 3, "nobody looks for calls")
        wait_until(self._is_quiet, "a call does not end")

    def _is_quiet(self) -> bool:
        """No turn is being noted and no call is being made."""
        return not self.hooks._tasks


@contextmanager
def club(database: str, *, ahead: int = 0, private: bool = True) -> Iterator[Club]:
    club = Club(database, ahead, private)
    club.server.start()

    async def open_table(name: str) -> Table:
        return (await club.server.service.open(name)).table

    def run(work: Any) -> None:
        asyncio.run_coroutine_threadsafe(work, club.server.loop).result(PATIENCE)

    run(club.hooks.start(open_table))
    try:
        yield club
    finally:
        run(club.hooks.stop())
        club.server.stop()


def three_people(server: Server) -> dict[str, Any]:
    return server.make("human", "human", "human", seating="as_joined", auto_forced=False)


def set_hook(server: Server, made: dict[str, Any], place: int, url: str) -> str:
    """Have the holder of a place called, or with 0 the host; returns the secret."""
    tokens = {held["seat"]: held["token"] for held in made["seats"]}
    token = tokens.get(place, made["host"])
    answer = server.post(f"/api/tables/{made['table']}/webhook", token, id="hook", url=url)
    return str(answer["secret"])


def offer(client: Client) -> None:
    """The deciding seat puts the first field up: then another one must decide."""
    answer = client.move(f"{client.actor()} offer {client.view['game']['available'][0]}")
    client.until_version(answer["version"])


@pytest.mark.both_stores
def test_a_turn_is_told_once_signed_and_with_a_link(database: str, receiver: Receiver) -> None:
    with club(database) as one:
        made = three_people(one.server)
        secret = set_hook(one.server, made, 0, receiver.url)
        receiver.wait_for(1)
        with one.server.client(made, 1, 2, 3) as client:
            client.ready()
            first = client.actor()
            offer(client)
            receiver.wait_for(2)
            second = client.actor()
        one.wait_for("delivered", 2)
        one.settle()
        assert len(receiver.calls) == 2
    headers, body = receiver.calls[1]
    assert headers["industry-signature"] == signature(secret, body)
    assert headers["content-type"] == "application/json"
    assert [turn["seat"] for turn in receiver.turns] == [first, second]
    turn = receiver.turns[1]
    assert turn["type"] == "turn"
    assert turn["link"] == f"https://games.example.org/table/{made['table']}"
    deliveries = [headers["industry-delivery"] for headers, _ in receiver.calls]
    assert len(set(deliveries)) == 2


def test_a_seat_is_called_for_its_own_turns_only(database: str, receiver: Receiver) -> None:
    with club(database) as one:
        made = three_people(one.server)
        with one.server.client(made, 1, 2, 3) as client:
            client.ready()
            first = client.actor()
            assert first is not None
            set_hook(one.server, made, first % 3 + 1, receiver.url)
            one.settle()
            assert receiver.calls == []
            offer(client)
            receiver.wait_for(1)
            client.until_version(client.move(f"{client.actor()} pass")["version"])
            assert client.actor() == (first + 1) % 3 + 1
            one.settle()
        assert [turn["seat"] for turn in receiver.turns] == [first % 3 + 1]


def test_several_decisions_of_one_turn_are_one_call(database: str, receiver: Receiver) -> None:
    """The subsidy ends nothing: the seat still has the same turn (F2)."""
    with club(database) as one:
        made = three_people(one.server)
        set_hook(one.server, made, 0, receiver.url)
        receiver.wait_for(1)
        with one.server.client(made, 1, 2, 3) as client:
            seat = client.ready().actor()
            client.until_version(client.move(f"{seat} subsidy")["version"])
            assert client.actor() == seat
        one.settle()
        assert len(receiver.calls) == 1


def test_a_restart_neither_loses_nor_doubles_a_call(database: str, receiver: Receiver) -> None:
    with club(database) as one:
        made = three_people(one.server)
        set_hook(one.server, made, 0, receiver.url)
        one.wait_for("delivered")
    with club(database) as one:
        one.settle()
    assert len(receiver.calls) == 1
    receiver.statuses = [500]
    with club(database) as one, one.server.client(made, 1, 2, 3) as client:
        offer(client.ready())
        one.wait_for("retried")
    with club(database, ahead=MINUTE) as one:
        one.wait_for("delivered")
        one.settle()
    deliveries = [headers["industry-delivery"] for headers, _ in receiver.calls]
    assert len(deliveries) == 3
    assert deliveries[1] == deliveries[2] != deliveries[0]


def test_a_turn_that_came_while_nobody_could_note_it_is_told_after_the_restart(
    database: str, receiver: Receiver
) -> None:
    """As if the server had died right after the move became durable."""
    with club(database) as one:
        made = three_people(one.server)
        set_hook(one.server, made, 0, receiver.url)
        receiver.wait_for(1)
        one.wait_for("delivered")
        one.hooks.turn = lambda table, seat: None  # type: ignore[method-assign]
        with one.server.client(made, 1, 2, 3) as client:
            offer(client.ready())
    with club(database):
        receiver.wait_for(2)


def test_a_call_that_fails_is_tried_again_later_and_given_up_after_a_day(
    database: str, receiver: Receiver
) -> None:
    receiver.statuses = [500, 404, 302, 503]
    with club(database) as one:
        made = three_people(one.server)
        set_hook(one.server, made, 0, receiver.url)
        one.wait_for("retried")
        one.settle()
        assert len(receiver.calls) == 1  # not again at once
        one.ahead += MINUTE
        one.wait_for("retried", 2)
        one.ahead += 10 * MINUTE
        one.wait_for("retried", 3)
        one.ahead += GIVE_UP
        one.wait_for("given_up")
        one.ahead += GIVE_UP
        one.settle()
    assert len(receiver.calls) == 4


def test_redirects_are_not_followed(database: str, receiver: Receiver) -> None:
    receiver.statuses = [307]
    with club(database) as one:
        set_hook(one.server, three_people(one.server), 0, receiver.url)
        one.wait_for("retried")
        one.settle()
    assert len(receiver.calls) == 1


def test_an_address_that_says_it_is_gone_is_not_tried_again(
    database: str, receiver: Receiver
) -> None:
    receiver.statuses = [410]
    with club(database) as one:
        set_hook(one.server, three_people(one.server), 0, receiver.url)
        one.wait_for("given_up")
        one.ahead += LONGEST_PAUSE
        one.settle()
    assert len(receiver.calls) == 1


def test_a_turn_that_has_passed_is_not_told_any_more(database: str, receiver: Receiver) -> None:
    receiver.statuses = [500]
    with club(database) as one:
        made = three_people(one.server)
        with one.server.client(made, 1, 2, 3) as client:
            first = client.ready().actor()
            assert first is not None
            set_hook(one.server, made, first, receiver.url)
            one.wait_for("retried")
            offer(client)
            one.ahead += MINUTE
            one.wait_for("stale")
            one.settle()
    assert len(receiver.calls) == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"])
def test_private_addresses_are_refused_unless_the_operator_allows_them(
    host: str, receiver: Receiver, tmp_path: Path
) -> None:
    url = receiver.url.replace("127.0.0.1", host)
    with club(f"sqlite:///{tmp_path / 'tables.db'}", private=False) as one:
        set_hook(one.server, three_people(one.server), 0, url)
        one.wait_for("given_up")
    assert receiver.calls == []


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.1",
        "172.16.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "::ffff:10.0.0.1",
        "2002:7f00:1::",
        "64:ff9b::7f00:1",
        "2001:0:53aa:64c:0:0:f5ff:fffe",
        # networks that `ipaddress` of Python 3.11 calls public
        "192.0.0.9",
        "192.88.99.1",
        "fec0::1",
        "::9.9.9.9",
        "64:ff9b:1::9.9.9.9",
    ],
)
def test_what_is_no_public_address_is_known_as_such(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["9.9.9.9", "2620:fe::fe", "::ffff:9.9.9.9"])
def test_public_addresses_may_be_called(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "ftp://games.example.org/x",
        "file:///etc/passwd",
        "https://",
        "//games.example.org",
        "https://bo:secret@games.example.org/",
        "https://games.example.org:99999/",
        "https://games.example.org:0/",
        "https://games.example.org/a b",
        "https://games.example.org/\r\nx: y",
        "https://gämes.example.org/",
        "javascript:alert(1)",
    ],
)
def test_what_cannot_be_called_is_refused_when_it_is_set(url: str) -> None:
    with pytest.raises(BadHook):
        check_hook(url)


def test_the_server_refuses_such_an_address(sqlite_server: Server) -> None:
    made = three_people(sqlite_server)
    answer = sqlite_server.http(
        "POST",
        f"/api/tables/{made['table']}/webhook",
        made["host"],
        json={"id": "hook", "url": "file:///etc/passwd"},
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_message")


def test_p12_an_address_sets_so_many_webhooks(tmp_path: Path) -> None:
    limits = replace(WIDE, address_hooks=2)
    with served(f"sqlite:///{tmp_path / 'tables.db'}", RandomPool(), limits=limits) as server:
        made = three_people(server)
        path, token = f"/api/tables/{made['table']}/webhook", made["host"]
        urls = ["https://example.org/1", "https://example.org/2", "https://example.org/3"]
        answers = [server.http("POST", path, token, json={"id": u[-1], "url": u}) for u in urls]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert answers[2].json()["code"] == "too_fast"
        assert answers[2].json()["retry_after"] > 60
        assert server.http("POST", path, token, json={"id": "off", "url": ""}).is_success


def test_p12_calls_to_one_host_are_limited_for_all_webhooks_together() -> None:
    """Else a stranger could point ten thousand tables at somebody else's server."""
    now = 0
    hosts = SparedHosts(PER_HOST)
    spared = [hosts.is_spared("victim.example", now) for _ in range(PER_HOST + 5)]
    assert spared == [False] * PER_HOST + [True] * 5
    assert not hosts.is_spared("other.example", now)
    now = 60_000
    assert not hosts.is_spared("victim.example", now)


def test_pauses_grow_to_an_hour() -> None:
    pauses = [pause_after(tries) for tries in range(1, 40)]
    assert pauses[0] == 10_000
    assert pauses == sorted(pauses)
    assert pauses[-1] == 3_600_000


def test_two_processes_make_a_call_once(database: str) -> None:
    """The store gives a due call to one of them; the other gets it when the first has died."""

    async def run() -> None:
        one, two = Store(database), Store(database)
        await one.start()
        await two.start()
        try:
            await prepare(one)
            taken = await asyncio.gather(*(Calls(s).take(10, 20, 5) for s in (one, two) * 3))
            assert sum(len(calls) for calls in taken) == 1
            assert await Calls(two).take(19, 30, 5) == []
            (again,) = await Calls(two).take(20, 30, 5)
            await Calls(two).settle(again.call, 1, None)
            assert await Calls(one).take(10**9, 10**9, 5) == []
        finally:
            await one.stop()
            await two.stop()

    async def prepare(store: Store) -> None:
        index = insert(schema.tables).values(
            id="abcdefghijkl",
            status="running",
            listed=False,
            created=0,
            changed=0,
            summary='{"actor":2}',
        )
        await store.write(lambda connection: connection.execute(index))
        await store.set_hook(Hook("abcdefghijkl", 2, "http://x.example.org", "secret"))
        for turn in (5, 7, 7, 6):
            await Calls(store).add(Call("abcdefghijkl", 2, turn, 2, turn))
        assert await Calls(store).hooked_tables() == ["abcdefghijkl"]

    asyncio.run(run())
