"""Boards of your own: every command takes the file, and refuses one with problems."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from industry.boards import board_text, load_board
from tests.server.test_serve import program

from .running import run, start

OWN = "mine"


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board that is not a copy: the Sawmill costs 1."""
    path = tmp_path_factory.mktemp("boards") / f"{OWN}.toml"
    text = board_text("industry").replace('id      = "industry"', f'id      = "{OWN}"')
    place = text.index("cost   = 3")
    path.write_text(f"{text[:place]}cost   = 1{text[place + 10 :]}", encoding="utf-8")
    assert load_board(path).hash != load_board("industry").hash
    return path


@pytest.fixture(scope="module")
def games(mine: Path) -> Path:
    path = mine.with_name("games.jsonl")
    done = run("simulate", "-n", "4", "--board", mine, "--seed", "1", "--record", path)
    assert done.code == 0, done.err
    return path


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    """A draft that the editor could have saved: two costs are wrong."""
    path = tmp_path / "draft.toml"
    text = board_text("industry").replace('id      = "industry"', 'id      = "draft"')
    path.write_text(text.replace("cost   = 2\n", "cost   = 2000\n", 2), encoding="utf-8")
    return path


ON_GAMES = (
    ("verify", "{games}", "--board", "{board}"),
    ("replay", "{games}", "--board", "{board}"),
    ("legal", "{games}", "--at", "4", "--board", "{board}"),
    ("perft", "{games}", "--at", "4", "--depth", "1", "--board", "{board}"),
    ("score", "{games}", "--board", "{board}"),
    ("report", "{games}", "--board", "{board}", "--out", "{folder}/report.html", "--force"),
)
ON_BOARDS = (
    ("board", "show", "{board}"),
    ("board", "check", "{board}"),
    ("simulate", "-n", "2", "--board", "{board}"),
    ("tournament", "--bots", "random,random", "-n", "6", "-p", "3", "--board", "{board}"),
)
NEED_LONG = (
    ("board", "calibrate", "{board}"),
    ("train", "--board", "{board}", "--out", "{folder}/course"),
    ("terminal", "--board", "{board}"),
    ("serve", "--port", "0", "--board", "{board}", "--database", "sqlite:///{folder}/t.db"),
)


def words(line: tuple[str, ...], board: Path, games: Path, folder: Path) -> list[str]:
    return [word.format(board=board, games=games, folder=folder) for word in line]


@pytest.mark.parametrize("line", ON_BOARDS + ON_GAMES, ids=lambda line: " ".join(line[:2]))
def test_commands_take_a_board_file(
    line: tuple[str, ...], mine: Path, games: Path, tmp_path: Path
) -> None:
    done = run(*words(line, mine, games, tmp_path))
    assert done.code == 0, done.err


@pytest.mark.parametrize(
    "line",
    [line for line in ON_BOARDS + ON_GAMES + NEED_LONG if line[:2] != ("board", "check")],
    ids=lambda line: " ".join(line[:2]),
)
def test_commands_refuse_a_board_with_faults_in_one_short_sentence(
    line: tuple[str, ...], faulty: Path, games: Path, tmp_path: Path
) -> None:
    done = run(*words(line, faulty, games, tmp_path))
    assert done.code == 1
    (sentence,) = done.err.splitlines()
    assert "“cost” must be a whole number from 0 to 1000" in sentence
    assert f"(and 1 more: see “industry board check {faulty}”)" in sentence
    assert len(sentence.replace(str(faulty), "")) < 120


def test_a_record_of_an_own_board_asks_for_its_file(games: Path) -> None:
    done = run("verify", games)
    assert done.code == 1
    assert "--board FILE" in done.err + done.out


# The editor as a program


@pytest.fixture
def editing(tmp_path: Path) -> Iterator[tuple["subprocess.Popen[bytes]", httpx.Client]]:
    process = start("board", "edit", tmp_path / "mine.toml", "--no-open")
    try:
        assert process.stdout is not None
        line = process.stdout.readline().decode()
        found = re.search(r"(http://127\.0\.0\.1:\d+/)#([\w-]{32})$", line)
        assert found is not None, line
        headers = {"authorization": f"Bearer {found[2]}"}
        with httpx.Client(base_url=found[1], headers=headers, timeout=60) as client:
            yield process, client
    finally:
        process.kill()
        process.communicate()


