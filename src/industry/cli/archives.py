"""Reads archive files to their end, and writes them completely or not at all."""

import contextlib
import gzip
import io
import itertools
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from .app import PipeClosed
from .files import Failure

STDOUT = Path("-")


@contextmanager
def lines_of(file: Path, *, rescue: bool = False) -> Iterator[Iterable[str]]:
    """Yields the lines of a file, compressed or not; with `rescue`, as far as it can be read."""
    try:
        with ExitStack() as stack:
            start = stack.enter_context(file.open("rb"))
            packed = start.read(2) == b"\x1f\x8b"
            start.seek(0)
            raw = stack.enter_context(gzip.GzipFile(fileobj=start)) if packed else start
            errors = "replace" if rescue else "strict"
            text = stack.enter_context(io.TextIOWrapper(raw, encoding="utf-8", errors=errors))
            yield _rescued(text) if rescue else text
    except UNREADABLE:
        raise Failure(f"{file} is damaged: it cannot be read to its end.") from None
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}.") from None


UNREADABLE = (EOFError, UnicodeDecodeError, gzip.BadGzipFile, zlib.error)


def _rescued(lines: Iterable[str]) -> Iterator[str]:
    """Yields lines up to where the file is damaged; the reader notices that the end is missing."""
    with contextlib.suppress(*UNREADABLE):
        yield from lines


def free_name(path: Path) -> Path:
    """Returns the path, or the first numbered one beside it that does not exist."""
    names = itertools.chain(
        [path], (path.with_name(f"{path.name}-{n}") for n in itertools.count(2))
    )
    return next(name for name in names if not name.exists())


def write_lines(file: Path, force: bool, lines: Iterable[str]) -> int:
    """Writes lines to a private file, completely or not at all."""
    if file == STDOUT:
        return _print_lines(lines)
    if file.exists() and not force:
        raise Failure(f"{file} already exists; choose another name or add --force.")
    part = file.with_name(f".{file.name}.part")
    count = 0
    try:
        with _opened_private(part, file.suffix == ".gz") as target:
            for line in lines:
                target.write(f"{line}\n".encode())
                count += 1
        part.replace(file)
    except OSError as error:
        raise Failure(f"{file} cannot be written: {error.strerror}.") from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
    return count


def _print_lines(lines: Iterable[str]) -> int:
    try:
        count = sum(1 for line in lines if sys.stdout.write(f"{line}\n"))
        sys.stdout.flush()
    except BrokenPipeError:
        raise PipeClosed from None
    except OSError as error:
        raise Failure(f"standard output cannot be written: {error.strerror}.") from None
    return count


@contextmanager
def _opened_private(path: Path, packed: bool) -> Iterator[IO[bytes]]:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        if packed:
            with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as zipped:
                yield zipped  # type: ignore[misc]
        else:
            yield file
        file.flush()
        os.fsync(file.fileno())
