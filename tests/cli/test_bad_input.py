"""Bad input gets a sentence and an exit code: never a traceback, nothing half-written."""

import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from industry.cli.files import MAX_LINE, Failure, write_whole
from tests.notation.samples import finished, record, running
from tests.support import proof

from .running import run, start, write_jsonl

COMMANDS = ("verify", "replay", "legal", "perft", "score")
LOOKING = COMMANDS[1:]


def refused(*args: object) -> str:
    """What the program says of a bad file: verify as a finding, replay after the good moves."""
    outcome = run(*args)
    assert outcome.code == 1
    told = outcome.out if args[0] == "verify" else outcome.err
    assert "Traceback" not in outcome.out + outcome.err
    if args[0] != "verify":
        assert outcome.out == "" or args[0] == "replay"
        assert told.startswith("Error: ")
        assert told.count("\n") == 1
    return told


# ---- files that hold no record

LINE = json.dumps(running())
BROKEN: dict[str, bytes] = {
    "empty.jsonl": b"",
    "blank.jsonl": b"\n \n\n",
    "empty.toml": b"",
    "truncated.jsonl": LINE[:700].encode(),
    "truncated.toml": record(running()).to_toml()[:700].encode(),
    "nul.jsonl": LINE.replace("Ana", "A\x00a").encode(),
    "nul.toml": b"format = 1\n\x00",
    "latin-1.jsonl": LINE.replace("Ana", "Jürg").encode("latin-1"),
    "utf-16.toml": record(running()).to_toml().encode("utf-16"),
    "deep.jsonl": b"[" * 100_000,
    "deep-tables.jsonl": b'{"a":' * 100_000,
    "deep.toml": b"a = " + b"[" * 100_000,
    "huge-number.jsonl": b'{"format": ' + b"9" * 10_000 + b"}",
    "huge-number.toml": b"format = " + b"9" * 10_000,
    "huge-hex-number.toml": b"format = 0x" + b"f" * 10_000,
    "key-twice.jsonl": b'{"format": 1, "format": 1}',
    "key-twice.toml": b"format = 1\nformat = 1",
    "list.jsonl": b"[]",
    "picture.toml": b"\x89PNG\r\n\x1a\n\x00\x00",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_is_not_a_record_is_refused_by_every_command(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(BROKEN[name])
    for command in COMMANDS:
        assert name in refused(command, path)


@pytest.mark.parametrize("ending", proof.cases(["toml", "jsonl", "txt"]))
def test_fifty_megabytes_without_a_line_end_are_refused_by_every_command(
    ending: str, tmp_path: Path
) -> None:
    path = tmp_path / f"long.{ending}"
    path.write_bytes(b'{"' + b"x" * 50_000_000)
    for command in COMMANDS:
        assert f"{MAX_LINE} bytes" in refused(command, path)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_missing_file_and_a_directory_are_distinguished(command: str, tmp_path: Path) -> None:
    assert "No such file" in refused(command, tmp_path / "missing.jsonl")
    assert "directory" in refused(command, tmp_path)


@contextmanager
def an_ordinary_user() -> Iterator[None]:
    """The superuser may read everything; give that up for a while."""
    root = os.geteuid() == 0
    if root:
        os.setresuid(65534, 65534, 0)
    try:
        yield
    finally:
        if root:
            os.setresuid(0, 0, 0)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_without_permission_is_refused(command: str, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "secret.jsonl", [running()])
    run(command, path)
    refused(command, tmp_path / "missing.jsonl")  # both load what may be unreadable for others
    path.chmod(0)
    with an_ordinary_user():
        assert "Permission denied" in refused(command, path)


# ---- records that cannot be replayed


def changed(path: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    data = running()
    change(data)
    return write_jsonl(path / "game.jsonl", [data])


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "unknown edition": (lambda d: d.update(edition="industrial"), "industrial"),
    "unknown option": (lambda d: d["options"].update(fast="on"), "fast"),
    "option of the other edition": (
        lambda d: d["options"].update(industria_hands="open"),
        "industria_hands",
    ),
    "unknown board": (lambda d: d.update(board="mine"), "--board"),
    "wrong board hash": (lambda d: d.update(board_hash="sha256:0"), "sha256:"),
    "board of the other edition": (lambda d: d.update(board="industria"), "industria"),
    "illegal move": (lambda d: d["moves"].__setitem__(20, "1 claim"), "move 21 (1 claim)"),
    "no move": (lambda d: d["moves"].__setitem__(20, "claim 1"), "move 21 (claim 1)"),
    "control characters in a move": (
        lambda d: d["moves"].__setitem__(20, "\x1b[2J\x07\ud800"),
        "move 21 (\\x1b[2J\\x07\\ud800)",
    ),
    "control characters in an edition": (lambda d: d.update(edition="\x1b[2J"), "\\x1b[2J"),
    "half a character in a board": (lambda d: d.update(board="\ud83d"), "\\ud83d"),
    "control characters in an option": (
        lambda d: d["options"].update({"\x9b31m": "on"}),
        "\\x9b31m",
    ),
    "a move of 100,000 characters": (
        lambda d: d["moves"].__setitem__(20, "1" * 100_000),
        "move 21 (1111",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_record_that_cannot_be_replayed_is_refused_by_every_command(
    name: str, tmp_path: Path
) -> None:
    change, word = CHANGES[name]
    path = changed(tmp_path, change)
    for command in COMMANDS:
        told = refused(command, path)
        assert word in told
        assert len(told) < 1000


def test_a_line_without_end_does_not_hide_the_games_around_it(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n".join([LINE.encode(), b"x" * (MAX_LINE + 5), LINE.encode()]))
    outcome = run("verify", path)
    assert outcome.lines[0].startswith(f"{path}, game 2: ")
    assert outcome.lines[1] == "3 games checked: 1 wrong."
    assert run("legal", path, "--game", 3).out == run("legal", path, "--game", 1).out != ""


def test_a_board_file_that_is_none_is_refused(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "game.jsonl", [running()])
    board = tmp_path / "own.toml"
    board.write_text("format = 1")
    for command in COMMANDS:
        for given in (board, tmp_path / "missing.toml", tmp_path, "nonsense", "/dev/zero"):
            outcome = run(command, path, "--board", given)
            assert (outcome.code, outcome.out) == (1, "")
            assert str(given) in outcome.err


# ---- options out of range


@pytest.mark.parametrize("command", ["replay", "legal", "perft"])
@pytest.mark.parametrize("at", [-1, 41, 10**40])
def test_a_move_number_out_of_range_is_refused(command: str, at: int, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "game.jsonl", [running(moves=40)])
    told = refused(command, path, "--at", at)
    assert "has 40 moves" in told
    assert "from 0 to 40" in told


@pytest.mark.parametrize("command", LOOKING)
@pytest.mark.parametrize("game", [-1, 0, 3])
def test_a_game_number_out_of_range_is_refused(command: str, game: int, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "games.jsonl", [running(), running()])
    assert "has 2 games" in refused(command, path, "--game", game)


@pytest.mark.parametrize("seat", [0, 4, -1])
def test_a_seat_that_nobody_has_is_refused(seat: int, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "games.jsonl", [running(players=3)])
    assert "from 1 to 3" in refused("legal", path, "--seat", seat)


@pytest.mark.parametrize(
    "args",
    [
        ("legal",),
        ("legal", "a", "b"),
        ("legal", "a", "--at", "x"),
        ("replay", "a", "--language", "it"),
        ("perft", "a", "--depth", "deep"),
        ("verify",),
        ("score", "a", "--nonsense"),
        ("nonsense",),
    ],
)
def test_a_wrong_call_is_a_usage_error(args: tuple[str, ...]) -> None:
    outcome = run(*args)
    assert (outcome.code, outcome.out) == (2, "")
    assert "Usage: industry" in outcome.err


# ---- outputs that break


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "game.jsonl", [finished()])


CALLS = [
    ("verify", "GAME"),
    ("replay", "GAME"),
    ("legal", "GAME", "--at", "3"),
    ("perft", "GAME", "--at", "3", "--depth", "1"),
    ("score", "GAME"),
]


def calls(game: Path) -> list[list[str]]:
    return [[str(game) if word == "GAME" else word for word in call] for call in CALLS]


def test_a_closed_pipe_ends_the_program_quietly(game: Path) -> None:
    for call in [*calls(game), ["legal", "--help"]]:
        reading, writing = os.pipe()
        os.close(reading)
        process = start(*call, stdout=writing)
        os.close(writing)
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (141, b""), call


def test_a_reader_that_leaves_after_one_line_is_not_an_error(game: Path) -> None:
    process = start("replay", game, "--events")
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b"Industry")
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=60) in (0, 141)


def test_a_full_disk_is_reported_in_a_sentence(game: Path) -> None:
    for call in [*calls(game), ["--help"]]:
        with Path("/dev/full").open("wb") as full:
            process = start(*call, stdout=full)
            _, err = process.communicate(timeout=60)
        assert process.returncode == 1, call
        assert err == b"Error: there is no space left on the disk.\n", call


def test_an_error_that_nobody_can_read_still_has_its_exit_code(game: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        process = start("legal", game, "--at", "-1", stderr=full)
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, b"")


def _heed_ctrl_c() -> None:
    """A program in the background of a shell would ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_stops_with_one_word(tmp_path: Path) -> None:
    process = start("verify", "-", stdin=subprocess.PIPE, preexec_fn=_heed_ctrl_c)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"{}\n")
    process.stdin.flush()
    assert b"game 1" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert err.strip() == b"Stopped."


def test_a_terminal_without_unicode_gets_escapes(tmp_path: Path) -> None:
    data = finished()
    data["players"][0] = "Zoë ☃"
    path = write_jsonl(tmp_path / "game.jsonl", [data])
    environment = os.environ | {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    process = start("score", path, "--language", "fr", env=environment)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert "Zoë \\u2603".encode("latin-1") in out
    process = start("score", path, "--json", env=environment)
    out, err = process.communicate(timeout=60)
    assert json.loads(out)["players"][0] == "Zoë ☃"


# ---- files that are written


def test_an_existing_file_is_replaced_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_text("old")
    with pytest.raises(Failure, match="already exists"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    write_whole(path, "new", replace=True)
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_text("old")
    with pytest.raises(Failure, match="broken characters"):
        write_whole(path, "half \ud800", replace=True)
    with pytest.raises(Failure, match="No such file"):
        write_whole(tmp_path / "missing" / "game.toml", "new")
    with pytest.raises(Failure, match="directory"):
        write_whole(tmp_path, "new", replace=True)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_device_is_written_to_and_never_replaced() -> None:
    with pytest.raises(Failure, match="No space left"):
        write_whole(Path("/dev/full"), "new", replace=True)
    assert Path("/dev/full").is_char_device()


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target = tmp_path / "games" / "game.toml"
    target.parent.mkdir()
    target.write_text("old")
    link = tmp_path / "latest.toml"
    link.symlink_to(target)
    write_whole(link, "new", replace=True)
    assert link.is_symlink()
    assert target.read_text() == "new"
