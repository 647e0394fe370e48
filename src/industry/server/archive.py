"""Tables outside their database: written as lines, checked by replay, taken in again.

An archive is the same for SQLite and PostgreSQL: JSON lines, the first and the last of which tell
that it is whole. It contains the secrets of its tables, so it is for their operator only.
"""

import hashlib
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Table, delete, func, insert, select, text

from industry.boards import BoardError, parse_board
from industry.engine import IllegalMove
from industry.notation import NotationError, Record, verify
from industry.notation.proof import ProofError, check

from .entries import Created, entry_of
from .live import BrokenLog, Live
from .store import IndexRow, LogRow, TokenRow, schema
from .table import Table as Folded

FORMAT = "industry-tables-1"
PARTS = (schema.logs, schema.secrets, schema.tokens, schema.hooks, schema.hook_calls)
"""What is kept of a table besides its row in the index, which follows from the log."""

Row = dict[str, Any]


class ArchiveError(ValueError):
    """An archive or a table in it is not whole; the message is a sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Everything that is kept of one table: rows by the name of their part, and its board."""

    table: str
    rows: dict[str, list[Row]]
    board: str

    def line(self) -> str:
        return json.dumps({"table": self.table, "board": self.board} | self.rows)


@dataclass(frozen=True, slots=True)
class Checked:
    """A table that was folded from its log: everything in it follows from what came before."""

    kept: Kept
    folded: Folded
    index: IndexRow

    @property
    def record(self) -> Record | None:
        """The game record; None before the start."""
        return None if self.folded.position is None else self.folded.record()


# From the database


def begin_snapshot(connection: Connection) -> None:
    """Let this transaction see one moment, whatever is written meanwhile; to be called first."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))


def table_names(connection: Connection) -> list[str]:
    """All tables, the oldest first."""
    tables = schema.tables.c
    return list(connection.scalars(select(tables.id).order_by(tables.created, tables.id)))


def kept_table(connection: Connection, name: str) -> Kept | None:
    rows = {}
    for part in PARTS:
        query = select(part).where(part.c.table_id == name).order_by(*part.primary_key)
        rows[part.name] = [dict(row._mapping) for row in connection.execute(query)]
    if not rows["logs"]:
        return None
    created = entry_of(rows["logs"][0]["entry"]).what
    board = created.board_hash if isinstance(created, Created) else ""
    query = select(schema.boards.c.text).where(schema.boards.c.hash == board)
    return Kept(name, rows, connection.scalar(query) or "")


def server_key(connection: Connection) -> str | None:
    """What the server's tokens are made from."""
    query = select(schema.server.c.value).where(schema.server.c.name == "key")
    found: str | None = connection.scalar(query)
    return found


# Checking


def checked(kept: Kept) -> Checked:
    """Replay a table from its first entry: hashes, moves, result and bag. Raises `ArchiveError`."""
    try:
        secret = str(kept.rows["secrets"][0]["bag"])
        folded, index = _folded(kept, secret)
    except BrokenLog as broken:
        raise _wrong(kept, f"its log was changed at entry {broken}") from None
    except IllegalMove as error:
        raise _wrong(kept, f"a move is not legal: {error}") from None
    except (BoardError, NotationError) as error:
        raise _wrong(kept, str(error)) from None
    except (KeyError, IndexError, ValueError, TypeError, AssertionError) as error:
        raise _wrong(kept, f"its log cannot be read ({type(error).__name__})") from None
    table = Checked(kept, folded, index)
    if table.record is not None:
        _check_game(kept, table.record, folded, secret)
    return table


