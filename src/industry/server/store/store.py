"""The store: appends to logs, reads them, and keeps secrets apart from public data."""

import secrets as chance
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from ..metrics import Metrics
from ..wire_events import Wire
from . import club_schema, schema
from .access import Result, Work, is_sqlite, migrate, open_access, store_url
from .notices import drop_unconfirmed, forget_tables
from .notifications import (
    CHANNEL,
    GONE,
    LEVEL,
    NotificationListener,
    OnChat,
    OnGap,
    OnNews,
    OnOrders,
    common_level,
    send_chat,
)
from .orders import ordered_tables, orders_of, put_orders, tell_orders
from .rows import (
    Commit,
    Conflict,
    Hook,
    LogRow,
    OrdersRow,
    SeatPerson,
    StoredTable,
    StoreUnavailable,
    TokenRow,
)
from .writer import Done, Writer

LOBBY = 200
"""The most tables that the lobby shows, newest first."""


class Store:
    """One database. All methods raise `StoreUnavailable` while it cannot be reached."""

    def __init__(self, database: str, metrics: Metrics | None = None) -> None:
        self.url = store_url(database)
        self.origin = chance.token_hex(8)
        """Distinguishes this process from others that share the database."""
        self._access = open_access(self.url)
        self._metrics = metrics or Metrics()
        self._writer = Writer(self._access, self._metrics, self.origin)
        self._listener: NotificationListener | None = None

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write to it too."""
        return not is_sqlite(self.url)

    async def start(self) -> None:
        """Migrates the database and starts the writer."""
        await self.write(migrate)
        self._writer.start()

    async def listen(
        self, on_news: OnNews, on_gap: OnGap, on_chat: OnChat, on_orders: OnOrders
    ) -> None:
        """Starts reporting changes by other processes; with SQLite there are none."""
        if self.is_shared:
            self._listener = NotificationListener(
                self.url, self.origin, on_news, on_gap, on_chat, on_orders, self._metrics
            )
            await self._listener.start()

    async def send_chat(self, table: str, line: Wire) -> None:
        """Sends a chat line to the other processes, if there may be any."""
        if self.is_shared:
            await self.write(lambda connection: send_chat(connection, table, line, self.origin))

    @property
    def is_out_of_touch(self) -> bool:
        """Whether this process has been without notifications for too long."""
        return self._listener is not None and self._listener.is_out_of_touch

    async def level(self) -> int:
        """Returns the level of log entries that every running process can read."""
        return LEVEL if is_sqlite(self.url) else await self.read(common_level)

    async def stop(self) -> None:
        if self._listener is not None:
            await self._listener.stop()
        await self._writer.stop()
        await self._access.close()

    async def append(self, commit: Commit) -> None:
        """Returns when the commit is durable; raises `Conflict` or `StoreUnavailable`."""
        await self._writer.append(commit)

    def put(self, commit: Commit, done: Done) -> None:
        """Makes a commit durable; `done` is called with None, `Conflict` or `StoreUnavailable`."""
        self._writer.put(commit, done)

    async def read(self, work: Work[Result]) -> Result:
        """Runs work that changes nothing, and returns its result."""
        try:
            return await self._access.read(work)
        except (SQLAlchemyError, OSError) as error:
            raise StoreUnavailable from error

    async def write(self, work: Work[Result]) -> Result:
        """Runs work in its own transaction, separate from those of logs."""
        try:
            return await self._access.write(work)
        except IntegrityError:
            raise
        except (SQLAlchemyError, OSError) as error:
            raise StoreUnavailable from error

    # Logs

    async def load(self, table: str) -> StoredTable | None:
        """Returns everything that is stored about a table; None if it does not exist."""
        secret = select(schema.secrets.c.bag).where(schema.secrets.c.table_id == table)

        def work(connection: Connection) -> StoredTable | None:
            rows = _rows_after(connection, table, 0)
            if not rows:
                return None
            people = people_at(connection, table)
            orders = orders_of(connection, table)
            tokens = _tokens(connection, table)
            return StoredTable(rows, str(connection.scalar(secret)), tokens, people, orders)

        return await self.read(work)

    async def rows_after(self, table: str, version: int) -> list[LogRow]:
        return await self.read(lambda connection: _rows_after(connection, table, version))

    async def tokens_of(self, table: str) -> list[TokenRow]:
        return await self.read(lambda connection: _tokens(connection, table))

    async def people_of(self, table: str) -> dict[str, SeatPerson]:
        """Returns the persons at a table, by the aliases in its log."""
        return await self.read(lambda connection: people_at(connection, table))

    async def orders_of(self, table: str) -> list[OrdersRow]:
        return await self.read(lambda connection: orders_of(connection, table))

    async def set_orders(self, row: OrdersRow) -> None:
        """Replaces a place's orders; raises `Conflict` if they are not those of the revision
        before.
        """

        def work(connection: Connection) -> None:
            put_orders(connection, row)
            tell_orders(connection, row.table, self.origin)

        try:
            await self.write(work)
        except IntegrityError:
            raise Conflict from None

    async def ordered_tables(self) -> list[str]:
        """Returns running tables with standing orders."""
        return await self.read(ordered_tables)

    async def command_version(self, table: str, command: str) -> int | None:
        """Returns the version of a command's entry, if it was ever carried out."""
        logs = schema.logs.c
        query = select(logs.version).where(logs.table_id == table, logs.command == command)
        return await self.read(lambda connection: connection.scalar(query))

    async def board_text(self, board: str) -> str | None:
        """Returns the text of a stored board file by its hash."""
        query = select(schema.boards.c.text).where(schema.boards.c.hash == board)
        return await self.read(lambda connection: connection.scalar(query))

    # Lists

    async def lobby(self) -> list[str]:
        """Returns summaries of the public open and running tables."""
        tables = schema.tables.c
        query = (
            select(tables.summary)
            .where(tables.listed, tables.status.in_(("open", "running")))
            .order_by(tables.changed.desc())
            .limit(LOBBY)
        )
        return await self.read(lambda connection: list(connection.scalars(query)))

    async def tables_of_tokens(self, hashes: Sequence[str]) -> list[tuple[TokenRow, str]]:
        """Returns where these tokens belong, with each table's summary, most recently changed
        first.
        """
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
        """Returns tables at which the server must act before this time."""
        tables = schema.tables.c
        query = select(tables.id).where(tables.due <= time).order_by(tables.due).limit(1000)
        return await self.read(lambda connection: list(connection.scalars(query)))

    async def exists(self, table: str) -> bool:
        query = select(func.count()).where(schema.tables.c.id == table)
        return await self.read(lambda connection: bool(connection.scalar(query)))

    async def finished_before(self, time: int) -> list[str]:
        """Returns some tables that were finished and last changed before this time."""
        tables = schema.tables.c
        unfinished = tables.status.in_(("open", "running"))
        query = select(tables.id).where(~unfinished, tables.changed < time).limit(100)
        return await self.read(lambda connection: list(connection.scalars(query)))

    async def remove(self, table: str) -> None:
        """Deletes everything about a table and notifies other processes."""
        await self.write(lambda connection: remove_table(connection, table, self.origin))

    async def drop_hooks(self, time: int) -> None:
        """Deletes webhooks, notices and orders of tables that were finished before this time, and
        mail addresses that nobody has confirmed since.
        """
        tables = schema.tables.c
        unfinished = tables.status.in_(("open", "running"))
        old = select(tables.id).where(~unfinished, tables.changed < time)

        def work(connection: Connection) -> None:
            for part in (schema.hook_calls, schema.hooks, schema.orders):
                connection.execute(delete(part).where(part.c.table_id.in_(old)))
            forget_tables(connection, old)
            drop_unconfirmed(connection, time)

        await self.write(work)

    async def count_unfinished(self, maker: str | None = None) -> int:
        """Counts open and running tables, of everyone or of one address."""
        tables = schema.tables.c
        query = select(func.count()).where(tables.status.in_(("open", "running")))
        if maker is not None:
            query = query.where(tables.maker == maker)
        return await self.read(lambda connection: connection.scalar(query) or 0)

    async def note_seen(self, tables: Sequence[str], now: int) -> None:
        """Records that these tables have a socket."""
        seen = update(schema.tables).where(schema.tables.c.id.in_(tables)).values(seen=now)
        await self.write(lambda connection: connection.execute(seen))

    async def abandoned_tables(self, open_since: int, still_since: int, most: int) -> list[str]:
        """Returns open tables without a socket, and running untimed ones that wait for a person,
        since before these times.
        """
        tables = schema.tables.c
        seen = func.coalesce(tables.seen, 0)
        left = (tables.status == "open") & (tables.changed < open_since) & (seen < open_since)
        still = (tables.status == "running") & tables.due.is_(None)
        still &= tables.changed < still_since
        query = select(tables.id).where(left | still).limit(most)
        return await self.read(lambda connection: list(connection.scalars(query)))

    async def check(self) -> None:
        """Checks whether the store can work; raises `StoreUnavailable`.

        After a failed commit only a write can tell whether the next one will succeed.
        """
        if self._writer.has_failed:
            await self.write(_note_check)
            self._writer.has_failed = False
        else:
            await self.read(lambda connection: connection.execute(select(schema.server.c.name)))

    # Shared and secret values

    async def shared_key(self) -> bytes:
        """Returns 256 random bits, chosen by the first process and shared by all."""
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
        """Replaces the webhook of a place; an empty URL removes it."""
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


