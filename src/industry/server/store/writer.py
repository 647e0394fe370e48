"""A single writing task: commits of different tables share one transaction."""

import asyncio
import math
import time
from collections.abc import Callable, Sequence

from sqlalchemy import Connection, delete, insert
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from ..background import BackgroundTask
from ..logs import log_error
from ..metrics import Metrics
from . import club_schema, schema
from .access import Access, Statements
from .notices import forget_owner, seat_owner
from .notifications import CHANNEL
from .orders import check_obeyed, put_orders, tell_orders
from .rows import Commit, Conflict, StoreUnavailable

AT_ONCE = 256
"""The most commits in one transaction."""
APART = 0.004
"""The least seconds between the starts of two transactions: part of a transaction's cost is fixed,
so waiting for commits of other tables pays off; where few people play nobody waits.
"""

_ADD_ROWS = "INSERT INTO logs (table_id, version, entry, hash, command) VALUES (?, ?, ?, ?, ?)"
_CHANGE_INDEX = (
    "UPDATE tables SET status = ?, changed = ?, due = ?, summary = ?, "
    "maker = CASE WHEN ? THEN NULL ELSE maker END WHERE id = ?"
)
"""The address that created a table is forgotten when the game is over."""
_NOTIFY = f"SELECT pg_notify('{CHANNEL}', line) FROM unnest(CAST(? AS text[])) AS line"
"""Takes a lock of the whole database once per transaction, however many tables have changed."""
_ADD_INDEX = insert(schema.tables)

Done = Callable[[Exception | None], None]
"""Called on the event loop once a commit is durable, or with the reason why it is not."""
Waiting = tuple[Commit, Done]


class Writer:
    """Appends commits in the order in which they come."""

    def __init__(self, access: Access, metrics: Metrics, origin: str) -> None:
        self._access = access
        self._metrics = metrics
        self._origin = origin
        self.has_failed = False
        """The last transaction failed."""
        self._waiting: list[Waiting] = []
        self._filled = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._task = BackgroundTask()

    def start(self) -> None:
        self._task.start(self._run())

    async def stop(self) -> None:
        """Writes what is waiting, then stops."""
        await self._idle.wait()
        await self._task.stop()

    def put(self, commit: Commit, done: Done) -> None:
        """Makes a commit durable with all others that wait, and then calls `done`."""
        if not self._waiting:
            self._filled.set()
            self._idle.clear()
        self._waiting.append((commit, done))

    async def append(self, commit: Commit) -> None:
        """Returns when the commit is durable; raises `Conflict` or `StoreUnavailable`."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.put(commit, lambda error: _answer(future, error))
        await future

    async def _run(self) -> None:
        begun = -math.inf
        while True:
            await self._filled.wait()
            if (pause := begun + APART - time.monotonic()) > 0:
                await asyncio.sleep(pause)
            begun = time.monotonic()
            batch, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
            if not self._waiting:
                self._filled.clear()
            await self._write_all(batch)
            if not self._waiting:
                self._idle.set()

    async def _write_all(self, batch: list[Waiting]) -> None:
        # the same order in every process avoids deadlocks
        batch.sort(key=lambda waiting: waiting[0].rows[0].table)
        try:
            await self._write([commit for commit, _ in batch])
        except Conflict as conflict:
            if len(batch) == 1:
                _tell(batch, conflict)
                return
            for waiting in batch:  # only the conflicting ones must fail
                await self._write_all([waiting])
        except Exception as error:
            # this task must survive any error: without it nothing becomes durable
            self.has_failed = True
            log_error("commit_failed", error, commits=len(batch), cause=cause_of(error))
            _tell(batch, StoreUnavailable())
        else:
            _tell(batch, None)

    async def _write(self, commits: list[Commit]) -> None:
        begin = time.perf_counter()
        try:
            if all(commit.is_plain for commit in commits):
                await self._access.run(self._statements(commits))
            else:
                await self._access.write(lambda connection: self._write_rows(connection, commits))
        except IntegrityError:
            raise Conflict from None
        except SQLAlchemyError as error:
            raise StoreUnavailable from error
        self.has_failed = False
        self._metrics.commit_seconds.observe(time.perf_counter() - begin)
        self._metrics.commits.observe(sum(len(commit.rows) for commit in commits))

    def _statements(self, commits: list[Commit]) -> Statements:
        """Returns what every commit needs: its rows, its index and the news for other processes."""
        rows = [
            (row.table, row.version, row.entry, row.hash, row.command)
            for commit in commits
            for row in commit.rows
        ]
        index = [
            (
                *(row.status, row.changed, row.due, row.summary),
                *(row.status in ("over", "closed"), row.table),
            )
            for commit in commits
            for row in commit.index
            if row.table not in commit.new_tables
        ]
        statements: list[tuple[str, Sequence[Sequence[object]]]]
        statements = [(_ADD_ROWS, rows), (_CHANGE_INDEX, index)]
        if self._access.is_shared:
            statements.append((_NOTIFY, [(self._news(commits),)]))
        return [
            (sql.replace("?", self._access.placeholder), rows) for sql, rows in statements if rows
        ]

    def _write_rows(self, connection: Connection, commits: list[Commit]) -> None:
        for sql, rows in self._statements(commits):
            connection.exec_driver_sql(sql, [tuple(row) for row in rows])
        for commit in commits:
            _add_rest(connection, commit)
            for orders in commit.orders:
                tell_orders(connection, orders.table, self._origin)

    def _news(self, commits: list[Commit]) -> list[str]:
        latest = {row.table: row.version for commit in commits for row in commit.rows}
        return [f"{table} {version} {self._origin}" for table, version in latest.items()]


def cause_of(error: BaseException) -> str:
    """Returns the database's message in one line, without the statement or its values."""
    cause = error.__cause__ or error
    said = getattr(cause, "orig", None) or cause
    lines = str(said).strip().splitlines()
    return f"{type(said).__name__}: {lines[0]}" if lines else type(said).__name__


