"""What the screen is written on: it keeps words together and fits any encoding.

Rich breaks lines at every space, also at those that forbid it, and French sets one before each
colon. So such spaces are held as characters for private use until a line is written.
"""

import unicodedata
from typing import TextIO

from .marks import plain

_HELD = str.maketrans({"\u00a0": "\ue000", "\u202f": "\ue001"})
_RELEASED = str.maketrans({"\ue000": "\u00a0", "\ue001": "\u202f"})
_ASCII = str.maketrans(
    {"–": "-", "−": "-", "·": "|", "…": ".", "→": ">", "►": ">", "’": "'"}
    | dict.fromkeys("“”„«»", '"')
)
HELD_SPACE = "\ue000"


def hold(text: str) -> str:
    """The text with spaces at which no line will break."""
    return text.translate(_HELD)


class Paper:
    """An output that releases the held spaces and replaces what its encoding does not know."""

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.encoding = file.encoding or "utf-8"

    def write(self, text: str) -> int:
        return self.file.write(self.fit(text))

    def fit(self, text: str) -> str:
        """The text as it will be seen."""
        text = text.translate(_RELEASED)
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            return "".join(self._letter(letter) for letter in text)
        return text

    def _letter(self, letter: str) -> str:
        """The letter itself, a sign that looks like it, or it without its accent."""
        bare = unicodedata.normalize("NFKD", letter)[0]
        for likeness in (letter, plain(letter).translate(_ASCII), bare):
            try:
                likeness.encode(self.encoding)
            except UnicodeEncodeError:
                continue
            return likeness
        return "?"

    def __getattr__(self, name: str) -> object:
        return getattr(self.file, name)
