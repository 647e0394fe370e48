"""`industry simulate` with bots, tables and clusters: nothing is lost, and trouble has its word."""

import json
import os
import signal
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest

from industry.arena.dataset.files import read_dataset
from industry.boards import load_board
from industry.notation import record_from_json, verify
from tests.support.disks import limit_files
from tests.support.waiting import wait_until

from .running import PROGRAM, run


def with_package(path: Path) -> dict[str, str]:
    """The environment in which a package is found, besides those that already are."""
    known = filter(None, [os.environ.get("PYTHONPATH")])
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(path), *known])}


def simulate(
    folder: Path, *arguments: str, path: Path, file_limit: int | None = None
) -> subprocess.CompletedProcess[str]:
    """The command with a package on its path; in a process of its own where files are limited."""
    command = ("simulate", "--players", "3", "--seed", "lab", *arguments)
    if file_limit is None:
        with chdir(folder), pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(path)
            done = run(*command)
        return subprocess.CompletedProcess(command, done.code, done.out, done.err)
    return subprocess.run(
        [*PROGRAM, *command],
        cwd=folder,
        env=with_package(path),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        preexec_fn=limit_files(file_limit),
    )


def test_bots_keep_the_seats_on_which_they_are_named(package: Path, tmp_path: Path) -> None:
    done = simulate(
        tmp_path,
        *("-n", "6", "--bots", "builder,first,random", "--record", "games.jsonl"),
        *("--legal-counts", "--json"),
        path=package,
    )
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "games.jsonl").read_text(encoding="utf-8").splitlines()
    records = [record_from_json(line) for line in lines]
    assert {record.players for record in records} == {("builder", "first", "random")}
    assert len({record.starting_player for record in records}) > 1
    assert all(record.legal_counts is not None for record in records)
    assert all(verify(record, load_board("industry")) is None for record in records)
    data = json.loads(done.stdout)
    assert [row["player"] for row in data["seats"]] == ["builder", "first", "random"]
    assert sum(row["win_share"] for row in data["seats"]) == pytest.approx(1, abs=1e-4)
    assert data["seats"][0]["win_share"] > 0.5


def test_one_bot_is_for_all_seats_and_games_do_not_depend_on_processes(
    package: Path, tmp_path: Path
) -> None:
    """Forty games are enough for processes to be used."""
    for processes in ("1", "2"):
        done = simulate(
            tmp_path,
            *("-n", "40", "--bots", "builder", "--processes", processes),
            *("--record", f"{processes}.jsonl"),
            path=package,
        )
        assert done.returncode == 0, done.stderr
    texts = [(tmp_path / f"{processes}.jsonl").read_bytes() for processes in "12"]
    assert texts[0] == texts[1]
    players = json.loads(texts[0].splitlines()[0])["players"]
    assert players == ["builder", "builder (2)", "builder (3)"]


def test_a_bot_that_misplays_costs_its_game_and_no_other(package: Path, tmp_path: Path) -> None:
    done = simulate(
        tmp_path,
        *("-n", "4", "--bots", "first,raises,first", "--parquet", "tables"),
        path=package,
    )
    assert done.returncode == 0, done.stderr
    assert "raises raised ValueError: no idea and loses the game" in done.stderr
    assert len(list((tmp_path / "faults").iterdir())) == 4
    data = json.loads((tmp_path / "tables" / "dataset.json").read_text(encoding="utf-8"))
    assert (data["played"], data["games"]) == (4, 0)


def test_a_dataset_that_was_stopped_continues_to_the_same_tables(tmp_path: Path) -> None:
    setting = ("simulate", "-p", "3", "--seed", "1", "--parquet")
    assert run(*setting, tmp_path / "whole", "-n", 14).code == 0
    assert run(*setting, tmp_path / "parts", "-n", 5).code == 0
    resumed = run(
        "simulate", "-p", "3", "--parquet", tmp_path / "parts", "-n", 14, "--resume", "--json"
    )
    assert resumed.code == 0, resumed.err
    assert resumed.json["games"] == 14
    whole, parts = (read_dataset(tmp_path / name).tables for name in ("whole", "parts"))
    assert all(whole[name].equals(parts[name]) for name in whole)
    again = run(*setting, tmp_path / "whole", "-n", 14)
    assert again.code == 1
    assert "already exists; continue it with --resume" in again.err