def _add_rest(connection: Connection, commit: Commit) -> None:
    """Writes what only some commits have: new tables, boards, orders, tokens."""
    new = [index for index in commit.index if index.table in commit.new_tables]
    if new:
        makers = commit.makers
        rows = [index._asdict() | {"maker": makers.get(index.table)} for index in new]
        connection.execute(_ADD_INDEX, [{"id": row.pop("table")} | row for row in rows])
        connection.execute(
            insert(schema.secrets),
            [{"table_id": table, "bag": bag} for table, bag in commit.new_tables.items()],
        )
    for board, content in commit.boards.items():
        connection.execute(_keep_board(connection, board, content))
    check_obeyed(connection, commit.obeyed)
    for orders in commit.orders:
        put_orders(connection, orders)
    tokens = schema.tokens.c
    for token in commit.revoked:  # first, because a place may get a new token
        connection.execute(
            delete(schema.tokens).where(tokens.table_id == token.table, tokens.place == token.place)
        )
    for token in commit.revoked:  # the seat may have another holder now
        forget_owner(connection, seat_owner(token.table, token.place))
    if commit.tokens:
        connection.execute(
            insert(schema.tokens),
            [{"hash": t.hash, "table_id": t.table, "place": t.place} for t in commit.tokens],
        )
    _seat_persons(connection, commit)


def _seat_persons(connection: Connection, commit: Commit) -> None:
    seats = club_schema.person_seats
    for table, place in commit.unseated:
        gone = (seats.c.table_id == table) & (seats.c.place == place)
        connection.execute(delete(seats).where(gone))
    for seat in commit.seated:
        values = {"table_id": seat.table, "alias": seat.alias, "place": seat.place}
        connection.execute(insert(seats).values(**values, person=seat.person.id))


def _keep_board(
    connection: Connection, board: str, content: str
) -> sqlite.Insert | postgresql.Insert:
    """Builds the statement that stores a board's text unless it exists."""
    values = {"hash": board, "text": content}
    if connection.dialect.name == "postgresql":
        return postgresql.insert(schema.boards).values(values).on_conflict_do_nothing()
    return sqlite.insert(schema.boards).values(values).on_conflict_do_nothing()


def _tell(batch: list[Waiting], error: Exception | None) -> None:
    for _, done in batch:
        try:
            done(error)
        except Exception as failure:  # the others must be told all the same
            log_error("answer_failed", failure)


def _answer(future: asyncio.Future[None], error: Exception | None) -> None:
    if future.done():  # the caller was cancelled
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)
