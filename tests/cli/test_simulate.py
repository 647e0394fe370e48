"""`industry simulate`: whole files, the same games for the same seed, and a word about trouble."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from industry.boards import load_board
from industry.cli.app import cli
from industry.notation import record_from_json, verify
from tests.support.disks import limit_files
from tests.support.waiting import wait_until

from .running import PROGRAM, run


@pytest.mark.parametrize("edition", ["industry", "industria"])
@pytest.mark.parametrize("players", ["3", "4"])
def test_recorded_games_are_right_in_every_move(edition: str, players: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    arguments = ["simulate", "-n", "6", "-p", players, "--edition", edition, "--seed", "1"]
    result = CliRunner().invoke(cli, [*arguments, "--record", str(path), "--legal-counts"])
    assert result.exit_code == 0, result.output
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 6
    for line in lines:
        record = record_from_json(line)
        assert record.legal_counts is not None
        assert verify(record, load_board(edition)) is None


def test_the_same_seed_gives_the_same_games_whatever_the_number_of_processes(
    tmp_path: Path,
) -> None:
    texts = []
    for processes in ("1", "2"):
        path = tmp_path / f"{processes}.jsonl"
        result = run(
            "simulate", "-n", "2200", "--seed", "s", "--processes", processes, "--record", str(path)
        )
        assert result.code == 0, result.err
        texts.append(path.read_bytes())
    assert texts[0] == texts[1]


def test_the_summary_for_scripts_adds_up() -> None:
    result = CliRunner().invoke(cli, ["simulate", "-n", "20", "--seed", "2", "--json"])
    data = json.loads(result.stdout)
    assert data["games"] == 20
    assert sum(row["win_share"] for row in data["turn_order"]) == pytest.approx(1, abs=1e-4)
    for row in data["turn_order"]:
        assert sum(row["mean_parts"].values()) == pytest.approx(row["mean_points"], abs=0.01)


def test_an_existing_file_is_not_overwritten_without_force(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("precious", encoding="utf-8")
    result = CliRunner().invoke(cli, ["simulate", "-n", "2", "--record", str(path)])
    assert result.exit_code == 1
    assert "already exists" in result.output
    assert path.read_text(encoding="utf-8") == "precious"
    result = CliRunner().invoke(cli, ["simulate", "-n", "2", "--record", str(path), "--force"])
    assert result.exit_code == 0
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--option", "late_draws=often"], "not a value of the option"),
        (["--option", "speed=high"], "no option speed"),
        (["--edition", "industria", "--option", "claim_afford=net"], "does not belong"),
        (["--board", "atlantis"], "no such board"),
        (["--edition", "industria", "--board", "industry"], "rules of industry"),
        (["--record", "missing/folder/games.jsonl"], "cannot be written"),
        (["--record", "/"], "is a folder"),
    ],
)
def test_wrong_input_gets_a_sentence(arguments: list[str], sentence: str) -> None:
    result = CliRunner().invoke(cli, ["simulate", "-n", "2", *arguments])
    assert result.exit_code == 1
    assert sentence in result.output
    assert "Traceback" not in result.output


def test_a_full_disk_is_reported_and_nothing_half_written_remains() -> None:
    result = run("simulate", "-n", "5", "--seed", "1", "--record", "/dev/full")
    assert result.code == 1
    assert "no space left" in result.err
    assert "Traceback" not in result.err


def test_a_disk_that_fills_up_keeps_the_games_that_fit(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    result = subprocess.run(
        [*PROGRAM, "simulate", "-n", "120", "--seed", "1", "--record", str(path)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        preexec_fn=limit_files(300_000),
    )
    assert result.returncode == 1
    assert "of 120 games are kept" in result.stderr
    lines = path.read_text(encoding="utf-8").splitlines()
    assert 0 < len(lines) < 120
    assert f"{len(lines)} of 120" in result.stderr
    assert all(record_from_json(line).result is not None for line in lines)
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.jsonl"]


def test_a_closed_pipe_ends_the_work_quietly() -> None:
    command = (
        f"{sys.executable} -c 'from industry.cli import main; main()' "
        "simulate -n 300 --seed 1 --record -"
    )
    result = subprocess.run(
        ["bash", "-c", f"{command} | head -n 1"],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert record_from_json(result.stdout.splitlines()[0]).result is not None
    assert "Traceback" not in result.stderr
    assert "Error" not in result.stderr


def test_ctrl_c_keeps_the_games_that_are_finished(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    process = subprocess.Popen(
        [*PROGRAM, "simulate", "-n", "10000000", "--seed", "1", "--record", str(path)],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    part = tmp_path / ".games.jsonl.part"
    try:
        wait_until(lambda: part.exists() and part.stat().st_size > 0, "no game was written")
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=100)
    finally:
        if process.poll() is None:  # it would play ten million games
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    assert process.returncode == 130
    assert "Stopped after" in errors
    assert "Traceback" not in errors
    assert not part.exists()
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines
    assert all(record_from_json(line).result is not None for line in lines)
