"""Bad messages and bad readers: each gets a coded answer, changes nothing, hurts nobody else."""

import asyncio
import contextlib
import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from starlette.types import Message
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from industry.server.client_socket import ClientSocket
from industry.server.fast_websocket import text_frame
from industry.server.limits import Limits
from industry.server.live_table import LiveTable
from industry.server.protocol.base import PROTOCOL
from industry.texts import say
from tests.support.waiting import wait_until

from .playing import PATIENCE, Client, RandomPool, Server, play_on, served
from .tables import Play

HELLO = {"type": "hello", "protocol": PROTOCOL}


@pytest.fixture
def sqlite_server(shared_server: Server) -> Server:
    """These tests only talk to tables of their own."""
    return shared_server


def address(server: Server, table: str) -> str:
    return f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "null",
        "[]",
        "{}",
        '{"type":"dance"}',
        '{"type":"move"}',
        '{"type":"ping","id":""}',
        '{"type":"ping","id":"a b"}',
        '{"type":"ping","id":"x","more":1}',
        '{"type":"move","id":"x","seat":0,"version":1,"line":"1 pass"}',
        '{"type":"move","id":"x","seat":1,"version":1e99,"line":"1 pass"}',
        '{"type":"move","id":"x","seat":1,"version":"1","line":["1 pass"]}',
        '{"type":"ask_field","id":"x","field":"6A"}',
        "[" * 4000,
        '{"a":' * 1000,
        '{"type":"ping","id":"\\ud800"}',
        b"\x00\xff",
    ],
    ids=lambda text: str(text[:24]),
)
def test_what_is_no_message_is_refused_and_nothing_else_happens(
    sqlite_server: Server, text: str | bytes
) -> None:
    made = sqlite_server.make("human", "human", "human")
    with sqlite_server.client(made, 1).ready() as client:
        client.send_text(text)
        answer = client.until("error")
        assert answer["code"] == "bad_message"
        assert client.ask(type="ping")["type"] == "pong"
        assert client.version == sqlite_server.get(f"/api/tables/{made['table']}")["version"]


def test_the_author_of_a_bad_message_is_told_which_it_was(sqlite_server: Server) -> None:
    made = sqlite_server.make("human", "human", "human")
    with sqlite_server.client(made, 1).ready() as client:
        client.send(type="move", id="mine", seat=9, version=1, line="1 pass")
        assert client.until("error")["id"] == "mine"


def test_a_frame_of_more_than_eight_kibibytes_is_too_large(sqlite_server: Server) -> None:
    made = sqlite_server.make("human", "human", "human")
    with sqlite_server.client(made, 1).ready() as client:
        client.send_text(json.dumps({"type": "ping", "id": "x" * 8200}))
        assert client.until("error")["code"] == "too_large"
        client.send_text(json.dumps({"type": "ping", "id": "y", "z": "ü" * 5000}))
        assert client.until("error")["code"] == "too_large"
        assert client.ask(type="ping")["type"] == "pong"
    with sqlite_server.client(made, 1).ready() as client:
        with contextlib.suppress(ConnectionClosed):  # the server does not wait for its end
            client.send_text("x" * 10_000_000)
        assert client.closed_with() in (1009, 1006), "told why, if it was still listening"
    with sqlite_server.client(made, 1).ready() as client:
        assert client.ask(type="ping")["type"] == "pong"


def test_the_first_message_is_hello_and_the_only_one(sqlite_server: Server) -> None:
    made = sqlite_server.make("human", "human", "human")
    with Client(sqlite_server, made["table"], [], greet=False) as client:
        assert client.ask(type="ask_field", field="1A")["code"] == "hello_first"
        client.send(**HELLO)
        client.until("snapshot")
        client.send(**HELLO)
        assert client.until("error")["code"] == "hello_once"


def test_a_client_of_another_protocol_is_sent_away(sqlite_server: Server) -> None:
    made = sqlite_server.make("human", "human", "human")
    with Client(sqlite_server, made["table"], [], greet=False) as client:
        client.send(type="hello", protocol=99)
        assert client.until("error")["code"] == "protocol_version"
        assert client.closed_with() == 1008


