"""Statements that every move needs, worded once for each database."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.dml import Insert, Update


class Prepared:
    """Runs a statement for many rows. To word it anew takes SQLAlchemy longer than to write."""

    def __init__(self, statement: Insert | Update) -> None:
        self._statement = statement
        self._worded: dict[str, SQLCompiler] = {}

    def run(self, connection: Connection, rows: Sequence[Mapping[str, object]]) -> None:
        """Each row names all parameters, which must be plain values of the database."""
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