def test_reviewed_games_are_tables_of_their_own_and_continue_with_the_same_lines(
    package: Path, tmp_path: Path
) -> None:
    arguments = ("--edition", "industria", "--parquet", "tables", "--review", "2")
    done = simulate(tmp_path, "-n", "1", *arguments, path=package)
    assert done.returncode == 0, done.stderr
    done = simulate(tmp_path, "-n", "2", *arguments, "--resume", path=package)
    assert done.returncode == 0, done.stderr
    found = read_dataset(tmp_path / "tables")
    assert found.tables["accounts"]["game"].to_list() == [1, 1, 1, 2, 2, 2]
    other = (*arguments[:-1], "4", "--resume")
    done = simulate(tmp_path, "-n", "3", *other, path=package)
    assert done.returncode == 1
    assert "Its review_lines: 2; asked for: 4." in done.stderr


def test_a_disk_that_fills_up_keeps_the_tables_that_fit(package: Path, tmp_path: Path) -> None:
    """The auctions of thirty games need a larger file than the limit allows."""
    assert simulate(tmp_path, "-n", "2", "--parquet", "tables", path=package).returncode == 0
    before = read_dataset(tmp_path / "tables").games
    done = simulate(
        tmp_path,
        *("-n", "32", "--parquet", "tables", "--resume"),
        path=package,
        file_limit=12_000,
    )
    assert done.returncode == 1
    assert "2 of 32 games are kept." in done.stderr
    assert "Add --resume to the same command to continue." in done.stderr
    assert "Traceback" not in done.stderr
    assert read_dataset(tmp_path / "tables").games == before == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--bots", "random,random"), "one for each of the 4 seats, not 2"),
        (("--bots", "random,random,random,nobody"), "there is no bot nobody"),
        (("--bots", "random@soon"), "after the @ give the time"),
        (("--resume",), "--resume needs --parquet"),
        (("--parquet", "."), "contains other files"),
        (("--review", "4"), "--review adds to the tables of --parquet"),
        (("--parquet", "tables", "--review", "0"), "the number of lines must be from 2"),
        (("--parquet", "tables", "--resume"), "is not a dataset"),
        (("--cluster", "somewhere"), "is not the address of a cluster"),
        (("--cluster", "tcp://127.0.0.1:1"), "cannot be reached"),
    ],
)
def test_wrong_input_gets_a_sentence(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "thesis.txt").touch()
    monkeypatch.chdir(tmp_path)
    done = run("simulate", "-n", "2", *arguments)
    assert done.code == 1
    assert sentence in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("package_name", "arguments", "sentence"),
    [
        ("polars", ("simulate", "-n", "1", "--parquet", "tables"), "--parquet needs"),
        ("distributed", ("simulate", "-n", "1", "--cluster", "local"), "--cluster needs"),
        ("matplotlib", ("report", "games.jsonl"), "industry report needs"),
    ],
)
def test_a_missing_package_of_the_laboratory_is_named(
    package_name: str, arguments: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    code = (
        f"import sys; sys.modules[{package_name!r}] = None\n"
        "from industry.cli import main; main(sys.argv[1:])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert f"{sentence} the package {package_name}: install it with pip" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.proof
def test_a_cluster_of_this_machine_plays_the_same_games(tmp_path: Path) -> None:
    """Started and ended by the command itself, with tables besides."""
    setting = ("simulate", "-n", "12", "-p", "3", "--seed", "1", "--parquet")
    assert run(*setting, tmp_path / "here").code == 0
    done = subprocess.run(
        [*PROGRAM, *setting, "there", "--cluster", "local", "--processes", "2"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    here, there = (read_dataset(tmp_path / name).tables for name in ("here", "there"))
    assert all(here[name].equals(there[name]) for name in here)


@pytest.mark.proof
def test_ctrl_c_on_a_cluster_keeps_what_is_finished_and_leaves_no_process(
    package: Path, tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl"
    process = subprocess.Popen(
        [
            *(*PROGRAM, "simulate", "-n", "5000", "--bots", "builder", "--cluster", "local"),
            *("--record", str(path)),
        ],
        cwd=tmp_path,
        env=with_package(package),
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    part = tmp_path / ".games.jsonl.part"
    wait_until(lambda: part.exists() and part.stat().st_size > 0)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=100)
    assert process.returncode == 130
    assert "Stopped after" in errors
    assert "Traceback" not in errors
    lines = path.read_text(encoding="utf-8").splitlines()
    assert 0 < len(lines) < 5000
    assert all(record_from_json(line).result is not None for line in lines)
    wait_until(lambda: not is_alive(process.pid))


def is_alive(group: int) -> bool:
    """Whether any process of the group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