def _folded(kept: Kept, secret: str) -> tuple[Folded, IndexRow]:
    board = parse_board(kept.board, "kept")
    rows = [
        LogRow(kept.table, row["version"], row["entry"], row["hash"]) for row in kept.rows["logs"]
    ]
    tokens = [TokenRow(row["hash"], kept.table, row["place"]) for row in kept.rows["tokens"]]
    live = Live(Folded(kept.table, {board.hash: board}), bytes.fromhex(secret), tokens)
    live.advance(*live.read(rows), rows[-1].hash)
    return live.table, live.index_row(live.table, time.time_ns() // 1_000_000, 0)


def _check_game(kept: Kept, record: Record, folded: Folded, secret: str) -> None:
    mismatch = verify(record, folded.board)
    if mismatch is not None:
        raise _wrong(kept, mismatch.reason)
    assert record.proof is not None
    over = record.result is not None
    try:  # also of a running game, whose secret is not public yet
        check(
            replace(record.proof, secret=secret),
            record.moves,
            len(record.players),
            record.starting_player,
            over=over,
        )
    except ProofError as error:
        raise _wrong(kept, f"its bag does not give what was drawn ({error.code})") from None


def _wrong(kept: Kept, reason: str) -> ArchiveError:
    return ArchiveError(f"the table {kept.table} is damaged: {reason.rstrip('.')}.")


# Into the database


def is_kept(connection: Connection, name: str) -> bool:
    query = select(func.count()).where(schema.tables.c.id == name)
    return bool(connection.scalar(query))


def take_in(connection: Connection, table: Checked) -> None:
    """Add a table that was checked and is not there yet."""
    kept, index = table.kept, table.index
    values = {name: getattr(index, name) for name in index.__slots__ if name != "table"}
    connection.execute(insert(schema.tables).values(id=kept.table, **values))
    for part in PARTS:
        if kept.rows[part.name]:
            connection.execute(insert(part), kept.rows[part.name])
    board = table.folded.board.hash
    if not connection.scalar(select(func.count()).where(schema.boards.c.hash == board)):
        connection.execute(insert(schema.boards).values(hash=board, text=kept.board))


def set_server_key(connection: Connection, key: str) -> None:
    connection.execute(delete(schema.server).where(schema.server.c.name == "key"))
    connection.execute(insert(schema.server).values(name="key", value=key))


def remove(connection: Connection, name: str) -> None:
    """Delete everything that is kept of a table."""
    for part in PARTS:
        connection.execute(delete(part).where(part.c.table_id == name))
    connection.execute(delete(schema.tables).where(schema.tables.c.id == name))


# As lines


def archive_lines(tables: Iterable[Kept], key: str | None = None) -> Iterator[str]:
    """The lines of an archive; with the server's key where it is a backup of everything."""
    head = json.dumps({"format": FORMAT} | ({"key": key} if key else {}))
    digest, count = hashlib.sha256(head.encode()), 0
    yield head
    for kept in tables:
        line = kept.line()
        digest.update(line.encode())
        count += 1
        yield line
    yield json.dumps({"tables": count, "sha256": digest.hexdigest()})


class Archive:
    """Reads an archive line by line; `key` is known from the first, that it is whole at the end."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self._digest = hashlib.sha256()
        head = self._read(next(self._lines, ""))
        if head.get("format") != FORMAT:
            raise ArchiveError("this is no archive of tables that this version can read.")
        self.key: str | None = head.get("key")

    def tables(self) -> Iterator[Kept]:
        """The tables one by one; raises `ArchiveError` behind the last where something is missing.

        So nothing of it may become durable before all were read.
        """
        for count, line in enumerate(self._lines):
            before = self._digest.hexdigest()
            data = self._read(line)
            if "sha256" in data:
                if (data["sha256"], data.get("tables")) != (before, count):
                    raise ArchiveError("the archive was changed after it was written.")
                return
            yield _kept(data)
        raise ArchiveError("the archive ends too early: a part of it is missing.")

    def _read(self, line: str) -> Row:
        line = line.rstrip("\n")
        self._digest.update(line.encode())
        try:
            data = json.loads(line)
        except ValueError:
            raise ArchiveError("the archive has a line that is not JSON.") from None
        if not isinstance(data, dict):
            raise ArchiveError("the archive has a line that is no object.")
        return data


def _kept(data: Row) -> Kept:
    name, board = data.get("table"), data.get("board")
    rows = {part.name: data.get(part.name) for part in PARTS}
    if not isinstance(name, str) or not isinstance(board, str):
        raise ArchiveError("the archive has a line that is no table.")
    whole: dict[str, list[Row]] = {}
    for part in PARTS:
        found = rows[part.name]
        if not isinstance(found, list) or not all(_fits(row, part, name) for row in found):
            raise ArchiveError(f"the table {name} is damaged: {part.name} cannot be read.")
        whole[part.name] = found
    return Kept(name, whole, board)


def _fits(row: object, part: Table, name: str) -> bool:
    """Whether a row has exactly the columns of its part, and belongs to this table."""
    columns = {column.name for column in part.columns}
    return isinstance(row, dict) and set(row) == columns and row["table_id"] == name
