"""`industry verify`: replay recorded games and check everything they claim."""

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from industry.boards import BoardSpec
from industry.notation import verify
from industry.notation.proof import ProofError, compare, kept_hex
from industry.texts import say
from industry.texts.sanitize import printable, quoted

from ._options import ANY_FILE
from .app import echo_json, json_option
from .files import Failure, LocatedRecord, Unreadable, board_for, file_name, given_board, read_games

MOST_REPORTED = 50
"""This many wrong games are reported in full; scripts, which ask for JSON, get all."""


@dataclass(frozen=True, slots=True)
class RecordFinding:
    """What is wrong with a game; `game` is None if the file itself cannot be read."""

    file: str
    game: int | None
    reason: str
    move: int | None = None
    line: str | None = None

    def __str__(self) -> str:
        if self.game is None:
            return printable(self.reason)
        move = "" if self.move is None else f", move {self.move} ({quoted(self.line)})"
        return printable(f"{self.file}, game {self.game}{move}: {self.reason}")


@dataclass(frozen=True, slots=True)
class PlayerNotes:
    """What a player noted during their game, to compare with its record."""

    commitment: str | None
    mine: str | None

    def finding(self, entry: LocatedRecord) -> RecordFinding | None:
        """Returns how the record's proof differs from it."""
        if self.commitment is None and self.mine is None:
            return None
        code = "missing"
        if entry.record.proof is not None:
            try:
                compare(entry.record.proof, self.commitment, self.mine)
                return None
            except ProofError as error:
                code = error.code
        return RecordFinding(file_name(entry.path), entry.game, say(f"verify.proof.{code}"))

    def sentence(self) -> str:
        """Says what it proves that nothing differs."""
        parts = ["it is the promised one"] if self.commitment is not None else []
        return " and ".join([*parts, *(["your addition is in it"] if self.mine else [])])


@dataclass(slots=True)
class VerifiedTotals:
    games: int = 0
    wrong: int = 0
    unread: int = 0
    proofs: int = 0
    """Games whose bag is proven: everything follows from the promised secret."""
    unrevealed: int = 0
    """Games in progress, whose bag's secret is not revealed yet."""

    def sentence(self, compared: str = "") -> str:
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
        if compared and not (self.wrong or self.unread):
            parts.append(compared)
        return "; ".join(parts) + "."

    @staticmethod
    def _count(games: int) -> str:
        return "1 game" if games == 1 else f"{games:,} games"


def _digits(_: click.Context, option: click.Parameter, value: str | None) -> str | None:
    try:
        return None if value is None else kept_hex(value)
    except ValueError:
        raise Failure(f"--{option.name} must be up to 64 hexadecimal digits.") from None


@click.command()
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=ANY_FILE)
@click.option("--board", metavar="FILE", help="The board file of the games.")
@json_option
@click.option("--quiet", "-q", is_flag=True, help="Print nothing; only set the exit code.")
@click.option(
    "--commitment",
    metavar="HEX",
    callback=_digits,
    help="The commitment that the table showed before the game; the bag must match it.",
)
@click.option(
    "--mine",
    metavar="HEX",
    callback=_digits,
    help="Your seat's contribution; the bag must contain it.",
)
def command(
    files: tuple[Path, ...],
    board: str | None,
    as_json: bool,
    quiet: bool,
    commitment: str | None,
    mine: str | None,
) -> None:
    """Check game records: every move, every count, the result, and the proof of the bag.

    FILE is one game in TOML or many in JSON lines; - reads JSON lines from standard input. Prints
    the first mismatch of each wrong game. The exit code is 1 if there is one, else 0.

    --commitment and --mine take what you noted during your own game: only you can tell whether a
    server has replaced them.
    """
    totals, notes = VerifiedTotals(), PlayerNotes(commitment, mine)
    wrong = 0
    for finding in _check_all(files, given_board(board), totals, notes):
        wrong += 1
        if as_json and not quiet:
            echo_json(asdict(finding))
        elif not quiet and wrong <= MOST_REPORTED:
            click.echo(str(finding))
    if as_json and not quiet:
        echo_json(asdict(totals))
    elif not quiet:
        more = f"… and {wrong - MOST_REPORTED:,} more.\n" if wrong > MOST_REPORTED else ""
        click.echo(more + totals.sentence(notes.sentence()))
    if wrong:
        click.get_current_context().exit(1)


def _check_all(
    files: tuple[Path, ...], board: BoardSpec | None, totals: VerifiedTotals, notes: PlayerNotes
) -> Iterator[RecordFinding]:
    """Yields what is wrong, game by game, and shows the progress in a terminal."""
    with _progress() as progress:
        task = progress.add_task("")
        for file in files:
            try:
                for entry in read_games(file):
                    finding = _check(entry, board, notes)
                    totals.games += 1
                    progress.update(task, completed=totals.games)
                    if finding is not None:
                        totals.wrong += 1
                        yield finding
                    elif isinstance(entry, LocatedRecord) and entry.record.proof is not None:
                        revealed = entry.record.proof.secret is not None
                        totals.proofs += revealed
                        totals.unrevealed += not revealed
            except Failure as error:
                totals.unread += 1
                yield RecordFinding(file_name(file), None, error.message)


def _progress() -> Progress:
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.completed} games checked"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        disable=sys.stderr is None or not sys.stderr.isatty(),
        transient=True,
        # lines for a terminal go above the progress, lines for a file into the file
        redirect_stdout=sys.stdout is not None and sys.stdout.isatty(),
    )


def _check(
    entry: LocatedRecord | Unreadable, board: BoardSpec | None, notes: PlayerNotes
) -> RecordFinding | None:
    file = file_name(entry.path)
    if isinstance(entry, Unreadable):
        return RecordFinding(file, entry.game, entry.reason)
    try:
        mismatch = verify(entry.record, board_for(entry.record, board))
    except Failure as error:
        return RecordFinding(file, entry.game, error.message)
    if mismatch is None:
        return notes.finding(entry)
    line = None if mismatch.move is None else mismatch.line
    return RecordFinding(file, entry.game, mismatch.reason, mismatch.move, line)
