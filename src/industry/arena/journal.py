"""Writes finished work to a file at once, so that it survives however the program ends."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, Self

from industry.locks import Hold, Taken

from .outcome import Outcome, outcome_from_data
from .schedule import ArenaError, Tournament

FORMAT = 1
KIND = "industry tournament"

Deal = tuple[Outcome, ...]


class LineFile:
    """A file of lines that only this process writes, each written at once and completely.

    A subclass cuts off an incomplete last line when it reads the file.
    """

    def __init__(self, path: Path, taken: str) -> None:
        """Opens a file that exists; raises `ArenaError(taken)` if another process writes it."""
        self.path = path
        try:
            self._hold = Hold(path)
        except Taken:
            raise ArenaError(taken) from None
        try:
            self._file: IO[bytes] = path.open("r+b", buffering=0)
        except BaseException:
            self._hold.release()
            raise

    def keep_first(self, size: int) -> None:
        """Cuts off everything after the first `size` bytes, and continues there."""
        self._file.seek(size)
        self._file.truncate()

    def close(self) -> None:
        self._file.close()
        self._hold.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Journal(LineFile):
    """One line of JSON for the tournament, then one for each finished deal, in order."""

    def __init__(self, path: Path, tournament: Tournament) -> None:
        """Opens a file that exists; one that another tournament writes is refused."""
        super().__init__(path, f"{path} is being written by another tournament.")
        self.tournament = tournament
        self.deals: list[Deal] = []

    def start(self, games: int) -> None:
        """Empties the file and writes the first line."""
        settings = self.tournament.settings()
        header = {"format": FORMAT, "kind": KIND, "games": games, "settings": settings}
        self._file.truncate()
        write_line(self._file, json.dumps(header, separators=(",", ":")))

    def read(self) -> None:
        """Reads up to the last whole line and cuts off the rest."""
        lines = self._file.read().split(b"\n")
        whole = len(lines[0]) + 1
        for number, line in enumerate(lines[1:-1], start=1):
            seatings = self.tournament.deal(number - 1)
            try:
                games = json.loads(line)["games"]
                pairs = zip(seatings, games, strict=True)
                self.deals.append(tuple(outcome_from_data(*pair) for pair in pairs))
            except (ValueError, KeyError, TypeError):
                raise ArenaError(f"{self.path}, line {number + 1}, is damaged.") from None
            whole += len(line) + 1
        self.keep_first(whole)

    def add(self, deal: Sequence[Outcome]) -> None:
        """Adds a finished deal; raises `OSError` if the disk is full."""
        line = json.dumps({"games": [outcome.data() for outcome in deal]}, separators=(",", ":"))
        write_line(self._file, line)
        self.deals.append(tuple(deal))


def create_journal(
    path: Path, tournament: Tournament, games: int, *, replace: bool = False
) -> Journal:
    """Creates the file of a tournament; replaces an existing one only with `replace`."""
    if path.exists() and not replace:
        raise ArenaError(f"{path} already exists; continue it with --resume or add --force.")
    path.touch()
    journal = Journal(path, tournament)
    try:
        journal.start(games)
    except BaseException:
        journal.close()
        raise
    return journal


def read_header(path: Path) -> tuple[int, dict[str, Any]]:
    """Returns the planned number of games of a file's tournament, and its settings."""
    try:
        with path.open("rb") as file:
            line = file.readline()
        header = json.loads(line)
        if header["kind"] == KIND and header["format"] == FORMAT and line.endswith(b"\n"):
            return int(header["games"]), dict(header["settings"])
    except (ValueError, KeyError, TypeError):
        pass
    raise ArenaError(f"{path} is not a file of a tournament.")


def open_journal(path: Path, tournament: Tournament) -> Journal:
    """Opens the file of exactly this tournament, with its deals; refuses any other."""
    _, theirs = read_header(path)
    for key, value in tournament.settings().items():
        if theirs.get(key) != value:
            raise ArenaError(
                f"{path} belongs to another tournament. Its {key}: {_shown(theirs.get(key))}; "
                f"asked for: {_shown(value)}."
            )
    journal = Journal(path, tournament)
    try:
        journal.read()
    except BaseException:
        journal.close()
        raise
    return journal


def write_line(file: IO[bytes], line: str) -> None:
    """Writes a whole line or, if the disk is full, raises `OSError` and writes nothing."""
    whole, data = file.tell(), memoryview(f"{line}\n".encode())
    try:
        while data:
            data = data[file.write(data) :]
    except OSError:
        file.truncate(whole)
        raise


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(f"{bot['name']} ({bot['time_ms']:g} ms)" for bot in value)
    if isinstance(value, dict):
        return ", ".join(f"{key}={entry}" for key, entry in value.items())
    return str(value)
