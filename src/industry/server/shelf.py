"""The boards that a server has: by name for new tables, by hash for those that run."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from industry.boards import BOARDS, BoardSpec, board_text, load_board, parse_board
from industry.boards.store import board_file_text

from .settings import SettingsError


class Shelf:
    """Boards by name and by hash. A hash that some table needs is added from the store."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        """`texts` are board files by name; left out: those that come with the program."""
        if texts is None:
            texts = {name: board_text(name) for name in BOARDS}
        self.by_name: dict[str, BoardSpec] = {}
        self.by_hash: dict[str, BoardSpec] = {}
        self._texts: dict[str, str] = {}
        for name, text in texts.items():
            self.by_name[name] = self.add(text, name)

    def add(self, text: str, name: str = "kept") -> BoardSpec:
        """Take in a board file; raises `BoardError`."""
        board = parse_board(text, name)
        self.by_hash.setdefault(board.hash, board)
        self._texts[board.hash] = text
        return board

    def text(self, board: str) -> str:
        """The file of a board, by its hash."""
        return self._texts[board]


def shelf_with(files: Iterable[str]) -> Shelf:
    """The boards of the program and those of these files; raises `BoardError`, `SettingsError`."""
    texts = {name: board_text(name) for name in BOARDS}
    for file in files:
        name = load_board(file).id
        if name in texts:
            raise SettingsError(f"{file}: there is a board “{name}” already; give it another name.")
        texts[name] = board_file_text(Path(file))
    return Shelf(texts)
