"""Several processes share one PostgreSQL: one history, whichever process is asked."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from industry.server.bot_process import ChosenMove

from .playing import Client, Json, RandomPool, Server, play_on, served


@pytest.fixture
def pair(postgres_database: str) -> Iterator[tuple[Server, Server]]:
    """Two servers with the same database, as behind a load balancer."""
    with (
        served(postgres_database, RandomPool()) as one,
        served(postgres_database, RandomPool()) as other,
    ):
        yield one, other


def at(server: Server, made: Json, *seats: int) -> Client:
    return server.client(made, *seats).ready()


def test_players_at_different_processes_see_one_history(pair: tuple[Server, Server]) -> None:
    one, other = pair
    made = one.make("human", "human", "human", "human")
    clients = [
        at(server, made, place) for server, place in zip(pair * 2, (1, 2, 3, 4), strict=True)
    ]
    watcher = at(other, made)
    rng = Random(1)
    for _ in range(60):
        actor = next(client for client in clients if client.actor() in client.yours)
        answer = actor.move(rng.choice(actor.yours[actor.actor() or 0]["legal"]))
        assert answer["type"] == "accepted", answer
        for client in (*clients, watcher):
            client.until_version(answer["version"])
    for client in clients:
        assert client.entries == watcher.entries
        assert client.view["game"] == watcher.view["game"]
        client.socket.close()
    watcher.socket.close()
    assert one.log(made["table"]) == other.log(made["table"])


def test_of_two_moves_for_the_same_position_one_is_played(pair: tuple[Server, Server]) -> None:
    """The same seat moves at both processes at the same time, again and again."""
    one, other = pair
    made = one.make("human", "human", "human", auto_forced=False)
    with at(one, made, 1, 2, 3) as here, at(other, made, 1, 2, 3) as there:
        rng = Random(2)
        for _ in range(30):
            newest = max(here.version, there.version)
            here.until_version(newest)
            there.until_version(newest)
            seat = here.actor()
            legal = here.yours[seat or 0]["legal"]
            with ThreadPoolExecutor(2) as both:
                sent = [both.submit(client.move, rng.choice(legal)) for client in (here, there)]
                answers = [future.result() for future in sent]
            accepted, refused = sorted(answers, key=lambda answer: str(answer["type"]))
            assert (accepted["type"], refused["type"]) == ("accepted", "error")
            assert refused["code"] == "stale"
            here.until_version(accepted["version"])
            there.until_version(accepted["version"])
        assert here.entries == there.entries


def test_a_move_repeated_at_another_process_is_applied_once(pair: tuple[Server, Server]) -> None:
    one, other = pair
    made = one.make("human", "human", "human")
    with at(one, made, 1, 2, 3) as here, at(other, made, 1, 2, 3) as there:
        seat = here.until_mine()
        message = {
            "type": "move",
            "id": "once",
            "seat": seat,
            "version": here.version,
            "line": here.yours[seat or 0]["legal"][0],
        }
        first = here.ask(**message)
        assert first["type"] == "accepted"
        assert there.ask(**message) == first


def test_a_seat_taken_at_one_process_is_held_at_the_other(pair: tuple[Server, Server]) -> None:
    one, other = pair
    made = one.make("human", "open", "open")
    with at(other, made) as watcher:
        held = one.post(f"/api/tables/{made['table']}/seats", id="bo", name="Bo")
        with Client(other, made["table"], [held["token"]]).ready() as client:
            assert client.welcome["seats"] == [2]
        last = other.post(f"/api/tables/{made['table']}/seats", id="cy", name="Cy")
        while watcher.view["status"] != "running":
            watcher.receive()
        with Client(one, made["table"], [last["token"]]).ready() as client:
            assert len(client.yours) == 1


def test_bots_of_a_process_that_has_gone_are_played_by_another(postgres_database: str) -> None:
    """Recovery is start-up, and any process does it."""
    with served(postgres_database, Silent()) as dying:
        made = dying.make("human", "random", "random", seating="as_joined")
        with dying.client(made, 1).ready() as client:
            if client.actor() == 1:
                client.move(next(line for line in client.yours[1]["legal"] if "offer" in line))
    with served(postgres_database, RandomPool()) as heir, heir.client(made, 1).ready() as client:
        assert play_on(client, Random(3), moves=5) == 5


class Silent(RandomPool):
    """Bots that never answer, as in a process that is about to die."""

    async def choose(self, *question: object) -> ChosenMove:
        await asyncio.Event().wait()
        raise AssertionError
