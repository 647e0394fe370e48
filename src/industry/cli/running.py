"""What commands that play many games share: their board, its options and a progress bar."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from industry.arena.lab import lab_packages
from industry.arena.schedule import ArenaError
from industry.boards import BoardError, BoardSpec, load_board
from industry.bots import BotError
from industry.notation import OptionError, complete_options

from .files import Failure

if TYPE_CHECKING:
    from industry.arena.cluster import Cluster


def board_and_options(
    board: str | None, edition: str | None, options: Sequence[str]
) -> tuple[BoardSpec, dict[str, str]]:
    """The board and all its rule options, or a sentence about what is wrong with them."""
    try:
        spec = load_board(board or edition or "industry")
        if edition is not None and spec.edition != edition:
            raise Failure(f"the board {spec.id} is played with the rules of {spec.edition}.")
        pairs = [option.partition("=") for option in options]
        return spec, complete_options(spec.edition, {name: value for name, _, value in pairs})
    except (BoardError, OptionError) as error:
        raise Failure(str(error)) from None


@contextmanager
def arena_failures() -> Iterator[None]:
    """What the arena or a bot refuses becomes a sentence for the user."""
    try:
        yield
    except (ArenaError, BotError) as error:
        raise Failure(str(error)) from None


cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Work on a Dask cluster: its scheduler's address or file; “local” starts one here.",
)


@contextmanager
def cluster_at(address: str | None, processes: int | None) -> "Iterator[Cluster | None]":
    """The cluster of that address, ready to work; None where none is asked for."""
    if address is None:
        yield None
        return
    with lab_packages("--cluster"):
        from industry.arena.cluster import connected
    with connected(address, processes) as cluster:
        yield cluster


def cluster_progress(
    cluster: "Cluster | None", progress: Progress, task: TaskID
) -> Callable[[], str]:
    """Show who works as soon as that changes; what is returned says it for later updates."""
    where = ""

    def tell(text: str) -> None:
        nonlocal where
        where = f" {text}"
        progress.update(task, description=f"Playing{where}")

    if cluster is not None:
        cluster.tell = tell
    return lambda: where


def progress_bar() -> Progress:
    """Games played and the time that is left, on standard error."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
