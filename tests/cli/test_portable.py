"""`play`, `serve`, `terminal`, `simulate` and `tournament` where Python has nothing of POSIX."""

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.cli.running import PROGRAM
from tests.support import proof
from tests.test_house import MODULES as OURS
from tests.test_house import imported

PATIENCE = 240.0
SEATS = [{"kind": "human", "name": "Ana"}, *[{"kind": "bot", "bot": "apprentice"}] * 2]
MODULES = ("fcntl", "termios", "tty", "pty", "pwd", "grp", "resource", "syslog", "readline")
SIGNALS = ("pthread_sigmask", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGALRM", "alarm")
CALLS = ("nice", "fork", "killpg", "setsid", "sched_getaffinity", "getpgid", "wait3")
HIDE = f"""
import os, signal, subprocess, sys
for name in {MODULES}:
    sys.modules[name] = None  # importing it fails
for name in {SIGNALS}:
    vars(signal).pop(name, None)
for name in {CALLS}:
    vars(os).pop(name, None)
"""
"""Python runs this before anything else, also in every process that a command starts."""


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """A system that has none of these, with a home of its own."""
    (tmp_path / "sitecustomize.py").write_text(HIDE, encoding="utf-8")
    return os.environ | {
        "PYTHONPATH": str(tmp_path),
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "DISPLAY": "",
        "INDUSTRY_BOT_WORKERS": "1",
    }


def run(elsewhere: dict[str, str], *arguments: object, said: str = "") -> str:
    done = subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        env=elsewhere,
        input=said,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_what_is_hidden_is_really_gone(elsewhere: dict[str, str]) -> None:
    ask = "import os, signal\nassert not hasattr(signal, 'SIGHUP') and not hasattr(os, 'nice')\n"
    ask += "try:\n    import fcntl\nexcept ImportError:\n    print('gone')\n"
    done = subprocess.run([sys.executable, "-c", ask], env=elsewhere, capture_output=True)
    assert done.stdout == b"gone\n", done.stderr


def test_no_module_of_ours_imports_one_of_posix_alone() -> None:
    """Also not where a command rarely comes; line editing and limits of a process do without."""
    for module in OURS:
        assert not (set(MODULES) - {"readline", "resource"}) & set(imported(module)), module.name


def test_simulate_plays_in_several_processes(elsewhere: dict[str, str]) -> None:
    assert "4 games" in run(elsewhere, "simulate", "--games", 4, "--processes", 2)


def test_tournament_writes_its_file_and_continues_it(
    elsewhere: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl"
    run(elsewhere, "tournament", "--bots", "random,random", "--games", 4, "--save", path)
    run(elsewhere, "tournament", "--resume", path)
    assert path.read_bytes().count(b"\n") > 1


def test_terminal_starts_a_game_and_leaves_it(elsewhere: dict[str, str]) -> None:
    said = run(elsewhere, "terminal", "--seed", "steam", said="rules\nquit\n")
    assert "See you next game." in said


@pytest.mark.parametrize("command", proof.cases(["play", "serve"]))
def test_servers_answer_and_keep_others_from_their_database(
    elsewhere: dict[str, str], command: str
) -> None:
    process = subprocess.Popen(
        [*PROGRAM, command, "--port", "0"],
        env=elsewhere,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert process.stdout is not None
        address = re.search(r"http://\S+/", process.stdout.readline())
        assert address is not None, process.stderr and process.stderr.read()
        wish = {"id": "make", "options": {"players": 3}, "seats": SEATS}
        assert httpx.post(f"{address[0]}api/tables", json=wish, timeout=PATIENCE).is_success
        second = subprocess.run(
            [*PROGRAM, "serve", "--port", "0"], env=elsewhere, capture_output=True, text=True
        )
        assert "another server uses the database" in second.stderr
        assert address[0] in second.stderr
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)
