"""Statements that every move needs, compiled once per database."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.dml import Insert, Update


class Prepared:
    """Runs a statement for many rows without SQLAlchemy compiling it each time."""

    def __init__(self, statement: Insert | Update) -> None:
        self._statement = statement
        self._worded: dict[str, SQLCompiler] = {}

    def run(self, connection: Connection, rows: Sequence[Mapping[str, object]]) -> None:
        """Runs the statement; each row gives all parameters as plain database values."""
        dialect = connection.dialect
        if dialect.name not in self._worded:
            self._worded[dialect.name] = self._statement.compile(dialect=dialect)
        worded = self._worded[dialect.name]
        if worded.positiontup is None:
            connection.exec_driver_sql(worded.string, [dict(row) for row in rows])
        else:
            names = worded.positiontup
            connection.exec_driver_sql(
                worded.string, [tuple(row[name] for name in names) for row in rows]
            )
