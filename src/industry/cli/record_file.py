"""A file of many records that grows while games are played and is always complete."""

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Self

from .files import Failure

STDOUT = "-"


class RecordFile:
    """Writes complete lines to a temporary file and renames it when done. However the work ends
    (normally, by Ctrl-C, with a full disk), the target then contains exactly the finished games, or
    stays as it was if there were none. Without a path nothing is written.
    """

    def __init__(self, path: Path | None, *, replace: bool = False) -> None:
        self.path = path
        self.games = 0
        self._file: IO[bytes] | None = None
        self._part: Path | None = None
        self._whole = 0
        if path is None:
            return
        if str(path) == STDOUT:
            self._file = sys.stdout.buffer
        elif path.exists() and not path.is_file() and not path.is_dir():
            self._open(path)
        else:
            self._begin(path, replace)

    def _begin(self, path: Path, replace: bool) -> None:
        if path.is_dir():
            raise Failure(f"{path} is a folder, not a file.")
        if path.exists() and not replace:
            raise Failure(f"{path} already exists; choose another name or add --force.")
        self._part = path.with_name(f".{path.name}.part")
        self._open(self._part)

    def _open(self, path: Path) -> None:
        try:
            self._file = path.open("wb", buffering=0)
        except OSError as error:
            raise Failure(f"{self.path} cannot be written: {error.strerror}.") from None

    def write(self, lines: Sequence[str]) -> None:
        """Adds complete lines; raises `OSError` if the disk is full or the pipe is closed."""
        if self._file is None:
            return
        for line in lines:
            data = memoryview(f"{line}\n".encode())
            while data:
                data = data[self._file.write(data) :]
            self.games += 1
            if self._part is not None:
                self._whole = self._file.tell()
        if self._file is sys.stdout.buffer:
            self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is None or self._file is sys.stdout.buffer:
            return
        if self._part is None:
            self._file.close()
            return
        self._file.truncate(self._whole)
        self._file.close()
        assert self.path is not None
        if self.games:
            self._part.replace(self.path)
        else:
            with contextlib.suppress(OSError):
                self._part.unlink()
