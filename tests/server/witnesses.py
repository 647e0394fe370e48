"""Players who write down everything that they are told, whatever becomes of their connection."""

import asyncio
import json
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from industry.server.entries import chain_start, chained
from industry.server.protocol.base import PROTOCOL
from tests.support.waiting import PATIENCE as PATIENCE

from .playing import Json

COMPARED = ("version", "at", "kind", "seat", "line", "how")
"""What an entry has in the log and on the wire."""
BROKEN = (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError, TimeoutError, EOFError)


class Gap(Exception):
    """Something must have been lost on the way: connect again."""


@dataclass
class Witnessed:
    """What one client was told about one table."""

    accepted: dict[str, int] = field(default_factory=dict)
    """The version that each acknowledged command became."""
    refused: dict[str, str] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)
    """What each command was."""
    entries: list[Json] = field(default_factory=list)

    def copy(self) -> "Witnessed":
        """All of this as it is now."""
        known = (dict(self.accepted), dict(self.refused), dict(self.lines))
        return Witnessed(*known, list(self.entries))

    def answer(self, command: str, message: Json) -> None:
        """A repeated question gets the same answer."""
        if message["type"] == "accepted":
            assert self.accepted.setdefault(command, message["version"]) == message["version"]
            assert command not in self.refused
        else:
            assert command not in self.accepted, message
            self.refused[command] = message["code"]

    def hear(self, entries: list[Json]) -> None:
        """Entries are the continuation of what is known, or the same once more."""
        for entry in entries:
            place = entry["version"] - 1
            if place > len(self.entries):
                raise Gap
            if place == len(self.entries):
                self.entries.append(entry)
            assert self.entries[place] == entry, "history was changed"


