"""Groups of options: a command receives each group as one dataclass."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Any

import click

from industry.boards.spec import EDITIONS
from industry.texts import LANGUAGES

ANY_FILE = click.Path(path_type=Path, readable=False)
"""Any file name, unchecked: reading or writing the file reports what is wrong with it."""
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def option_group(parameter: str, kind: type[Any], *options: Decorator) -> Decorator:
    """Returns a decorator that adds options and passes them as one `kind`, under this parameter.

    The fields of the dataclass `kind` have the names of the options' parameters.
    """
    names = [field.name for field in fields(kind)]

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def run(*arguments: Any, **values: Any) -> Any:
            values[parameter] = kind(**{name: values.pop(name) for name in names})
            return function(*arguments, **values)

        for option in reversed(options):
            option(run)
        return run

    return decorate


edition_option = click.option(
    "--edition", type=click.Choice(list(EDITIONS)), help="The rules; default: those of the board."
)
players_option = click.option(
    "--players",
    "-p",
    type=click.Choice(["3", "4"]),
    default="4",
    show_default=True,
    help="Number of players.",
)
board_option = click.option("--board", help="A board's name or file; default: that of the edition.")
rules_option = click.option(
    "--option",
    "-o",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="A rule option (docs/formats.md); may be repeated.",
)
record_option = click.option(
    "--record",
    type=ANY_FILE,
    help="Write the games to this file as JSON lines; - is standard output.",
)
DEFAULT_TIME = 20
"""Milliseconds per decision of a bot, as in the published ladder."""
time_option = click.option(
    "--time",
    "milliseconds",
    type=click.FloatRange(0, 3_600_000, min_open=True),
    default=DEFAULT_TIME,
    show_default=True,
    metavar="MS",
    help="Milliseconds that a bot has for each decision.",
)
review_option = click.option(
    "--review",
    type=int,
    metavar="LINES",
    help="Review every game with this many lines per move: losses, luck, auction sheet. Slow.",
)
free_port_option = click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=0,
    help="The port to listen on; default: any free one.",
)
messages_language_option = click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    help="Language of the messages; default: the system's, or English.",
)
faults_option = click.option(
    "--faults",
    type=click.Path(path_type=Path, file_okay=False, readable=False),
    default=Path("faults"),
    show_default=True,
    help="Folder for positions in which a bot failed (illegal move, crash, timeout).",
)


def processes_option_named(*names: str) -> Decorator:
    """Returns the option for the number of processes under one or several names."""
    return click.option(
        *names,
        "processes",
        type=click.IntRange(1),
        help="Number of processes; default: one per core.",
    )


processes_option = processes_option_named("--processes")
cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Run on a Dask cluster: the address or file of its scheduler; “local” starts one here.",
)


@dataclass(frozen=True)
class Workers:
    """Where games are played: processes of this machine, or a cluster."""

    processes: int | None
    cluster: str | None


workers_options = option_group("workers", Workers, processes_option, cluster_option)
