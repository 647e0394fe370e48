"""The same rules, compiled by Numba over flat numpy records.

Every function that `rule` and `helper` register is cloned with the other clones as its globals and
handed to Numba. Python calls only the entry points; they take arrays of records whose dtype comes
from `RecordType.layout`. Only this module imports Numba and numpy, so that playing does not wait
for them. Machine code is kept in the user's cache folder under a digest of the sources that each
entry point reaches: edited rules never run as old machine code, and processes that import different
packages share what they have in common.
"""

import hashlib
import math
import os
import struct
import sys
import types
from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt
import platformdirs
from numba.core import event

from . import entry_points as entry_points
from .compile_progress import is_watched, note_begun, note_done, note_expected
from .move_codes import ACTIONS
from .playout import GENERATOR_WORDS
from .record_layout import RecordType
from .rule import COMPILED_BODIES, ENTRY_POINTS, FUNCTIONS

Records = npt.NDArray[np.void]
Plain = TypeVar("Plain", bound=RecordType)

FORMATS = {"i1": "b", "i4": "i"}
"""The kinds of integers in records, as `struct` names them."""

CACHE_VARIABLE = "INDUSTRY_CACHE_DIR"


def dtype_of(cls: type[RecordType]) -> np.dtype[np.void]:
    """Returns the numpy record type with the attributes of a `RecordType`."""
    return _dtype(cls.layout)


@cache
def _dtype(layout: tuple[tuple[str, str, tuple[int, ...]], ...]) -> np.dtype[np.void]:
    return np.dtype(list(layout), align=True)


def record_of(flat: RecordType, count: int = 1) -> Records:
    """Returns `count` records with the values of a plain object."""
    values: list[int] = []
    for name, _, shape in flat.layout:
        value = getattr(flat, name)
        if not shape:
            values.append(value)
        elif len(shape) == 1:
            values += value
        else:
            values += chain.from_iterable(value)
    packed = _struct(flat.layout).pack(*values)
    return np.frombuffer(bytearray(packed * count), dtype=_dtype(flat.layout))


@cache
def _struct(layout: tuple[tuple[str, str, tuple[int, ...]], ...]) -> struct.Struct:
    """Returns what packs all values of a record at once; setting its fields takes ten times as
    long.
    """
    dtype = _dtype(layout)
    assert dtype.fields is not None
    parts, end = ["="], 0
    for name, kind, shape in layout:
        offset = dtype.fields[name][1]
        parts += [f"{offset - end}x", f"{math.prod(shape)}{FORMATS[kind]}"]
        end = offset + dtype.fields[name][0].itemsize
    return struct.Struct("".join([*parts, f"{dtype.itemsize - end}x"]))


def from_record(cls: type[Plain], records: Records, index: int = 0) -> Plain:
    """Returns the plain object with the values of a record."""
    flat = cls()
    for name, _, _ in cls.layout:
        setattr(flat, name, records[name][index].tolist())
    return flat


def generators(seed: int | str, count: int, first: int = 0) -> npt.NDArray[np.int64]:
    """Returns generators for game `first` onwards: game k depends only on the seed and k."""
    keys = [b"%d" % number for number in range(first, first + count)]
    words = np.frombuffer(digests(f"{seed}/", keys, 4 * GENERATOR_WORDS), dtype="<u4")
    return words.reshape(count, GENERATOR_WORDS).astype(np.int64)


def digests(prefix: str, keys: Iterable[bytes], size: int) -> bytes:
    """Returns the BLAKE2b hashes of prefix and key, `size` bytes each, in a row."""
    blake2b, start = hashlib.blake2b, prefix.encode()
    return b"".join([blake2b(start + key, digest_size=size).digest() for key in keys])


def new_moves(games: int = 1) -> npt.NDArray[np.int16]:
    """Returns buffers for the legal moves of several games."""
    return np.zeros((games, ACTIONS), dtype=np.int16)


def callees(function: Callable[..., object]) -> set[Callable[..., object]]:
    """Returns the registered functions that one function names, including those it calls."""
    body = COMPILED_BODIES.get(function, function)
    named = {body.__globals__.get(name) for name in _names(body.__code__)}
    return {function for function in FUNCTIONS if function in named}


def _names(code: types.CodeType) -> set[str]:
    inner = (const for const in code.co_consts if isinstance(const, types.CodeType))
    return set(code.co_names).union(*map(_names, inner))


def sources(loop: Callable[..., object]) -> list[Path]:
    """Returns the files that a loop's machine code depends on: the rules, and the folders of all
    functions it reaches, because their constants are defined there.
    """
    reached, open_ends = {loop}, [loop]
    while open_ends:
        new = callees(open_ends.pop()) - reached
        reached |= new
        open_ends += new
    bodies = {COMPILED_BODIES.get(function, function) for function in reached}
    modules = {function.__module__ for function in reached | bodies}
    folders = {Path(sys.modules[module].__file__ or "").parent for module in modules}
    engine = Path(__file__).parent
    return sorted({*engine.rglob("*.py"), *(path for f in folders for path in f.glob("*.py"))})