@pytest.mark.parametrize("table", ["aaaaaaaaaaaa", "x", "A" * 500])
def test_a_table_that_does_not_exist_has_no_socket(sqlite_server: Server, table: str) -> None:
    with connect(address(sqlite_server, table)) as socket:
        socket.send(json.dumps(HELLO))
        assert json.loads(socket.recv(PATIENCE))["code"] == "no_table"
        with pytest.raises(ConnectionClosed):
            socket.recv(PATIENCE)


def test_a_game_that_has_not_started_refuses_moves_and_questions(sqlite_server: Server) -> None:
    made = sqlite_server.make("human", "open", "open")
    with sqlite_server.client(made, 1).ready() as client:
        assert client.move("1 pass")["code"] == "not_started"
        for kind in ("undo", "resign", "return"):
            assert client.command(kind, 1)["code"] == "not_started"
        assert client.ask(type="ask_why", line="1 pass")["code"] == "not_started"
        assert client.ask(type="ask_field", field="1A")["code"] == "not_started"


def test_a_finished_game_refuses_everything(sqlite_server: Server) -> None:
    made = sqlite_server.make("human", "human", "human", edition="industria")
    with sqlite_server.client(made, 1, 2, 3).ready() as client:
        play_on(client, Random(1))
        assert client.move("1 pass")["code"] == "game_over"
        for kind in ("undo", "leave", "resign", "return"):
            assert client.command(kind, 1)["code"] == "game_over"


def test_a_refusal_calls_players_by_the_names_they_have_in_the_language(
    sqlite_server: Server,
) -> None:
    made = sqlite_server.make("human", "apprentice", "apprentice")
    with sqlite_server.client(made, 1, language="de").ready() as client:
        seat = client.until_mine()
        other = next(one for one in client.view["seats"] if one["seat"] != seat)
        number = other["name"].removeprefix("Apprentice")
        answer = client.ask(type="ask_why", line=f"{other['seat']} bid 1")
        wrong = answer["refusal"]["wrong"]
        assert wrong.startswith(say("pages.bot.apprentice.name", "de") + number)
        assert "Platz" not in wrong


def test_who_asks_for_choices_gets_them_with_every_decision(sqlite_server: Server) -> None:
    made = sqlite_server.make("human", "human", "human")
    with (
        sqlite_server.client(made, 1, 2, 3, choices=True).ready() as client,
        sqlite_server.client(made, 1, 2, 3).ready() as other,
    ):
        rng = Random(4)
        for _ in range(60):
            for yours in client.yours.values():
                assert [choice["line"] for choice in yours["choices"]] == yours["legal"]
            play_on(client, rng, 1)
            other.until_version(client.version)
            assert not any(yours["choices"] for yours in other.yours.values())


# Limits


def test_a_sixth_socket_of_a_seat_is_refused(sqlite_server: Server) -> None:
    made = sqlite_server.make("human", "human", "human")
    clients = [sqlite_server.client(made, 1).ready() for _ in range(5)]
    with sqlite_server.client(made, 1) as sixth:
        assert sixth.welcome["code"] == "too_many_sockets"
    clients.pop().socket.close()

    def is_welcome() -> bool:
        with sqlite_server.client(made, 1) as again:
            return bool(again.welcome["type"] == "welcome")

    wait_until(is_welcome, "a closed socket still counts")
    for client in clients:
        client.socket.close()


def test_a_hundred_messages_in_twenty_seconds_are_enough(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool(), limits=Limits()) as server:
        made = server.make("human", "human", "human")
        with server.client(made, 1).ready() as flooder, server.client(made, 2).ready() as other:
            for number in range(250):
                try:
                    flooder.send(type="ping", id=str(number))
                except ConnectionClosed:
                    break
            assert flooder.closed_with() == 1008
            pongs = [m for m in flooder.received if m["type"] == "pong"]
            errors = {m["code"] for m in flooder.received if m["type"] == "error"}
            assert len(pongs) == 99, "hello was the first of a hundred"
            assert errors == {"too_many_messages"}
            assert other.ask(type="ping")["type"] == "pong"


