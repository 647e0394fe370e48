"""The finished deals of a tournament in a file that survives any end of the program."""

import fcntl
import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from .outcome import Outcome, outcome_from_data
from .schedule import ArenaError, Tournament

FORMAT = 1
KIND = "industry tournament"

Deal = tuple[Outcome, ...]


class Journal:
    """One line of JSON for the tournament, then one for each deal, in order.

    A line is written in one piece when its deal is finished. What a kill leaves of a line is cut
    off when the file is opened again.
    """

    def __init__(self, path: Path, tournament: Tournament, file: IO[bytes]) -> None:
        self.path = path
        self.tournament = tournament
        self.deals: list[Deal] = []
        self._file = file

    def add(self, deal: Sequence[Outcome]) -> None:
        """Keep a finished deal; raises `OSError` where the disk is full."""
        line = json.dumps({"games": [outcome.data() for outcome in deal]}, separators=(",", ":"))
        write_line(self._file, line)
        self.deals.append(tuple(deal))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def create_journal(
    path: Path, tournament: Tournament, games: int, *, replace: bool = False
) -> Journal:
    """A new file for a tournament of so many games; an existing file only with `replace`."""
    if path.exists() and not replace:
        raise ArenaError(f"{path} exists already; continue it with --resume or add --force.")
    path.touch()
    file = _opened(path)
    file.truncate()
    header = {"format": FORMAT, "kind": KIND, "games": games, "settings": tournament.settings()}
    write_line(file, json.dumps(header, separators=(",", ":")))
    return Journal(path, tournament, file)


def read_header(path: Path) -> tuple[int, dict[str, Any]]:
    """How many games the tournament of a file was to have, and its settings."""
    try:
        with path.open("rb") as file:
            line = file.readline()
        header = json.loads(line)
        if header["kind"] == KIND and header["format"] == FORMAT and line.endswith(b"\n"):
            return int(header["games"]), dict(header["settings"])
    except (ValueError, KeyError, TypeError):
        pass
    raise ArenaError(f"{path} is no file of a tournament.")


def open_journal(path: Path, tournament: Tournament) -> Journal:
    """The file of this very tournament, with its deals; that of another is refused."""
    _, theirs = read_header(path)
    for key, value in tournament.settings().items():
        if theirs.get(key) != value:
            raise ArenaError(
                f"{path} belongs to another tournament. Its {key}: {_told(theirs.get(key))}; "
                f"asked for: {_told(value)}."
            )
    journal = Journal(path, tournament, file := _opened(path))
    try:
        _read_deals(journal, file)
    except BaseException:
        file.close()
        raise
    return journal


def _read_deals(journal: Journal, file: IO[bytes]) -> None:
    """Read up to the last whole line and cut off the rest."""
    lines = file.read().split(b"\n")
    whole = len(lines[0]) + 1
    for number, line in enumerate(lines[1:-1], start=1):
        seatings = journal.tournament.deal(number - 1)
        try:
            games = json.loads(line)["games"]
            pairs = zip(seatings, games, strict=True)
            journal.deals.append(tuple(outcome_from_data(*pair) for pair in pairs))
        except (ValueError, KeyError, TypeError):
            raise ArenaError(f"{journal.path}, line {number + 1}, is damaged.") from None
        whole += len(line) + 1
    file.seek(whole)
    file.truncate()


def write_line(file: IO[bytes], line: str) -> None:
    """A whole line or, where the disk is full, `OSError` and nothing of it."""
    whole, data = file.tell(), memoryview(f"{line}\n".encode())
    try:
        while data:
            data = data[file.write(data) :]
    except OSError:
        file.truncate(whole)
        raise


def _opened(path: Path) -> IO[bytes]:
    file = path.open("r+b", buffering=0)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise ArenaError(f"{path} is being written by another tournament.") from None
    return file


def _told(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(f"{bot['name']} ({bot['time_ms']:g} ms)" for bot in value)
    if isinstance(value, dict):
        return ", ".join(f"{key}={entry}" for key, entry in value.items())
    return str(value)
