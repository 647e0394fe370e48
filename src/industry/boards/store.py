"""Finds a board by name (the two that come with the program) or by the path of a file."""

from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from .problems import BoardError, Problem
from .read import parse_board
from .spec import BoardSpec

BOARDS = ("industry", "industria")
"""The boards that come with the program: one per edition, and named like it."""
MAX_BOARD_BYTES = 1_000_000


def board_text(name: str) -> str:
    """Returns the text of a board file that comes with the program."""
    return files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")


@lru_cache
def _own_board(name: str) -> BoardSpec:
    return parse_board(board_text(name), name, expected_id=name)


def load_board(name_or_path: str | Path) -> BoardSpec:
    """Loads the board with this name, or from this file; raises `BoardError`."""
    name = str(name_or_path)
    if name in BOARDS:
        return _own_board(name)
    path = Path(name)
    return parse_board(board_file_text(path), name, expected_id=path.stem)


def board_file_text(path: Path) -> str:
    """Returns the text of a board file, valid or not; raises `BoardError` if it cannot be read."""
    name = str(path)
    if path.suffix != ".toml" and not path.exists():
        raise BoardError(name, [Problem("", "unknown_board", {"known": tuple(BOARDS)})])
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BOARD_BYTES + 1)
        if len(data) > MAX_BOARD_BYTES:
            raise BoardError(name, [Problem("", "too_large", {"most": MAX_BOARD_BYTES})])
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise BoardError(name, [Problem("", "not_utf8", {})]) from None
    except OSError as error:
        detail = error.strerror or str(error)
        raise BoardError(name, [Problem("", "unreadable", {"detail": detail})]) from None
    return text
