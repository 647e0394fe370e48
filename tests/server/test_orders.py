"""Standing orders at tables: obeyed at once, private until used, and durable when accepted."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest

from industry.notation.orders import OrderList, SubsidyOrder
from industry.notation.orders.kinds import orders_of
from industry.server.automatic_moves import MOST_ORDERED
from industry.server.commands import Draft
from industry.server.entries import Moved
from tests.cli.running import run
from tests.notation.ordered_games import random_orders
from tests.support import proof
from tests.support.waiting import wait_until

from .conftest import new_postgres
from .forked import Forked
from .playing import Client, Json, RandomPool, Server, served
from .tables import SECRET, Play

PASS = {"do": "bid", "what": "any", "up_to": 0}
GAMES = proof.amount(6, 300)


# Drafts: the same game with orders and typed by hand


class Ordered(Play):
    """A table whose seats may have standing orders, by place."""

    orders: dict[int, OrderList]

    def draft(self, after: int = 0) -> Draft:
        self.now += after
        orders = getattr(self, "orders", {})
        return Draft(self.table, SECRET, self.now, self.shown, orders)

    def obey(self) -> None:
        while True:
            draft = self.draft()
            if not draft.obey():
                return
            self.keep(draft)


def ordered_table(rng: Random) -> Ordered:
    """Plays a game through: orders decide where they apply, chance elsewhere."""
    table = Ordered(("human",) * rng.choice((3, 4)), edition=rng.choice(("industry", "industria")))
    places = range(1, len(table.table.seats) + 1)
    table.orders = {place: random_orders(rng) for place in places}
    table.obey()
    while table.table.status == "running":
        if rng.random() < 0.05:
            table.orders[rng.choice(places)] = random_orders(rng)
        table.move(rng.choice(table.legal()), after=1000)
        table.obey()
    return table


@pytest.mark.timeout(3600)
def test_a_table_with_orders_equals_the_same_moves_typed_by_hand() -> None:
    by_order = 0
    for seed in range(GAMES):
        ordered = ordered_table(Random(seed))
        options = ordered.table.options.model_dump()
        typed = Play(("human",) * len(ordered.table.seats), edition=options["edition"])
        for line in ordered.moves("order") and ordered.table.lines:
            if not line.startswith("draw") and len(typed.table.lines) < len(ordered.table.lines):
                number = len(typed.table.lines)
                typed.move(ordered.table.lines[number])
        by_order += len(ordered.moves("order"))
        if not ordered.moves("order"):
            continue
        assert typed.table.lines == ordered.table.lines
        assert typed.table.position is not None
        assert ordered.table.position is not None
        assert typed.table.position.digest() == ordered.table.position.digest()
        assert typed.table.secret == ordered.table.secret
    assert by_order > 20 * GAMES


def test_orders_of_everybody_are_obeyed_in_parts_so_that_no_table_keeps_others_waiting() -> None:
    lines = [
        {"do": "offer", "fields": ["any"]},
        {"do": "settle", "what": "any", "sell_from": 0},
        {"do": "develop", "fields": []},
        PASS,
    ]
    table = Ordered(("human",) * 4)
    table.orders = dict.fromkeys(range(1, 5), orders_of(lines))
    draft = table.draft()
    assert draft.obey()
    moves = [s.entry.what for s in draft.steps if isinstance(s.entry.what, Moved)]
    assert sum(move.how == "order" for move in moves) == MOST_ORDERED
    assert draft.has_order_due
    table.keep(draft)
    table.obey()
    assert table.table.status == "over"


def test_a_decision_that_was_taken_back_waits_for_its_player() -> None:
    table = Ordered(("human",) * 3, auto_forced=False)
    table.orders = {}
    table.move(table.legal()[0])
    seat = table.actor
    table.orders[table.table.seats[seat - 1].place] = orders_of([PASS])
    table.obey()
    assert table.moves("order") == [f"{seat} pass"]
    draft = table.draft()
    draft.undo(seat - 1)
    assert not draft.has_order_due
    draft.settle()
    table.keep(draft)
    assert table.actor == seat
    table.move(f"{seat} bid 1")
    assert not table.draft().has_order_due


def test_an_absent_player_is_played_for_by_the_stand_in() -> None:
    table = Ordered(("human",) * 3, auto_forced=False)
    seat = table.actor
    draft = table.draft()
    draft.leave(seat - 1)
    table.keep(draft)
    table.orders = {table.table.seats[seat - 1].place: (SubsidyOrder(99),)}
    table.obey()
    assert not table.moves("order")


# At a server


def set_orders(client: Client, seat: int, lines: list[Json], **more: Any) -> Json:
    known = client.yours[seat]["orders"] if seat in client.yours else None
    revision = known["revision"] if known else 0
    message: Json = {"type": "set_orders", "seat": seat, "revision": revision, "lines": lines}
    return client.ask(**(message | more))


def own_orders(client: Client, seat: int) -> Json:
    orders: Json = client.yours[seat]["orders"]
    return orders


@pytest.fixture
def trio(shared_servers: Server) -> Iterator[tuple[Server, Json, Client]]:
    """A table of three whose seats one client plays; it is the first one's turn to offer."""
    made = shared_servers.make("human", "human", "human", auto_forced=False, seating="as_joined")
    with shared_servers.client(made, 1, 2, 3).ready() as client:
        yield shared_servers, made, client


