"""Attacks 1 to 14, each tried on version 0.1.0 and on this one.

Every case is an attack from outside, by HTTP and sockets or by the command line, that can be tried
on both versions. It must succeed against 0.1.0 and fail here: this shows if a defence is removed,
and that the test can fail.

    .venv/bin/python -m pytest -n 0 --proof -s tests/server/test_against_released.py

takes about 5 minutes on two idle cores, and the compiler's time for both versions the first time.
`test_small_rows_against_released.py` has attacks 15 to 17.
"""

import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from random import Random

import httpx
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.cli.running import PROGRAM

from .conftest import ROOT, new_postgres
from .make_database import OPEN, PEOPLE, Remote, serving, tokens_of
from .playing import Client, Json, play_on

MIB = 1 << 20
HOUR = 3_600_000
COMPILING = 1200.0
"""Seconds within which each version has its machine code, also on a busy machine."""
Sources = Path | None
Case = Callable[[Sources, Path], bool]
"""Whether a version withstands; it is called with the version's sources and an empty folder."""


def sqlite(folder: Path) -> str:
    return f"sqlite:///{folder / 'tables.db'}"


def peak_memory(pid: int) -> int:
    """The most that a process has occupied so far, in bytes; what is freed again counts too."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) << 10


def environment_of(sources: Sources) -> dict[str, str]:
    """The variables with which a program runs in a version."""
    return os.environ | ({"PYTHONPATH": str(sources)} if sources else {})


def command(sources: Sources, *words: str) -> subprocess.CompletedProcess[str]:
    settings = environment_of(sources)
    return subprocess.run(
        [*PROGRAM, *words], capture_output=True, text=True, timeout=300, env=settings
    )


def row_1_a_record_of_one_dotted_key_takes_no_memory(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources) as server:
        httpx.post(f"{server.url}/api/replay", json={"record": "{"}, timeout=60)
        before = peak_memory(server.pid)
        record = "a." * 10_000 + "a=1"
        httpx.post(f"{server.url}/api/replay", json={"record": record}, timeout=60)
        return peak_memory(server.pid) - before < 50 * MIB


def row_2_headers_have_a_size(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources) as server:
        head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * MIB + b"\r\n\r\n"
        with socket.create_connection(("127.0.0.1", server.port), 60) as line:
            with suppress(OSError):
                line.sendall(head)
            answer = b""
            with suppress(OSError):
                answer = line.recv(1000)
        return not answer.startswith(b"HTTP/1.1 200")


def row_2_a_request_that_does_not_end_is_closed(sources: Sources, folder: Path) -> bool:
    with (
        serving(sqlite(folder), sources) as server,
        socket.create_connection(("127.0.0.1", server.port), 60) as line,
    ):
        line.sendall(b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Le")
        line.settimeout(30)
        try:
            return line.recv(1000).startswith(b"HTTP/1.1 408")
        except TimeoutError:
            return False


def row_2_one_address_has_a_limited_number_of_connections(sources: Sources, folder: Path) -> bool:
    with (
        serving(sqlite(folder), sources, INDUSTRY_ADDRESS_CONNECTIONS="20") as server,
        ExitStack() as stack,
    ):
        place, stranger = ("127.0.0.1", server.port), ("127.0.1.1", 0)
        for _ in range(30):
            line = socket.create_connection(place, 60, source_address=stranger)
            stack.enter_context(line)
        line.settimeout(10)
        try:
            return b" 429 " in line.recv(1000)
        except TimeoutError:
            return False


def row_3_one_address_makes_so_many_tables(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources) as server:
        for number in range(80):
            wish = {"id": f"t{number}", "options": {"players": 3}, "seats": [OPEN] * 3}
            answer = httpx.post(f"{server.url}/api/tables", json=wish, timeout=60)
            if answer.status_code == 429:
                return bool(answer.json()["retry_after"])
        return False


HURRYING = """
import asyncio
real = asyncio.sleep
asyncio.sleep = lambda seconds, *more: real(min(seconds, 1.0) if seconds >= 600 else seconds, *more)
"""
"""What a server does every ten minutes or more seldom it does every second."""


def row_3_an_open_table_that_nobody_visits_closes(sources: Sources, folder: Path) -> bool:
    """Nobody has come for 25 hours."""
    with serving(sqlite(folder), sources) as server:
        table = server.make("left", [OPEN] * 3, listed=True)["table"]
    make_older(folder, 25 * HOUR)
    (folder / "sitecustomize.py").write_text(HURRYING, "utf-8")
    with serving(sqlite(folder), sources, PYTHONPATH=str(folder)) as server:
        deadline = time.monotonic() + (60 if sources is None else 10)
        while time.monotonic() < deadline:
            if server.get(f"/api/tables/{table}")["status"] == "closed":
                return True
            time.sleep(0.2)
    return False


def make_older(folder: Path, milliseconds: int) -> None:
    """Nothing has happened at any table of a database for this time."""
    with closing(sqlite3.connect(folder / "tables.db")) as file:
        file.execute("UPDATE tables SET changed = changed - ?", (milliseconds,))
        file.commit()


def row_4_a_persons_bot_answers_beside_400_tables_of_magnates(
    sources: Sources, folder: Path
) -> bool:
    """Within 12 s: `attacks/test_bots.py` asserts the promised 2 s on an idle machine."""
    settings = {"INDUSTRY_ADDRESS_NEW_TABLES": "1000", "INDUSTRY_ADDRESS_TABLES": "1000"}
    magnate: Json = {"kind": "bot", "bot": "magnate"}
    with serving(sqlite(folder), sources, INDUSTRY_BOT_WORKERS="1", **settings) as server:
        deadline = time.monotonic() + COMPILING
        while "industry_bots_warm 1.0" not in httpx.get(f"{server.url}/metrics", timeout=60).text:
            assert time.monotonic() < deadline
            time.sleep(0.5)
        for number in range(400):
            server.make(f"magnates-{number}", [magnate] * 4)
        made = server.make("person", [PEOPLE[0], magnate, magnate])
        with server.client(made["table"], tokens_of(made)) as client:
            while client.actor() in client.yours:
                answer = client.move(client.yours[client.actor() or 0]["legal"][0])
                client.until_version(answer["version"])
            return bots_move(server, made["table"], 12)


def bots_move(server: Remote, table: str, seconds: float) -> bool:
    """Whether a bot moves at a table within a time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        entries = server.get(f"/api/tables/{table}/log")["entries"]
        if any('"how":"bot"' in line["entry"] for line in entries):
            return True
        time.sleep(0.2)
    return False


