"""Packages of the optional extra `lab`."""

from collections.abc import Iterator
from contextlib import contextmanager

from .schedule import ArenaError

PACKAGES = ("polars", "matplotlib", "dask", "distributed")


@contextmanager
def optional_packages(what: str) -> Iterator[None]:
    """Turns a missing package of the extra into an error that says what needs it."""
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in PACKAGES:
            raise
        raise ArenaError(
            f"{what} needs the package {name}: install it with pip install 'industry[lab]'."
        ) from None