def test_who_says_nothing_is_sent_away(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with served(database, RandomPool(), limits=replace(Limits(), hello=0.2)) as server:
        made = server.make("human", "human", "human")
        with Client(server, made["table"], [], greet=False) as client:
            assert client.until("error")["code"] == "hello_first"
            assert client.closed_with() == 1008


class SlowReader:
    """The network of a client that reads only when it is told to."""

    def __init__(self) -> None:
        self.reads = asyncio.Event()
        self.got: list[str] = []
        self.code: int | None = None

    async def receive(self) -> Message:
        return {"type": "websocket.connect"}

    async def send(self, message: Message) -> None:
        await self.reads.wait()
        if message["type"] == "websocket.close":
            self.code = message["code"]
        elif message["type"] == "websocket.send":
            self.got.append(json.loads(message["text"])["type"])


def test_a_reader_that_falls_behind_gets_one_snapshot_and_then_has_to_go() -> None:
    """Ten updates for a queue of four, twice; in between everything is read."""

    async def run() -> SlowReader:
        reader = SlowReader()
        reader.reads.set()
        websocket = WebSocket({"type": "websocket"}, reader.receive, reader.send)
        await websocket.accept()
        socket = ClientSocket(websocket, Limits(queue=4))
        socket.live = live = LiveTable(Play().table, b"", [])
        sender = asyncio.create_task(socket.send_all())
        for _ in range(2):
            reader.reads.clear()
            for _ in range(10):
                socket.push(live.missing(0))
                await asyncio.sleep(0)
            socket.answer('{"type":"pong"}')
            reader.reads.set()
            for _ in range(30):
                await asyncio.sleep(0)
        await asyncio.wait_for(sender, PATIENCE)
        return reader

    reader = asyncio.run(run())
    assert reader.got[:3] == ["update", "pong", "snapshot"]
    assert reader.got[-1] == "error"
    assert reader.got.count("snapshot") == 1
    assert reader.code == 1013


def test_who_does_not_read_answers_is_not_read_either(sqlite_server: Server) -> None:
    """Questions without end from somebody who never reads: the others notice nothing."""
    made = sqlite_server.make("human", "human", "human")
    with sqlite_server.client(made, 1).ready() as deaf, sqlite_server.client(made, 2) as other:
        question = json.dumps({"type": "ask_field", "id": "x", "field": "1C"})
        deaf.socket.socket.setblocking(False)
        with contextlib.suppress(Exception):
            for _ in range(20_000):
                deaf.send_text(question)
        other.ready()
        assert other.ask(type="ping")["type"] == "pong"
        live = sqlite_server.service.live_tables[made["table"]]
        assert all(len(getattr(watcher, "_queue", ())) <= 64 for watcher in live.watchers)


# Origin


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://127.0.0.1:{port}", True),
        ("https://127.0.0.1:{port}", False),
        ("http://127.0.0.1:1", False),
        ("http://evil.example", False),
        ("http://127.0.0.1:{port}.evil.example", False),
        ("null", False),
    ],
)
def test_only_pages_of_this_server_open_sockets(
    sqlite_server: Server, origin: str | None, allowed: bool
) -> None:
    made = sqlite_server.make("human", "human", "human")
    given = origin.format(port=sqlite_server.port) if origin else None
    if allowed:
        with connect(address(sqlite_server, made["table"]), origin=given) as socket:  # type: ignore[arg-type]
            socket.send(json.dumps(HELLO))
            assert json.loads(socket.recv(PATIENCE))["type"] == "welcome"
    else:
        with (
            pytest.raises(InvalidStatus),
            connect(
                address(sqlite_server, made["table"]),
                origin=given,  # type: ignore[arg-type]
            ),
        ):
            pass


def test_everyone_is_told_who_is_there(sqlite_server: Server) -> None:
    made = sqlite_server.make("human", "human", "human", seating="as_joined")
    with sqlite_server.client(made, 1).ready() as first:
        with sqlite_server.client(made, 2).ready(), sqlite_server.client(made).ready():
            while True:
                presence = first.until("presence")
                if presence["watching"] == 1:
                    break
            assert presence["connected"] == [True, True, False]
        while presence["connected"] != [True, False, False] or presence["watching"]:
            presence = first.until("presence")


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_texts_of_every_size_are_framed_as_the_library_does(size: int) -> None:
    payload = b"x" * size
    assert text_frame(payload) == Frame(Opcode.TEXT, payload).serialize(mask=False)