def row_5_a_backup_names_a_damaged_table(sources: Sources, folder: Path) -> bool:
    database = sqlite(folder)
    with serving(database, sources) as server:
        made = server.make("damaged", PEOPLE)
    with closing(sqlite3.connect(folder / "tables.db")) as file:
        file.execute("UPDATE logs SET entry = '{}' WHERE version = 3")
        file.commit()
    done = command(sources, "admin", "backup", str(folder / "b.jsonl"), "--database", database)
    return done.returncode == 3 and made["table"] in done.stderr + done.stdout


def row_6_the_answer_to_taking_a_seat_carries_the_promise(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources) as server:
        made = server.make("promise", [PEOPLE[0], OPEN, OPEN])
        address = f"/api/tables/{made['table']}"
        taken = server.post(f"{address}/seats", id="bo", name="Bo", randomness="b0")
        promised = server.get(f"{address}/proof")["commitment"]
    return (
        taken.get("commitment") == promised
        and "--commitment" in command(sources, "verify", "--help").stdout
    )


def row_8_watchers_keep_no_player_out(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources) as server:
        made = server.make("watched", PEOPLE)
        script = "import sys; from tests.server.test_against_released import watch; "
        script += "watch(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))"
        arguments = [sys.executable, "-c", script, str(server.port), made["table"]]
        arguments.append(str(server.protocol))
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, cwd=ROOT) as crowd:
            assert crowd.stdout is not None
            crowd.stdout.readline()
            try:
                with Client(server, made["table"], tokens_of(made)) as player:
                    return bool(player.welcome["type"] == "welcome")
            except (WebSocketException, OSError):  # no descriptor was left for the player
                return False
            finally:
                crowd.kill()


def watch(port: int, table: str, protocol: int) -> None:
    """Open a thousand sockets without a seat, say so, and keep them."""
    import asyncio

    from websockets.asyncio.client import connect

    async def run() -> None:
        sockets = []
        for _ in range(1001):
            with suppress(WebSocketException, OSError):
                watcher = await connect(
                    f"ws://127.0.0.1:{port}/api/tables/{table}/socket",
                    ping_interval=None,
                    additional_headers={"x-forwarded-for": "203.0.113.8"},  # not the player's
                )
                await watcher.send(json.dumps({"type": "hello", "protocol": protocol}))
                await watcher.recv()
                sockets.append(watcher)
        print("there", flush=True)
        await asyncio.sleep(600)

    asyncio.run(run())