@pytest.mark.both_stores
def test_an_accepted_order_is_obeyed_with_the_move_that_brings_its_turn(
    trio: tuple[Server, Json, Client],
) -> None:
    server, made, client = trio
    actor = client.actor() or 0
    second, third = actor % 3 + 1, (actor + 1) % 3 + 1
    assert set_orders(client, second, [PASS])["type"] == "accepted"
    accepted = client.move(client.yours[actor]["legal"][0])
    while client.actor() != third:
        client.receive()
    log = server.log(made["table"])
    assert [entry["how"] for entry in log[-2:]] == ["player", "order"]
    assert log[-1]["line"] == f"{second} pass"
    assert log[-1]["version"] == accepted["version"] + 1


def test_an_order_that_decides_now_is_obeyed_as_it_is_accepted(
    trio: tuple[Server, Json, Client],
) -> None:
    server, made, client = trio
    actor = client.actor() or 0
    field = client.yours[actor]["legal"][0].split()[-1]
    answer = set_orders(client, actor, [{"do": "offer", "fields": [field]}])
    client.until_version(answer["version"])
    assert server.log(made["table"])[-1]["line"] == f"{actor} offer {field}"
    assert own_orders(client, actor)["revision"] == 1


def test_a_cancelled_order_does_nothing_more(trio: tuple[Server, Json, Client]) -> None:
    _, _, client = trio
    actor = client.actor() or 0
    second = actor % 3 + 1
    set_orders(client, second, [PASS])
    while not client.yours[second]["orders"]:
        client.receive()
    assert set_orders(client, second, [])["type"] == "accepted"
    client.move(client.yours[actor]["legal"][0])
    while client.actor() != second:
        client.receive()
    assert client.yours[second]["orders"] == {"revision": 2, "lines": [], "woken": None}
    assert f"{second} pass" in client.yours[second]["legal"]


@pytest.mark.both_stores
def test_orders_sent_twice_are_set_once_and_old_ones_do_not_return(
    trio: tuple[Server, Json, Client],
) -> None:
    _, _, client = trio
    second = (client.actor() or 0) % 3 + 1
    first = {"id": "first", "revision": 0}
    assert set_orders(client, second, [PASS], **first)["type"] == "accepted"
    assert set_orders(client, second, [PASS], **first)["type"] == "accepted"
    assert own_orders(client, second)["revision"] == 1
    assert set_orders(client, second, [], revision=1)["type"] == "accepted"
    assert set_orders(client, second, [PASS], **first)["code"] == "stale"
    client.ask(type="ping")
    assert own_orders(client, second) == {"revision": 2, "lines": [], "woken": None}


def test_a_player_is_told_which_order_left_the_decision_to_them(
    trio: tuple[Server, Json, Client],
) -> None:
    _, _, client = trio
    actor = client.actor() or 0
    lines: list[Json] = [{"do": "offer", "fields": ["5L"]}, {"do": "wake", "talers_below": 99}]
    assert set_orders(client, actor, lines)["type"] == "accepted"
    client.ask(type="ping")
    assert own_orders(client, actor)["woken"] == 1
    assert client.actor() == actor


def test_a_preview_says_what_orders_do_now_and_at_earlier_decisions(
    trio: tuple[Server, Json, Client],
) -> None:
    _, _, client = trio
    actor = client.actor() or 0
    second = actor % 3 + 1
    client.move(client.yours[actor]["legal"][0])
    while client.actor() != second:
        client.receive()
    ask = {"type": "ask_orders", "lines": [{"do": "bid", "what": "any", "up_to": 2}]}
    answer = client.ask(seat=second, **ask)
    assert (answer["type"], answer["before"]) == ("orders", [])
    assert (answer["now"]["line"], answer["now"]["order"]) == (f"{second} bid 1", 0)
    client.move(f"{second} pass")
    answer = client.ask(seat=second, **ask)
    assert answer["now"] is None
    assert [(one["made"], one["line"]) for one in answer["before"]] == [
        (f"{second} pass", f"{second} bid 1")
    ]
    assert own_orders(client, second) is None, "asking sets nothing"


