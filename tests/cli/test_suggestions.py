"""Misspelt words are answered with what was probably meant."""

import pytest
from click.testing import CliRunner

from industry.cli.app import cli


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["simulat"], "Did you mean “simulate”?"),
        (["bord"], "Did you mean “board”?"),
        (["terminal", "--against", "enginer"], "Did you mean “engineer”?"),
        (["simulate", "-n", "1", "--bots", "magnat"], "Did you mean “magnate”?"),
    ],
)
def test_a_misspelt_word_is_answered_with_the_likely_one(arguments: list[str], meant: str) -> None:
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code != 0
    assert meant in result.output


def test_a_word_that_resembles_nothing_is_only_refused() -> None:
    result = CliRunner().invoke(cli, ["xyzzy"])
    assert result.exit_code == 2
    assert "No such command “xyzzy”." in result.output
    assert "Did you mean" not in result.output