def test_the_editor_prints_its_link_serves_one_file_and_ends_with_ctrl_c(
    editing: tuple["subprocess.Popen[bytes]", httpx.Client], tmp_path: Path
) -> None:
    process, client = editing
    sheet = client.get("api/editor/sheet").json()["sheet"]
    body = {"name": "mine", "stamp": "", "draft": sheet["draft"]}
    assert client.post("api/editor/save", json=body).json()["trouble"] is None
    assert run("simulate", "-n", "1", "--board", tmp_path / "mine.toml").code == 0
    assert client.get("api/tables").status_code == 404
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("industry",), "comes with the program"),
        (("industria.toml",), "--from industria"),
        (("MINE.toml",), "cannot be the name of a board file"),
        (("none/mine.toml",), "no folder"),
        (("mine.toml", "--from", "moon"), "there is no such board"),
        (("mine.toml", "--from", "other.toml"), "cannot be read"),
    ],
)
def test_what_cannot_be_edited_is_reported_in_one_sentence(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("board", "edit", *words, "--no-open")
    assert done.code == 1
    assert len(done.err.splitlines()) == 1
    assert said in done.err
    assert list(tmp_path.iterdir()) == []


# The server

SEATS = [{"kind": "human", "name": "Ana"}, *[{"kind": "bot", "bot": "random"}] * 2]


def test_a_table_on_a_board_of_your_own_continues_without_its_file(
    mine: Path, tmp_path: Path
) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    args = ("serve", "--port", "0", "--database", database)
    own = load_board(mine)
    with program(tmp_path, *args, "--board", mine) as server:
        server.until_ready()
        names = httpx.get(f"{server.url}api/boards", timeout=60).json()["boards"]
        assert {"id": OWN, "edition": "industry", "status": own.status, "hash": own.hash} in names
        options = {"players": 3, "board": OWN}
        wish = {"id": "make", "options": options, "seats": SEATS}
        made = httpx.post(f"{server.url}api/tables", json=wish, timeout=60).json()
        assert server.end() == 0
    with program(tmp_path, *args) as server:
        server.until_ready()
        assert httpx.get(f"{server.url}api/boards/{OWN}", timeout=60).status_code == 404
        shown = httpx.get(f"{server.url}api/boards/{own.hash}", timeout=60).json()
        assert shown["hash"] == own.hash
        for name in (OWN, "industry"):
            asked = f"{server.url}api/boards/{name}?hash={own.hash}"
            assert httpx.get(asked, timeout=60).json()["hash"] == own.hash
        view = httpx.get(f"{server.url}api/tables/{made['table']}", timeout=60).json()
        assert (view["status"], view["board_hash"]) == ("running", own.hash)
        record = httpx.get(f"{server.url}api/tables/{made['table']}/record", timeout=60).text
        assert server.end() == 0
    (tmp_path / "game.toml").write_text(record, encoding="utf-8")
    assert run("verify", tmp_path / "game.toml", "--board", mine).code == 0

    exported = tmp_path / "tables.jsonl"
    assert run("admin", "export", "--out", exported, "--database", database).code == 0
    other = f"sqlite:///{tmp_path / 'other.db'}"
    assert run("admin", "import", exported, "--database", other).code == 0
    assert run("admin", "check", "--database", other).code == 0


def test_a_server_has_no_two_boards_of_one_name(mine: Path, tmp_path: Path) -> None:
    done = run("serve", "--port", "0", "--board", mine, "--board", mine)
    assert done.code == 1
    assert "there is a board “mine” already" in done.err


def test_play_offers_the_board_and_a_second_call_with_another_is_refused(
    mine: Path, tmp_path: Path
) -> None:
    with program(tmp_path, "play", "--no-browser", "--board", mine) as server:
        server.until_ready()
        names = httpx.get(f"{server.url}api/boards", timeout=60).json()["boards"]
        assert [board["id"] for board in names] == ["industry", "industria", OWN]
        home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data"), "LC_ALL": "C"}
        second = start("play", "--no-browser", "--board", mine, env=os.environ | home)
        _, told = second.communicate(timeout=60)
        assert second.returncode == 1
        assert f"already running at {server.url}, without these boards" in told.decode()
