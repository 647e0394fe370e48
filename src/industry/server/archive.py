"""Writes tables to archives, verifies archives by replay, and restores them.

An archive is the same for SQLite and PostgreSQL: JSON lines, of which the first and the last show
that it is complete. It contains the secrets of its tables, so it is for their operator only.
"""

import hashlib
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from sqlalchemy import Connection, LargeBinary, Table, delete, func, insert, select, text
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from industry.boards import BoardError, parse_board
from industry.engine import IllegalMove
from industry.notation import NotationError, Record, verify
from industry.notation.orders import OrderError, read_orders
from industry.notation.proof import ProofError, check
from industry.notation.record import RULES_VERSION

from .entries import entry_of
from .live_table import BrokenLog, LiveTable
from .store import IndexRow, LogRow, TokenRow, schema
from .store.club_schema import LASTING
from .store.schema import ADDED, TABLE_DATA
from .table import Table as Folded

FORMAT = "industry-tables-1"
CLUB_FORMAT = "industry-tables-2"
"""The same, followed by what belongs to the club."""
Row = dict[str, Any]
ClubRow = tuple[str, Row]
"""The name of an SQL table of the club, and a row of it."""
UNREADABLE = (
    *(KeyError, IndexError, ValueError, TypeError),
    *(AttributeError, AssertionError, RecursionError),
)
"""The errors of reading an entry that no version of this program has written."""


class ArchiveError(ValueError):
    """An archive or one of its tables is incomplete or damaged; the message is for the operator."""


@dataclass(frozen=True, slots=True)
class ArchivedTable:
    """Everything that is stored about one table: rows by the name of their SQL table, and its
    board.
    """

    table: str
    rows: dict[str, list[Row]]
    board: str

    def line(self) -> str:
        return json.dumps({"table": self.table, "board": self.board} | self.rows)


@dataclass(frozen=True, slots=True)
class VerifiedTable:
    """A table rebuilt from its log, with every entry checked against those before it."""

    kept: ArchivedTable
    folded: Folded
    index: IndexRow

    @property
    def record(self) -> Record | None:
        """The game record; None before the start."""
        return None if self.folded.position is None else self.folded.record()


# From the database


def begin_snapshot(connection: Connection) -> None:
    """Makes this transaction see one moment, whatever is written meanwhile; call it first."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))


def table_names(connection: Connection) -> list[str]:
    """Returns all tables, oldest first; last, those with a log but no row in the index."""
    tables, logs = schema.tables.c, schema.logs.c
    names = list(connection.scalars(select(tables.id).order_by(tables.created, tables.id)))
    logged = select(logs.table_id).distinct().order_by(logs.table_id)
    known = set(names)
    return names + [name for name in connection.scalars(logged) if name not in known]


def readable_table(connection: Connection, name: str) -> ArchivedTable:
    """Reads what is stored about a table; raises `ArchiveError` where that fails."""
    try:
        with connection.begin_nested():
            kept = archived_table(connection, name)
    except DBAPIError as error:
        reason = f"the database cannot read it ({type(error.orig).__name__})"
        raise ArchiveError(f"the table {name} is damaged: {reason}.") from None
    if kept is None:
        raise ArchiveError(f"the table {name} is damaged: it has no log.")
    return kept


def archived_table(connection: Connection, name: str) -> ArchivedTable | None:
    rows = {}
    for part in TABLE_DATA:
        query = select(part).where(part.c.table_id == name).order_by(*part.primary_key)
        rows[part.name] = [dict(row._mapping) for row in connection.execute(query)]
    if not rows["logs"]:
        return None
    query = select(schema.boards.c.text).where(schema.boards.c.hash == _board_of(rows["logs"]))
    return ArchivedTable(name, rows, connection.scalar(query) or "")


def _board_of(log: list[Row]) -> str:
    """Returns the hash of the table's board; empty where its log is damaged."""
    try:
        return str(getattr(entry_of(log[0]["entry"]).what, "board_hash", ""))
    except UNREADABLE:
        return ""


def server_key(connection: Connection) -> str | None:
    """Returns the key from which the server's tokens are derived."""
    query = select(schema.server.c.value).where(schema.server.c.name == "key")
    found: str | None = connection.scalar(query)
    return found


