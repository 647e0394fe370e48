"""Attacks 15 to 17, each tried on version 0.1.0 and on this one.

`test_against_released.py` has the other attacks, and says how the cases work.

    .venv/bin/python -m pytest -n 0 --proof -s tests/server/test_small_rows_against_released.py
"""

import json
import re
import resource
import subprocess
import sys
import time
import tomllib
from contextlib import suppress
from pathlib import Path
from random import Random

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.cli.running import PROGRAM
from tests.support.waiting import wait_until
from tools.node import find_node

from .conftest import RELEASED, ROOT
from .make_database import OPEN, PEOPLE, serving, tokens_of
from .playing import Client, Json, free_port, play_on
from .test_against_released import (
    COMPILING,
    HOUR,
    Case,
    Sources,
    bots_move,
    check_both_versions,
    command,
    environment_of,
    make_older,
    sqlite,
)
from .test_bot_pool import loader
from .test_example import commands_after_a_cut


def in_release(sources: Sources, path: str) -> str:
    """A file of the repository, as the version has it; empty where it has none."""
    if sources is None:
        return (ROOT / path).read_text(encoding="utf-8") if (ROOT / path).exists() else ""
    shown = ["git", "-C", str(ROOT), "show", f"{RELEASED}:{path}"]
    return subprocess.run(shown, capture_output=True, text=True).stdout


# Row 15


def row_15_odd_paths_are_not_found(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources) as server:
        odd = [httpx.get(f"{server.url}/{path}").status_code for path in ("%00", "a" * 5000)]
        return max(odd) < 500


