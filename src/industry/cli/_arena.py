"""Shared by commands that play many games: their board, its options and a progress bar."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

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

from industry.arena.optional_deps import optional_packages
from industry.arena.schedule import ArenaError
from industry.boards import BoardError, BoardSpec, load_board
from industry.bots import BotError
from industry.engine import watch_compiling
from industry.notation import OptionError, complete_options

from ._options import Workers
from .files import Failure

COMPILING = "Compiling, the first time only (about a minute)"
COMPILING_SENTENCE = (
    "Compiling the rules and the bots for this machine, which is done only once. "
    "It takes about a minute …"
)

if TYPE_CHECKING:
    from industry.arena.cluster import Cluster


def board_and_options(
    board: str | None, edition: str | None, options: Sequence[str]
) -> tuple[BoardSpec, dict[str, str]]:
    """Loads the board and completes its rule options; raises `Failure`."""
    try:
        spec = load_board(board or edition or "industry")
        if edition is not None and spec.edition != edition:
            raise Failure(f"the board {spec.id} is played with the rules of {spec.edition}.")
        pairs = [option.partition("=") for option in options]
        return spec, complete_options(spec.edition, {name: value for name, _, value in pairs})
    except (BoardError, OptionError) as error:
        raise Failure(str(error)) from None


def check_review_lines(lines: int) -> None:
    """Raises `Failure` if this many lines are too few or too many."""
    from industry.judge import JudgeError
    from industry.judge.judging import check_lines

    try:
        check_lines(lines)
    except JudgeError as error:
        raise Failure(str(error)) from None


@contextmanager
def arena_failures() -> Iterator[None]:
    """Turns errors of the arena and of bots into `Failure`."""
    try:
        yield
    except (ArenaError, BotError) as error:
        raise Failure(str(error)) from None


@contextmanager
def connected_cluster(workers: Workers) -> "Iterator[Cluster | None]":
    """Connects to the cluster of `--cluster`; yields None without one."""
    if workers.cluster is None:
        yield None
        return
    with optional_packages("--cluster"):
        from industry.arena.cluster import connected
    with connected(workers.cluster, workers.processes) as cluster:
        yield cluster


def cluster_progress(
    cluster: "Cluster | None", progress: Progress, task: TaskID
) -> Callable[[], str]:
    """Shows which workers play as soon as that changes; returns a function that names them."""
    where = ""

    def show_state(text: str) -> None:
        nonlocal where
        where = f" {text}"
        progress.update(task, description=f"Playing{where}")

    if cluster is not None:
        cluster.report = show_state
    return lambda: where


@contextmanager
def progress_bar(console: Console | None = None) -> Iterator[Progress]:
    """Shows the games played and the time left on standard error, and compilation before them."""
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console or Console(stderr=True, highlight=False),
        transient=True,
    ) as progress:
        bar = _CompilingBar(progress)
        with watch_compiling(bar.show):
            yield progress


class _CompilingBar:
    """A bar for the compiler; a plain sentence if standard error is a file."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task: TaskID | None = None

    def show(self, done: int, total: int) -> None:
        if not self._progress.console.is_terminal:
            if done == 0:
                self._progress.console.print(COMPILING_SENTENCE, soft_wrap=True)
            return
        if self._task is None:
            self._task = self._progress.add_task(COMPILING, total=total)
        self._progress.update(self._task, completed=done, total=total, visible=done < total)
