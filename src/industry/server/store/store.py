"""The store: append to logs, read them back, keep secrets apart from what may be seen."""

import secrets as chance
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from ..metrics import Metrics
from . import schema
from .access import Result, Work, is_sqlite, migrate, open_access, store_url
from .listen import Listener, OnGap, OnNews
from .rows import Commit, Hook, Kept, LogRow, StoreUnavailable, TokenRow
from .writer import Writer

LOBBY = 200
"""Tables that the lobby shows at most, the newest first."""


class Store:
    """One database. Everything raises `StoreUnavailable` while it cannot be reached."""

    def __init__(self, database: str, metrics: Metrics | None = None) -> None:
        self.url = store_url(database)
        self.origin = chance.token_hex(8)
        """Tells this process from others that share the database."""
        self._access = open_access(self.url)
        self._writer = Writer(self._access, metrics or Metrics(), self.origin)
        self._listener: Listener | None = None

    async def start(self) -> None:
        """Migrate and be ready."""
        await self.write(migrate)
        self._writer.start()

    async def listen(self, on_news: OnNews, on_gap: OnGap) -> None:
        """Have changes by other processes told; SQLite has none."""
        if not is_sqlite(self.url):
            self._listener = Listener(self.url, self.origin, on_news, on_gap)
            await self._listener.start()

    async def stop(self) -> None:
        if self._listener is not None:
            await self._listener.stop()
        await self._writer.stop()
        await self._access.close()

    async def append(self, commit: Commit) -> None:
        """Returns when the commit is durable; raises `Conflict` or `StoreUnavailable`."""
        await self._writer.append(commit)

    async def read(self, work: Work[Result]) -> Result:
        """The result of some work on a connection that changes nothing."""
        try:
            return await self._access.read(work)
        except (SQLAlchemyError, OSError) as error:
            raise StoreUnavailable from error

    async def write(self, work: Work[Result]) -> Result:
        """Do some work in a transaction of its own, beside those of logs."""
        try:
            return await self._access.write(work)
        except IntegrityError:
            raise
        except (SQLAlchemyError, OSError) as error:
            raise StoreUnavailable from error

    # Logs

    async def load(self, table: str) -> Kept | None:
        """All that is kept of a table; None where there is none of this name."""
        secret = select(schema.secrets.c.bag).where(schema.secrets.c.table_id == table)

        def work(connection: Connection) -> Kept | None:
            rows = _rows_after(connection, table, 0)
            if not rows:
                return None
            return Kept(rows, str(connection.scalar(secret)), _tokens(connection, table))

        return await self.read(work)

    async def rows_after(self, table: str, version: int) -> list[LogRow]:
        return await self.read(lambda connection: _rows_after(connection, table, version))

    async def tokens_of(self, table: str) -> list[TokenRow]:
        return await self.read(lambda connection: _tokens(connection, table))

    async def command_version(self, table: str, command: str) -> int | None:
        """The entry that a command has become, if it was ever carried out."""
        logs = schema.logs.c
        query = select(logs.version).where(logs.table_id == table, logs.command == command)
        return await self.read(lambda connection: connection.scalar(query))

    async def board_text(self, board: str) -> str | None:
        """The text of a board file that some table was made with, by its hash."""
        query = select(schema.boards.c.text).where(schema.boards.c.hash == board)
        return await self.read(lambda connection: connection.scalar(query))

    # Lists

    async def lobby(self) -> list[str]:
        """Summaries of the tables that everybody may see: open and running ones."""
        tables = schema.tables.c
        query = (
            select(tables.summary)
            .where(tables.listed, tables.status.in_(("open", "running")))
            .order_by(tables.changed.desc())
            .limit(LOBBY)
        )
        return await self.read(lambda connection: list(connection.scalars(query)))

    async def held_with(self, hashes: Sequence[str]) -> list[tuple[TokenRow, str]]:
        """Where these tokens belong, with the summary of each table, the latest change first."""
        tables, tokens = schema.tables.c, schema.tokens.c
        query = (
            select(tokens.hash, tokens.table_id, tokens.place, tables.summary)
            .join_from(schema.tokens, schema.tables, tokens.table_id == tables.id)
            .where(tokens.hash.in_(hashes))
            .order_by(tables.changed.desc())
        )
        rows = await self.read(lambda connection: connection.execute(query).all())
        return [(TokenRow(row.hash, row.table_id, row.place), row.summary) for row in rows]

    async def due_before(self, time: int) -> list[str]:
        """Tables at which the server must do something before this time."""
        tables = schema.tables.c
        query = select(tables.id).where(tables.due <= time).order_by(tables.due).limit(1000)
        return await self.read(lambda connection: list(connection.scalars(query)))

    async def count_unfinished(self) -> int:
        """How many tables are open or running."""
        tables = schema.tables.c
        query = select(func.count()).where(tables.status.in_(("open", "running")))
        return await self.read(lambda connection: connection.scalar(query) or 0)

    # What is shared or secret

    async def shared_key(self) -> bytes:
        """256 random bits, chosen by whoever came first and the same for every process."""
        server = schema.server.c
        query = select(server.value).where(server.name == "key")

        def work(connection: Connection) -> str:
            found = connection.scalar(query)
            if found is None:
                found = chance.token_hex(32)
                connection.execute(insert(schema.server).values(name="key", value=found))
            return str(found)

        try:
            key = await self.write(work)
        except IntegrityError:  # another process was faster
            key = await self.write(work)
        return bytes.fromhex(key)

    async def set_hook(self, hook: Hook) -> None:
        """Replace the webhook of a place; one without an address is none."""
        hooks = schema.hooks.c

        def work(connection: Connection) -> None:
            old = delete(schema.hooks)
            connection.execute(old.where(hooks.table_id == hook.table, hooks.place == hook.place))
            if hook.url:
                connection.execute(
                    insert(schema.hooks).values(
                        table_id=hook.table, place=hook.place, url=hook.url, secret=hook.secret
                    )
                )

        await self.write(work)

    async def hooks_of(self, table: str, places: Iterable[int]) -> list[Hook]:
        hooks = schema.hooks.c
        query = select(schema.hooks).where(hooks.table_id == table, hooks.place.in_(list(places)))
        rows = await self.read(lambda connection: connection.execute(query).all())
        return [Hook(row.table_id, row.place, row.url, row.secret) for row in rows]


def _rows_after(connection: Connection, table: str, version: int) -> list[LogRow]:
    logs = schema.logs.c
    query = (
        select(logs.version, logs.entry, logs.hash)
        .where(logs.table_id == table, logs.version > version)
        .order_by(logs.version)
    )
    rows = connection.execute(query)
    return [LogRow(table, row.version, row.entry, row.hash) for row in rows]


def _tokens(connection: Connection, table: str) -> list[TokenRow]:
    tokens = schema.tokens.c
    rows = connection.execute(select(tokens.hash, tokens.place).where(tokens.table_id == table))
    return [TokenRow(row.hash, table, row.place) for row in rows]
