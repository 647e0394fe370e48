"""Random numbers that follow from a seed alone, the same in every version of Python."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

_BYTES = 4
_VALUES = 1 << (8 * _BYTES)


class Chance:
    """A stream of numbers: SHA-256 over the seed and a counter, four bytes for each number."""

    def __init__(self, seed: str) -> None:
        self._seed = hashlib.sha256(seed.encode())
        self._block = 0
        self._bytes = b""
        self._used = 0

    def below(self, count: int) -> int:
        """Returns a number from 0 to count - 1, each equally likely."""
        limit = _VALUES - _VALUES % count
        while (value := self._next()) >= limit:
            pass
        return value % count

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Returns the items in a random order (Fisher–Yates from the end)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            place = self.below(last + 1)
            order[last], order[place] = order[place], order[last]
        return order

    def _next(self) -> int:
        if self._used == len(self._bytes):
            block = self._seed.copy()
            block.update(self._block.to_bytes(8, "big"))
            self._bytes, self._used = block.digest(), 0
            self._block += 1
        self._used += _BYTES
        return int.from_bytes(self._bytes[self._used - _BYTES : self._used], "big")
