"""The same rules, compiled by Numba over flat numpy records.

Nothing is written twice: every function that `rule` and `part` have registered is cloned with the
other clones as its globals and handed to Numba. The entries are the functions of `loops`; they
take arrays of records whose dtype comes from `Flat.layout`. Only this module imports Numba and
numpy: a person who plays never waits for them. Machine code is kept in the user's cache folder
under a digest of the rules' sources, so that an edited rule can never meet old machine code.
"""

import hashlib
import os
import sys
import types
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt
import platformdirs

from . import loops as loops
from .codes import ACTIONS
from .layout import Flat
from .playout import GENERATOR_WORDS
from .rule import COMPILED_BODIES, LOOPS, PARTS

Records = npt.NDArray[np.void]
FlatType = TypeVar("FlatType", bound=Flat)

CACHE_VARIABLE = "INDUSTRY_CACHE_DIR"


def dtype_of(cls: type[Flat]) -> np.dtype[np.void]:
    """The record type with the attributes of a flat class."""
    return np.dtype([(name, code, shape) for name, code, shape in cls.layout], align=True)


def record_of(flat: Flat, count: int = 1) -> Records:
    """`count` records with the values of a plain object."""
    records = np.zeros(count, dtype=dtype_of(type(flat)))
    for name, value in flat.values().items():
        records[name] = value
    return records


def flat_of(cls: type[FlatType], records: Records, index: int = 0) -> FlatType:
    """The plain object with the values of a record."""
    flat = cls()
    for name, _, _ in cls.layout:
        setattr(flat, name, records[name][index].tolist())
    return flat


def generators(seed: int | str, count: int, first: int = 0) -> npt.NDArray[np.int64]:
    """Generators for games number `first` and following: game k depends on seed and k alone."""
    words = np.empty((count, GENERATOR_WORDS), dtype=np.int64)
    for row in range(count):
        digest = hashlib.blake2b(f"{seed}/{first + row}".encode(), digest_size=16).digest()
        words[row] = np.frombuffer(digest, dtype="<u4")
    return words


def new_moves(games: int = 1) -> npt.NDArray[np.int16]:
    """Room for the lists of legal moves of some games."""
    return np.zeros((games, ACTIONS), dtype=np.int16)


def sources_digest() -> str:
    """A hash of everything that machine code depends on, the place of the sources included."""
    digest = hashlib.sha256(f"{sys.version} numba {numba.__version__}".encode())
    engine = Path(__file__).parent
    files = {Path(sys.modules[part.__module__].__file__ or "") for part in PARTS}
    for path in sorted(files.union(engine.rglob("*.py"))):
        digest.update(str(path).encode() + path.read_bytes())
    return digest.hexdigest()[:20]


def cache_folder() -> Path | None:
    """Where machine code is kept; None where nothing can be written."""
    root = os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("industry")
    folder = Path(root) / "compiled" / sources_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def is_warm(*names: str) -> bool:
    """Machine code of these loops is there already: nobody would wait for the compiler."""
    folder = cache_folder()
    return folder is not None and all(any(folder.rglob(f"*.{name}-*.nbi")) for name in names)


class Compiled:
    """The compiled loops of `loops` by name. They change the arrays that they are given."""

    def __init__(self, *, boundscheck: bool = False) -> None:
        self._boundscheck = boundscheck
        folder = None if boundscheck else cache_folder()
        config: Any = numba.config
        previous = config.CACHE_DIR
        try:
            if folder is not None:
                config.CACHE_DIR = str(folder)
            compiled = self._compile(cache=folder is not None)
        finally:
            config.CACHE_DIR = previous
        self._loops = {loop.__name__: compiled[loop] for loop in LOOPS}

    def __getattr__(self, name: str) -> Any:
        try:
            return self._loops[name]
        except KeyError:
            raise AttributeError(f"there is no compiled loop {name}") from None

    def _compile(self, cache: bool) -> dict[Callable[..., object], Any]:
        """Clone every registered function into a copy of its module that sees only clones.

        Numba compiles on the first call. Only the loops are cached: they contain all they call.
        """
        spaces: dict[str, dict[str, Any]] = {}
        clones: dict[Callable[..., object], Any] = {}
        for function in PARTS:
            name = function.__module__
            space = spaces.setdefault(name, dict(vars(sys.modules[name])))
            body = COMPILED_BODIES.get(function, function)
            clones[function] = self._clone(body, space, cache and function in LOOPS)
        for space in spaces.values():
            for name, value in space.items():
                if isinstance(value, types.FunctionType) and value in clones:
                    space[name] = clones[value]
        return clones

    def _clone(self, function: Any, space: dict[str, Any], cache: bool) -> Any:
        clone = types.FunctionType(
            function.__code__, space, function.__name__, function.__defaults__
        )
        clone.__module__ = function.__module__
        clone.__qualname__ = function.__qualname__
        return numba.njit(cache=cache, boundscheck=self._boundscheck, nogil=True)(clone)


def compiled() -> Compiled:
    """The compiled rules of this process, with every loop that is registered by now."""
    return _compiled(len(LOOPS))


@cache
def _compiled(loops: int) -> Compiled:
    return Compiled()
