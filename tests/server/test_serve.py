"""`industry serve` and `industry play` as programs: they start, say where, and end gracefully."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from industry.server.client_socket import RESTART
from industry.server.protocol.base import PROTOCOL
from industry.server.store.access import is_unsound
from tests.cli.running import PROGRAM, Outcome, run
from tests.support.waiting import PATIENCE, wait_until

BOTS = [{"kind": "human", "name": "Ana"}, *[{"kind": "bot", "bot": "foreman"}] * 2]


class Program:
    """The command line in a process of its own, with a home of its own."""

    def __init__(self, folder: Path, *args: object, **environment: str) -> None:
        home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")}
        home |= {"LC_ALL": "C", "DISPLAY": "", "INDUSTRY_BOT_WORKERS": "1"}
        self.log = folder / "stderr.txt"
        with self.log.open("a") as errors:
            self.process = subprocess.Popen(
                [*PROGRAM, *map(str, args)],
                env=os.environ | home | environment,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        self.url = ""

    def until_ready(self) -> str:
        """Wait for the line with the address."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+/", line)
        assert found is not None, f"{line!r} {self.log.read_text()}"
        self.url = found[0]
        return line

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def workers(self) -> list[int]:
        """The processes in which its bots think."""
        found = []
        for status in Path("/proc").glob("[0-9]*/status"):
            with suppress(OSError):  # it has just ended
                if f"\nPPid:\t{self.process.pid}\n" in status.read_text(encoding="utf-8"):
                    found.append(int(status.parent.name))
        return found


@contextmanager
def program(folder: Path, *args: object, **environment: str) -> Iterator[Program]:
    running = Program(folder, *args, **environment)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.communicate()


def make_table(url: str) -> dict[str, Any]:
    wish = {"id": "make", "options": {"players": 3, "seating": "as_joined"}, "seats": BOTS}
    answer = httpx.post(f"{url}api/tables", json=wish, timeout=PATIENCE)
    assert answer.is_success, answer.text
    made: dict[str, Any] = answer.json()
    return made


def until_ana(url: str, table: str) -> dict[str, Any]:
    """The table once the bots have moved and the person must decide."""
    view: dict[str, Any] = {}

    def is_ana() -> bool:
        view.update(httpx.get(f"{url}api/tables/{table}", timeout=PATIENCE).json())
        actor = view["game"] and view["game"]["actor"]
        return bool(actor) and view["seats"][actor - 1]["name"] == "Ana"

    wait_until(is_ana, lambda: f"Ana never had to decide: {view}")
    return view


def test_a_server_keeps_its_tables_over_a_graceful_stop(tmp_path: Path) -> None:
    args = ("serve", "--port", "0", "--database", f"sqlite:///{tmp_path / 'club' / 'tables.db'}")
    with program(tmp_path, *args) as server:
        assert server.until_ready().startswith("Industry is served at http://127.0.0.1:")
        made = make_table(server.url)
        view = until_ana(server.url, made["table"])
        maps = Path(f"/proc/{server.process.pid}/maps").read_text()
        assert not {"numba", "numpy", "llvmlite"} & set(re.split(r"[/.]", maps))
        workers = server.workers()
        assert workers
        assert server.end() == 0
        wait_until(
            lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers),
            "processes of bots are left",
        )
    with program(tmp_path, *args) as server:
        server.until_ready()
        assert until_ana(server.url, made["table"])["game"] == view["game"]
        assert server.end(signal.SIGINT) == 0
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert [line["event"] for line in lines].count("stopped") == 2
    tokens = [made["host"], *(seat["token"] for seat in made["seats"])]
    assert not any(token in server.log.read_text() for token in tokens)


