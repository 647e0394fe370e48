"""Every limit per address has the same properties, checked one by one for each of them.

It counts the address that a trusted proxy names and nobody else's, has a setting whose default is
wide enough for a club of sixty behind one address, counts its refusals in /metrics, and answers
with a code, the time to wait, and a sentence that the client has in three languages.
"""

import contextlib
import json
import re
import socket
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from industry.server.address_limits import Kind
from industry.server.limits import Limits
from industry.server.protocol.base import PROTOCOL
from industry.server.settings import Settings
from industry.texts import LANGUAGES, has, say
from tests.notation.samples import finished
from tests.support import proof

from .playing import MANY, PATIENCE, Json, RandomPool, Server, served
from .test_limits import first, limited, raw

CLUB = 60
"""People behind one address."""
ADDRESSES = [f"203.0.113.{number}" for number in range(1, 30)]
OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"


@dataclass
class Visitors:
    """Somebody who asks for the same thing again and again, under some addresses."""

    server: Server
    lines: contextlib.ExitStack
    table: Json = field(default_factory=dict)

    def http(self, address: str, path: str, token: str = "", **body: Any) -> Json | None:
        """What a request was refused with; None where it was not."""
        headers = {"x-forwarded-for": address, "authorization": f"Bearer {token or None}"}
        url = f"{self.server.url}{path}"
        answer = httpx.post(url, json=body, headers=headers, timeout=PATIENCE)
        if answer.status_code != 429:
            return None
        problem: Json = answer.json()
        assert answer.headers["retry-after"] == str(problem["retry_after"])
        return problem

    def socket(self, address: str, *tokens: str, greet: bool = True) -> ClientConnection:
        place = f"ws://127.0.0.1:{self.server.port}/api/tables/{self.table['table']}/socket"
        headers = {"x-forwarded-for": address}
        line = connect(place, additional_headers=headers, close_timeout=1)
        self.lines.callback(line.close)
        if greet:
            hello = {"type": "hello", "protocol": PROTOCOL, "tokens": list(tokens)}
            with contextlib.suppress(ConnectionClosed):  # what it was told can still be read
                line.send(json.dumps(hello))
        return line


def refused(line: ClientConnection) -> Json | None:
    """The error that a socket begins with; None where it begins with something else."""
    message = first(line)
    return message if message["type"] == "error" else None


def ask(visitors: Visitors, address: str) -> Json | None:
    return visitors.http(address, "/api/mine", tokens=[])


def create(visitors: Visitors, address: str) -> Json | None:
    seats = [{"kind": "open"}] * 3
    options = {"players": 3}
    return visitors.http(address, "/api/tables", id=str(uuid.uuid4()), options=options, seats=seats)


def take_seat(visitors: Visitors, address: str) -> Json | None:
    table = visitors.server.make("open", "open", "open")["table"]
    return visitors.http(address, f"/api/tables/{table}/seats", id=str(uuid.uuid4()), name="Bo")


def replace_link(visitors: Visitors, address: str) -> Json | None:
    made = visitors.table
    path, wish = f"/api/tables/{made['table']}/link", {"id": str(uuid.uuid4()), "seat": 1}
    return visitors.http(address, path, made["host"], **wish)


def replay(visitors: Visitors, address: str) -> Json | None:
    return visitors.http(address, "/api/replay", record="{")


def review(visitors: Visitors, address: str) -> Json | None:
    """Of a game that nobody has reviewed yet."""
    game = finished("industria", 3) | {"players": ["Ana", "Bo", uuid.uuid4().hex[:12]]}
    return visitors.http(address, "/api/reviews", record=json.dumps(game))


def ask_for_hint(visitors: Visitors, address: str) -> Json | None:
    made = visitors.server.make("human", "random", "random")
    wish = {"id": uuid.uuid4().hex, "seat": 1, "version": 0, "step": 1}
    path = f"/api/tables/{made['table']}/hints"
    return visitors.http(address, path, made["seats"][0]["token"], **wish)


def set_hook(visitors: Visitors, address: str) -> Json | None:
    made, url = visitors.table, "https://hooks.example.org/"
    path = f"/api/tables/{made['table']}/webhook"
    return visitors.http(address, path, made["host"], id=str(uuid.uuid4()), url=url)


def subscribe(visitors: Visitors, address: str) -> Json | None:
    made = visitors.server.make("human", "open", "open")
    path = f"/api/tables/{made['table']}/notices"
    return visitors.http(address, path, made["host"], kind="slack", url="https://example.org/")


