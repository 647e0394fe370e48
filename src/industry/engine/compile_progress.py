"""How far the compiler is, for everyone who must wait for it.

Only what is really compiled is told: machine code that was kept from an earlier run is loaded in
silence. This module does not import Numba; `compiled` reports to it.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

CompileListener = Callable[[int, int], None]
"""Takes the number of loops that are compiled by now, and of all that must be."""


class _Watch:
    """What one listener has been told."""

    def __init__(self, tell: CompileListener) -> None:
        self._tell = tell
        self._needed: set[str] = set()
        self._done: set[str] = set()

    def expect(self, names: Iterable[str]) -> None:
        self._needed.update(names)

    def begin(self, name: str) -> None:
        self._needed.add(name)
        self._tell(len(self._done), len(self._needed))

    def end(self, name: str) -> None:
        self._done.add(name)
        self._tell(len(self._done), len(self._needed))


_watches: list[_Watch] = []


@contextmanager
def watch_compiling(tell: CompileListener) -> Iterator[None]:
    """While the block runs, `tell` is called when a loop begins to be compiled, and when it is
    done; never where all machine code is there already."""
    watch = _Watch(tell)
    _watches.append(watch)
    try:
        yield
    finally:
        _watches.remove(watch)


def is_watched() -> bool:
    """Whether anybody wants to know."""
    return bool(_watches)


def note_expected(names: Iterable[str]) -> None:
    """These loops will have to be compiled soon."""
    for watch in _watches:
        watch.expect(names)


def note_begun(name: str) -> None:
    for watch in _watches:
        watch.begin(name)


def note_done(name: str) -> None:
    for watch in _watches:
        watch.end(name)