def row_15_a_link_that_unpacks_to_too_much_is_refused(sources: Sources, folder: Path) -> bool:
    """A tab would have to hold all of it; a few thousand letters may hold gigabytes."""
    module = "web/src/lib/pack.ts" if sources else "web/src/lib/recordLink.ts"
    (folder / "source.ts").write_text(in_release(sources, module), "utf-8")
    script = """
        const ts = require(process.argv[1]), fs = require('fs')
        const options = { compilerOptions: { module: ts.ModuleKind.ESNext, target: 'esnext' } }
        const source = fs.readFileSync('source.ts', 'utf8')
        fs.writeFileSync('made.mjs', ts.transpileModule(source, options).outputText)
        import(process.cwd() + '/made.mjs').then(async ({ packed, unpacked }) => {
          const link = await packed('a'.repeat(20_000_000))
          const length = await unpacked(link).then((text) => text.length, () => 0)
          console.log(JSON.stringify({ link: link.length, length }))
        })
    """
    node = find_node()
    compiler = ROOT / "web" / "node_modules" / "typescript" / "lib" / "typescript.js"
    done = subprocess.run(
        [node.node, "-e", script, str(compiler)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=folder,
        env=dict(node.environment),
    )
    found = json.loads(done.stdout)
    assert found["link"] < 30_000, done.stderr
    return bool(found["length"] == 0)


def row_15_a_symbolic_link_is_the_same_database(sources: Sources, folder: Path) -> bool:
    link = folder / "link.db"
    link.symlink_to(folder / "tables.db")
    with serving(sqlite(folder), sources):
        port = free_port()
        args = ("serve", "--port", str(port), "--database", f"sqlite:///{link}")
        with subprocess.Popen(
            [*PROGRAM, *args], stderr=subprocess.DEVNULL, env=environment_of(sources)
        ) as second:
            try:
                wait_until(lambda: second.poll() is not None or is_served(port), str)
                return second.poll() is not None
            finally:
                second.kill()


def is_served(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=5).is_success
    except httpx.TransportError:
        return False


def row_15_special_networks_are_not_public(sources: Sources, folder: Path) -> bool:
    """For `ipaddress` of Python 3.11 some of them are; newer versions know more of them."""
    script = """
import ipaddress, sys
from industry.server.hooks import is_public
special = ["192.0.0.8", "192.88.99.1", "fec0::1", "::7f00:1", "64:ff9b:1::1"]
sys.exit(any(is_public(ipaddress.ip_address(address)) for address in special))
"""
    done = subprocess.run([sys.executable, "-c", script], env=environment_of(sources), timeout=120)
    return done.returncode == 0


def row_15_one_address_registers_a_limited_number_of_webhooks(
    sources: Sources, folder: Path
) -> bool:
    with serving(sqlite(folder), sources, INDUSTRY_ADDRESS_HOOKS="20") as server:
        made = server.make("hooks", PEOPLE)
        headers = {"authorization": f"Bearer {made['host']}"}
        for number in range(40):
            wish = {"id": f"h{number}", "url": f"https://hooks.example.org/{number}"}
            path = f"{server.url}/api/tables/{made['table']}/webhook"
            answer = httpx.post(path, json=wish, headers=headers, timeout=60)
            if answer.status_code == 429:
                return bool(answer.json()["retry_after"])
    return False


def refused_names(sources: Sources, folder: Path, *names: str) -> bool:
    """Whether a table at which Ana sits takes none of these names."""
    with serving(sqlite(folder), sources) as server:
        made = server.make("names", [PEOPLE[0], OPEN, OPEN])
        path = f"{server.url}/api/tables/{made['table']}/seats"
        answers = [
            httpx.post(path, json={"id": f"n{number}", "name": name}, timeout=60)
            for number, name in enumerate(names)
        ]
        return all(answer.status_code in (409, 422) for answer in answers)


def row_15_an_invisible_name_is_refused(sources: Sources, folder: Path) -> bool:
    return refused_names(sources, folder, "\u3164", "Bo\u2800")


def row_15_a_name_that_looks_like_another_is_refused(sources: Sources, folder: Path) -> bool:
    return refused_names(sources, folder, "An\u0430", "\uff21na")


def row_15_a_name_that_is_taken_is_refused(sources: Sources, folder: Path) -> bool:
    return refused_names(sources, folder, "Ana", "ANA")


def row_15_refusals_carry_the_id_of_the_command(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources, INDUSTRY_MAX_MESSAGES="20") as server:
        made = server.make("ids", PEOPLE)
        refused: list[Json] = []
        with (
            Client(server, made["table"], tokens_of(made)).ready() as client,
            suppress(ConnectionClosed),
        ):
            client.send(type="ping", id="large", more="x" * 9000)
            for number in range(22):
                client.send(type="ping", id=f"p{number}")
            while len(refused) < 2:
                refused.append(client.until("error"))
        assert {error["code"] for error in refused} == {"too_large", "too_many_messages"}
        return all(error["id"] for error in refused)


def row_15_the_example_client_goes_on_after_a_reconnect(sources: Sources, folder: Path) -> bool:
    page = in_release(sources, "docs/protocol.md")
    client = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[0]
    return len(commands_after_a_cut(client, 60 if sources is None else 5)) == 2


JUMPING = """
import os, time
real = time.time_ns
def time_ns():
    try:
        return real() + int(os.stat(os.environ["JUMP"]).st_size) * 3_600_000_000_000
    except OSError:
        return real()
time.time_ns = time_ns
"""
"""A machine whose clock is ahead by as many hours as a file has bytes."""


def row_15_a_clock_that_jumps_marks_nobody_absent(sources: Sources, folder: Path) -> bool:
    packages, jump = folder / "clock", folder / "jump"
    packages.mkdir()
    (packages / "sitecustomize.py").write_text(JUMPING, "utf-8")
    with serving(sqlite(folder), sources, PYTHONPATH=str(packages), JUMP=str(jump)) as server:
        made = server.make("clock", PEOPLE, clock="live")
        address = f"/api/tables/{made['table']}"
        jump.write_bytes(b"x")
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if any(seat["absent"] for seat in server.get(address)["seats"]):
                return False
            time.sleep(0.5)
    return True


def row_15_a_deeply_nested_line_is_refused_with_a_sentence(sources: Sources, folder: Path) -> bool:
    with serving(sqlite(folder), sources) as server:
        server.make("nested", PEOPLE)
    file = folder / "backup.jsonl"
    saved = command(sources, "admin", "backup", str(file), "--database", sqlite(folder))
    assert saved.returncode == 0
    lines = file.read_text("utf-8").splitlines()
    lines[1] = "[" * 100_000 + "]" * 100_000
    file.write_text("\n".join(lines) + "\n", "utf-8")
    other = f"sqlite:///{folder / 'restored.db'}"
    done = command(sources, "admin", "restore", str(file), "--database", other)
    assert done.returncode != 0
    return "Traceback" not in done.stderr and "backup.jsonl" in done.stderr


def row_15_doubled_keys_cost_no_more_than_others(sources: Sources, folder: Path) -> bool:
    """The last of a hundred thousand keys is there twice."""
    file = folder / "record.json"
    keys = [f'"{number}":1' for number in range(100_000)]
    file.write_text("{" + ",".join([*keys, keys[-1]]) + "}", "utf-8")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (20, 25))

    done = subprocess.run(
        [*PROGRAM, "verify", str(file)],
        capture_output=True,
        env=environment_of(sources),
        preexec_fn=limit,
    )
    return done.returncode > 0  # negative: it was ended after 20 s of work