def row_9_a_seat_takes_back_so_often(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources) as server:
        made = server.make("undo", PEOPLE, auto_forced=False)
        with server.client(made["table"], tokens_of(made)) as client:
            for _ in range(40):
                seat = client.until_mine() or 0
                answer = client.move(client.yours[seat]["legal"][0])
                client.until_version(answer["version"])
                undone = client.command("undo", seat)
                if undone["type"] == "error":
                    return bool(undone["code"] == "too_many_undos")
                client.until_version(undone["version"])
    return False


def row_10_who_was_sent_away_waits(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources, INDUSTRY_MAX_MESSAGES="100") as server:
        made = server.make("flood", PEOPLE)
        with Client(server, made["table"], []).ready() as client:
            with suppress(ConnectionClosed):
                for number in range(1000):
                    client.send(type="ping", id=f"p{number}")
            assert client.closed_with() in (1006, 1008)
        try:
            with Client(server, made["table"], []) as again:
                return bool(again.welcome["type"] == "error")
        except ConnectionClosed as closed:  # before it could say hello
            return closed.rcvd is not None and closed.rcvd.code == 1013


def row_11_health_is_bad_while_nothing_can_be_written(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources) as server:
        made = server.make("locked", PEOPLE)
        with (
            server.client(made["table"], tokens_of(made)) as client,
            closing(sqlite3.connect(folder / "tables.db")) as other,
        ):
            other.execute("BEGIN IMMEDIATE")
            seat = client.until_mine() or 0
            answer = client.move(client.yours[seat]["legal"][0])
            assert answer["code"] == "store_unavailable"
            return httpx.get(f"{server.url}/healthz", timeout=60).status_code == 503


def row_12_the_host_frees_a_seat(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources) as server:
        made = server.make("guest", [PEOPLE[0], OPEN, OPEN])
        address = f"{server.url}/api/tables/{made['table']}"
        httpx.post(f"{address}/seats", json={"id": "mallory", "name": "Mallory"})
        headers = {"authorization": f"Bearer {made['host']}"}
        wish = {"id": "free", "seat": 2}
        answer = httpx.post(f"{address}/free", json=wish, headers=headers)
        return answer.is_success and answer.json()["seats"][1]["kind"] == "open"


def row_13_another_hosts_name_is_refused(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources) as server:
        headers = {"host": "rebound.example.org"}
        answer = httpx.get(f"{server.url}/api/tables", headers=headers)
        return answer.status_code == 421


def row_14_a_rematch_waits_for_everyone(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources) as server:
        made = server.make("again", PEOPLE)
        tokens = tokens_of(made)
        with server.client(made["table"], tokens) as client:
            play_on(client, Random(3))
        path = f"/api/tables/{made['table']}/rematch"
        again = server.post(path, tokens[0], id="rematch")
        return bool(server.get(f"/api/tables/{again['table']}")["status"] == "open")


CASES: tuple[Case, ...] = tuple(case for name, case in globals().items() if name[:4] == "row_")


@pytest.mark.proof
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_version_0_1_0_falls_and_this_one_withstands(
    case: Case, released: Path, tmp_path: Path
) -> None:
    check_both_versions(case, released, tmp_path)


def check_both_versions(case: Case, released: Path, tmp_path: Path) -> None:
    """The attack of a case works on version 0.1.0 and not here."""
    folders = [tmp_path / name for name in ("released", "here")]
    for folder in folders:
        folder.mkdir()
    assert not case(released, folders[0]), "the attack does not work on version 0.1.0"
    assert case(None, folders[1])


@pytest.mark.proof
def test_row_7_an_odd_notification_ends_the_listener_of_0_1_0_and_not_this_one(
    released: Path, postgres: str
) -> None:
    assert not hears_on(released, new_postgres(postgres))
    assert hears_on(None, new_postgres(postgres))


def hears_on(sources: Sources, database: str) -> bool:
    """Whether a process still hears of moves at another one after an odd notification."""
    with serving(database, sources) as here, serving(database, sources) as there:
        made = here.make("heard", PEOPLE)
        with (
            here.client(made["table"], tokens_of(made)) as player,
            there.client(made["table"], []) as watcher,
        ):
            with psycopg.connect(database, autocommit=True) as connection:
                connection.execute("NOTIFY industry, 'odd'")
            play_on(player, Random(1), 3)
            try:
                while watcher.version < player.version:
                    watcher.receive(10)
            except TimeoutError:
                return False
            return True
