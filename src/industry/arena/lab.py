"""Packages that only research needs: the extra `lab`."""

from collections.abc import Iterator
from contextlib import contextmanager

from .schedule import ArenaError

PACKAGES = ("polars", "matplotlib", "dask", "distributed")


@contextmanager
def lab_packages(what: str) -> Iterator[None]:
    """Imports in here may need the extra; where it is missing, a sentence says what asks for it."""
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in PACKAGES:
            raise
        raise ArenaError(
            f"{what} needs the package {name}: install it with pip install 'industry[lab]'."
        ) from None
