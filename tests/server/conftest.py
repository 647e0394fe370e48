"""Databases and servers for the tests: SQLite in a file, and a real PostgreSQL.

Where a test only talks to its own tables, one server per module is enough: `shared_server` and
`shared_servers`. Tests that look at the lobby, at numbers or at the server itself get one of their
own: `server` and `sqlite_server`.
"""

import io
import re
import shutil
import subprocess
import tarfile
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from industry.server.store import access
from tests.support.postgres import start_postgres
from tools.compare_versions import describe_package

from .playing import RandomPool, Server, served

STORES = ("sqlite", "postgresql")
"""Tests over both run on PostgreSQL in `make proof`; those marked `both_stores`, one for every kind
of data, in `make test` too.
"""
WAITING = access.PRAGMAS
WITHOUT_WAITING = ("journal_mode=WAL", "synchronous=OFF")


def pytest_itemcollected(item: pytest.Item) -> None:
    case = getattr(item, "callspec", None)
    values = [value for value in case.params.values() if isinstance(value, str)] if case else []
    if "postgresql" in values and not item.get_closest_marker("both_stores"):
        item.add_marker(pytest.mark.proof)


@pytest.fixture(scope="session", autouse=True)
def quick_disk() -> Iterator[None]:
    """Servers inside of this process do not wait for the disk; a power cut is not among the tests.

    Servers in processes of their own, those that are killed among them, do wait.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(access, "PRAGMAS", WITHOUT_WAITING)
        yield


@pytest.fixture
def durable(monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite as the program uses it, for tests of that."""
    monkeypatch.setattr(access, "PRAGMAS", WAITING)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server that lives as long as the tests."""
    with tempfile.TemporaryDirectory() as folder:
        server = start_postgres(folder)
        try:
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                # a power cut is not among the tests, and waiting for disks is most of their time
                connection.execute("ALTER SYSTEM SET fsync = off")
                connection.execute("SELECT pg_reload_conf()")
            yield str(server.get_uri())
        finally:
            server.cleanup()


class Lent:
    """Empty PostgreSQL databases, each used by one test after the other.

    A database is 300 files: to delete those of all tests took a minute at the end.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._free: list[str] = []

    @contextmanager
    def one(self) -> Iterator[str]:
        database = self._free.pop() if self._free else new_postgres(self._address)
        yield database
        if _emptied(database):
            self._free.append(database)


def _emptied(database: str) -> bool:
    """Whether nobody uses this database any more; then nothing is left in it."""
    with psycopg.connect(database, autocommit=True) as connection:
        others = connection.execute(
            "SELECT 1 FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchall()
        if not others:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
        return not others


@pytest.fixture(scope="session")
def lent(postgres: str) -> Lent:
    return Lent(postgres)


@pytest.fixture(params=STORES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'tables.db'}"
    else:
        with request.getfixturevalue("lent").one() as found:
            yield found


@pytest.fixture
def postgres_database(lent: Lent) -> Iterator[str]:
    """An empty database of the kind that several processes can share."""
    with lent.one() as found:
        yield found


def new_postgres(address: str, template: str = "template1") -> str:
    name = f"t{uuid.uuid4().hex}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    return address.replace("/postgres?", f"/{name}?")


def copy_of(database: str, folder: Path) -> str:
    """A database with the same content, to be changed by one test; nobody uses the first one."""
    if database.startswith("sqlite"):
        file = Path(shutil.copy(database.removeprefix("sqlite:///"), folder))
        return f"sqlite:///{file}"
    start, name, end = re.split(r"/(t[0-9a-f]{32})\?", database)
    return new_postgres(f"{start}/postgres?{end}", name)


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


@pytest.fixture(scope="module", params=STORES)
def module_database(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> str:
    """A database of each kind for all tests of a module."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path_factory.mktemp('module') / 'tables.db'}"
    return new_postgres(request.getfixturevalue("postgres"))


@pytest.fixture(scope="module")
def module_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database in a file for all tests of a module."""
    return f"sqlite:///{tmp_path_factory.mktemp('module') / 'tables.db'}"


@pytest.fixture(scope="module")
def shared_servers(module_database: str) -> Iterator[Server]:
    """One running server on each kind of store for all tests of a module."""
    with served(module_database, RandomPool()) as running:
        yield running


@pytest.fixture(scope="module")
def shared_server(module_file: str) -> Iterator[Server]:
    """One running server for all tests of a module, for promises of the protocol."""
    with served(module_file, RandomPool()) as running:
        yield running


@pytest.fixture(scope="module")
def clubs(module_database: str) -> Iterator[Server]:
    """The same as `shared_servers`, where people can have names."""
    with served(module_database, RandomPool(), persons="open") as running:
        yield running


@pytest.fixture(scope="module")
def club(module_file: str) -> Iterator[Server]:
    """The same as `shared_server`, where people can have names."""
    with served(module_file, RandomPool(), persons="open") as running:
        yield running


ROOT = Path(__file__).parents[2]
RELEASED = "37d3e3aadc842eeac16516bcca5161149acda756"
"""The commit of version 0.1.0."""


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of version 0.1.0, from the history of this repository."""
    if shutil.which("git") is None:
        pytest.skip("there is no git to ask for the history of version 0.1.0")
    command = ["git", "-C", str(ROOT), "archive", RELEASED, "src", "pyproject.toml"]
    packed = subprocess.run(command, capture_output=True, timeout=120)
    if packed.returncode:
        pytest.skip("the history of version 0.1.0 is not here")
    folder = tmp_path_factory.mktemp("released")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    describe_package(folder)
    return folder / "src"
