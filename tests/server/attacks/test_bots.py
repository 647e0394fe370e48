"""Beside 400 tables of four magnates a person's bot answers within two seconds (row 4).

The healthy table keeps its latency meanwhile, also with two further attacks.

    .venv/bin/python -m pytest -n 0 --proof -s tests/server/attacks/test_bots.py
"""

import json
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from tests.server.forked import resident_memory
from tests.server.test_serve import program
from tests.support.waiting import PATIENCE

from .attacks import ATTACKS, here, new_table
from .probe import Probe
from .test_attacks import LONG, attacked, check, check_promise, measured_quiet

TABLES = 400
PROMISE = 2.0
ATTACKER, PERSON = here(4), {"x-forwarded-for": "198.51.100.7"}
MOVES = 10
PAIRS = ((0, 3), (1, 4), (2, 5), (6, 7), (8, 6))
"""Further attacks, two at a time; together all of them."""


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_p12_a_persons_bot_answers_within_two_seconds_beside_400_tables_of_magnates(
    tmp_path: Path,
) -> None:
    """In version 0.1.0 it did not answer within 25 s: all waited in one queue."""
    settings = {"INDUSTRY_ADDRESS_NEW_TABLES": "1000", "INDUSTRY_ADDRESS_TABLES": "1000"}
    with program(tmp_path, "serve", "--port", "0", INDUSTRY_BOT_WORKERS="1", **settings) as server:
        server.until_ready()
        port, pid = httpx.URL(server.url).port or 0, server.process.pid
        with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
            while "industry_bots_warm 1.0" not in client.get("/metrics").text:
                time.sleep(1)
            client.post("/api/replay", json={"record": "{"})  # its process is there now
            with Probe(port, pid) as probe:
                quiet = measured_quiet(probe)
                before = resident_memory(pid)
                for _ in range(TABLES):
                    wish = new_table(*["magnate"] * 4)
                    client.post("/api/tables", json=wish, headers=ATTACKER).raise_for_status()
                probe.phase()
                time.sleep(LONG)
                during = probe.phase()
                check(quiet, during, resident_memory(pid) - before, f"{TABLES} tables of magnates")
                check_promise(quiet, during)
                for pair in PAIRS:
                    attacks = tuple(ATTACKS[number] for number in pair)
                    names = ", ".join(attack.__name__ for attack in attacks)
                    before = resident_memory(pid)
                    during = attacked(port, probe, attacks, LONG / 2)
                    check(quiet, during, resident_memory(pid) - before, f"magnates, {names}")
                    check_promise(quiet, during)
            wish = new_table("human", "magnate", "magnate")
            made = client.post("/api/tables", json=wish, headers=PERSON).raise_for_status().json()
        times = sorted(answer_times(server.url, made))
        print(f"\n{TABLES} tables of magnates: a person's bot answered in {times} s")
        assert times[-1] < PROMISE


def answer_times(url: str, made: dict[str, Any]) -> list[float]:
    """Seconds from each beginning of a bot's turn to its move, at the person's table."""
    address = f"{url.replace('http', 'ws')}api/tables/{made['table']}/socket"
    tokens = [seat["token"] for seat in made["seats"]]
    times: list[float] = []
    since, view = time.monotonic(), dict[str, Any]()
    with connect(address, additional_headers=PERSON, max_size=None) as socket:
        socket.send(json.dumps({"type": "hello", "protocol": 2, "tokens": tokens}))
        while len(times) < MOVES:
            message = json.loads(socket.recv(PATIENCE))
            if message["type"] not in ("snapshot", "update"):
                continue
            for step in message.get("steps", []):
                if step["entry"]["how"] == "bot":
                    times.append(round(time.monotonic() - since, 2))
            since = time.monotonic()
            view |= message.get("view") or {}
            legal = [line for yours in message["yours"] for line in yours["legal"]]
            if legal:
                version = message.get("version") or view["version"]
                command = {"type": "move", "id": str(len(times)) + legal[-1][:1] + str(version)}
                command |= {"seat": int(legal[-1][0]), "version": version, "line": legal[-1]}
                socket.send(json.dumps(command))
    return times