class Witness:
    """One client of one table. It plays its seats, if it has any, until the game is over."""

    def __init__(self, port: int, table: str, tokens: list[str], rng: Random) -> None:
        self.told = Witnessed()
        self.port = port
        self.table = table
        self.is_over = False
        self.stopping = False
        self.is_pausing = False
        """It makes no more moves, but listens."""
        self.pause = 0.0
        self.silence = PATIENCE
        """Seconds without a message after which it connects again."""
        self.on_send: Callable[[Witness], None] = lambda _: None
        self.on_message: Callable[[Witness, Json], None] = lambda *_: None
        self._tokens = tokens
        self._rng = rng
        self._command: Json | None = None
        self._version: int | None = None
        self._yours: list[Json] = []

    @property
    def is_idle(self) -> bool:
        return self._command is None

    async def run(self) -> None:
        """Play until the game is over or, once it is stopping, nothing is unanswered."""
        while not self._is_done():
            with suppress(*BROKEN, Gap):
                await self._session()
            await asyncio.sleep(0.02)

    def _is_done(self) -> bool:
        return (self.is_over or self.stopping) and self.is_idle

    async def _session(self) -> None:
        address = f"ws://127.0.0.1:{self.port}/api/tables/{self.table}/socket"
        async with connect(
            address, max_size=None, open_timeout=self.silence, ping_interval=None, close_timeout=0.2
        ) as socket:
            hello = {"type": "hello", "protocol": PROTOCOL, "tokens": self._tokens}
            await socket.send(json.dumps(hello | {"version": self._version}))
            if self._command is not None:
                await socket.send(json.dumps(self._command))
            while not self._is_done():
                self._take(json.loads(await self._next(socket)))
                await self._act(socket)

    async def _next(self, socket: ClientConnection) -> str | bytes:
        """The next message; now and then it is asked whether this still plays."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.silence
        while True:
            receiving = asyncio.timeout(min(0.5, self.silence))
            with suppress(TimeoutError):
                async with receiving:
                    return await socket.recv()
            if self._is_done() or loop.time() > deadline:
                raise Gap

    def _take(self, message: Json) -> None:
        self.on_message(self, message)
        if message["type"] in ("accepted", "error"):
            self._take_answer(message)
        elif message["type"] == "snapshot":
            self.told.hear(message["log"])
            self._see(message, message["view"]["version"], message["view"].get("status"))
        elif message["type"] == "update":
            self.told.hear([step["entry"] for step in message["steps"]])
            if message["version"] >= (self._version or 0):
                statuses = [step["changed"].get("status") for step in message["steps"]]
                self._see(message, message["version"], next(filter(None, statuses[::-1]), None))

    def _take_answer(self, message: Json) -> None:
        command = message.get("id")
        if command is None:
            if message["code"] in ("too_many_messages", "too_slow", "stopping"):
                raise Gap
        elif message.get("code") in ("store_unavailable", "stopping", "hello_first"):
            raise Gap  # done or not, or hello was lost: the same command is sent again
        else:
            self.told.answer(command, message)
            if self._command is not None and self._command["id"] == command:
                self._command = None

    def _see(self, message: Json, version: int, status: str | None) -> None:
        self._version, self._yours = version, message["yours"]
        self.is_over = self.is_over or status == "over"

    async def _act(self, socket: ClientConnection) -> None:
        legal = [line for yours in self._yours for line in yours["legal"]]
        if not legal or self._command is not None or self.stopping or self.is_pausing:
            return
        line = self._rng.choice(legal)
        command = str(uuid.UUID(int=self._rng.getrandbits(128)))
        move = {"type": "move", "id": command, "seat": int(line[0]), "version": self._version}
        self._command = move | {"line": line}
        self.told.lines[command] = line
        if self.pause:
            await asyncio.sleep(self._rng.uniform(0, self.pause))
        await socket.send(json.dumps(self._command))
        self.on_send(self)


@dataclass(frozen=True)
class Account:
    """What all witnesses of a table had been told at some instant."""

    table: str
    told: list[Witnessed]

    @property
    def accepted(self) -> dict[str, int]:
        return {c: v for told in self.told for c, v in told.accepted.items()}

    @property
    def lines(self) -> dict[str, str]:
        return {c: line for told in self.told for c, line in told.lines.items()}


@dataclass(frozen=True)
class Party:
    """The witnesses of one table."""

    table: str
    witnesses: list[Witness]

    @property
    def is_over(self) -> bool:
        return all(witness.is_over for witness in self.witnesses)

    def account(self) -> Account:
        return Account(self.table, [witness.told.copy() for witness in self.witnesses])


async def make_party(port: int, rng: Random, people: int = 3, sockets: int = 1) -> Party:
    """A new table with this many sockets per seat, and one that watches; asks until it is there."""
    wish = {
        "id": str(uuid.UUID(int=rng.getrandbits(128))),
        "options": {"players": people, "undo": "off"},
        "seats": [{"kind": "human"}] * people,
    }
    made: Json = {}
    async with httpx.AsyncClient(timeout=PATIENCE) as http:
        while not made:
            with suppress(httpx.TransportError):
                answer = await http.post(f"http://127.0.0.1:{port}/api/tables", json=wish)
                made = answer.json() if answer.is_success else {}
            await asyncio.sleep(0.02)
    tokens = [[held["token"]] for held in made["seats"] for _ in range(sockets)]
    witnesses = [Witness(port, made["table"], held, Random(rng.random())) for held in (*tokens, [])]
    return Party(made["table"], witnesses)


def check_history(account: Account, log: list[Json]) -> list[Json]:
    """Everything that anybody was told is in the log; returns the log's entries.

    `log` is what `GET /api/tables/T/log` gives.
    """
    entries: list[Json] = []
    before = chain_start(account.table)
    for number, row in enumerate(log, start=1):
        before = chained(before, row["entry"])
        assert row["hash"] == before, "the chain is broken"
        entries.append(json.loads(row["entry"]))
        assert entries[-1]["version"] == number
    for told in account.told:
        assert len(told.entries) <= len(entries), "somebody was told what is lost"
        for shown, kept in zip(told.entries, entries, strict=False):
            same = [key for key in COMPARED if key in kept]
            assert [shown[key] for key in same] == [kept[key] for key in same]
    lines = account.lines
    for command, version in account.accepted.items():
        assert version <= len(entries), "an acknowledged move is lost"
        kept = entries[version - 1]
        assert (kept["line"], kept["how"]) == (lines[command], "player")
    return entries


def check_exactly_once(account: Account, entries: list[Json]) -> None:
    """All commands are answered: each accepted one is one entry of its own, no other is any."""
    played = [entry["version"] for entry in entries if entry.get("how") == "player"]
    assert sorted(account.accepted.values()) == played
    for told in account.told:
        assert set(told.lines) == set(told.accepted) | set(told.refused)