def row_15_bots_answer_while_machine_code_is_loaded(sources: Sources, folder: Path) -> bool:
    loaded = folder / "loaded"
    settings = {"LOADED": str(loaded), "INDUSTRY_BOT_WORKERS": "1"}
    packages = str(loader(folder / "foreign"))
    with serving(sqlite(folder), sources, PYTHONPATH=packages, **settings) as server:
        deadline = time.monotonic() + COMPILING
        # the process that has found everything compiled goes on today, and loads it no second time
        times = 2 if sources else 1
        while not loaded.exists() or len(loaded.read_text().splitlines()) < times:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        bot: Json = {"kind": "bot", "bot": "foreman"}
        made = server.make("loading", [bot] * 3)
        try:
            return bots_move(server, made["table"], 20)
        finally:
            loaded.with_name("loaded.go").touch()


# Row 16


def row_16_the_documented_installation_uses_pins_with_hashes(
    sources: Sources, folder: Path
) -> bool:
    page = in_release(sources, "docs/operations.md")
    installs = re.findall(r"^/opt/industry/bin/pip install (.*)$", page, re.MULTILINE)
    upgrades = re.findall(r"`/opt/industry/bin/pip install ([^`]*)`", page)
    files = [line.split("-r ./industry/")[-1] for line in installs if "-r" in line]
    pins = "".join(in_release(sources, file) for file in files)
    named = re.findall(r"^[a-z0-9._-]+==\S+.*\\\n +--hash=sha256:[0-9a-f]{64}", pins, re.M)
    free = re.findall(r"^[a-z0-9._-]+(?:>|~|<|$)", pins, re.MULTILINE)
    every_step = [
        any("--require-hashes" in line for line in lines)
        and all("--require-hashes" in line or "--no-deps" in line for line in lines)
        for lines in (installs, upgrades)
    ]
    return all(every_step) and len(named) > 20 and not free


def row_16_the_source_archive_holds_the_pins(sources: Sources, folder: Path) -> bool:
    """`make release` builds the archive and refuses one without them (`tools/release.py`)."""
    project = tomllib.loads(in_release(sources, "pyproject.toml"))
    archived = project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    return "requirements" in archived and bool(in_release(sources, "requirements/locked.txt"))


def row_16_all_pins_can_be_audited(sources: Sources, folder: Path) -> bool:
    rules = in_release(sources, "Makefile")
    audited = re.findall(r"^audit:.*\n((?:\t.*\n)+)", rules, re.MULTILINE)
    documented = "make audit" in in_release(sources, "docs/operations.md")
    return documented and any("pip-audit" in rule and "npm" in rule for rule in audited)


# Row 17


def row_17_finished_games_are_deleted_after_the_days_of_the_setting(
    sources: Sources, folder: Path
) -> bool:
    with serving(sqlite(folder), sources) as server:
        made = server.make("old", PEOPLE)
        with server.client(made["table"], tokens_of(made)) as client:
            play_on(client, Random(3))
    make_older(folder, 72 * HOUR)
    with serving(sqlite(folder), sources, INDUSTRY_RETENTION_DAYS="2") as server:
        deadline = time.monotonic() + (60 if sources is None else 10)
        while time.monotonic() < deadline:
            if httpx.get(f"{server.url}/api/tables/{made['table']}").status_code == 404:
                return True
            time.sleep(0.2)
    return False


def row_17_a_table_is_exported_and_deleted_while_the_server_runs(
    sources: Sources, folder: Path
) -> bool:
    with serving(sqlite(folder), sources) as server:
        made = server.make("gone", PEOPLE)["table"]
        database = ("--database", sqlite(folder))
        out = folder / "export.jsonl"
        exported = command(sources, "admin", "export", made, "--out", str(out), *database)
        assert exported.returncode == 0
        assert made in out.read_text("utf-8")
        deleted = command(sources, "admin", "delete", made, "--yes", *database)
        gone = httpx.get(f"{server.url}/api/tables/{made}").status_code == 404
        return deleted.returncode == 0 and gone


def row_17_operators_are_told_what_is_kept_of_people(sources: Sources, folder: Path) -> bool:
    page = in_release(sources, "docs/operations.md")
    section = page.partition("\n## Personal data\n")[2].partition("\n## ")[0]
    return all(word in section for word in ("retention_days", "admin delete", "admin export"))


CASES: tuple[Case, ...] = tuple(case for name, case in globals().items() if name[:4] == "row_")


@pytest.mark.proof
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_version_0_1_0_falls_and_this_one_withstands(
    case: Case, released: Path, tmp_path: Path
) -> None:
    check_both_versions(case, released, tmp_path)