def test_orders_are_refused_before_the_start_and_where_they_are_none(
    shared_server: Server,
) -> None:
    made = shared_server.make("human", "human", "open")
    with shared_server.client(made, 1).ready() as client:
        assert set_orders(client, 1, [PASS])["code"] == "not_started"
    made = shared_server.make("human", "human", "human")
    with shared_server.client(made, 1, 2, 3).ready() as client:
        wrong: list[Json] = [
            {"do": "wake"},
            {"do": "bid", "what": "6Z", "up_to": 1},
            {"do": "undo"},
        ]
        for line in wrong:
            assert set_orders(client, 1, [line])["code"] == "bad_message"
        assert set_orders(client, 1, [PASS] * 21)["code"] == "bad_message"


# Private until used


def test_nobody_else_is_sent_anything_when_orders_change(shared_server: Server) -> None:
    """Others get the very same bytes whether a seat has orders that do nothing yet or none."""

    def heard(orders: list[list[Json]]) -> list[str]:
        made = shared_server.make("human", "human", "human", seating="as_joined")
        with (
            shared_server.client(made, 1, 2, 3).ready() as everyone,
            shared_server.client(made).ready() as watcher,
        ):
            author = (everyone.actor() or 0) % 3 + 1
            other = author % 3 + 1
            with shared_server.client(made, other).ready() as neighbour:
                for client in (watcher, neighbour):
                    while client.received[-1].get("connected") != [True] * 3:
                        client.receive()
                kept = len(watcher.texts), len(neighbour.texts)
                with shared_server.client(made, author).ready() as holder:
                    for lines in orders:
                        assert set_orders(holder, author, lines)["type"] == "accepted"
                        holder.ask(type="ping")
                watcher.ask(type="ping", id="a")
                neighbour.ask(type="ping", id="b")
                texts = watcher.texts[kept[0] :] + neighbour.texts[kept[1] :]
        return [text for text in texts if '"presence"' not in text and '"pong"' not in text]

    unused = {"do": "wake", "what": "5L"}
    assert heard([[unused], [unused, PASS], []]) == heard([]) == []


def test_orders_stand_nowhere_in_what_everyone_may_read(shared_server: Server) -> None:
    made = shared_server.make("human", "human", "human")
    with shared_server.client(made, 1, 2, 3).ready() as client:
        second = (client.actor() or 0) % 3 + 1
        secret = {"do": "wake", "price_above": 987}
        assert set_orders(client, second, [secret])["type"] == "accepted"
        table = made["table"]
        for path in ("", "/log", "/proof", "/record"):
            assert "price_above" not in shared_server.http("GET", f"/api/tables/{table}{path}").text
        with shared_server.client(made).ready() as watcher:
            watcher.ask(type="ping")
            assert not any("price_above" in text for text in watcher.texts)


def test_a_new_link_from_the_host_comes_without_the_orders_of_the_one_before(
    shared_server: Server,
) -> None:
    made = shared_server.make("human", "human", "human", seating="as_joined")
    with shared_server.client(made, 1, 2, 3).ready() as client:
        away = (client.actor() or 0) % 3 + 1
        assert set_orders(client, away, [PASS])["type"] == "accepted"
        client.command("leave", away)
    path = f"/api/tables/{made['table']}/link"
    link = shared_server.post(path, made["host"], id="renew", seat=away)
    with Client(shared_server, made["table"], [link["token"]]).ready() as heir:
        assert heir.yours[away]["orders"]["lines"] == []


# Durable, in several processes


def test_an_accepted_order_survives_a_kill(tmp_path: Path) -> None:
    with Forked(tmp_path, f"sqlite:///{tmp_path / 'tables.db'}") as server:
        made = table_of_three(server)
        with client_of(server, made).ready() as client:
            second = (client.actor() or 0) % 3 + 1
            assert set_orders(client, second, [PASS])["type"] == "accepted"
        server.kill()
        server.start()
        server.until_ready()
        with client_of(server, made).ready() as client:
            assert own_orders(client, second)["lines"] == [PASS | {"at_once": False, "era": None}]
            actor = client.actor() or 0
            client.move(client.yours[actor]["legal"][0])
            client.until_version(client.version + 2)
            assert client.entries[-1]["how"] == "order"


def table_of_three(server: Forked) -> Json:
    options = {"players": 3, "seating": "as_joined", "auto_forced": False}
    wish = {"id": "make", "options": options, "seats": [{"kind": "human"}] * 3}
    made: Json = server.http("POST", "/api/tables", json=wish).json()
    return made


def client_of(server: Forked, made: Json) -> Client:
    return Client(server, made["table"], [held["token"] for held in made["seats"]])


