"""Speed of the server: `python -m benchmarks.server [--tables 10 100 500] [--peer]`.

Tables of four players, each with a separate socket, all on this machine: first as fast as they can,
then at the pace of live play, one move per table every two seconds. Every move is durable before it
is acknowledged. With --peer the same players bid on a boardgame.io server, which keeps nothing
(`npm install` in benchmarks/peer first). Each server runs in one process; players run in another
and share the machine, so compare the processor time per move.
"""

import argparse
import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from industry.boards import BoardSpec
from industry.cli._server import Server
from industry.notation import Record
from industry.server.app import make_app, uvicorn_config
from industry.server.bot_process import ChosenMove
from industry.server.gc_tuning import collect_rarely
from industry.server.limits import Limits
from industry.server.metrics import Metrics
from industry.server.processes import router
from industry.server.service import Service
from industry.server.store import Store

from .load import (
    PLAYERS,
    Gate,
    IndustryPlayer,
    PeerPlayer,
    Player,
    Table,
    Tally,
    cpu_seconds,
    resident_bytes,
)

LIVE = 2.0
"""Seconds between two moves at a table where people play."""
PACES = {"both": (0.0, LIVE), "full": (0.0,), "live": (LIVE,)}
WARM_UP = 2.0
PATIENCE = 60.0
PEER = Path(__file__).parent / "peer"

Numbers = dict[str, float]


UNLIMITED = (
    *("messages", "address_messages", "address_requests", "address_tables"),
    *("address_new_tables", "address_sockets", "address_seated", "address_watchers"),
)
"""All players of the measurement come from one address."""


class NoBots:
    """People sit at all tables."""

    async def choose(
        self, bot: str, record: Record, board: BoardSpec, seed: str, share: float = 1.0
    ) -> ChosenMove:
        raise AssertionError(bot)


def serve(database: str, port: int, channel: int | None) -> None:
    """Runs the measured server: like `industry serve`, but without rate limits."""
    limits = replace(Limits(), **dict.fromkeys(UNLIMITED, sys.maxsize))
    metrics = Metrics()
    service = Service(Store(database, metrics), NoBots(), metrics=metrics)
    config = uvicorn_config(make_app(service, limits=limits), limits, host="127.0.0.1", port=port)
    collect_rarely()
    server = Server(config, lambda: None)
    if channel is not None:
        server.take_from(channel)
    server.run()


def route(database: str, port: int, processes: int, scattered: bool) -> None:
    """Runs the parent of several such servers; `scattered` hands out connections in turn."""
    if scattered:
        router.table_in = lambda head: None

    def start(channel: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "benchmarks.server", "--serve", database]
        return router.hand_down(channel, [*command, "--port", "0", "--channel", str(channel)])

    with socket.create_server(("127.0.0.1", port), backlog=2048) as listener:
        router.Router(listener, processes, start).run(lambda: None)


class Subject(ABC):
    """A server under load, and how tables are made there."""

    def __init__(self, command: list[str], port: int) -> None:
        self.port = port
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=self.folder())

    def folder(self) -> Path:
        return Path.cwd()

    @abstractmethod
    async def seats(self, table: Table) -> list[Player]:
        """Makes a table; returns its players, who do not play yet."""

    async def is_ready(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                await asyncio.sleep(0.1)
            else:
                writer.close()
                return
        raise SystemExit("The server did not start.")

    async def stop(self) -> None:
        self.process.terminate()
        await asyncio.to_thread(self.process.wait)


class Industry(Subject):
    """One process with an SQLite file, or with the given database."""

    def __init__(
        self, database: str, port: int, processes: int = 1, scattered: bool = False
    ) -> None:
        command = [sys.executable, "-m", "benchmarks.server", "--serve", database]
        command += ["--processes", str(processes)] + ["--scattered"] * scattered
        super().__init__([*command, "--port", str(port)], port)
        self._http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE)

    async def seats(self, table: Table) -> list[Player]:
        wish = {
            "id": str(uuid.uuid4()),
            "options": {"auto_forced": False},  # every move is one that a player sends
            "seats": [{"kind": "human"}] * PLAYERS,
        }
        made = (await self._http.post("/api/tables", json=wish)).raise_for_status().json()
        table.name = made["table"]
        tokens = [held["token"] for held in made["seats"]]
        return [IndustryPlayer(table, seat, token) for seat, token in enumerate(tokens)]

    async def stop(self) -> None:
        await self._http.aclose()
        await super().stop()


class Peer(Subject):
    """A boardgame.io server with its storage in memory."""

    def __init__(self, port: int) -> None:
        if not (PEER / "node_modules").is_dir():
            raise SystemExit(f"First: npm install --prefix {PEER}")
        super().__init__(["node", "server.js", str(port)], port)

    def folder(self) -> Path:
        return PEER

    async def seats(self, table: Table) -> list[Player]:
        return [PeerPlayer(table, seat) for seat in range(PLAYERS)]


