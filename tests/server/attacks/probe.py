"""A healthy table in a process of its own: it plays, and tells how long its moves took.

`python -m tests.server.attacks.probe PORT PID` (of the server): a line on standard input ends a
phase and begins the next; the answer is one line of JSON about the phase that ended.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

ADDRESS = "198.51.100.7"
"""Where the healthy table's people come from, as a trusted proxy says."""
TABLES = 8
PAUSE = 0.22
"""Seconds before each move: a socket may send a hundred messages in twenty seconds."""
PATIENCE = 60.0
LATE = 0.1
"""Seconds after which a move without an answer counts at the end of a phase."""


@dataclass(frozen=True)
class Health:
    """How a phase went: seconds from a move to its acknowledgement.

    On a machine that others use too, most of that may be the time until this process or the server
    has a processor at all. So it is also told what part the server itself had to work: its
    processor time from a move to the answer, which nobody else can make longer.
    """

    moves: int
    p50: float
    p99: float
    worst: float
    work50: float
    work99: float
    """The median and the 99th percentile of the server's processor time."""
    refused: int
    """Connections and commands that were not let through."""

    def __str__(self) -> str:
        times = f"p50 {self.p50 * 1000:.1f}, p99 {self.p99 * 1000:.1f}, "
        work = (
            f"worst {self.worst * 1000:.1f} ms; work of the server p50 {self.work50 * 1000:.0f}, "
            f"p99 {self.work99 * 1000:.0f} ms"
        )
        return f"{times}{work} ({self.moves} moves)"


class Probe:
    """The process, seen from a test."""

    def __init__(self, port: int, pid: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.attacks.probe", str(port), str(pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.table = self._read()["table"]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the probe has ended"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def phase(self) -> Health:
        """End a phase; how it went."""
        assert self._process.stdin is not None
        self._process.stdin.write("next\n")
        self._process.stdin.flush()
        return Health(**self._read())


class Account:
    """What all tables of the process have seen since the last report."""

    def __init__(self, server: int) -> None:
        self._stat = Path(f"/proc/{server}/stat")
        self._tick = 1 / os.sysconf("SC_CLK_TCK")
        self.times: list[float] = []
        self.works: list[float] = []
        self.waiting: dict[str, tuple[float, float]] = {}
        """Moves without an answer: when each was sent, and the server's work until then."""
        self.refused = 0

    def work(self) -> float:
        """Seconds of processor time that the server has had so far."""
        fields = self._stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * self._tick

    def report(self) -> str:
        now, work = time.perf_counter(), self.work()
        late = [(now - begin, work - worked) for begin, worked in self.waiting.values()]
        late = [(passed, done) for passed, done in late if passed > LATE]
        times = sorted(self.times + [passed for passed, _ in late])
        works = sorted(self.works + [done for _, done in late]) or [PATIENCE]
        self.times, self.works = [], []
        refused, self.refused = self.refused, 0
        if not times:
            times = [PATIENCE]
        health = {
            "moves": len(times),
            "p50": statistics.median(times),
            "p99": times[min(len(times) - 1, int(len(times) * 0.99))],
            "worst": times[-1],
            "work50": statistics.median(works),
            "work99": works[min(len(works) - 1, int(len(works) * 0.99))],
            "refused": refused,
        }
        return json.dumps(health)


class ProbedTable:
    """Plays one game after the other, all seats at one socket."""

    def __init__(self, port: int, account: Account, rng: Random) -> None:
        self._port = port
        self._rng = rng
        self._account = account
        self.name = ""
        self.tokens: list[str] = []

    async def make(self) -> None:
        seats = [{"kind": "human"}] * 3
        options = {"players": 3, "seating": "as_joined"}
        wish = {"id": str(uuid.uuid4()), "seats": seats, "options": options}
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            made = await client.post(
                f"http://127.0.0.1:{self._port}/api/tables",
                json=wish,
                headers={"x-forwarded-for": ADDRESS},
            )
        answer = made.raise_for_status().json()
        self.name = answer["table"]
        self.tokens = [seat["token"] for seat in answer["seats"]]

    async def play(self) -> None:
        while True:
            try:
                await self._game()
                await self.make()
            except (ConnectionClosed, OSError, TimeoutError, httpx.HTTPError):
                self._account.refused += 1
                self._account.waiting.clear()
                await asyncio.sleep(0.1)

    async def _game(self) -> None:
        address = f"ws://127.0.0.1:{self._port}/api/tables/{self.name}/socket"
        headers = {"x-forwarded-for": ADDRESS}
        async with connect(
            address,
            max_size=None,
            ping_interval=None,
            open_timeout=PATIENCE,
            additional_headers=headers,
        ) as socket:
            hello = {"type": "hello", "protocol": 2, "tokens": self.tokens}
            await socket.send(json.dumps(hello))
            view: dict[str, Any] = {}
            legal: list[str] = []
            sent = ""
            while view.get("status") != "over":
                message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
                if message.get("id") == sent and sent:
                    begin, worked = self._account.waiting.pop(sent)
                    self._account.times.append(time.perf_counter() - begin)
                    self._account.works.append(self._account.work() - worked)
                    self._account.refused += message["type"] != "accepted"
                    sent = ""
                if message["type"] in ("snapshot", "update"):
                    view |= message.get("view") or {}
                    for step in message.get("steps", ()):
                        view |= step["changed"]
                    version = view["version"] = message.get("version") or view["version"]
                    legal = [line for yours in message["yours"] for line in yours["legal"]]
                elif message["type"] == "error":  # begin again with what is known there
                    raise ConnectionClosed(None, None)
                if legal and not sent:
                    await asyncio.sleep(PAUSE * self._rng.uniform(0.9, 1.1))
                    line = self._rng.choice(legal)
                    sent, legal = str(uuid.uuid4()), []
                    worked = self._account.work()
                    self._account.waiting[sent] = time.perf_counter(), worked
                    command = {"type": "move", "id": sent, "seat": int(line[0]), "line": line}
                    await socket.send(json.dumps(command | {"version": version}))


async def main(port: int, server: int) -> None:
    account = Account(server)
    tables = [ProbedTable(port, account, Random(number)) for number in range(TABLES)]
    for table in tables:
        await table.make()
    print(json.dumps({"table": tables[0].name}), flush=True)
    playing = [asyncio.create_task(table.play()) for table in tables]
    while await asyncio.to_thread(sys.stdin.readline):
        print(account.report(), flush=True)
    for task in playing:
        task.cancel()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