def join(visitors: Visitors, address: str) -> Json | None:
    return visitors.http(address, "/api/persons", name=uuid.uuid4().hex[:12])


def sign_in(visitors: Visitors, address: str) -> Json | None:
    return visitors.http(address, "/api/session/link", secret=uuid.uuid4().hex)


def join_cup(visitors: Visitors, address: str) -> Json | None:
    return visitors.http(address, f"/api/cups/{'a' * 12}/join")


def wait_without_hello(visitors: Visitors, address: str) -> Json | None:
    line = visitors.socket(address, greet=False)
    with contextlib.suppress(ConnectionClosed):
        line.send(json.dumps({"type": "ping", "id": "p"}))
    return refused(line)


def watch(visitors: Visitors, address: str) -> Json | None:
    return refused(visitors.socket(address))


def play(visitors: Visitors, address: str) -> Json | None:
    made = visitors.server.make("human", "human", "human")
    visitors.table = made
    return refused(visitors.socket(address, made["seats"][0]["token"]))


def misbehave(visitors: Visitors, address: str) -> Json | None:
    line = visitors.socket(address)
    if (error := refused(line)) is not None:
        return error
    with contextlib.suppress(ConnectionClosed):
        for number in range(60):
            line.send(json.dumps({"type": "ping", "id": f"p{number}"}))
        while True:
            line.recv(PATIENCE)
    return None


@dataclass(frozen=True)
class Case:
    """One limit: what somebody does until it is refused."""

    kind: Kind
    setting: str
    value: float
    """What the setting is in the test."""
    allowed: int
    """How often one address may do it then."""
    act: Callable[[Visitors, str], Json | None]
    code: str
    text: str
    """The key of the sentence that the client shows."""
    person: float
    """How much of the default one person of a club needs."""
    more: tuple[tuple[str, int], ...] = ()
    """Further settings of the test."""

    def __str__(self) -> str:
        return self.setting


CASES = (
    Case("requests", "address_requests", 4, 4, ask, "too_fast", "pages.error.too_fast", 30),
    Case("tables", "address_new_tables", 3, 3, create, "too_fast", "pages.error.too_fast", 1),
    Case("tables", "address_tables", 3, 3, create, "too_many_tables", "pages.error.own_tables", 5),
    Case("seats", "address_seats", 3, 3, take_seat, "too_fast", "pages.error.too_fast", 2),
    Case(
        *("seats", "address_table_seats", 3, 3, replace_link, "too_fast"),
        *("pages.error.too_fast", 40 / CLUB),
    ),
    Case("replays", "address_replays", 3, 3, replay, "too_fast", "pages.error.too_fast", 2),
    Case("reviews", "address_reviews", 2, 2, review, "too_fast", "pages.error.too_fast", 1),
    Case("hints", "address_hints", 3, 3, ask_for_hint, "too_fast", "pages.error.too_fast", 10),
    Case("notices", "address_notices", 3, 3, subscribe, "too_fast", "pages.error.too_fast", 3),
    Case("hooks", "address_hooks", 3, 3, set_hook, "too_fast", "pages.error.too_fast", 1),
    Case("persons", "address_persons", 3, 3, join, "too_fast", "pages.error.too_fast", 1),
    Case("sign_ins", "address_sign_ins", 3, 3, sign_in, "too_fast", "pages.error.too_fast", 3),
    Case("cups", "address_cups", 3, 3, join_cup, "too_fast", "pages.error.too_fast", 1),
    Case(
        *("sockets", "address_sockets", 4, 4, wait_without_hello, "too_fast"),
        *("web.error.too_fast", 4),
    ),
    Case(
        *("watchers", "address_sockets", 6, 5, watch, "too_many_watchers"),
        *("web.error.too_many_watchers", 4),
    ),
    Case("seated", "address_seated", 3, 3, play, "too_fast", "web.error.too_fast", 5),
    Case(
        *("messages", "address_messages", 4, 4, watch, "too_many_messages"),
        *("web.error.too_many_messages", 50),
    ),
    Case(
        *("pause", "address_pause", 30.0, 1, misbehave, "too_fast", "web.error.too_fast", 0),
        (("max_messages", 20),),
    ),
)
WIDE = {
    name: MANY
    for name in (*Settings.model_fields,)
    if name.startswith("address_") and name != "address_pause"
} | {"max_messages": MANY}


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


