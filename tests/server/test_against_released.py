"""The rows of the hardening, each tried on version 0.1.0 and on this one (issue of version 0.2.0).

Every case is an attack from outside, by HTTP and sockets or by the command line, that works on both
versions. It must succeed against the released code and fail here. So a defence that is taken away
again, and a test that could not fail, are both noticed.

    .venv/bin/python -m pytest -n 0 --proof -s tests/server/test_against_released.py

takes about 5 minutes on two idle cores, and the compiler's time for both versions the first time.
Row 4 (400 tables of magnates) is in `attacks/test_bots.py`.
"""

import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import httpx
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.cli.running import PROGRAM

from .conftest import RELEASED, ROOT, new_postgres
from .make_database import OPEN, PEOPLE, Remote, serving, tokens_of
from .playing import Client, Json, play_on
from .test_bot_pool import loader
from .test_example import commands_after_a_cut

MIB = 1 << 20
COMPILING = 1200.0
"""Seconds within which each version has its machine code, also on a busy machine."""
Sources = Path | None
Case = Callable[[Sources, Path], bool]
"""Whether a version withstands; it is called with the version's sources and an empty folder."""


def sqlite(folder: Path) -> str:
    return f"sqlite:///{folder / 'tables.db'}"


def memory(pid: int) -> int:
    """Bytes of a server and its processes."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = status.read_text().rpartition(")")[2].split()
            if int(status.parent.name) == pid or int(fields[1]) == pid:
                total += int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
    return total


def command(sources: Sources, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | ({"PYTHONPATH": str(sources)} if sources else {})
    return subprocess.run(
        [*PROGRAM, *words], capture_output=True, text=True, timeout=300, env=environment
    )


def row_1_a_record_of_one_dotted_key_takes_no_memory(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources) as server:
        httpx.post(f"{server.url}/api/replay", json={"record": "{"}, timeout=60)
        before = memory(server.pid)
        record = "a." * 10_000 + "a=1"
        httpx.post(f"{server.url}/api/replay", json={"record": record}, timeout=60)
        return memory(server.pid) - before < 50 * MIB


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


def row_3_one_address_makes_so_many_tables(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources) as server:
        for number in range(80):
            wish = {"id": f"t{number}", "options": {"players": 3}, "seats": [OPEN] * 3}
            answer = httpx.post(f"{server.url}/api/tables", json=wish, timeout=60)
            if answer.status_code == 429:
                return bool(answer.json()["retry_after"])
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
        script += "watch(int(sys.argv[1]), sys.argv[2])"
        arguments = [sys.executable, "-c", script, str(server.port), made["table"]]
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


def watch(port: int, table: str) -> None:
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
                await watcher.send(json.dumps({"type": "hello", "protocol": 1}))
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


def row_15_odd_paths_and_names_are_refused(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources) as server:
        odd = [httpx.get(f"{server.url}/{path}").status_code for path in ("%00", "a" * 5000)]
        made = server.make("names", [PEOPLE[0], OPEN, OPEN])
        path = f"{server.url}/api/tables/{made['table']}/seats"
        looks_alike = httpx.post(path, json={"id": "ana", "name": "An\u0430"})
        return max(odd) < 500 and looks_alike.status_code == 409


def row_15_bots_answer_while_machine_code_is_loaded(sources: Sources, folder: Path) -> bool:
    loaded = folder / "loaded"
    settings = {"LOADED": str(loaded), "INDUSTRY_BOT_WORKERS": "1"}
    packages = str(loader(folder / "foreign"))
    with serving(sqlite(folder), sources, PYTHONPATH=packages, **settings) as server:
        deadline = time.monotonic() + COMPILING
        while not loaded.exists() or len(loaded.read_text().splitlines()) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        bot: Json = {"kind": "bot", "bot": "foreman"}
        made = server.make("loading", [bot] * 3)
        try:
            return bots_move(server, made["table"], 20)
        finally:
            loaded.with_name("loaded.go").touch()


def bots_move(server: Remote, table: str, seconds: float) -> bool:
    """Whether a bot moves at a table within a time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        entries = server.get(f"/api/tables/{table}/log")["entries"]
        if any('"how":"bot"' in line["entry"] for line in entries):
            return True
        time.sleep(0.2)
    return False


def row_15_the_example_client_goes_on_after_a_reconnect(sources: Sources, folder: Path) -> bool:
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    if sources is not None:
        shown = ["git", "-C", str(ROOT), "show", f"{RELEASED}:docs/protocol.md"]
        page = subprocess.run(shown, capture_output=True, text=True, check=True).stdout
    client = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[0]
    return len(commands_after_a_cut(client, 60 if sources is None else 5)) == 2


CASES: tuple[Case, ...] = (
    row_1_a_record_of_one_dotted_key_takes_no_memory,
    row_2_headers_have_a_size,
    row_3_one_address_makes_so_many_tables,
    row_5_a_backup_names_a_damaged_table,
    row_6_the_answer_to_taking_a_seat_carries_the_promise,
    row_8_watchers_keep_no_player_out,
    row_9_a_seat_takes_back_so_often,
    row_10_who_was_sent_away_waits,
    row_11_health_is_bad_while_nothing_can_be_written,
    row_12_the_host_frees_a_seat,
    row_13_another_hosts_name_is_refused,
    row_14_a_rematch_waits_for_everyone,
    row_15_odd_paths_and_names_are_refused,
    row_15_bots_answer_while_machine_code_is_loaded,
    row_15_the_example_client_goes_on_after_a_reconnect,
)


@pytest.mark.proof
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_version_0_1_0_falls_and_this_one_withstands(
    case: Case, released: Path, tmp_path: Path
) -> None:
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
