"""Reads and writes the files of commands: records in, records out, nothing half-written."""

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import click

from industry.boards import BOARDS, BoardError, BoardSpec, load_board
from industry.engine import IllegalMove
from industry.notation import (
    Game,
    NotationError,
    Record,
    RecordError,
    record_from_json,
    record_from_toml,
    replay_steps,
)
from industry.notation.verify import board_mismatch
from industry.texts.sanitize import printable, quoted

MAX_LINE = 4_000_000
"""The longest line (JSON) or file (TOML) that can be a game record, in bytes."""

STDIN = Path("-")
JSON_SUFFIXES = (".jsonl", ".ndjson", ".json")


class Failure(click.ClickException):
    """A sentence for the user; the command ends with exit code 1."""

    exit_code = 1

    def format_message(self) -> str:
        return printable(self.message)


@dataclass(frozen=True, slots=True)
class LocatedRecord:
    """A record and where it is: `game` counts from 1 within its file."""

    path: Path
    game: int
    record: Record

    @property
    def place(self) -> str:
        return _place(self.path, self.game)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A game of a file that is not a record, and why."""

    path: Path
    game: int
    reason: str

    @property
    def place(self) -> str:
        return _place(self.path, self.game)


def _place(path: Path, game: int) -> str:
    return f"{file_name(path)}, game {game}"


def file_name(path: Path) -> str:
    """Returns the file as messages name it."""
    return "standard input" if path == STDIN else printable(str(path))


def read_games(path: Path) -> Iterator[LocatedRecord | Unreadable]:
    """Yields all games of a file, including those after one that cannot be read."""
    for number, (text, parse) in enumerate(_pieces(path), start=1):
        yield _entry(path, number, text, parse)


def read_one(path: Path, game: int = 1) -> LocatedRecord:
    """Reads one game of a file; raises `Failure`."""
    last = 0
    for number, (text, parse) in enumerate(_pieces(path), start=1):
        if number == game:
            entry = _entry(path, number, text, parse)
            if isinstance(entry, Unreadable):
                raise Failure(f"{entry.place}: {entry.reason}")
            return entry
        last = number
    games = "1 game" if last == 1 else f"{last} games"
    raise Failure(f"{file_name(path)} has {games}, and game {game} was asked for.")


def _entry(path: Path, game: int, text: bytes, parse: "Parse") -> LocatedRecord | Unreadable:
    if len(text) > MAX_LINE:
        reason = f"the text is longer than {MAX_LINE} bytes, which no game record is."
        return Unreadable(path, game, reason)
    try:
        return LocatedRecord(path, game, parse(text.decode("utf-8")))
    except UnicodeDecodeError:
        return Unreadable(path, game, "the text is not UTF-8.")
    except RecordError as error:
        return Unreadable(path, game, str(error))


Parse = Callable[[str], Record]


def _pieces(path: Path) -> Iterator[tuple[bytes, Parse]]:
    """Yields each game's text and its parser; a text that is too long is cut after MAX_LINE."""
    empty = True
    with _opened(path) as file:
        line = file.readline(MAX_LINE + 1)
        if not _is_json(path, line):
            yield line + file.read(MAX_LINE + 1), record_from_toml
            return
        while line:
            if line.strip():
                empty = False
                yield line, record_from_json
            if len(line) > MAX_LINE:
                _skip_line(file, line)
            line = file.readline(MAX_LINE + 1)
    if empty:
        raise Failure(f"{file_name(path)} contains no game.")


def _is_json(path: Path, first_line: bytes) -> bool:
    """Decides by the file's name, or else by the brace that only JSON starts with."""
    if path == STDIN or path.suffix in JSON_SUFFIXES:
        return True
    return path.suffix != ".toml" and first_line.lstrip().startswith(b"{")


def _skip_line(file: BinaryIO, piece: bytes) -> None:
    while piece and not piece.endswith(b"\n"):
        piece = file.readline(MAX_LINE)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        if path != STDIN:
            with path.open("rb") as file:
                yield file
        elif sys.stdin is None:
            raise Failure("standard input is closed.")
        else:
            yield sys.stdin.buffer
    except OSError as error:
        raise Failure(f"{file_name(path)} cannot be read: {error.strerror}.") from None


def given_board(name: str | None) -> BoardSpec | None:
    """Loads the board that --board names, if any; raises `Failure`."""
    try:
        return None if name is None else load_board(name)
    except BoardError as error:
        raise Failure(str(error)) from None


def board_for(record: Record, given: BoardSpec | None) -> BoardSpec:
    """Returns the board a record was played on: the given one, or one of the program's."""
    if given is not None:
        return given
    if record.board not in BOARDS:
        raise Failure(
            f"the game was played on the board “{quoted(record.board)}”, which does not come "
            "with the program: name its file with --board FILE."
        )
    return load_board(record.board)


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One recorded game on its board, ready to be replayed."""

    entry: LocatedRecord
    board: BoardSpec

    def until(self, at: int | None) -> Game:
        """Returns the game after this many moves, or after all of them."""
        *_, game = self.steps(at)
        return game

    def steps(self, at: int | None = None) -> Iterator[Game]:
        """Yields the game before the first move and after each; raises `Failure`."""
        moves = self.entry.record.moves
        if at is not None and not 0 <= at <= len(moves):
            count = "1 move" if len(moves) == 1 else f"{len(moves)} moves"
            raise Failure(
                f"{self.entry.place} has {count}, so --at must be a number from 0 to "
                f"{len(moves)}, not {quoted(at)}."
            )
        played = 0
        try:
            steps = replay_steps(self.entry.record, self.board)
            for game in islice(steps, None if at is None else at + 1):
                yield game
                played = len(game.moves)
        except (NotationError, IllegalMove) as error:
            place = f"{self.entry.place}, move {played + 1} ({quoted(moves[played])})"
            raise Failure(f"{place}: {error}") from None


def open_game(path: Path, game: int, board: str | None) -> RecordedGame:
    """Opens one game of a file with its board; raises `Failure` if it was played on another."""
    entry = read_one(path, game)
    spec = board_for(entry.record, given_board(board))
    mismatch = board_mismatch(entry.record, spec)
    if mismatch is not None:
        raise Failure(f"{entry.place}: {mismatch.reason}")
    return RecordedGame(entry, spec)


def write_whole(path: Path, text: str, *, replace: bool = False) -> None:
    """Writes a file completely or not at all; replaces an existing one only with `replace`."""
    try:
        data = text.encode("utf-8")
        path = path.resolve()  # write through a link to its target
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe or device is never half-written
        elif path.exists() and not replace:
            raise Failure(f"{path} already exists; choose another name or add --force.")
        else:
            replace_file(path, data)
    except UnicodeEncodeError:
        raise Failure(f"{path} cannot be written: the text has broken characters.") from None
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}.") from None


def replace_file(path: Path, data: bytes) -> None:
    """Replaces a file atomically; raises `OSError` and leaves the old one."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
