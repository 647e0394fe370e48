"""What commands that play many games share: their board, its options and a progress bar."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from industry.arena.schedule import ArenaError
from industry.boards import BoardError, BoardSpec, load_board
from industry.bots import BotError
from industry.notation import OptionError, complete_options

from .files import Failure


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