@cache
def sources_digest(loop: Callable[..., object]) -> str:
    """Returns a hash of all that a loop's machine code depends on, including the sources' path."""
    digest = hashlib.sha256(f"{sys.version} numba {numba.__version__}".encode())
    for path in sources(loop):
        digest.update(str(path).encode() + path.read_bytes())
    return digest.hexdigest()[:20]


def cache_folder(loop: Callable[..., object]) -> Path | None:
    """Returns the cache folder of a loop's machine code; None if nothing can be written."""
    root = os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("industry")
    folder = Path(root) / "compiled" / sources_digest(loop)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def can_cache() -> bool:
    """Checks whether machine code can be kept between runs."""
    return all(cache_folder(loop) is not None for loop in ENTRY_POINTS)


def is_compiled(*names: str) -> bool:
    """Checks whether the machine code of these loops is cached, so that calls do not wait."""
    return not _missing(names)


def expect_compiling(*names: str) -> None:
    """Announces the loops that will be called next, so that listeners know the total."""
    if is_watched():
        note_expected(_missing(names))


def _missing(names: Iterable[str]) -> list[str]:
    loops = {loop.__name__: loop for loop in ENTRY_POINTS}
    return [name for name in names if not _is_kept(loops[name])]


def _is_kept(loop: Callable[..., object]) -> bool:
    folder = cache_folder(loop)
    return folder is not None and any(folder.rglob(f"*.{loop.__name__}-*.nbi"))


class _Reporter(event.Listener):
    """Listens to Numba's compiler events and reports those that concern loops.

    Numba compiles the functions that a loop reaches while it compiles the loop.
    """

    def on_start(self, compilation: event.Event) -> None:
        if (name := self._loop(compilation)) is not None:
            note_begun(name)

    def on_end(self, compilation: event.Event) -> None:
        if (name := self._loop(compilation)) is not None:
            note_done(name)

    def _loop(self, compilation: event.Event) -> str | None:
        """Returns the name of the loop being compiled; None for other functions."""
        function = compilation.data["dispatcher"].py_func
        entry_points = {(loop.__module__, loop.__name__) for loop in ENTRY_POINTS}
        is_loop = (function.__module__, function.__name__) in entry_points
        return function.__name__ if is_loop and is_watched() else None


event.register("numba:compile", _Reporter())  # type: ignore[no-untyped-call]


class Compiled:
    """The compiled loops by name. They change the arrays they are given."""

    def __init__(self, *, boundscheck: bool = False) -> None:
        self._boundscheck = boundscheck
        compiled = self._compile()
        self._loops = {loop.__name__: compiled[loop] for loop in ENTRY_POINTS}

    def __getattr__(self, name: str) -> Any:
        try:
            return self._loops[name]
        except KeyError:
            raise AttributeError(f"there is no compiled loop {name}") from None

    def _compile(self) -> dict[Callable[..., object], Any]:
        """Clones every registered function into a copy of its module that sees only clones.

        Numba compiles on the first call. Only the loops are cached; they contain everything they
        call.
        """
        spaces: dict[str, dict[str, Any]] = {}
        clones: dict[Callable[..., object], Any] = {}
        for function in FUNCTIONS:
            name = function.__module__
            space = spaces.setdefault(name, dict(vars(sys.modules[name])))
            body = COMPILED_BODIES.get(function, function)
            is_loop = function in ENTRY_POINTS
            folder = cache_folder(function) if is_loop and not self._boundscheck else None
            clones[function] = self._clone(body, space, is_loop, folder)
        for space in spaces.values():
            for name, value in space.items():
                if isinstance(value, types.FunctionType) and value in clones:
                    space[name] = clones[value]
        return clones

    def _clone(
        self, function: Any, space: dict[str, Any], is_loop: bool, folder: Path | None
    ) -> Any:
        """Returns a copy for Numba, cached in the given folder, if any.

        Only loops are called from Python, and nothing is called from C. Leaving out the wrappers
        for that saves a quarter to a third of the compilation time.
        """
        clone = types.FunctionType(
            function.__code__, space, function.__name__, function.__defaults__
        )
        clone.__module__ = function.__module__
        clone.__qualname__ = function.__qualname__
        wrappers: dict[str, Any] = {"no_cpython_wrapper": not is_loop, "no_cfunc_wrapper": True}
        compiler = numba.njit(boundscheck=self._boundscheck, nogil=True, **wrappers)(clone)
        if folder is not None:
            config: Any = numba.config
            previous, config.CACHE_DIR = config.CACHE_DIR, str(folder)
            try:
                compiler.enable_caching()
            finally:
                config.CACHE_DIR = previous
        return compiler


def compiled_rules() -> Compiled:
    """Returns the compiled rules of this process, with every loop registered so far."""
    return _compiled(len(ENTRY_POINTS))


@cache
def _compiled(loops: int) -> Compiled:
    return Compiled()
