"""`industry verify`: replay recorded games and compare everything that they claim."""

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from industry.boards import BoardSpec
from industry.notation import verify
from industry.texts.shown import printable, shown

from .app import echo_json, json_option
from .files import Entry, Failure, Unreadable, board_for, file_name, given_board, read_games

MOST_TOLD = 50
"""So many wrong games are told in full; scripts, which ask for JSON, hear of all."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a game; `game` is None where the file itself cannot be read."""

    file: str
    game: int | None
    reason: str
    move: int | None = None
    line: str | None = None

    def __str__(self) -> str:
        if self.game is None:
            return printable(self.reason)
        move = "" if self.move is None else f", move {self.move} ({shown(self.line)})"
        return printable(f"{self.file}, game {self.game}{move}: {self.reason}")


@dataclass(slots=True)
class Tally:
    games: int = 0
    wrong: int = 0
    unread: int = 0
    proofs: int = 0
    """Games whose bag is proven: everything follows from the secret that was promised."""
    unrevealed: int = 0
    """Games that still run, so that their bag's secret is not revealed."""

    def sentence(self) -> str:
        games = self._count(self.games)
        files = "1 file" if self.unread == 1 else f"{self.unread:,} files"
        verdict = f"{self.wrong:,} wrong" if self.wrong else "all right"
        parts = [f"{games} checked: {verdict}"] if self.games else []
        if self.unread:
            parts.append(f"{files} could not be read")
        if self.proofs:
            parts.append(f"the bag of {self._count(self.proofs)} is proven")
        if self.unrevealed:
            whose = self._count(self.unrevealed)
            parts.append(f"the bag of {whose} is right so far, its secret not yet revealed")
        return "; ".join(parts) + "."

    @staticmethod
    def _count(games: int) -> str:
        return "1 game" if games == 1 else f"{games:,} games"


@click.command()
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--board", metavar="FILE", help="The board file of the games.")
@json_option
@click.option("--quiet", "-q", is_flag=True, help="Print nothing; the exit code tells.")
def command(files: tuple[Path, ...], board: str | None, as_json: bool, quiet: bool) -> None:
    """Check game records: every move, every count, the result, and the proof of the bag.

    FILE is one game in TOML or many in JSON lines; - reads JSON lines from standard input. Tells
    the first mismatch of each wrong game. The exit code is 1 where there is one, else 0.
    """
    tally = Tally()
    told = 0
    for finding in _check_all(files, given_board(board), tally):
        told += 1
        if as_json and not quiet:
            echo_json(asdict(finding))
        elif not quiet and told <= MOST_TOLD:
            click.echo(str(finding))
    if as_json and not quiet:
        echo_json(asdict(tally))
    elif not quiet:
        more = f"… and {told - MOST_TOLD:,} more.\n" if told > MOST_TOLD else ""
        click.echo(more + tally.sentence())
    if told:
        click.get_current_context().exit(1)


def _check_all(files: tuple[Path, ...], board: BoardSpec | None, tally: Tally) -> Iterator[Finding]:
    """What is wrong, game by game, while a terminal shows the progress."""
    with _progress() as progress:
        task = progress.add_task("")
        for file in files:
            try:
                for entry in read_games(file):
                    finding = _check(entry, board)
                    tally.games += 1
                    progress.update(task, completed=tally.games)
                    if finding is not None:
                        tally.wrong += 1
                        yield finding
                    elif isinstance(entry, Entry) and entry.record.proof is not None:
                        revealed = entry.record.proof.secret is not None
                        tally.proofs += revealed
                        tally.unrevealed += not revealed
            except Failure as error:
                tally.unread += 1
                yield Finding(file_name(file), None, error.message)


def _progress() -> Progress:
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.completed} games checked"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        disable=sys.stderr is None or not sys.stderr.isatty(),
        transient=True,
        # Lines for a terminal go above the progress, lines for a file into the file.
        redirect_stdout=sys.stdout is not None and sys.stdout.isatty(),
    )


def _check(entry: Entry | Unreadable, board: BoardSpec | None) -> Finding | None:
    file = file_name(entry.path)
    if isinstance(entry, Unreadable):
        return Finding(file, entry.game, entry.reason)
    try:
        mismatch = verify(entry.record, board_for(entry.record, board))
    except Failure as error:
        return Finding(file, entry.game, error.message)
    if mismatch is None:
        return None
    line = None if mismatch.move is None else mismatch.line
    return Finding(file, entry.game, mismatch.reason, mismatch.move, line)