def remove_table(connection: Connection, table: str, origin: str) -> None:
    """Deletes everything that is stored about a table."""
    for part in schema.TABLE_DATA:
        connection.execute(delete(part).where(part.c.table_id == table))
    _remove_reviews(connection, table)
    seats = club_schema.person_seats
    connection.execute(delete(seats).where(seats.c.table_id == table))
    forget_tables(connection, [table])
    connection.execute(delete(schema.tables).where(schema.tables.c.id == table))
    if connection.dialect.name == "postgresql":
        # processes of any version then read the table and find nothing
        news = func.pg_notify(CHANNEL, f"{table} {GONE} {origin}")
        connection.execute(select(news))


def _remove_reviews(connection: Connection, table: str) -> None:
    reviews, pieces = schema.reviews, schema.review_pieces
    own = select(reviews.c.id).where(reviews.c.table_id == table)
    connection.execute(delete(pieces).where(pieces.c.review.in_(own)))
    connection.execute(delete(reviews).where(reviews.c.table_id == table))
    losses = schema.game_losses
    connection.execute(delete(losses).where(losses.c.table_id == table))


def _note_check(connection: Connection) -> None:
    """Writes a value that is only used to check that writing works."""
    connection.execute(delete(schema.server).where(schema.server.c.name == "checked"))
    connection.execute(insert(schema.server).values(name="checked", value=chance.token_hex(8)))


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


def people_at(connection: Connection, table: str) -> dict[str, SeatPerson]:
    """Returns the persons at a table, by the aliases in its log."""
    seats, persons = club_schema.person_seats.c, club_schema.persons.c
    query = (
        select(seats.alias, persons.id, persons.name)
        .join_from(club_schema.person_seats, club_schema.persons, seats.person == persons.id)
        .where(seats.table_id == table)
    )
    return {row.alias: SeatPerson(row.id, row.name) for row in connection.execute(query)}
