"""One interface to both databases: runs work in a transaction, off the event loop.

SQLite runs in its own threads, one hop per transaction; PostgreSQL through its async driver.
"""

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol, TypeVar

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import (
    URL,
    Column,
    Connection,
    Engine,
    create_engine,
    event,
    inspect,
    make_url,
    text,
)
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from .club_schema import CLUB
from .cup_schema import CUPS
from .schema import ADDED, metadata

MIGRATIONS = "industry.server.store:migrations"
LOCK = 0x1D057
"""Number of the PostgreSQL lock that lets one process at a time migrate."""
BUSY_SECONDS = 2
"""How long SQLite waits for another program that locks the file."""
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL")
"""An acknowledged commit survives a power cut."""
READERS = 2
SOUND_SQLITE = (3, 51, 3)
"""In older versions, two connections that write and checkpoint at once may corrupt the file."""

Result = TypeVar("Result")
Work = Callable[[Connection], Result]
Statements = Sequence[tuple[str, Sequence[Sequence[object]]]]
"""SQL in the dialect of the database's driver, and its parameters for each row."""


class Access(Protocol):
    """Runs work in a transaction; database errors are raised as SQLAlchemy's."""

    is_shared: bool
    """Whether other processes may write to the database too."""
    placeholder: str
    """How the database's driver writes a parameter."""

    async def read(self, work: Work[Result]) -> Result: ...

    async def write(self, work: Work[Result]) -> Result: ...

    async def run(self, statements: Statements) -> None:
        """Runs statements for many rows each, in one transaction."""
        ...

    async def close(self) -> None: ...


def store_url(database: str) -> URL:
    """Returns the URL with the drivers used here."""
    url = make_url(database)
    return url.set(drivername="sqlite" if is_sqlite(url) else "postgresql+psycopg")


def is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def is_unsound(database: str) -> bool:
    """Checks for a SQLite file with a library older than `SOUND_SQLITE`."""
    return is_sqlite(make_url(database)) and sqlite3.sqlite_version_info < SOUND_SQLITE


def open_access(url: URL) -> Access:
    return SqliteAccess(url) if is_sqlite(url) else PostgresAccess(url)


class SqliteAccess:
    """One connection writes and checkpoints: SQLite has a single writer anyway, so nobody waits for
    a lock, and files are safe even with a library before `SOUND_SQLITE`.
    """

    is_shared = False
    placeholder = "?"

    def __init__(self, url: URL) -> None:
        if url.database:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        self._writing = _sqlite_engine(url, "BEGIN IMMEDIATE", 1)
        self._kept: Connection | None = None
        self._reading = _sqlite_engine(url, "BEGIN", READERS)
        self._writer = ThreadPoolExecutor(1, "store-writer")
        self._readers = ThreadPoolExecutor(READERS, "store-reader")

    async def read(self, work: Work[Result]) -> Result:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self._read, work)

    def _read(self, work: Work[Result]) -> Result:
        with self._reading.begin() as connection:
            return work(connection)

    async def write(self, work: Work[Result]) -> Result:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, self._write, work)

    def _write(self, work: Work[Result]) -> Result:
        """Writes on a kept connection: getting a new one costs as much as writing a move."""
        if self._kept is None:
            self._kept = self._writing.connect()
        try:
            with self._kept.begin():
                return work(self._kept)
        except BaseException:
            self._let_go()
            raise

    async def run(self, statements: Statements) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._writer, self._run, statements)

    def _run(self, statements: Statements) -> None:
        """Runs statements on the driver's own connection: SQLAlchemy costs more than they do."""
        if self._kept is None:
            self._kept = self._writing.connect()
        raw: Any = self._kept.connection.driver_connection
        try:
            with _as_sqlalchemy(sqlite3):
                raw.execute("BEGIN IMMEDIATE")
                for sql, rows in statements:
                    raw.executemany(sql, rows)
                raw.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                raw.rollback()
            self._let_go()
            raise

    def _let_go(self) -> None:
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._writer, self._let_go)
        for threads, engine in (self._readers, self._reading), (self._writer, self._writing):
            await asyncio.to_thread(threads.shutdown)
            engine.dispose()


def _sqlite_engine(url: URL, begin: str, connections: int) -> Engine:
    engine = create_engine(
        url,
        pool_size=connections,
        max_overflow=0,
        connect_args={
            "timeout": BUSY_SECONDS,
            "isolation_level": None,
            "check_same_thread": False,
        },
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


class PostgresAccess:
    """Access for several processes that share one database."""

    is_shared = True
    placeholder = "%s"

    def __init__(self, url: URL) -> None:
        self._engine: AsyncEngine = create_async_engine(
            url,
            pool_size=5,
            max_overflow=5,
            pool_timeout=5,
            connect_args={
                "connect_timeout": 5,
                "tcp_user_timeout": 10_000,
                "options": "-c statement_timeout=10000 -c synchronous_commit=on",
            },
        )

    async def read(self, work: Work[Result]) -> Result:
        return await self.write(work)

    async def write(self, work: Work[Result]) -> Result:
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    async def run(self, statements: Statements) -> None:
        import psycopg  # installed with the extra `postgres`

        async with self._engine.connect() as connection:
            raw: Any = (await connection.get_raw_connection()).driver_connection
            try:
                with _as_sqlalchemy(psycopg):
                    async with raw.pipeline(), raw.transaction(), raw.cursor() as cursor:
                        for sql, rows in statements:
                            await cursor.executemany(sql, rows)
            except BaseException:
                if raw.closed:  # then the others of the pool are lost too: SQLAlchemy has to see it
                    with suppress(DBAPIError):
                        await connection.execute(text("SELECT 1"))
                else:
                    await connection.invalidate()
                raise

    async def close(self) -> None:
        await self._engine.dispose()


@contextmanager
def _as_sqlalchemy(driver: Any) -> Iterator[None]:
    """Raises the errors of a driver as those of SQLAlchemy."""
    try:
        yield
    except driver.IntegrityError as error:
        raise IntegrityError(None, None, error) from error
    except driver.Error as error:
        raise DBAPIError(None, None, error) from error


def migrate(connection: Connection) -> None:
    """Migrates the database; if several processes start at once, one does it."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    metadata.create_all(connection, tables=(*ADDED, *CLUB, *CUPS))
    _add_optional_columns(connection)


def _add_optional_columns(connection: Connection) -> None:
    """Adds columns and indexes that the schema has and the database lacks.

    The version before does not know such a column and leaves it empty, so the database keeps its
    revision: during a rolling upgrade a process of that version can still start.
    """
    inspector, operations = inspect(connection), Operations(MigrationContext.configure(connection))
    for table in metadata.sorted_tables:
        present = {column["name"] for column in inspector.get_columns(table.name)}
        for column in table.columns:
            if column.name not in present:
                operations.add_column(table.name, Column(column.name, column.type))
        for index in table.indexes:
            index.create(connection, checkfirst=True)
