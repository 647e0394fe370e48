"""Reports how far compilation has come to everyone who waits for it.

Only real compilation is reported: machine code cached by an earlier run loads silently. This module
does not import Numba; `compiled` reports to it.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

CompileListener = Callable[[int, int], None]
"""Takes the number of loops compiled so far and the total number to compile."""


class _Watch:
    """The progress last reported to one listener."""

    def __init__(self, listener: CompileListener) -> None:
        self._listener = listener
        self._needed: set[str] = set()
        self._done: set[str] = set()

    def expect(self, names: Iterable[str]) -> None:
        self._needed.update(names)

    def begin(self, name: str) -> None:
        self._needed.add(name)
        self._listener(len(self._done), len(self._needed))

    def end(self, name: str) -> None:
        self._done.add(name)
        self._listener(len(self._done), len(self._needed))


_watches: list[_Watch] = []


@contextmanager
def watch_compiling(listener: CompileListener) -> Iterator[None]:
    """Calls `listener` whenever a loop starts or finishes compiling while the block runs.

    It is never called if all machine code is cached.
    """
    watch = _Watch(listener)
    _watches.append(watch)
    try:
        yield
    finally:
        _watches.remove(watch)


def is_watched() -> bool:
    """Returns whether anyone is listening."""
    return bool(_watches)


def note_expected(names: Iterable[str]) -> None:
    """Announces loops that will have to be compiled soon."""
    for watch in _watches:
        watch.expect(names)


def note_begun(name: str) -> None:
    for watch in _watches:
        watch.begin(name)


def note_done(name: str) -> None:
    for watch in _watches:
        watch.end(name)
