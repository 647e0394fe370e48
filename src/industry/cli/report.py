"""`industry report`: statistics of games, as a page for people who do not code."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from industry.arena.executor import executor_for
from industry.arena.optional_deps import optional_packages
from industry.arena.schedule import ArenaError
from industry.boards import BoardSpec
from industry.notation.verify import board_mismatch

from ._arena import arena_failures, check_review_lines, progress_bar
from ._options import ANY_FILE, processes_option, review_option
from .app import language_option
from .files import (
    JSON_SUFFIXES,
    STDIN,
    Failure,
    Unreadable,
    board_for,
    file_name,
    given_board,
    read_games,
    write_whole,
)

if TYPE_CHECKING:
    from industry.arena.dataset.tables import NumberedRecord, Tables
    from industry.arena.report.data import GameSource

WORTH_PROCESSES = 60
WORTH_COMPILING = 1000
"""From this many games on, fields are valued by machine code even if it must be compiled first."""


@dataclass
class Reading:
    """Reads files into the sources of a report."""

    boards: dict[str, BoardSpec]
    """Boards given by `--board`, by hash."""
    processes: int | None
    review_lines: int | None = None
    unfinished: int = 0
    sources: "list[GameSource]" = field(default_factory=list)

    def read(self, path: Path) -> None:
        """Adds the games of a file of records or of a folder of tables."""
        from industry.arena.dataset.files import is_dataset, read_dataset
        from industry.arena.report.data import GameSource

        if path != STDIN and is_dataset(path):
            self.sources.append(GameSource(file_name(Path(path.name)), read_dataset(path)))
            return
        games = _games(path)
        with progress_bar() as progress:
            task = progress.add_task(f"Reading {file_name(path)}", total=games)
            self._replay(path, games, lambda count: progress.advance(task, count))

    def _replay(self, path: Path, games: int | None, show_count: Callable[[int], None]) -> None:
        """Returns one source per board that the games of the file were played on."""
        from industry.arena.dataset.tables import Dataset, joined_tables, replay_all
        from industry.arena.report.data import GameSource

        many = games is None or games >= WORTH_PROCESSES or self.review_lines is not None
        executor = executor_for(many, self.processes)
        fast = games is not None and games >= WORTH_COMPILING
        parts: dict[str, tuple[BoardSpec, list[Tables]]] = {}
        try:
            replayed_pieces = replay_all(
                self._entries(path), executor, fast=fast, review_lines=self.review_lines
            )
            with closing(replayed_pieces) as pieces:
                for board, replayed in pieces:
                    parts.setdefault(board.hash, (board, []))[1].append(replayed.tables)
                    self.unfinished += replayed.unfinished
                    show_count(replayed.tables["games"].height + replayed.unfinished)
        except ArenaError as error:
            raise Failure(f"{file_name(path)}: {error}") from None
        for board, tables in parts.values():
            joined = joined_tables(tables)
            if joined["games"].height:
                self.sources.append(GameSource(file_name(Path(path.name)), Dataset(board, joined)))

    def _entries(self, path: Path) -> "Iterator[tuple[BoardSpec, NumberedRecord]]":
        from industry.arena.dataset.tables import NumberedRecord

        for entry in read_games(path):
            if isinstance(entry, Unreadable):
                raise Failure(f"{entry.place}: {entry.reason}")
            board = board_for(entry.record, self.boards.get(entry.record.board_hash))
            mismatch = board_mismatch(entry.record, board)
            if mismatch is not None:
                raise Failure(f"{entry.place}: {mismatch.reason}")
            yield board, NumberedRecord(entry.game, entry.record)


def _games(path: Path) -> int | None:
    """Returns how many games a file has, if that can be counted in advance."""
    if path == STDIN or not path.is_file():
        return None
    if path.suffix not in JSON_SUFFIXES:
        return 1
    with path.open("rb") as file:
        return sum(1 for line in file if line.strip())


@click.command()
@click.argument("files", nargs=-1, required=True, type=ANY_FILE)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False, readable=False),
    default=Path("report.html"),
    show_default=True,
    help="The page to write.",
)
@click.option(
    "--board",
    "boards",
    multiple=True,
    metavar="FILE",
    help="A board file on which games were played; may be repeated.",
)
@review_option
@language_option
@click.option("--force", is_flag=True, help="Replace an existing page.")
@processes_option
def command(
    files: tuple[Path, ...],
    out: Path,
    boards: tuple[str, ...],
    review: int | None,
    language: str,
    force: bool,
    processes: int | None,
) -> None:
    """Write an HTML page of charts from game records and folders of `simulate --parquet`.

    Games with the same file, board, number of players and options form a group; groups are compared
    with each other. The page is one file and needs no network.
    With --review, game records are reviewed as well, which takes long; tables keep the reviews of
    `simulate --review`.
    """
    if review is not None:
        check_review_lines(review)
    if out.exists() and not force:
        raise Failure(f"{out} already exists; choose another name or add --force.")
    named = [board for name in boards if (board := given_board(name)) is not None]
    reading = Reading({board.hash: board for board in named}, processes, review)
    with arena_failures():
        with optional_packages("industry report"):
            from industry.arena.report.build import report_page
        for path in files:
            reading.read(path)
    if not reading.sources:
        raise Failure("there is no finished game to report on.")
    with progress_bar() as progress:
        progress.add_task("Drawing", total=None)
        page = report_page(reading.sources, language)
    write_whole(out, page, replace=force)
    games = sum(source.dataset.games for source in reading.sources)
    click.echo(f"Report on {_counted(games, 'game')} in {out}")
    if reading.unfinished:
        unfinished = _counted(reading.unfinished, "unfinished game")
        click.echo(f"Left out: {unfinished}.", err=True)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