def refusals(case: Case, tmp_path: Path, addresses: list[str], *, trusted: bool) -> list[Json]:
    """What was refused when a thing was done once more than one address may; and how often."""
    values: dict[str, Any] = WIDE | {case.setting: case.value} | dict(case.more)
    proxies = "127.0.0.1" if trusted else "192.0.2.1"
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    limits = Settings(**values).limits
    with (
        served(database, RandomPool(), limits=limits, proxies=proxies, persons="open") as server,
        contextlib.ExitStack() as lines,
    ):
        visitors = Visitors(server, lines)
        if case.setting not in ("address_requests", "address_new_tables", "address_tables"):
            visitors.table = server.make("human", "human", "open")
        answers = [case.act(visitors, addresses[number]) for number in range(case.allowed + 1)]
        found = [answer for answer in answers if answer is not None]
        if found and case.setting != "address_requests":
            assert limited(server, case.kind) >= len(found)
        return found


def test_one_address_is_refused_with_a_code_and_the_time_to_wait(
    case: Case, tmp_path: Path
) -> None:
    """And /metrics counts it."""
    found = refusals(case, tmp_path, [ADDRESSES[0]] * (case.allowed + 1), trusted=True)
    assert len(found) == 1
    assert found[0]["code"] == case.code
    assert found[0]["retry_after"] >= 1


@pytest.mark.parametrize("case", proof.spread(CASES, 4), ids=str)
def test_addresses_that_a_trusted_proxy_names_are_counted_apart(case: Case, tmp_path: Path) -> None:
    assert refusals(case, tmp_path, ADDRESSES, trusted=True) == []


@pytest.mark.parametrize("case", proof.spread(CASES, 4), ids=str)
def test_names_that_nobody_trusts_change_nothing(case: Case, tmp_path: Path) -> None:
    """Somebody who claims another address each time is still one visitor."""
    assert refusals(case, tmp_path, ADDRESSES, trusted=False)


def test_the_client_has_a_sentence_in_three_languages(case: Case) -> None:
    sentences = {say(case.text, language) for language in LANGUAGES if has(case.text, language)}
    assert len(sentences) == len(LANGUAGES)


def test_the_default_is_wide_enough_for_a_club_behind_one_address(case: Case) -> None:
    default = Settings.model_fields[case.setting].default
    assert default >= case.person * CLUB or case.setting == "address_pause"
    assert case.setting != "address_pause" or default <= 10, "a club waits for one bad guest"


def test_every_limit_per_address_has_a_case_a_setting_and_a_line_for_operators() -> None:
    kinds = {case.kind for case in CASES} | {"connections"}
    assert kinds == set(get_args(Kind))
    limits = {name for name in Limits.__slots__ if name.startswith("address_")}
    settings = {name for name in Settings.model_fields if name.startswith("address_")}
    assert limits - settings == {"address_watchers"}, "a part of address_sockets"
    assert settings == {case.setting for case in CASES} | {"address_connections"}
    rows = re.findall(r"^\| `(address_\w+)` \| `([0-9.]+)` \|", OPERATIONS.read_text("utf-8"), re.M)
    assert {name: float(value) for name, value in rows} == {
        name: float(Settings.model_fields[name].default) for name in settings
    }


def test_connections_are_limited_per_address_except_those_of_a_trusted_proxy(
    tmp_path: Path,
) -> None:
    """A proxy has one connection for each of its visitors."""
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    limits = Settings(**(WIDE | {"address_connections": 3})).limits  # type: ignore[arg-type]
    assert Settings().address_connections >= 6 * CLUB, "a browser opens up to six"
    for proxies, is_limited in (("127.0.0.1", False), ("192.0.2.1", True)):
        with (
            served(
                database, RandomPool(), limits=limits, proxies=proxies, persons="open"
            ) as server,
            contextlib.ExitStack() as lines,
        ):
            place = ("127.0.0.1", server.port)
            for _ in range(3):
                lines.enter_context(socket.create_connection(place, PATIENCE))
            head = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            answer = raw(server.port, head)
            assert (b" 429 " in answer[:20]) == is_limited
            if is_limited:
                assert b"retry-after: 10" in answer
                problem = json.loads(answer.split(b"\r\n\r\n")[1])
                assert (problem["code"], problem["retry_after"]) == ("too_fast", 10)
                other = raw(server.port, head, source="127.0.1.2").decode()
                assert re.search(r'industry_limited_total{kind="connections"} [1-9]', other)
