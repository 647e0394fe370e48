"""The compiler reports its progress to those who wait, and only what it has really compiled."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from industry.cli._arena import COMPILING, COMPILING_SENTENCE, progress_bar
from industry.engine.compile_progress import note_begun, note_done, note_expected, watch_compiling
from industry.engine.compiled import CACHE_VARIABLE, expect_compiling
from tests.cli.running import start

ONE_LOOP = """
import numpy as np
from industry.engine.compiled import compiled_rules, dtype_of, expect_compiling
from industry.engine.compile_progress import watch_compiling
from industry.engine.state import State

told = []
with watch_compiling(lambda done, total: told.append((done, total))):
    expect_compiling("copy_state")
    compiled_rules().copy_state(np.zeros(2, dtype=dtype_of(State)), 0, 1)
print(told)
"""


def told_by(program: str, cache: Path) -> str:
    """What a new process prints that keeps its machine code there."""
    environment = os.environ | {CACHE_VARIABLE: str(cache)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.machine_code
def test_compiling_is_reported_the_first_time_and_only_then(tmp_path: Path) -> None:
    assert told_by(ONE_LOOP, tmp_path) == "[(0, 1), (1, 1)]"
    assert told_by(ONE_LOOP, tmp_path) == "[]"


def test_all_parts_that_must_be_compiled_are_counted_from_the_start() -> None:
    told: list[tuple[int, int]] = []
    with watch_compiling(lambda done, total: told.append((done, total))):
        note_expected(["first", "second"])
        for name in ("first", "second", "unforeseen"):
            note_begun(name)
            note_done(name)
    assert told == [(0, 2), (1, 2), (1, 2), (2, 2), (2, 3), (3, 3)]
    note_begun("later")  # nobody listens any more
    assert len(told) == 6


@pytest.mark.machine_code
def test_loops_whose_machine_code_is_kept_are_not_expected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    told_by(ONE_LOOP, tmp_path)
    told: list[tuple[int, int]] = []
    with watch_compiling(lambda done, total: told.append((done, total))):
        expect_compiling("copy_state", "batch_masks")
        note_begun("batch_masks")
    assert told == [(0, 1)]


def test_commands_that_must_compile_say_so_on_standard_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with progress_bar():
        note_expected(["first", "second"])
        for name in ("first", "second"):
            note_begun(name)
            note_done(name)
    with progress_bar():
        """Nothing had to be compiled."""
    out, err = capsys.readouterr()
    assert out == ""
    assert err.strip() == COMPILING_SENTENCE


def test_the_parts_that_are_ready_are_shown_in_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")  # a terminal without a name counts as one without lines
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=True, width=100, color_system=None)
    with progress_bar(console) as progress:
        note_expected(["first", "second"])
        note_begun("first")
        note_done("first")
        progress.refresh()
        assert COMPILING in shown.getvalue()
        assert "1/2" in shown.getvalue()
        note_begun("second")
        note_done("second")
        assert not any(task.visible for task in progress.tasks)


@pytest.mark.proof
def test_a_command_compiles_the_first_time_and_keeps_standard_output_clean(tmp_path: Path) -> None:
    environment = os.environ | {CACHE_VARIABLE: str(tmp_path)}
    errors = []
    for _ in range(2):
        playing = start("simulate", "--games=400", "--seed=1", "--json", env=environment)
        out, err = playing.communicate()
        assert json.loads(out)["games"] == 400
        errors.append(err.decode().strip())
    assert errors == [COMPILING_SENTENCE, ""]
