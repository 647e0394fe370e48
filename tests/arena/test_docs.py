"""docs/arena.md: its example runs, and it leaves no option of the commands unsaid."""

import re
from pathlib import Path

import click
import pytest

from industry.arena.outcome import CRASH, ERROR, HANG, ILLEGAL, SLOW
from industry.arena.standings import Standings
from industry.cli.ladder import command as ladder_command
from industry.cli.tournament import command as tournament_command

from .plans import tournament

TEXT = (Path(__file__).parents[2] / "docs" / "arena.md").read_text(encoding="utf-8")


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    exec(code, {})
    printed = re.fullmatch(r"random ([\d.]+) random \(2\) ([\d.]+)\n", capsys.readouterr().out)
    assert printed is not None
    assert float(printed[1]) + float(printed[2]) == pytest.approx(1, abs=1e-4)


def test_all_that_scripts_get_and_all_faults_are_explained() -> None:
    keys = Standings(tournament("a", "b")).data()[0].keys()
    words = {*keys, ILLEGAL, ERROR, SLOW, HANG, CRASH}
    assert [word for word in words if f"`{word}`" not in TEXT] == []


@pytest.mark.parametrize("command", [tournament_command, ladder_command])
def test_no_option_of_the_commands_is_left_out(command: click.Command) -> None:
    names = [name for entry in command.params for name in entry.opts if name.startswith("--")]
    assert [name for name in names if name not in TEXT] == []
