"""A real server in a thread, and clients that talk to it as any client does."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from types import TracebackType
from typing import Any, Protocol, Self

import httpx
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from industry.boards import BoardSpec
from industry.notation import Game, Record, replay
from industry.server.app import make_app, no_judge, uvicorn_config
from industry.server.board_catalogue import BoardCatalogue
from industry.server.bot_pool import BotPool as RealPool
from industry.server.bot_process import ChosenMove
from industry.server.driver import BotPool
from industry.server.limits import Limits
from industry.server.notices.sending import Ways
from industry.server.protocol.base import PROTOCOL
from industry.server.protocol.club import PersonsMode
from industry.server.protocol.cups import CupsMode
from industry.server.service import Service
from industry.server.store import Store
from industry.server.tuning import Tuning, wall_clock
from tests.support.ports import free_port as free_port
from tests.support.waiting import PATIENCE as PATIENCE

from .applying import applied

Json = dict[str, Any]
QUICK = Tuning(bot_pause=0, scan=0.2, lease=0.5, alone_pause=0, review_niceness=0, cups=0.2)
MANY = 1_000_000
WIDE = Limits(
    messages=MANY,
    address_messages=MANY,
    address_requests=MANY,
    address_new_tables=MANY,
    address_tables=MANY,
    address_seats=MANY,
    address_cups=MANY,
    address_table_seats=MANY,
    address_replays=MANY,
    address_reviews=MANY,
    address_hints=MANY,
    address_hooks=MANY,
    address_notices=MANY,
    address_persons=MANY,
    address_sign_ins=MANY,
)
"""Limits that a test about something else does not reach."""
WIDE_SETTINGS = {
    f"INDUSTRY_ADDRESS_{what}": str(MANY)
    for what in (
        *("CONNECTIONS", "SOCKETS", "SEATED", "MESSAGES", "REQUESTS"),
        *("TABLES", "NEW_TABLES", "SEATS", "TABLE_SEATS", "REPLAYS", "REVIEWS", "HOOKS"),
        *("PERSONS", "SIGN_INS", "NOTICES"),
    )
}
"""The same for a server that is a process: all clients of a test come from one address."""
PLACES = ("human", "open", "reserved")


class RandomPool:
    """Plays any legal move, and every kind of game happens; it remembers positions, to be quick."""

    def __init__(self) -> None:
        self._games: dict[tuple[str, ...], Game] = {}

    async def choose(
        self, bot: str, record: Record, board: BoardSpec, seed: str, share: float = 1.0
    ) -> ChosenMove:
        game = self._games.pop(record.moves[:1], None)
        if game is None or tuple(game.lines()) != record.moves[: len(game.moves)]:
            game = replay(record, board, 0)
        for line in record.moves[len(game.moves) :]:
            game.play(line)
        self._games[record.moves[:1]] = game
        return ChosenMove(Random(seed).choice(game.legal_moves()))


class Server:
    """A server that runs in a thread of its own."""

    def __init__(
        self,
        service: Service,
        limits: Limits,
        port: int,
        bots: BotPool | None = None,
        *,
        warm: bool = False,
        proxies: str = "127.0.0.1",
        steady: Callable[[], float] = time.monotonic,
        persons: PersonsMode = "off",
        cups: CupsMode = "persons",
        ways: Ways | None = None,
    ) -> None:
        """`proxies`: addresses whose `X-Forwarded-For` is trusted; all clients are this machine."""
        self.service = service
        self._bots = bots
        self._warm = warm
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        judge = bots.judge if isinstance(bots, RealPool) else no_judge
        config = uvicorn_config(
            make_app(
                service,
                judge=judge,
                limits=limits,
                steady=steady,
                persons=persons,
                cups=cups,
                ways=ways,
            ),
            limits,
            port=port,
            forwarded_allow_ips=proxies,
        )
        self._uvicorn = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.loop: asyncio.AbstractEventLoop

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        if isinstance(self._bots, RealPool):
            self._bots.tell_warming = self.service.tell_warming
            await self._bots.start(warm=self._warm)
        await self._uvicorn.serve()
        if isinstance(self._bots, RealPool):
            await self._bots.stop()

    def start(self) -> None:
        self._thread.start()
        while not self._uvicorn.started:
            assert self._thread.is_alive(), "the server did not start"
            threading.Event().wait(0.01)

    def stop(self) -> None:
        self._uvicorn.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the server did not stop"

    def http(self, method: str, path: str, token: str | None = None, **more: Any) -> httpx.Response:
        headers = more.pop("headers", {})
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return httpx.request(method, f"{self.url}{path}", headers=headers, timeout=PATIENCE, **more)

    def post(self, path: str, token: str | None = None, **body: Any) -> Json:
        """A request that must succeed."""
        response = self.http("POST", path, token, json=body)
        assert response.is_success, response.text
        answer: Json = response.json()
        return answer

    def get(self, path: str) -> Json:
        response = self.http("GET", path)
        assert response.is_success, response.text
        answer: Json = response.json()
        return answer

    def make(self, *seats: str, **options: Any) -> Json:
        """A new table: seats are `human`, `open`, `reserved` or the name of a bot."""
        options.setdefault("players", len(seats))
        wishes: list[Json] = [
            {"kind": seat} if seat in PLACES else {"kind": "bot", "bot": seat} for seat in seats
        ]
        return self.post("/api/tables", id="make", options=options, seats=wishes)

    def client(self, made: Json, *seats: int, **more: Any) -> "Client":
        """A client with the tokens of the places from 1; without any it only watches."""
        tokens = {held["seat"]: held["token"] for held in made["seats"]}
        return Client(self, made["table"], [tokens[seat] for seat in seats], **more)

    def log(self, table: str) -> list[Json]:
        entries = self.get(f"/api/tables/{table}/log")["entries"]
        return [json.loads(line["entry"]) for line in entries]


@contextmanager
def served(
    database: str,
    bots: BotPool,
    *,
    tuning: Tuning = QUICK,
    limits: Limits | None = None,
    clock: Callable[[], int] = wall_clock,
    catalogue: BoardCatalogue | None = None,
    warm: bool = False,
    port: int | None = None,
    proxies: str = "127.0.0.1",
    steady: Callable[[], float] = time.monotonic,
    persons: PersonsMode = "off",
    cups: CupsMode = "persons",
    ways: Ways | None = None,
) -> Iterator[Server]:
    service = Service(Store(database), bots, tuning=tuning, clock=clock, catalogue=catalogue)
    server = Server(
        service,
        limits or WIDE,
        port or free_port(),
        bots,
        warm=warm,
        proxies=proxies,
        steady=steady,
        persons=persons,
        cups=cups,
        ways=ways,
    )
    server.start()
    try:
        yield server
    finally:
        server.stop()


class Listening(Protocol):
    """A server of this machine, in whatever process it runs."""

    @property
    def port(self) -> int: ...


def steps_of_protocol_1(update: Json) -> list[Json]:
    """An update of version 0.1.0 in the form of steps: the last one has all that changed."""
    entries = update["entries"]
    return [
        {"entry": one, "changed": update["changed"] if one is entries[-1] else {}}
        for one in entries
    ]


class Client:
    """One socket. It keeps the views as the protocol says a client does.

    `known` is the view that it had when its connection was lost.
    """

    def __init__(
        self,
        server: Listening,
        table: str,
        tokens: list[str],
        *,
        version: int | None = None,
        known: Json | None = None,
        language: str = "en",
        choices: bool = False,
        greet: bool = True,
    ) -> None:
        self.protocol: int = getattr(server, "protocol", PROTOCOL)
        """Servers of older versions speak an older one."""
        self.table = table
        self.tokens = tokens
        address = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
        self.socket: ClientConnection = connect(
            address, max_size=None, open_timeout=PATIENCE, close_timeout=1
        )
        self.view: Json = known or {}
        self.views: dict[int, Json] = {}
        """Every view that it has had, by version."""
        self.yours: dict[int, Json] = {}
        self.entries: list[Json] = []
        self.received: list[Json] = []
        self.texts: list[str] = []
        self.commands = 0
        if greet:
            self.send(
                type="hello",
                protocol=self.protocol,
                tokens=tokens,
                version=known["version"] if known else version,
                language=language,
                **({"choices": True} if choices else {}),
            )
            self.welcome = self.until("welcome", "error")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.socket.close()

    @property
    def version(self) -> int:
        version: int = self.view["version"]
        return version

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def send_text(self, text: str | bytes) -> None:
        self.socket.send(text)

    def receive(self, timeout: float = PATIENCE) -> Json:
        """The next message, taken over into the view."""
        self.texts.append(str(self.socket.recv(timeout)))
        message: Json = json.loads(self.texts[-1])
        self.received.append(message)
        if message["type"] == "snapshot":
            self.view, self.entries = message["view"], message["log"]
            self.views[self.version] = self.view
        elif message["type"] == "update":
            self._take_over(message)
        if message["type"] in ("snapshot", "update"):
            self.yours = {yours["seat"]: yours for yours in message["yours"]}
        return message

    def _take_over(self, update: Json) -> None:
        steps = update["steps"] if self.protocol > 1 else steps_of_protocol_1(update)
        for step in steps:
            version = step["entry"]["version"]
            if version > self.view.get("version", 0):  # else it is known already
                self.entries.append(step["entry"])
                self.view = applied(self.view, step["changed"]) | {"version": version}
                self.views[version] = self.view

    def until(self, *kinds: str) -> Json:
        """The next message of one of these kinds."""
        while True:
            message = self.receive()
            if message["type"] in kinds:
                return message

    def until_version(self, version: int) -> None:
        while not self.view or self.version < version:
            self.receive()

    def ask(self, **message: Any) -> Json:
        """Send a message with a new id and wait for its answer."""
        self.commands += 1
        message.setdefault("id", f"{id(self)}-{self.commands}")
        self.send(**message)
        while True:
            answer = self.receive()
            if answer.get("id") == message["id"]:
                return answer

    def command(self, kind: str, seat: int, **more: Any) -> Json:
        more.setdefault("version", self.version)
        return self.ask(type=kind, seat=seat, **more)

    def move(self, line: str, **more: Any) -> Json:
        return self.command("move", int(line[0]), line=line, **more)

    def ready(self) -> Self:
        """Wait for the first view."""
        while not self.view:
            self.receive()
        return self

    def actor(self) -> int | None:
        actor: int | None = self.view["game"]["actor"]
        return actor

    def until_mine(self) -> int | None:
        """Wait until one of the own seats must decide; None where the game is over."""
        while True:
            if self.view.get("status") == "over":
                return None
            if self.view and self.view["game"] and self.actor() in self.yours:
                return self.actor()
            self.receive()

    def closed_with(self) -> int:
        """Read on until the server closes; its code."""
        try:
            while True:
                self.receive()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006


def play_on(client: Client, rng: Random, moves: int | None = None) -> int:
    """Plays random moves for all seats of a client, to the end or up to `moves`; how many."""
    made = 0
    while made != moves:
        seat = client.until_mine()
        if seat is None:
            break
        answer = client.move(rng.choice(client.yours[seat]["legal"]))
        assert answer["type"] == "accepted", answer
        client.until_version(answer["version"])
        made += 1
    return made
