"""Whatever is sent through a socket gets one coded answer, and what is refused changes nothing."""

import json
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from industry.server.protocol.base import PROTOCOL
from industry.server.protocol.server import ErrorCode
from tests.support import proof

from .playing import Client, Json, RandomPool, Server, served

CODES = frozenset(get_args(ErrorCode))
ANSWERS = {"accepted", "error", "welcome", "why", "field", "steps", "pong"}
NEWS = {"presence", "update", "snapshot"}
POLICY = 1008
INSIDE = ("Traceback", "Error", "pydantic", "sqlalchemy", ".py")
"""Words that reveal the server's inside."""

letters = st.text(st.characters(), max_size=30)  # also halves of letters, which JSON can write
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | letters,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(letters, inner, max_size=4),
    max_leaves=12,
)
seats = st.integers(1, 4)
versions = st.integers(-2, 40) | st.just(2**70)
lines = st.sampled_from(
    [
        *("1 pass", "2 bid 1", "1 offer 1A", "2 offer 1B", "1 bid 999", "1 sell", "3 subsidy"),
        *("1 done", "draw 1A 1B 1C", "1 develop 1A bank", "4 claim", "1 cash 1A", "1  pass"),
        *("0 pass", "9 pass"),
    ]
)
names = st.sampled_from(["a", "b", "c" * 64])
commands = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["undo", "leave", "return", "resign"]),
        "id": names,
        "seat": seats,
        "version": versions,
    }
)
moves = st.fixed_dictionaries(
    {"type": st.just("move"), "id": names, "seat": seats, "version": versions, "line": lines}
)
questions: list[Json] = [
    {"type": "ask_why", "id": "w", "line": "1 bid 3"},
    {"type": "ask_field", "id": "f", "field": "3C"},
    {"type": "ping", "id": "p"},
    {"type": "hello", "protocol": PROTOCOL, "tokens": [], "version": None, "language": "de"},
    {"type": "hello", "protocol": PROTOCOL + 1},
    {"type": "hello", "protocol": PROTOCOL, "tokens": ["x" * 22], "version": -(2**70)},
]


@st.composite
def bent(draw: st.DrawFn) -> Json:
    """A message of the protocol, often with something wrong in it."""
    message: Json = dict(draw(st.one_of(commands, moves, st.sampled_from(questions))))
    for key in draw(st.lists(st.sampled_from(sorted(message)), max_size=2)):
        if draw(st.booleans()):
            message[key] = draw(values)
        else:
            message.pop(key, None)
    if draw(st.integers(0, 4)) == 0:
        message[draw(letters)] = draw(values)
    return message


texts = st.one_of(
    bent().map(json.dumps),
    bent().map(json.dumps),
    values.map(json.dumps),
    st.text(max_size=50),
    st.integers(1, 4000).map(lambda depth: "[" * depth),
    st.integers(8193, 60_000).map(lambda size: json.dumps({"type": "ping", "id": "x" * size})),
)
frames = texts | st.binary(max_size=50)
many = settings(
    max_examples=proof.amount(15, 300),
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


class FuzzedTable:
    """A running game with a player at seat 1 and one who watches; made again after a change."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._renew()

    def _renew(self) -> None:
        made = self.server.make("human", "human", "human", "human", seating="as_joined")
        self.made, self.before = made, self.server.log(made["table"])

    def check_unchanged(self, answers: list[Json]) -> None:
        """The log is as it was, unless a command was accepted."""
        accepted = any(answer["type"] == "accepted" for answer in answers)
        changed = self.server.log(self.made["table"]) != self.before
        assert changed == accepted
        if changed:
            self._renew()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FuzzedTable]:
    folder = tmp_path_factory.mktemp("fuzz")
    with served(f"sqlite:///{folder / 'tables.db'}", RandomPool()) as server:
        yield FuzzedTable(server)


def answers_to(client: Client, frame: str | bytes) -> list[Json]:
    """What a frame is answered with, up to the answer of a ping that follows it."""
    client.send_text(frame)
    client.send(type="ping", id="end-of-answers")
    answers: list[Json] = []
    while True:
        message = client.receive()
        if message.get("id") == "end-of-answers":
            return answers
        if message["type"] not in NEWS:
            answers.append(message)


def expect_answer(answer: Json) -> None:
    assert answer["type"] in ANSWERS
    if answer["type"] == "error":
        assert answer["code"] in CODES - {"internal", "store_unavailable"}
        assert not any(word in json.dumps(answer) for word in INSIDE)


@given(sent=st.lists(frames, min_size=1, max_size=6))
@many
def test_every_frame_of_a_player_gets_one_answer(table: FuzzedTable, sent: list[Any]) -> None:
    answers: list[Json] = []
    with table.server.client(table.made, 1).ready() as client:
        for frame in sent:
            found = answers_to(client, frame)
            assert len(found) == 1, (frame, found)
            expect_answer(found[0])
            answers += found
    table.check_unchanged(answers)


@given(sent=st.lists(frames, min_size=1, max_size=6))
@many
def test_nothing_that_a_spectator_sends_changes_the_table(
    table: FuzzedTable, sent: list[Any]
) -> None:
    with table.server.client(table.made).ready() as client:
        for frame in sent:
            (answer,) = answers_to(client, frame)
            expect_answer(answer)
            assert answer["type"] != "accepted"
    table.check_unchanged([])


@given(sent=st.lists(frames, min_size=1, max_size=6))
@many
def test_before_hello_only_hello_and_ping_are_heard(table: FuzzedTable, sent: list[Any]) -> None:
    with Client(table.server, table.made["table"], [], greet=False) as client:
        for frame in sent:
            try:
                (answer,) = answers_to(client, frame)
            except ConnectionClosed as closed:  # another version of the protocol
                assert closed.rcvd is not None
                assert closed.rcvd.code == POLICY
                assert client.received[-1]["code"] == "protocol_version"
                break
            expect_answer(answer)
            assert answer["type"] in {"error", "welcome", "pong"}
            if answer["type"] == "welcome":
                break
    table.check_unchanged([])
