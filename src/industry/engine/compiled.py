"""The same rules, compiled by Numba over flat numpy records.

Nothing is written twice: every function that `rule` and `part` have registered is cloned with the
other clones as its globals and handed to Numba. The entries are the functions of `loops`; they
take arrays of records whose dtype comes from `Flat.layout`. Only this module imports Numba and
numpy: a person who plays never waits for them. Machine code is kept in the user's cache folder
under a digest of the sources that each loop reaches, so that an edited rule can never meet old
machine code, and processes that import different rooms share what they have in common.
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


def callees(function: Callable[..., object]) -> set[Callable[..., object]]:
    """The registered functions that one names, those that it calls among them."""
    body = COMPILED_BODIES.get(function, function)
    named = {body.__globals__.get(name) for name in _names(body.__code__)}
    return {function for function in PARTS if function in named}


def _names(code: types.CodeType) -> set[str]:
    inner = (const for const in code.co_consts if isinstance(const, types.CodeType))
    return set(code.co_names).union(*map(_names, inner))


def sources(loop: Callable[..., object]) -> list[Path]:
    """The files that the machine code of a loop depends on: the rules, and the folders of all
    functions that it reaches, since their constants come from there."""
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
    """A hash of all that a loop's machine code depends on, the place of the sources included."""
    digest = hashlib.sha256(f"{sys.version} numba {numba.__version__}".encode())
    for path in sources(loop):
        digest.update(str(path).encode() + path.read_bytes())
    return digest.hexdigest()[:20]


def cache_folder(loop: Callable[..., object]) -> Path | None:
    """Where the machine code of a loop is kept; None where nothing can be written."""
    root = os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("industry")
    folder = Path(root) / "compiled" / sources_digest(loop)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def can_keep() -> bool:
    """Machine code outlives the process."""
    return all(cache_folder(loop) is not None for loop in LOOPS)


def is_warm(*names: str) -> bool:
    """Machine code of these loops is there already: nobody would wait for the compiler."""
    loops = {loop.__name__: loop for loop in LOOPS}
    return all(_is_kept(loops[name]) for name in names)


def _is_kept(loop: Callable[..., object]) -> bool:
    folder = cache_folder(loop)
    return folder is not None and any(folder.rglob(f"*.{loop.__name__}-*.nbi"))


class Compiled:
    """The compiled loops of `loops` by name. They change the arrays that they are given."""

    def __init__(self, *, boundscheck: bool = False) -> None:
        self._boundscheck = boundscheck
        compiled = self._compile()
        self._loops = {loop.__name__: compiled[loop] for loop in LOOPS}

    def __getattr__(self, name: str) -> Any:
        try:
            return self._loops[name]
        except KeyError:
            raise AttributeError(f"there is no compiled loop {name}") from None

    def _compile(self) -> dict[Callable[..., object], Any]:
        """Clone every registered function into a copy of its module that sees only clones.

        Numba compiles on the first call. Only the loops are cached: they contain all they call.
        """
        spaces: dict[str, dict[str, Any]] = {}
        clones: dict[Callable[..., object], Any] = {}
        for function in PARTS:
            name = function.__module__
            space = spaces.setdefault(name, dict(vars(sys.modules[name])))
            body = COMPILED_BODIES.get(function, function)
            is_loop = function in LOOPS
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
        """A copy for Numba, its machine code kept in the folder where one is named.

        Only loops are called from Python, and nothing from C: without the wrappers for that,
        compiling takes a quarter to a third less time.
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


def compiled() -> Compiled:
    """The compiled rules of this process, with every loop that is registered by now."""
    return _compiled(len(LOOPS))


@cache
def _compiled(loops: int) -> Compiled:
    return Compiled()
