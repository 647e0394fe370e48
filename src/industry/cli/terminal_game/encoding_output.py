"""An output that keeps words together and fits any encoding.

Rich breaks lines at every space, including no-break spaces, which French puts before each colon. So
such spaces are replaced by private-use characters until a line is written.
"""

import unicodedata
from typing import TextIO

from .symbols import plain

_HELD = str.maketrans({"\u00a0": "\ue000", "\u202f": "\ue001"})
_RELEASED = str.maketrans({"\ue000": "\u00a0", "\ue001": "\u202f"})
_ASCII = str.maketrans(
    {"–": "-", "−": "-", "·": "|", "…": ".", "→": ">", "►": ">", "’": "'"}
    | dict.fromkeys("“”„«»", '"')
)
HELD_SPACE = "\ue000"


def hold(text: str) -> str:
    """Returns the text with spaces at which no line will break."""
    return text.translate(_HELD)


class EncodedOutput:
    """Restores the replaced spaces, and replaces what the encoding does not have."""

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.encoding = file.encoding or "utf-8"

    def write(self, text: str) -> int:
        return self.file.write(self.fit(text))

    def fit(self, text: str) -> str:
        """Returns the text as it will be seen."""
        text = text.translate(_RELEASED)
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            return "".join(self._letter(letter) for letter in text)
        return text

    def _letter(self, letter: str) -> str:
        """Returns the letter itself, a similar symbol, or the letter without its accent."""
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
