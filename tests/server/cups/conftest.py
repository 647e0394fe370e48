"""Servers on which people can hold cups."""

from collections.abc import Iterator

import pytest

from ..conftest import STORES, new_postgres
from ..playing import RandomPool, Server, served


@pytest.fixture(scope="module", params=STORES)
def clubs(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """One running club on each kind of store for all tests of a module."""
    if request.param == "sqlite":
        database = f"sqlite:///{tmp_path_factory.mktemp('cups') / 'tables.db'}"
    else:
        database = new_postgres(request.getfixturevalue("postgres"))
    with served(database, RandomPool(), persons="open") as running:
        yield running


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One running club for all tests of a module."""
    database = f"sqlite:///{tmp_path_factory.mktemp('cups') / 'tables.db'}"
    with served(database, RandomPool(), persons="open") as running:
        yield running
