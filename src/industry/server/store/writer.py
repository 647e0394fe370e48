"""A single writing task: commits of different tables share one transaction."""

import asyncio
import math
import time
from dataclasses import asdict

from sqlalchemy import Connection, bindparam, case, delete, insert, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from ..background import BackgroundTask
from ..logs import log_error
from ..metrics import Metrics
from . import schema
from .access import Access
from .notifications import CHANNEL
from .prepared import Prepared
from .rows import Commit, Conflict, IndexRow, StoreUnavailable

AT_ONCE = 256
"""The most commits in one transaction."""
APART = 0.005
"""The least seconds between the starts of two transactions. Most of a transaction's cost is fixed,
so waiting for commits of other tables pays off; where few people play nobody waits.
"""

_ADD_ROWS = Prepared(insert(schema.logs))
_ADD_INDEX = insert(schema.tables)
_CHANGE_INDEX = Prepared(
    update(schema.tables)
    .where(schema.tables.c.id == bindparam("table"))
    .values(
        {name: bindparam(f"new_{name}") for name in ("status", "changed", "due", "summary")}
        | {"maker": case((bindparam("done"), None), else_=schema.tables.c.maker)},
    )
)
"""The address that created a table is forgotten when the game is over."""
_NOTIFY = text(f"SELECT pg_notify('{CHANNEL}', line) FROM unnest(CAST(:lines AS text[])) AS line")

Waiting = tuple[Commit, asyncio.Future[None]]


class Writer:
    """Appends commits in the order in which they come."""

    def __init__(self, access: Access, metrics: Metrics, origin: str) -> None:
        self._access = access
        self._metrics = metrics
        self._origin = origin
        self.has_failed = False
        """The last transaction failed."""
        self._queue: asyncio.Queue[Waiting] = asyncio.Queue()
        self._task = BackgroundTask()

    def start(self) -> None:
        self._task.start(self._run())

    async def stop(self) -> None:
        """Writes what is waiting, then stops."""
        await self._queue.join()
        await self._task.stop()

    async def append(self, commit: Commit) -> None:
        """Returns when the commit is durable; raises `Conflict` or `StoreUnavailable`."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((commit, done))
        await done

    async def _run(self) -> None:
        begun = -math.inf
        while True:
            batch = [await self._queue.get()]
            if (pause := begun + APART - time.monotonic()) > 0:
                await asyncio.sleep(pause)
            begun = time.monotonic()
            while len(batch) < AT_ONCE and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            await self._write_all(batch)
            for _ in batch:
                self._queue.task_done()

    async def _write_all(self, batch: list[Waiting]) -> None:
        # the same order in every process avoids deadlocks
        batch.sort(key=lambda waiting: waiting[0].rows[0].table)
        try:
            await self._write([commit for commit, _ in batch])
        except Conflict as conflict:
            if len(batch) == 1:
                _answer(batch[0][1], conflict)
                return
            for waiting in batch:  # only the conflicting ones must fail
                await self._write_all([waiting])
        except Exception as error:
            # this task must survive any error: without it nothing becomes durable
            self.has_failed = True
            log_error("commit_failed", error, commits=len(batch), cause=cause_of(error))
            for _, done in batch:
                _answer(done, StoreUnavailable())
        else:
            for _, done in batch:
                _answer(done, None)

    async def _write(self, commits: list[Commit]) -> None:
        begin = time.perf_counter()
        try:
            await self._access.write(lambda connection: self._write_rows(connection, commits))
        except IntegrityError:
            raise Conflict from None
        except SQLAlchemyError as error:
            raise StoreUnavailable from error
        self.has_failed = False
        self._metrics.commit_seconds.observe(time.perf_counter() - begin)
        self._metrics.commits.observe(sum(len(commit.rows) for commit in commits))

    def _write_rows(self, connection: Connection, commits: list[Commit]) -> None:
        rows = [
            {
                "table_id": row.table,
                "version": row.version,
                "entry": row.entry,
                "hash": row.hash,
                "command": row.command,
            }
            for commit in commits
            for row in commit.rows
        ]
        _ADD_ROWS.run(connection, rows)
        old = [
            _changed_index(index)
            for commit in commits
            for index in commit.index
            if index.table not in commit.new_tables
        ]
        if old:
            _CHANGE_INDEX.run(connection, old)
        for commit in commits:
            _add_rest(connection, commit)
        if connection.dialect.name == "postgresql":
            connection.execute(_NOTIFY, {"lines": self._news(commits)})

    def _news(self, commits: list[Commit]) -> list[str]:
        latest = {row.table: row.version for commit in commits for row in commit.rows}
        return [f"{table} {version} {self._origin}" for table, version in latest.items()]


def cause_of(error: BaseException) -> str:
    """Returns the database's message in one line, without the statement or its values."""
    cause = error.__cause__ or error
    said = getattr(cause, "orig", None) or cause
    lines = str(said).strip().splitlines()
    return f"{type(said).__name__}: {lines[0]}" if lines else type(said).__name__


def _changed_index(index: IndexRow) -> dict[str, object]:
    return {
        "table": index.table,
        "new_status": index.status,
        "new_changed": index.changed,
        "new_due": index.due,
        "new_summary": index.summary,
        "done": index.status in ("over", "closed"),
    }


def _add_rest(connection: Connection, commit: Commit) -> None:
    """Writes what only some commits have: new tables, boards, tokens."""
    new = [index for index in commit.index if index.table in commit.new_tables]
    if new:
        makers = commit.makers
        rows = [asdict(index) | {"maker": makers.get(index.table)} for index in new]
        connection.execute(_ADD_INDEX, [{"id": row.pop("table")} | row for row in rows])
        connection.execute(
            insert(schema.secrets),
            [{"table_id": table, "bag": bag} for table, bag in commit.new_tables.items()],
        )
    for board, content in commit.boards.items():
        connection.execute(_keep_board(connection, board, content))
    tokens = schema.tokens.c
    for token in commit.revoked:  # first, because a place may get a new token
        connection.execute(
            delete(schema.tokens).where(tokens.table_id == token.table, tokens.place == token.place)
        )
    if commit.tokens:
        connection.execute(
            insert(schema.tokens),
            [{"hash": t.hash, "table_id": t.table, "place": t.place} for t in commit.tokens],
        )


def _keep_board(
    connection: Connection, board: str, content: str
) -> sqlite.Insert | postgresql.Insert:
    """Builds the statement that stores a board's text unless it exists."""
    values = {"hash": board, "text": content}
    if connection.dialect.name == "postgresql":
        return postgresql.insert(schema.boards).values(values).on_conflict_do_nothing()
    return sqlite.insert(schema.boards).values(values).on_conflict_do_nothing()


def _answer(done: asyncio.Future[None], error: Exception | None) -> None:
    if done.done():  # the caller was cancelled
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)
