"""Option groups: a command gets options that belong together as one value."""

from collections.abc import Iterator
from dataclasses import dataclass
from inspect import signature, unwrap

import click
from click.testing import CliRunner

from industry.cli._options import option_group
from industry.cli.app import cli

MOST_PARAMETERS = 10


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


def signatures(group: click.Group, prefix: str = "industry") -> Iterator[tuple[str, int]]:
    """Every command with the number of its parameters."""
    for word in group.list_commands(click.Context(group)):
        found = group.get_command(click.Context(group), word)
        if isinstance(found, click.Group):
            yield from signatures(found, f"{prefix} {word}")
        elif found is not None and found.callback is not None:
            yield f"{prefix} {word}", len(signature(unwrap(found.callback)).parameters)


def test_no_command_takes_more_than_ten_parameters() -> None:
    """Options that belong together come as one value, so that a signature can be read."""
    found = dict(signatures(cli))
    assert {"industry review", "industry admin list"} <= found.keys()
    assert {name: count for name, count in found.items() if count > MOST_PARAMETERS} == {}
