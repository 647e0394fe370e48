"""The texts of all steps of a table; compressed while nobody is there to read them."""

import zlib
from collections.abc import Iterable, Iterator

from .steps import Step, step_text

LEVEL = 6
"""The level of compression: a whole game takes 2.5 ms and shrinks to a thirteenth."""
FEW = 16
"""A block is not worth while for fewer texts."""


class StepTexts:
    """What each step says of its entry, and of what it changed in the view."""

    def __init__(self) -> None:
        self._entries: list[str] = []
        self._changed: list[str] = []
        self._blocks: list[bytes] = []
        """The steps before those in the lists, compressed."""

    def add(self, steps: Iterable[Step]) -> None:
        for step in steps:
            self._entries.append(step.text)
            self._changed.append(step.changed)

    def entries(self, most: int) -> list[str]:
        """Returns the last entries."""
        if self._blocks:
            self._unpack()
        return self._entries[-most:]

    def steps(self, first: int, last: int | None) -> Iterator[str]:
        """Returns steps as JSON, in the form of `protocol.Step`."""
        if self._blocks:
            self._unpack()
        return map(step_text, self._entries[first:last], self._changed[first:last])

    def pack(self) -> None:
        """Compresses what has come since the last time; reading undoes it."""
        if len(self._entries) < (FEW if self._blocks else 1):
            return
        text = "\n".join([*self._entries, *self._changed])  # JSON has no line breaks
        self._blocks.append(zlib.compress(text.encode(), LEVEL))
        self._entries, self._changed = [], []

    def _unpack(self) -> None:
        entries: list[str] = []
        changed: list[str] = []
        for block in self._blocks:
            texts = zlib.decompress(block).decode().split("\n")
            entries += texts[: len(texts) // 2]
            changed += texts[len(texts) // 2 :]
        self._entries, self._changed = entries + self._entries, changed + self._changed
        self._blocks = []