def test_a_backup_holds_orders_and_restores_them(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool()) as server:
        made = server.make("human", "human", "human", seating="as_joined")
        with server.client(made, 1, 2, 3).ready() as client:
            second = (client.actor() or 0) % 3 + 1
            assert set_orders(client, second, [PASS])["type"] == "accepted"
    backup, restored = tmp_path / "backup.jsonl", f"sqlite:///{tmp_path / 'other.db'}"
    assert run("admin", "backup", backup, "--database", database).code == 0
    assert run("admin", "restore", backup, "--database", restored).code == 0
    with (
        served(restored, RandomPool()) as server,
        server.client(made, 1, 2, 3).ready() as client,
    ):
        assert own_orders(client, second)["lines"][0]["up_to"] == 0


@pytest.fixture
def pair(postgres: str) -> Iterator[tuple[Server, Server]]:
    """Two servers with the same database."""
    database = new_postgres(postgres)
    with served(database, RandomPool()) as one, served(database, RandomPool()) as other:
        yield one, other


def test_orders_given_at_one_process_are_obeyed_at_the_other(
    pair: tuple[Server, Server],
) -> None:
    one, other = pair
    made = one.make("human", "human", "human", auto_forced=False, seating="as_joined")
    with (
        one.client(made, 1, 2, 3).ready() as here,
        other.client(made, 1, 2, 3).ready() as there,
    ):
        for number in range(12):
            seat = here.actor() or 0
            nextone = seat % 3 + 1
            lines = [PASS] if number % 2 == 0 else []
            answer = set_orders(here, nextone, lines)
            assert answer["type"] == "accepted", answer
            # at once: the other process may not have heard of it yet
            choose = next(
                (ln for ln in there.yours[seat]["legal"] if ln.split()[1] in ("pass", "sell")),
                there.yours[seat]["legal"][0],
            )
            moved = there.move(choose)
            assert moved["type"] == "accepted", moved
            there.until_version(moved["version"])
            here.until_version(moved["version"])
            settle_down(here, there)
        assert one.log(made["table"]) == other.log(made["table"])
        assert any(entry.get("how") == "order" for entry in one.log(made["table"]))


def settle_down(*clients: Client) -> None:
    """Waits until all of them have seen what orders made of the last move."""

    def settled() -> bool:
        for client in clients:
            client.ask(type="ping")
        views = {client.version for client in clients}
        return len(views) == 1 and not any(is_due(client) for client in clients)

    wait_until(settled)


def is_due(client: Client) -> bool:
    """Whether the deciding seat has an order to pass and is asked for its bid."""
    seat = client.actor()
    if seat is None or seat not in client.yours:
        return False
    orders = client.yours[seat]["orders"]
    asked = f"{seat} pass" in client.yours[seat]["legal"]
    return bool(asked and orders and orders["lines"])


def test_a_cancelled_order_is_not_obeyed_by_a_process_that_has_not_heard_of_it(
    pair: tuple[Server, Server],
) -> None:
    one, other = pair
    made = one.make("human", "human", "human", auto_forced=False, seating="as_joined")
    with (
        one.client(made, 1, 2, 3).ready() as here,
        other.client(made, 1, 2, 3).ready() as there,
    ):
        seat = here.actor() or 0
        second = seat % 3 + 1
        assert set_orders(here, second, [PASS])["type"] == "accepted"
        while not (there.yours[second]["orders"] or {}).get("lines"):
            there.receive()
        other.service.orders.hear = lambda table: None  # type: ignore[method-assign]
        other.service.live_tables[made["table"]].orders_changed = False
        assert set_orders(here, second, [], revision=1)["type"] == "accepted"
        moved = there.move(there.yours[seat]["legal"][0])
        there.until_version(moved["version"])
        settle_down(here, there)
        assert there.actor() == second
        assert not any(entry.get("how") == "order" for entry in one.log(made["table"]))


def test_beside_an_older_process_orders_are_refused_and_not_obeyed(postgres: str) -> None:
    database = new_postgres(postgres)
    with served(database, RandomPool()) as server:
        made = server.make("human", "human", "human", auto_forced=False, seating="as_joined")
        with server.client(made, 1, 2, 3).ready() as client:
            seat = client.actor() or 0
            second = seat % 3 + 1
            assert set_orders(client, second, [PASS])["type"] == "accepted"
            with psycopg.connect(database, autocommit=True) as old:
                old.execute("LISTEN industry")
                client.ask(type="ping")
                assert set_orders(client, second, [])["code"] == "newer_version"
                client.move(client.yours[seat]["legal"][0])
                while client.actor() != second:
                    client.receive()
                assert not any(e.get("how") == "order" for e in server.log(made["table"]))
