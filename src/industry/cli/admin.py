"""`industry admin`: managing the tables of a server."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import click
from rich.table import Table
from sqlalchemy import Connection, select

from industry.server import archive
from industry.server.archive import Archive, ArchivedTable, ArchiveError, VerifiedTable
from industry.server.club.own_data import kept_rows, restore_rows
from industry.server.store import Store, schema
from industry.server.store.access import is_sqlite
from industry.texts.sanitize import printable

from ._options import ANY_FILE
from ._server import DatabaseInUse, database_locked, settings_of, shown_database
from .admin_cup import cup
from .admin_person import person
from .admin_rating import rating
from .app import echo_json, json_option
from .archives import STDOUT, free_name, lines_of, write_lines
from .database import (
    ask_server,
    database_option,
    echo_rows,
    force_option,
    read_database,
    rows_table,
    use_database,
    utc_minute,
    write_database,
)
from .files import Failure

AFTERMATH = 1.0
"""Seconds within which a move in progress is appended."""
PLAYERS = "Players"
DAMAGED = 3
"""The exit code if everything possible was done but some tables are damaged."""

file_argument = click.argument("file", type=ANY_FILE)
tables_argument = click.argument("tables", metavar="TABLE…", nargs=-1)


@click.group()
def command() -> None:
    """List, export, import, delete, check, back up and restore the tables of a server.

    List, export, backup, check and delete work while the server runs. Stop it before import and
    restore.
    """


command.add_command(person)
command.add_command(cup)
command.add_command(rating)


@command.command("list")
@database_option
@click.option(
    "--status", type=click.Choice(["open", "running", "over"]), help="Only tables in this state."
)
@click.option("--player", metavar="NAME", help="Only tables with a player of this name.")
@json_option
def list_tables(
    database: str | None, status: str | None, player: str | None, as_json: bool
) -> None:
    """List the tables, most recently changed first."""
    tables = schema.tables.c
    query = select(tables.summary).order_by(tables.changed.desc(), tables.id)
    if status is not None:
        query = query.where(tables.status == status)
    url = settings_of(None, database=database).database_url
    found = [json.loads(text) for text in read_database(url, lambda c: list(c.scalars(query)))]
    if player is not None:
        found = [row for row in found if player in [seat["name"] for seat in row["seats"]]]
    echo_rows(found, "table", _overview, as_json=as_json)


def _overview(found: list[dict[str, Any]]) -> Table:
    names = ("Table", "Status", "Edition", "Changed (UTC)", PLAYERS)
    return rows_table(map(_row, found), *names, wrapped=PLAYERS)


def _row(table: dict[str, Any]) -> list[object]:
    status = table["status"]
    if table["round"] and status != "over":
        status = f"era {table['era']}, round {table['round']}"
    players = ", ".join(seat["name"] or "(open)" for seat in table["seats"])
    edition, changed = table["options"]["edition"], utc_minute(table["changed"])
    return [table["table"], status, edition, changed, players]


@command.command("export")
@tables_argument
@click.option(
    "--out", type=ANY_FILE, required=True, help="The file to write; - is standard output."
)
@click.option("--records", is_flag=True, help="Write only the game records, as JSON lines.")
@force_option
@database_option
def export_tables(
    tables: tuple[str, ...], out: Path, records: bool, force: bool, database: str | None
) -> None:
    """Write tables to a file, complete with their secrets, or only their game records.

    Without names, all tables are written. `industry admin import` reads the file; one written with
    --records is for `industry verify`.
    """
    url = settings_of(None, database=database).database_url

    def work(connection: Connection) -> int:
        archive.begin_snapshot(connection)
        names = list(tables) or archive.table_names(connection)
        kept = (_kept(connection, name) for name in names)
        if not records:
            return write_lines(out, force, archive.archive_lines(kept)) - 2
        found = (archive.verified(table).record for table in kept)
        return write_lines(out, force, (r.to_json() for r in found if r is not None))

    _report_count(read_database(url, work), "written to", out)


@command.command("import")
@file_argument
@database_option
def import_tables(file: Path, database: str | None) -> None:
    """Import the tables of a file that `industry admin export` wrote.

    Every table is replayed first; if one is wrong, none is imported.
    """
    url = settings_of(None, database=database).database_url
    _report_count(_load_archive(url, file, everything=False), "imported from", file)


@command.command("delete")
@tables_argument
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@database_option
def delete_tables(tables: tuple[str, ...], yes: bool, database: str | None) -> None:
    """Delete tables and everything stored about them, even while the server runs."""
    url = settings_of(None, database=database).database_url
    if not tables:
        raise Failure("name the tables to delete; `industry admin list` has their names.")
    read_database(url, lambda connection: [_kept(connection, name) for name in tables])
    what = "1 table" if len(tables) == 1 else f"{len(tables)} tables"
    if not yes:
        click.confirm(f"Delete {what} for good?", abort=True)
    try:
        with database_locked(url):
            use_database(url, lambda store: _remove_all(store, tables))
    except DatabaseInUse as held:  # a SQLite file belongs to its server, which deletes them itself
        _ask_server(url, held, tables)
    click.echo(f"{what} deleted.")


async def _remove_all(store: Store, tables: tuple[str, ...]) -> None:
    for _ in range(1 if is_sqlite(store.url) else 2):
        for table in tables:
            await store.remove(table)
        if not is_sqlite(store.url):  # a server may have been about to append a move
            await asyncio.sleep(AFTERMATH)


def _ask_server(url: str, held: DatabaseInUse, tables: tuple[str, ...]) -> None:
    """Asks the server that uses the database to delete tables."""
    message = {"tables": list(tables)}
    try:
        ask_server(
            url, held, "api/admin/delete", message, lambda keys, at: keys.deletion(tables, at)
        )
    except HTTPError as error:
        raise Failure(f"the server at {held.address} did not delete them: {error}.") from None


@command.command("backup")
@file_argument
@force_option
@database_option
def backup(file: Path, force: bool, database: str | None) -> None:
    """Write a consistent copy of the database to a file while the server keeps running.

    Every table is replayed while it is written. Damaged tables are named and written as they are,
    and the exit code is 3. A file name that ends in .gz is compressed. The file contains the
    secrets of all tables: protect it like the database. `industry admin restore` restores it into
    SQLite or PostgreSQL.
    """
    url = settings_of(None, database=database).database_url
    wrong: list[str] = []

    def work(connection: Connection) -> int:
        archive.begin_snapshot(connection)
        kept = _all_tables(connection, wrong)
        club = list(kept_rows(connection))
        lines = archive.archive_lines(kept, archive.server_key(connection), club)
        return write_lines(file, force, lines) - 2 - len(club)

    _report_count(read_database(url, work), "written to", file)
    _end_with_damage(wrong, "`industry admin restore --skip-damaged` restores the others.")


def _all_tables(connection: Connection, wrong: list[str]) -> Iterator[ArchivedTable]:
    """Yields all tables, damaged ones too; records what is wrong with them."""
    for name in archive.table_names(connection):
        try:
            kept = archive.readable_table(connection, name)
        except ArchiveError as error:
            wrong.append(str(error))
            continue
        try:
            archive.verified(kept)
        except ArchiveError as error:
            wrong.append(str(error))
        yield kept


def _end_with_damage(wrong: list[str], what_next: str) -> None:
    """Names the damaged tables, if any, and exits with the code for them."""
    if not wrong:
        return
    for sentence in wrong:
        click.echo(printable(sentence[0].upper() + sentence[1:]), err=True)
    problems = "1 problem" if len(wrong) == 1 else f"{len(wrong):,} problems"
    click.echo(f"{problems}. {what_next}", err=True)
    click.get_current_context().exit(DAMAGED)


@command.command("restore")
@file_argument
@click.option(
    "--skip-damaged",
    is_flag=True,
    help="Restore the intact tables; write the lines of the others to a file.",
)
@database_option
def restore(file: Path, skip_damaged: bool, database: str | None) -> None:
    """Restore a backup into an empty database, after replaying every table in it.

    If one table is damaged, nothing is restored. With --skip-damaged all others are; the damaged
    ones are named, their lines go to a file beside the backup, and the exit code is 3.
    """
    url = settings_of(None, database=database).database_url
    skipped = Skipped() if skip_damaged else None
    _report_count(_load_archive(url, file, skipped=skipped), "replayed and restored from", file)
    if skipped is not None:
        place = f" What was left out is kept in {skipped.file}." if skipped.file else ""
        _end_with_damage(skipped.reasons, f"The rest was restored.{place}")


@command.command("check")
@database_option
@json_option
def check(database: str | None, as_json: bool) -> None:
    """Replay every table and check its hashes, moves, result and bag.

    The exit code is 1 if a table is damaged.
    """
    url = settings_of(None, database=database).database_url

    def work(connection: Connection) -> tuple[int, list[str]]:
        archive.begin_snapshot(connection)
        names, wrong = archive.table_names(connection), []
        for name in names:
            try:
                archive.verified(archive.readable_table(connection, name))
            except ArchiveError as error:
                wrong.append(str(error))
        return len(names), wrong

    count, wrong = read_database(url, work)
    if as_json:
        echo_json({"tables": count, "damaged": wrong})
    else:
        for sentence in wrong:
            click.echo(printable(sentence[0].upper() + sentence[1:]))
        tables = "1 table" if count == 1 else f"{count:,} tables"
        click.echo(f"{tables} replayed: {f'{len(wrong):,} damaged' if wrong else 'all right'}.")
    if wrong:
        click.get_current_context().exit(1)


# The database


def _kept(connection: Connection, name: str) -> ArchivedTable:
    kept = archive.archived_table(connection, name)
    if kept is None:
        raise Failure(f"there is no table {name}.")
    return kept


@dataclass(slots=True)
class Skipped:
    """What a restore left out: the reasons and the lines."""

    reasons: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    file: Path | None = None

    def add(self, error: ArchiveError, line: str) -> None:
        self.reasons.append(str(error))
        if line:
            self.lines.append(line)

    def keep(self, backup: Path) -> None:
        """Writes the lines beside the backup, before anything else is durable."""
        if self.lines:
            self.file = free_name(backup.with_name(f"{backup.name}.damaged"))
            write_lines(self.file, False, self.lines)


def _load_archive(
    url: str, file: Path, *, everything: bool = True, skipped: Skipped | None = None
) -> int:
    def work(connection: Connection) -> int:
        if everything and archive.table_names(connection):
            where = shown_database(url)
            raise Failure(f"the database {where} is not empty; restore into a new one.")
        with lines_of(file, rescue=skipped is not None) as lines:
            count = _add_all(connection, Archive(lines), everything, skipped)
        if skipped is not None:
            skipped.keep(file)
        return count

    with database_locked(url):
        try:
            return write_database(url, work)
        except ArchiveError as error:
            helps = " `--skip-damaged` restores the intact tables." if everything else ""
            raise Failure(f"{file}: {error} Nothing was imported.{helps}") from None


def _add_all(
    connection: Connection, source: Archive, everything: bool, skipped: Skipped | None
) -> int:
    count = 0
    for found in source.found():
        try:
            table: VerifiedTable = archive.verified(found.kept())
            if archive.is_stored(connection, table.kept.table):
                raise ArchiveError(f"the table {table.kept.table} is there already.")
            archive.insert_table(connection, table)
            count += 1
        except ArchiveError as error:
            if skipped is None:
                raise
            skipped.add(error, found.line)
    if everything and source.key is not None:
        archive.set_server_key(connection, source.key)
    if everything:
        restore_rows(connection, source.club)
    return count


# Files


def _report_count(count: int, what: str, file: Path) -> None:
    tables = "1 table" if count == 1 else f"{count:,} tables"
    click.echo(f"{tables} {what} {printable(str(file))}.", err=file == STDOUT)
