"""The set-up says what it does, does nothing twice, and shows why a step failed."""

import shutil
import sys
from pathlib import Path

import pytest

from tools import page, setup
from tools.node import WHEEL


@pytest.fixture
def new_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A checkout without an environment, in which programs are only written down."""
    called: list[list[str]] = []

    def note(what: str, seconds: int, command: list[str]) -> None:
        called.append(command)
        setup.PYTHON.parent.mkdir(parents=True, exist_ok=True)
        setup.PYTHON.touch()

    venv = tmp_path / ".venv"
    monkeypatch.setattr(setup, "VENV", venv)
    monkeypatch.setattr(setup, "PYTHON", venv / "bin" / "python")
    monkeypatch.setattr(setup, "LOG", venv / "setup.log")
    monkeypatch.setattr(setup, "_step", note)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(page, "is_due", lambda: False)
    return called


def test_without_uv_an_environment_is_made_and_filled_with_pinned_versions(
    new_machine: list[list[str]],
) -> None:
    setup.set_up("play")
    create, install = new_machine
    assert create[1:3] == ["-m", "venv"]
    assert install[1:4] == ["-m", "pip", "install"]
    assert install[-4:] == ["-c", str(setup.CONSTRAINTS), "-e", "."]


def test_what_is_there_is_not_installed_again(new_machine: list[list[str]]) -> None:
    setup.set_up("test")
    once = len(new_machine)
    setup.set_up("test")
    setup.set_up("play")  # the environment of the tests can play, too
    assert len(new_machine) == once


def test_tests_need_more_than_the_game(new_machine: list[list[str]]) -> None:
    setup.set_up("play")
    setup.set_up("test")
    assert [command[-1] for command in new_machine if "install" in command] == [".", ".[test]"]


def test_a_machine_without_node_gets_one_before_the_page_is_built(
    new_machine: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "is_due", lambda: True)
    monkeypatch.setattr(setup, "is_installed", lambda: False)
    setup.set_up("play")
    last = [command[-1] for command in new_machine]
    assert last[1:] == [WHEEL, "tools.page", "."]


def test_a_step_that_fails_shows_what_the_program_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(setup, "LOG", tmp_path / "setup.log")
    fail = [sys.executable, "-c", "print('no such package'); raise SystemExit(3)"]
    with pytest.raises(setup.StepFailed) as failure:
        setup._step("Installing the packages", 40, fail)
    assert "no such package" in str(failure.value)
    assert "Installing the packages failed (exit code 3)" in str(failure.value)
    assert capsys.readouterr().out == "  Installing the packages (about 40 s) …\n"


def test_an_unknown_wish_is_answered_with_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert setup.main(["fly"]) == 2
    assert "Usage:" in capsys.readouterr().err
