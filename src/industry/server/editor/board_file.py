"""The board file being edited: opening it, and saving it completely or not at all."""

import errno
import hashlib
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from threading import Lock

import industry.boards
from industry.boards import BOARDS, BoardError, Problem, board_text
from industry.boards.migrate import in_current_format
from industry.boards.store import board_file_text
from industry.boards.write import derived_board_text, rewritten

from ..protocol.editor import BoardDraft, Opened, Save, Saved, Sheet, Trouble
from .drafts import VALUES, check_shape, data_of, draft_of, findings

SUFFIX = ".toml"
SHIPPED = Path(str(files(industry.boards)))
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_TROUBLES: dict[int, Trouble] = {
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
    errno.EFBIG: "disk_full",
    errno.ENOENT: "no_folder",
    errno.ENOTDIR: "no_folder",
    errno.EACCES: "unwritable",
    errno.EPERM: "unwritable",
    errno.EROFS: "unwritable",
}
Write = Callable[[Path, bytes], None]
"""Replaces a file atomically; raises `OSError` and leaves the old one."""


class UnusableFile(Exception):
    """The editor cannot work on this file; the message is a sentence for the user."""


class BoardFile:
    """Opens and saves boards in the folder of one file."""

    def __init__(self, path: Path, origin: str | None, write: Write) -> None:
        """`origin` is the board a new file starts from; raises `UnusableFile`, `BoardError`."""
        self._name = _fit(path)
        self._folder = path.parent
        self._write = write
        self._origin = ""
        self._saving = Lock()
        self._texts: dict[str, str] = {}
        """Texts that were opened or saved, by stamp; a new file has an empty stamp."""
        if path.exists():
            if origin is not None:
                raise UnusableFile(f"{path} exists already; --from is for a new file.")
            _draft(self._read(path), str(path))
        else:
            self._begin(path, origin or BOARDS[0])

    def _begin(self, path: Path, origin: str) -> None:
        if not path.parent.is_dir():
            raise UnusableFile(f"there is no folder {path.parent} for {path.name}.")
        text = board_text(origin) if origin in BOARDS else board_file_text(Path(origin))
        _draft(text, origin)
        self._origin = Path(origin).stem
        self._texts[""] = derived_board_text(in_current_format(text), self._origin)

    def opened(self, name: str | None = None) -> Opened:
        """Returns the file as it is now, or the start of a new one."""
        name = name or self._name
        path = self._path(name)
        try:
            text = self._read(path) if path.exists() else self._texts.get("")
            if text is None:
                raise BoardError(name, [Problem("", "unreadable", {"detail": str(path)})])
            draft = _draft(text, str(path))
        except BoardError as error:
            return Opened(sheet=None, problems=findings(error.problems))
        stamp = _stamp(text.encode()) if path.exists() else ""
        sheet = Sheet(
            name=name,
            file=str(path),
            stamp=stamp,
            origin="" if stamp else self._origin,
            draft=draft,
            values={kind: list(values) for kind, values in VALUES.items()},
        )
        return Opened(sheet=sheet, problems=[])

    def save(self, wish: Save) -> Saved:
        """Writes the draft, unless something else has changed the file."""
        try:
            path = self._path(wish.name).resolve()  # write through a symbolic link
            if wish.name in BOARDS or path.parent == SHIPPED.resolve():
                return _trouble("shipped")
            with self._saving:
                there = _stamp(path.read_bytes()) if path.exists() else ""
                if there not in ("", wish.stamp):
                    return _trouble("taken")
                data = self._text(wish).encode()
                self._write(path, data)
        except OSError as error:
            return _trouble(_TROUBLES.get(error.errno or 0, "failed"), error.strerror or "")
        stamp = _stamp(data)
        self._texts[stamp] = data.decode()
        return Saved(trouble=None, detail="", stamp=stamp)

    def _text(self, wish: Save) -> str:
        """Returns the text the draft was made from, with the draft's values."""
        before = in_current_format(self._texts.get(wish.stamp, ""))
        return rewritten(before, data_of(wish.draft, wish.name))

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{SUFFIX}"

    def _read(self, path: Path) -> str:
        text = board_file_text(path)
        self._texts[_stamp(text.encode())] = text
        return text


def _draft(text: str, name: str) -> BoardDraft:
    """Parses the draft in a board file of any format; raises `BoardError`."""
    check_shape(text, name)
    return draft_of(in_current_format(text), name)


def _fit(path: Path) -> str:
    """Returns the board's name, which is the file's; raises `UnusableFile`."""
    if path.stem in BOARDS or path.resolve().parent == SHIPPED.resolve():
        raise UnusableFile(
            f"{path.stem} comes with the program and is not changed; begin a board of your own "
            f"from it: industry board edit mine.toml --from {path.stem}"
        )
    if path.suffix != SUFFIX or not _NAME.fullmatch(path.stem):
        raise UnusableFile(
            f"{path.name} cannot be the name of a board file: use small letters, digits, - and _, "
            f"and the ending {SUFFIX}."
        )
    if path.exists() and not path.is_file():
        raise UnusableFile(f"{path} is not a file.")
    return path.stem


def _stamp(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _trouble(trouble: Trouble, detail: str = "") -> Saved:
    return Saved(trouble=trouble, detail=detail, stamp="")
