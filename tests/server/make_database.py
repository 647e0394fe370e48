"""Make a database as the installed version leaves it behind, for the tests of later versions.

`python -m tests.server.make_database` runs `industry serve`, plays at its tables, stops it, and
writes into `databases/`: `VERSION.sql.gz` (the SQLite file as SQL), `VERSION.jsonl.gz` (its backup)
and `VERSION.json` (the secrets of the seats, and what must still be so after an upgrade). Run it
once, when a version is released: see `databases/README.md`.
"""

import gzip
import json
import os
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any

import httpx

from industry.server.protocol.base import PROTOCOL
from tests.cli.running import PROGRAM
from tests.support.waiting import PATIENCE

from .playing import Client, Json, free_port, play_on

FOLDER = Path(__file__).parent / "databases"
RELEASED_PROTOCOL = 1
"""Version 0.1.0 speaks it."""


class Remote:
    """A server in another process, as far as clients need it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.protocol = PROTOCOL
        self.pid = 0
        self.url = f"http://127.0.0.1:{port}"

    def post(self, path: str, token: str | None = None, **body: Any) -> Json:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = httpx.post(f"{self.url}{path}", json=body, headers=headers, timeout=PATIENCE)
        assert answer.is_success, answer.text
        found: Json = answer.json()
        return found

    def get(self, path: str) -> Json:
        answer = httpx.get(f"{self.url}{path}", timeout=PATIENCE)
        assert answer.is_success, answer.text
        found: Json = answer.json()
        return found

    def make(self, name: str, seats: list[Json], **options: Any) -> Json:
        options.setdefault("players", len(seats))
        return self.post("/api/tables", id=f"made-for-{name}", options=options, seats=seats)

    def client(self, table: str, tokens: list[str]) -> Client:
        return Client(self, table, tokens).ready()

    def until_ready(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self.get("/healthz")
                return
            except httpx.TransportError:
                assert time.monotonic() < deadline, "the server does not answer"
                time.sleep(0.05)


@contextmanager
def serving(database: str, sources: Path | None = None, **settings: str) -> Iterator[Remote]:
    """`industry serve` on a database, until the block ends; `sources`: those of another version."""
    remote = Remote(free_port())
    remote.protocol = PROTOCOL if sources is None else RELEASED_PROTOCOL
    args = ("serve", "--port", str(remote.port), "--database", database)
    environment = os.environ | {"INDUSTRY_MAX_MESSAGES": "100000"} | settings
    if sources is not None:
        paths = [str(sources), *filter(None, [settings.get("PYTHONPATH")])]
        environment["PYTHONPATH"] = os.pathsep.join(paths)
    process = subprocess.Popen([*PROGRAM, *args], stdout=subprocess.DEVNULL, env=environment)
    remote.pid = process.pid
    try:
        remote.until_ready()
        yield remote
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(PATIENCE if sources is None else 20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(PATIENCE)
            if sources is None:  # an older version may be unable to stop after an attack
                raise


def person(name: str, addition: str) -> Json:
    return {"kind": "human", "name": name, "randomness": addition}


PEOPLE = [person("Ana", "a1" * 32), person("Bo", "b2" * 32), person("Cy", "c3" * 32)]
OPEN: Json = {"kind": "open"}
BOT: Json = {"kind": "bot", "bot": "foreman"}


def tokens_of(made: Json) -> list[str]:
    return [held["token"] for held in made["seats"]]


def play_tables(server: Remote) -> dict[str, Json]:
    """A table of each sort, by a name for it: number, host and tokens."""
    made = {
        "running": server.make("running", PEOPLE, listed=True),
        "industria": server.make("industria", PEOPLE, edition="industria"),
        "bots": server.make("bots", [PEOPLE[0], BOT, BOT]),
        "waiting": server.make("waiting", [PEOPLE[0], OPEN, OPEN], listed=True),
        "over": server.make("over", PEOPLE),
    }
    for number, (name, moves) in enumerate(
        {"running": 70, "industria": 40, "bots": 8, "over": None}.items()
    ):
        client = server.client(made[name]["table"], tokens_of(made[name]))
        with client:
            play_on(client, Random(number), moves)
            if name == "running":
                _trouble(client)
    again = server.post(
        f"/api/tables/{made['over']['table']}/rematch", tokens_of(made["over"])[0], id="again"
    )
    again["seats"] = [{"seat": n + 1, "token": t} for n, t in enumerate(tokens_of(made["over"]))]
    with server.client(again["table"], tokens_of(again)) as client:
        play_on(client, Random(9), 25)
    hook = {"id": "hook", "url": "https://hooks.example.org/industry"}
    server.post(f"/api/tables/{made['running']['table']}/webhook", made["running"]["host"], **hook)
    return made | {"rematch": again}


def _trouble(client: Client) -> None:
    """Somebody takes a move back, and somebody leaves and returns: the log keeps it all."""
    seat = client.until_mine()
    assert seat is not None
    bold = [line for line in client.yours[seat]["legal"] if not line.endswith(("pass", "done"))]
    answer = client.move(bold[-1])
    client.until_version(answer["version"])
    undoer = next((n for n, yours in client.yours.items() if yours["can_undo"]), None)
    if undoer is not None:
        client.until_version(client.command("undo", undoer)["version"])
    waiting = next(number for number in client.yours if number != client.actor())
    client.until_version(client.command("leave", waiting)["version"])
    client.until_version(client.command("return", waiting)["version"])


def expected(server: Remote, made: dict[str, Json]) -> Json:
    """What a later version must still find at each table."""
    found: Json = {}
    for name, table in made.items():
        address = f"/api/tables/{table['table']}"
        entries = server.get(f"{address}/log")["entries"]
        view = server.get(address)
        record = httpx.get(f"{server.url}{address}/record").text if view["game"] else None
        found[name] = {
            "table": table["table"],
            "host": table["host"],
            "tokens": tokens_of(table),
            "status": view["status"],
            "version": view["version"],
            "head": entries[-1]["hash"],
            "record": record,
        }
    return found


def main() -> None:
    release = version("industry")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tables.db"
        with serving(f"sqlite:///{file}") as server:
            made = play_tables(server)
            time.sleep(1)  # the bots' last moves
            facts = {"at": time.time_ns() // 1_000_000, "tables": expected(server, made)}
        FOLDER.mkdir(exist_ok=True)
        backup = ("admin", "backup", str(FOLDER / f"{release}.jsonl.gz"), "--force")
        subprocess.run([*PROGRAM, *backup, "--database", f"sqlite:///{file}"], check=True)
        with closing(sqlite3.connect(file)) as database:
            text = "".join(f"{line}\n" for line in database.iterdump())
    with gzip.GzipFile(FOLDER / f"{release}.sql.gz", "wb", 9, mtime=0) as packed:
        packed.write(text.encode())
    written = json.dumps(facts, indent=1, ensure_ascii=False)
    (FOLDER / f"{release}.json").write_text(f"{written}\n", "utf-8")


if __name__ == "__main__":
    main()
