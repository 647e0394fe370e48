"""The boards a server knows: by name for new tables, by hash for running ones."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from industry.boards import BOARDS, BoardSpec, board_text, load_board, parse_board
from industry.boards.store import board_file_text

from .settings import SettingsError


class BoardCatalogue:
    """Finds boards by name and by hash; those that only old tables use are added from the store."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        """`texts` are board files by name; by default those that come with the program."""
        if texts is None:
            texts = {name: board_text(name) for name in BOARDS}
        self.by_name: dict[str, BoardSpec] = {}
        self.by_hash: dict[str, BoardSpec] = {}
        self._texts: dict[str, str] = {}
        for name, text in texts.items():
            self.by_name[name] = self.add(text, name)

    def add(self, text: str, name: str = "kept") -> BoardSpec:
        """Adds a board file; raises `BoardError`."""
        board = parse_board(text, name)
        self.by_hash.setdefault(board.hash, board)
        self._texts[board.hash] = text
        return board

    def text(self, board: str) -> str:
        """Returns the text of a board file by the board's hash."""
        return self._texts[board]


def load_catalogue(files: Iterable[str]) -> BoardCatalogue:
    """Loads the program's boards and these files; raises `BoardError`, `SettingsError`."""
    texts = {name: board_text(name) for name in BOARDS}
    for file in files:
        name = load_board(file).id
        if name in texts:
            raise SettingsError(f"{file}: there is a board “{name}” already; give it another name.")
        texts[name] = board_file_text(Path(file))
    return BoardCatalogue(texts)