# Checking


def verified(kept: ArchivedTable) -> VerifiedTable:
    """Replays a table from its first entry and checks hashes, moves, result and bag.

    Raises `ArchiveError`.
    """
    try:
        secret = str(kept.rows["secrets"][0]["bag"])
        folded, index = _folded(kept, secret)
    except BrokenLog as broken:
        raise _wrong(kept, f"its log was changed at entry {broken}") from None
    except IllegalMove as error:
        raise _wrong(kept, f"a move is not legal: {error}") from None
    except (BoardError, NotationError) as error:
        raise _wrong(kept, str(error)) from None
    except UNREADABLE as error:
        raise _wrong(kept, f"its log cannot be read ({type(error).__name__})") from None
    _check_orders(kept)
    table = VerifiedTable(kept, folded, index)
    if table.record is not None:
        _check_game(kept, table.record, folded, secret)
    return table


def _folded(kept: ArchivedTable, secret: str) -> tuple[Folded, IndexRow]:
    board = parse_board(kept.board, "kept")
    rows = [
        LogRow(kept.table, row["version"], row["entry"], row["hash"]) for row in kept.rows["logs"]
    ]
    tokens = [TokenRow(row["hash"], kept.table, row["place"]) for row in kept.rows["tokens"]]
    live = LiveTable(Folded(kept.table, {board.hash: board}), bytes.fromhex(secret), tokens)
    news = live.read(rows)
    return news.table, live.index_row(news.table, news.shown, time.time_ns() // 1_000_000, 0)


def _check_orders(kept: ArchivedTable) -> None:
    for row in kept.rows["orders"]:
        try:
            read_orders(str(row["lines"]))
        except OrderError as error:
            raise _wrong(kept, f"its standing orders cannot be read ({error})") from None


def _check_game(kept: ArchivedTable, record: Record, folded: Folded, secret: str) -> None:
    mismatch = verify(record, folded.board)
    if mismatch is not None:
        raise _wrong(kept, mismatch.reason)
    assert record.proof is not None
    over = record.result is not None
    try:  # also checks a running game, whose secret is not public yet
        check(
            replace(record.proof, secret=secret),
            record.moves,
            record.players,
            record.starting_player,
            over=over,
            rules_version=RULES_VERSION,
        )
    except ProofError as error:
        raise _wrong(kept, f"its bag does not give what was drawn ({error.code})") from None


def _wrong(kept: ArchivedTable, reason: str) -> ArchiveError:
    return ArchiveError(f"the table {kept.table} is damaged: {reason.rstrip('.')}.")


# Into the database


def is_stored(connection: Connection, name: str) -> bool:
    query = select(func.count()).where(schema.tables.c.id == name)
    return bool(connection.scalar(query))


def insert_table(connection: Connection, table: VerifiedTable) -> None:
    """Inserts a verified table that is not stored yet; raises `ArchiveError`."""
    kept, index, board = table.kept, table.index, table.folded.board.hash
    values = index._asdict()
    del values["table"]
    try:
        with connection.begin_nested():
            connection.execute(insert(schema.tables).values(id=kept.table, **values))
            for part in TABLE_DATA:
                if kept.rows[part.name]:
                    connection.execute(insert(part), kept.rows[part.name])
            if not connection.scalar(select(func.count()).where(schema.boards.c.hash == board)):
                connection.execute(insert(schema.boards).values(hash=board, text=kept.board))
    except IntegrityError:
        raise _wrong(kept, "it has rows twice, or parts of it are there already") from None
    except DataError:
        raise _wrong(kept, "it has values of the wrong kind") from None


def set_server_key(connection: Connection, key: str) -> None:
    connection.execute(delete(schema.server).where(schema.server.c.name == "key"))
    connection.execute(insert(schema.server).values(name="key", value=key))


# As lines


def archive_lines(
    tables: Iterable[ArchivedTable], key: str | None = None, club: Iterable[ClubRow] = ()
) -> Iterator[str]:
    """Yields the lines of an archive; a full backup contains the server's key and the club."""
    rows = [json.dumps({"club": name, "row": _texts(row)}) for name, row in club]
    form = CLUB_FORMAT if rows else FORMAT
    head = json.dumps({"format": form} | ({"key": key} if key else {}))
    digest, count = hashlib.sha256(head.encode()), 0
    yield head
    for line in chain((kept.line() for kept in tables), rows):
        digest.update(line.encode())
        count += 1
        yield line
    yield _end(count, digest.hexdigest())


def _texts(row: Row) -> Row:
    """Returns a row whose bytes are hexadecimal digits, as JSON needs it."""
    return {name: v.hex() if isinstance(v, bytes) else v for name, v in row.items()}


def _club_row(data: Row) -> ClubRow:
    """Parses a row of the club; raises `ArchiveError`."""
    part = {part.name: part for part in LASTING}.get(str(data.get("club")))
    row = data.get("row")
    if part is None or not isinstance(row, dict) or set(row) != set(part.columns.keys()):
        raise ArchiveError("the archive has a line of the club that this version cannot read.")
    for column in part.columns:
        if isinstance(column.type, LargeBinary):
            row[column.name] = bytes.fromhex(row[column.name])
    return part.name, row


@dataclass(frozen=True, slots=True)
class ArchiveLine:
    """A line of an archive that should hold a table; an empty line carries an error at the end."""

    line: str
    error: str = ""

    def kept(self) -> ArchivedTable:
        """Parses the table; raises `ArchiveError`."""
        if self.error:
            raise ArchiveError(self.error)
        return _kept(_data(self.line))


class Archive:
    """Reads an archive line by line. The first line gives `key`; the last shows it is complete."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = (line.rstrip("\n") for line in lines)
        head = next(self._lines, "")
        self._digest = hashlib.sha256(head.encode())
        data = _data(head)
        if data.get("format") not in (FORMAT, CLUB_FORMAT):
            raise ArchiveError("this is not an archive of tables that this version can read.")
        self.key: str | None = data.get("key")
        self.club: list[ClubRow] = []
        """What the archive holds of the club, once all lines are read."""

    def found(self) -> Iterator[ArchiveLine]:
        """Yields the tables unverified; at the end an error where something is missing.

        So nothing may be committed before all lines are read.
        """
        for count, line in enumerate(self._lines):
            if line.startswith(END):
                if line != _end(count, self._digest.hexdigest()):
                    yield ArchiveLine("", "the archive was changed after it was written.")
                return
            self._digest.update(line.encode())
            if line.startswith(CLUB_LINE):
                self.club.append(_club_row(_data(line)))
            else:
                yield ArchiveLine(line)
        yield ArchiveLine("", "the archive ends too early: a part of it is missing.")


CLUB_LINE = '{"club": '
END = '{"tables": '
"""Only the last line of an archive starts with this."""


def _end(count: int, digest: str) -> str:
    return json.dumps({"tables": count, "sha256": digest})


def _data(line: str) -> Row:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise ArchiveError("the archive has a line that is not JSON.") from None
    if not isinstance(data, dict):
        raise ArchiveError("the archive has a line that is not an object.")
    return data


def _kept(data: Row) -> ArchivedTable:
    name, board = data.get("table"), data.get("board")
    # archives of version 0.1.0 lack what was added since
    added: dict[str, list[Row]] = {part.name: [] for part in ADDED}
    rows = {part.name: data.get(part.name, added.get(part.name)) for part in TABLE_DATA}
    if not isinstance(name, str) or not isinstance(board, str):
        raise ArchiveError("the archive has a line that is not a table.")
    whole: dict[str, list[Row]] = {}
    for part in TABLE_DATA:
        found = rows[part.name]
        if not isinstance(found, list) or not all(_fits(row, part, name) for row in found):
            raise ArchiveError(f"the table {name} is damaged: {part.name} cannot be read.")
        whole[part.name] = found
    return ArchivedTable(name, whole, board)


def _fits(row: object, part: Table, name: str) -> bool:
    """Checks that a row has exactly the columns of its SQL table and belongs to this table."""
    columns = {column.name for column in part.columns}
    return isinstance(row, dict) and set(row) == columns and row["table_id"] == name
