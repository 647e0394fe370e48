"""Option groups: a command gets options that belong together as one value."""

from dataclasses import dataclass

import click
from click.testing import CliRunner

from industry.cli._options import option_group


@dataclass(frozen=True)
class Size:
    width: int
    height: int


size_options = option_group(
    "size",
    Size,
    click.option("--width", type=int, default=1),
    click.option("--height", type=int, default=2),
)


@click.command()
@click.option("--before")
@size_options
@click.option("--after")
def command(before: str | None, size: Size, after: str | None) -> None:
    click.echo(f"{before} {size} {after}")


def test_a_group_arrives_as_its_dataclass_beside_other_options() -> None:
    result = CliRunner().invoke(command, ["--height", "5", "--after", "z"])
    assert result.output == "None Size(width=1, height=5) z\n"


def test_help_lists_the_options_of_a_group_in_their_place() -> None:
    lines = CliRunner().invoke(command, ["--help"]).output.splitlines()
    named = [line.split()[0] for line in lines if line.strip().startswith("--")]
    assert named == ["--before", "--width", "--height", "--after", "--help"]


def test_no_command_takes_more_than_twelve_parameters() -> None:
    """Options that belong together come as one value, so that a signature can be read."""
    from inspect import signature

    from industry.cli.app import COMMANDS, cli

    for name in COMMANDS:
        found = cli.get_command(click.Context(cli), name)
        assert found is not None
        if found.callback is not None:
            inner = getattr(found.callback, "__wrapped__", found.callback)
            while hasattr(inner, "__wrapped__"):
                inner = inner.__wrapped__
            assert len(signature(inner).parameters) <= 12, name