def test_sockets_are_told_when_the_server_stops(tmp_path: Path) -> None:
    with program(tmp_path, "serve", "--port", "0") as server:
        server.until_ready()
        made = make_table(server.url)
        address = server.url.replace("http", "ws") + f"api/tables/{made['table']}/socket"
        with connect(address) as client:
            client.send(json.dumps({"type": "hello", "protocol": PROTOCOL}))
            assert json.loads(client.recv(PATIENCE))["type"] == "welcome"
            assert client.response is not None
            assert "permessage-deflate" not in str(client.response.headers)
            assert server.end() == 0
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    client.recv(PATIENCE)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == RESTART
    assert (tmp_path / "data" / "industry" / "tables.db").exists()


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A server with settings of its operator, one of which is misspelt."""
    folder = tmp_path_factory.mktemp("club")
    database = f"sqlite:///{folder / 'secret' / 'tables.db'}"
    settings = {"INDUSTRY_MAX_MESSAGES": "20", "INDUSTRY_PROT": "80"}
    with program(folder, "serve", "--port", "0", "--database", database, **settings) as server:
        server.until_ready()
        yield server


def test_the_operator_sets_how_many_messages_are_too_many(club: Program) -> None:
    address = club.url.replace("http", "ws") + f"api/tables/{'a' * 12}/socket"
    with connect(address) as client:
        for _ in range(21):
            client.send(json.dumps({"type": "ping", "id": "still-there"}))
        answers = [json.loads(client.recv(PATIENCE)) for _ in range(21)]
    assert [answer["type"] for answer in answers] == ["pong"] * 20 + ["error"]
    assert answers[-1]["code"] == "too_many_messages"


def test_secrets_are_for_the_operator_alone(club: Program) -> None:
    files = list((club.log.parent / "secret").glob("tables.db*"))
    assert {"tables.db", "tables.db-wal"} <= {file.name for file in files}
    for file in files:
        if not file.name.endswith(".lock"):
            assert file.stat().st_mode & 0o077 == 0, file


def test_a_second_server_on_the_same_file_is_refused_with_the_address(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    with program(tmp_path, "serve", "--port", "0", "--database", database) as server:
        server.until_ready()
        refused = serve("--port", "0", "--database", database)
        assert refused.code == 1
        assert refused.err.endswith(f"another server uses the database {database}: {server.url}.\n")
        assert run("admin", "delete", "abcdefghijkl", "--yes", "--database", database).code == 1
        assert run("admin", "list", "--database", database).code == 0
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait()
    with program(tmp_path, "serve", "--port", "0", "--database", database) as server:
        server.until_ready()  # a lock does not outlive a server that was killed


def test_a_link_to_the_file_is_the_same_database(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "tables.db")
    database, link = (f"sqlite:///{tmp_path / name}" for name in ("tables.db", "link.db"))
    with program(tmp_path, "serve", "--port", "0", "--database", database) as server:
        server.until_ready()
        refused = serve("--port", "0", "--database", link)
        assert refused.code == 1
        assert refused.err.endswith(f"another server uses the database {link}: {server.url}.\n")
        assert server.end() == 0
    assert {path.name for path in tmp_path.glob("*.db*")} == {"tables.db", "link.db"}


def serve(*args: object) -> Outcome:
    return run("serve", *args)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_DATA_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


@pytest.mark.usefixtures("home")
def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        refused = serve("--port", port)
    assert refused.code == 1
    said = f"port {port} of 127.0.0.1 is taken by another program; choose one with --port."
    assert refused.err.endswith(f"{said}\n")


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("host", "said"),
    [("nobody.invalid", "there is no host"), ("192.0.2.1", "is not an address of this machine")],
)
def test_a_host_that_is_none_is_named(host: str, said: str) -> None:
    refused = serve("--host", host, "--port", "0")
    assert refused.code == 1
    assert said in refused.err


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresql://bo:tiger@127.0.0.1:1/games", "connection"),
        ("sqlite:////dev/null/tables.db", "cannot be used: what should be its folder is a file."),
        ("sqlite:////proc/none/tables.db", "cannot be used: No such file or directory."),
        ("mysql://x/y", "database must be a URL such as"),
    ],
)
def test_a_database_that_cannot_be_used_is_named_without_its_password(url: str, said: str) -> None:
    refused = serve("--port", "0", "--database", url)
    assert refused.code == 1
    assert said in refused.err
    assert "tiger" not in refused.err
    assert refused.err.count("\n") == 1


def test_a_file_that_is_no_database_and_one_of_a_newer_program_are_named(home: Path) -> None:
    text = home / "text.db"
    text.write_text("no database at all, but long enough to have a header of its own" * 20)
    refused = serve("--port", "0", "--database", f"sqlite:///{text}")
    assert (refused.code, "file is not a database" in refused.err) == (1, True)
    newer = home / "newer.db"
    assert run("admin", "list", "--database", f"sqlite:///{newer}").code == 0
    with sqlite3.connect(newer) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    refused = serve("--port", "0", "--database", f"sqlite:///{newer}")
    assert refused.code == 1
    assert "made by a newer version of this program" in refused.err


def test_settings_that_are_wrong_are_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDUSTRY_PORT", "http")
    refused = serve()
    assert refused.err == "Error: INDUSTRY_PORT must be a whole number, not “http”.\n"
    file = home / "industry.toml"
    file.write_text("colour = 1")
    assert "sets colour, which is none of" in serve("--port", "0", "--config", file).err


def test_a_misspelt_variable_is_told_of(club: Program) -> None:
    first = json.loads(club.log.read_text().splitlines()[0])
    assert (first["event"], first["name"]) == ("unknown_variable", "INDUSTRY_PROT")


def test_an_old_sqlite_matters_where_tables_are_in_its_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 2))
    assert is_unsound("sqlite:////var/lib/industry/tables.db")
    assert not is_unsound("postgresql://club@host/industry")
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 3))
    assert not is_unsound("sqlite:////var/lib/industry/tables.db")


# industry play


def test_play_serves_this_machine_only_and_keeps_games_in_the_users_folder(tmp_path: Path) -> None:
    with program(tmp_path, "play", "--no-browser", INDUSTRY_HOST="0.0.0.0") as game:
        line = game.until_ready()
        assert line == f"Industry is ready: {game.url}\n"
        assert game.url.startswith("http://127.0.0.1:")
        assert "<html" in httpx.get(game.url, timeout=PATIENCE).text
        made = make_table(game.url)
        until_ana(game.url, made["table"])
        assert game.end(signal.SIGINT) == 0
        assert game.process.stdout is not None
        assert game.process.stdout.read().endswith("See you next time.\n")
    assert game.log.read_text() == ""
    folder = tmp_path / "data" / "industry"
    assert (folder / "tables.db").exists()
    assert json.loads((folder / "play.log").read_text().splitlines()[-1])["event"] == "stopped"


def test_a_second_play_shows_the_game_that_runs(tmp_path: Path) -> None:
    with program(tmp_path, "play", "--no-browser", LC_ALL="de_DE.UTF-8") as game:
        assert game.until_ready().startswith("Industry ist bereit: ")
        with program(tmp_path, "play", "--no-browser", "--language", "fr") as second:
            assert "déjà" in second.until_ready()
            assert second.url == game.url
            assert second.process.wait(PATIENCE) == 0


def test_the_browser_is_opened_on_the_game(tmp_path: Path) -> None:
    """With a browser of our own that writes down what it is asked for."""
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}\n')
    browser.chmod(0o755)
    with program(tmp_path, "play", BROWSER=f"{browser} %s") as game:
        game.until_ready()
        wait_until(lambda: opened.exists() and opened.read_text(), "no browser was opened")
        assert opened.read_text() == game.url