class Run:
    """Some tables on one server, from the first to the last move that counts."""

    def __init__(self, subject: Subject, tables: int, pace: float) -> None:
        self.subject = subject
        self.count = tables
        self.pace = pace
        self.tally = Tally()
        self._gate = Gate()
        self._tables: set[Table] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def measure(self, seconds: float) -> Numbers:
        """Measures this many seconds of play."""
        server = self.subject.process.pid
        await self.subject.is_ready()
        empty = resident_bytes(server)
        seats = [await self._make(str(number)) for number in range(self.count)]
        made = resident_bytes(server)
        for players in seats:
            await self._sit_down(players)
        self._gate.open()
        await asyncio.sleep(WARM_UP + self.pace)
        self.tally.clear()
        began, used, own = time.perf_counter(), cpu_seconds(server), time.process_time()
        await asyncio.sleep(seconds)
        passed, used = time.perf_counter() - began, cpu_seconds(server) - used
        own = time.process_time() - own
        numbers = _summary(self.tally, passed, used, own)
        full = resident_bytes(server)
        numbers["KiB per table"] = (made - empty) / self.count / 1024
        numbers["KiB per socket"] = (full - made) / self.count / PLAYERS / 1024
        for task in self._tasks:
            task.cancel()
        for table in self._tables:
            table.end()
        return numbers

    async def _make(self, name: str) -> list[Player]:
        table = Table(name, self.tally, self.pace, self._gate, self._replace)
        self._tables.add(table)
        return await self.subject.seats(table)

    async def _sit_down(self, players: list[Player]) -> None:
        for player in players:
            await player.connect(self.subject.port)

    def _replace(self, table: Table) -> None:
        """Replaces a finished game: its players leave, and another one begins."""
        table.end()
        self._tables.discard(table)
        task = asyncio.create_task(self._begin_another())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _begin_another(self) -> None:
        await self._sit_down(await self._make(""))


def _summary(tally: Tally, seconds: float, used: float, own: float) -> Numbers:
    moves = len(tally.acknowledged)
    if not moves:
        raise SystemExit("Nobody could move.")
    numbers = {
        "moves/s": moves / seconds,
        "server CPU ms/move": used / moves * 1000,
        "moves per s of server CPU": moves / used if used else 0.0,
        "server CPU share": used / seconds,
        "players CPU share": own / seconds,
        "players CPU ms/move": own / moves * 1000,
        "refused": float(tally.refused),
    }
    for name, times in (("acknowledged", tally.acknowledged), ("shown", tally.shown)):
        cuts = statistics.quantiles(times, n=100)
        numbers |= {f"{name} p50 ms": cuts[49] * 1000, f"{name} p99 ms": cuts[98] * 1000}
    return numbers


def disk_milliseconds(folder: Path, times: int = 30) -> float:
    """Returns the median time in which this disk makes 4 KiB durable."""
    with tempfile.TemporaryFile(dir=folder) as file:
        found = []
        for _ in range(times):
            file.write(bytes(4096))
            file.flush()
            began = time.perf_counter()
            os.fsync(file.fileno())
            found.append(time.perf_counter() - began)
    return statistics.median(found) * 1000


async def _one(subject: Subject, tables: int, pace: float, seconds: float) -> Numbers:
    try:
        return await Run(subject, tables, pace).measure(seconds)
    finally:
        await subject.stop()


def compare(options: argparse.Namespace) -> dict[str, Any]:
    """Makes all runs: for each pace and number of tables ours and, on request, the peer's."""
    found: dict[str, Any] = {}
    for pace in PACES[options.pace]:
        for tables in options.tables:
            with tempfile.TemporaryDirectory(dir=options.folder) as folder:
                database = options.database or f"sqlite:///{folder}/tables.db"
                subjects: dict[str, Callable[[], Subject]] = {
                    "industry": partial(
                        Industry, database, options.port, options.processes, options.scattered
                    )
                }
                if options.peer:
                    subjects["boardgame.io"] = partial(Peer, options.port)
                name = f"{tables} tables, {'live' if pace else 'as fast as they can'}"
                found[name] = {
                    who: asyncio.run(_one(make(), tables, pace, options.seconds))
                    for who, make in subjects.items()
                }
                _print(name, found[name])
    return found


def _print(name: str, found: dict[str, Numbers]) -> None:
    print(f"\n{name}")
    print(f"{'':28}" + "".join(f"{who:>16}" for who in found) + ("    ratio" * (len(found) > 1)))
    for key in found["industry"]:
        values = [numbers[key] for numbers in found.values()]
        line = f"{key:28}" + "".join(f"{value:16,.2f}" for value in values)
        if len(values) > 1 and values[1]:
            line += f"{values[0] / values[1]:9.2f}"
        print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--tables", type=int, nargs="+", default=[10, 100, 500])
    parser.add_argument("--seconds", type=float, default=10.0, help="of each run")
    parser.add_argument("--pace", choices=PACES, default="both")
    parser.add_argument("--peer", action="store_true", help="also boardgame.io")
    parser.add_argument("--folder", type=Path, help="the disk on which moves become durable")
    parser.add_argument("--database", default="", help="an empty database instead of a file")
    parser.add_argument("--json", type=Path, help="write the numbers to this file too")
    parser.add_argument("--port", type=int, default=8793)
    parser.add_argument("--processes", type=int, default=1, help="of our server, on PostgreSQL")
    parser.add_argument("--scattered", action="store_true", help="without affinity")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--channel", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve and options.processes > 1:
        route(options.serve, options.port, options.processes, options.scattered)
        return
    if options.serve:
        serve(options.serve, options.port, options.channel)
        return
    disk = disk_milliseconds(options.folder or Path(tempfile.gettempdir()))
    print(f"the disk makes 4 KiB durable in {disk:.1f} ms")
    collect_rarely()  # pauses of the players would count as the server's
    found = compare(options)
    if options.json:
        options.json.write_text(json.dumps({"disk ms": disk} | found, indent=1))


if __name__ == "__main__":
    main()
