"""`industry admin`: what an operator does with the tables of a server."""

import asyncio
import contextlib
import gzip
import io
import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, TypeVar

import click
from rich import box
from rich.console import Console
from rich.table import Table
from sqlalchemy import Connection, select
from sqlalchemy.exc import IntegrityError

from industry.server import archive
from industry.server.archive import Archive, ArchiveError, Checked, Kept
from industry.server.store import Store, schema
from industry.texts.shown import printable

from .app import echo_json, json_option
from .files import Failure
from .serving import database_failures, database_held, settings_of, shown_database

STDOUT = Path("-")
Result = TypeVar("Result")

database_option = click.option(
    "--database", metavar="URL", help="Default: that of the settings, as for `industry serve`."
)
force_option = click.option("--force", is_flag=True, help="Replace an existing file.")
file_argument = click.argument("file", type=click.Path(path_type=Path))
tables_argument = click.argument("tables", metavar="TABLE…", nargs=-1)


@click.group()
def command() -> None:
    """List, export, import, delete, check, back up and restore the tables of a server.

    Reading (list, export, backup, check) may be done while the server runs. Writing (import,
    delete, restore) wants it stopped.
    """


@command.command("list")
@database_option
@click.option("--status", type=click.Choice(["open", "running", "over"]), help="Only these.")
@json_option
def list_tables(database: str | None, status: str | None, as_json: bool) -> None:
    """List the tables, the one that was changed last first."""
    tables = schema.tables.c
    query = select(tables.summary).order_by(tables.changed.desc(), tables.id)
    if status is not None:
        query = query.where(tables.status == status)
    url = settings_of(None, database=database).database_url
    found = [json.loads(text) for text in _read(url, lambda c: list(c.scalars(query)))]
    if as_json:
        for row in found:
            echo_json(row)
        return
    if found:
        Console().print(_overview(found), markup=False)
    click.echo("1 table." if len(found) == 1 else f"{len(found):,} tables.")


def _overview(found: list[dict[str, Any]]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    for name in ("Table", "Status", "Edition", "Changed (UTC)", "Players"):
        table.add_column(name, no_wrap=name != "Players")
    for row in found:
        at = datetime.fromtimestamp(row["changed"] / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        status = f"era {row['era']}, round {row['round']}" if row["round"] else row["status"]
        if row["status"] == "over":
            status = "over"
        players = ", ".join(seat["name"] or "(open)" for seat in row["seats"])
        edition = row["options"]["edition"]
        table.add_row(*(printable(str(c)) for c in (row["table"], status, edition, at, players)))
    return table


@command.command("export")
@tables_argument
@click.option("--out", type=click.Path(path_type=Path), required=True, help="- is standard output.")
@click.option("--records", is_flag=True, help="Only the game records, as JSON lines.")
@force_option
@database_option
def export_tables(
    tables: tuple[str, ...], out: Path, records: bool, force: bool, database: str | None
) -> None:
    """Write tables to a file, whole and with their secrets, or only their game records.

    Without names all tables are written. `industry admin import` takes the file in again; with
    --records it is one for `industry verify`.
    """
    url = settings_of(None, database=database).database_url

    def work(connection: Connection) -> int:
        archive.begin_snapshot(connection)
        names = list(tables) or archive.table_names(connection)
        kept = (_kept(connection, name) for name in names)
        if not records:
            return _write_lines(out, force, archive.archive_lines(kept)) - 2
        found = (archive.checked(table).record for table in kept)
        return _write_lines(out, force, (r.to_json() for r in found if r is not None))

    _told(_read(url, work), "written to", out)


@command.command("import")
@file_argument
@database_option
def import_tables(file: Path, database: str | None) -> None:
    """Take in the tables of a file that `industry admin export` wrote.

    Every table is replayed from its first entry before anything is written: all of them or none.
    """
    url = settings_of(None, database=database).database_url
    _told(_take_in(url, file, everything=False), "taken in from", file)


@command.command("delete")
@tables_argument
@click.option("--yes", is_flag=True, help="Do not ask.")
@database_option
def delete_tables(tables: tuple[str, ...], yes: bool, database: str | None) -> None:
    """Delete tables with all that is kept of them."""
    url = settings_of(None, database=database).database_url
    if not tables:
        raise Failure("name the tables to delete; `industry admin list` has their names.")

    def work(connection: Connection) -> None:
        for name in tables:
            _kept(connection, name)
            archive.remove(connection, name)

    with database_held(url):
        what = "1 table" if len(tables) == 1 else f"{len(tables)} tables"
        if not yes:
            click.confirm(f"Delete {what} for good?", abort=True)
        _write(url, work)
    click.echo(f"{what} deleted.")


@command.command("backup")
@file_argument
@force_option
@database_option
def backup(file: Path, force: bool, database: str | None) -> None:
    """Write everything to a file, as it is at this moment, while the server goes on.

    A name that ends in .gz is compressed. The file holds the secrets of all tables: keep it as
    you keep the database. `industry admin restore` makes a database of it, of either kind.
    """
    url = settings_of(None, database=database).database_url

    def work(connection: Connection) -> int:
        archive.begin_snapshot(connection)
        kept = (_kept(connection, name) for name in archive.table_names(connection))
        lines = archive.archive_lines(kept, archive.server_key(connection))
        return _write_lines(file, force, lines) - 2

    _told(_read(url, work), "written to", file)


@command.command("restore")
@file_argument
@database_option
def restore(file: Path, database: str | None) -> None:
    """Make an empty database what the backup says, after replaying every table of it."""
    url = settings_of(None, database=database).database_url
    _told(_take_in(url, file, everything=True), "replayed and restored from", file)


@command.command("check")
@database_option
@json_option
def check(database: str | None, as_json: bool) -> None:
    """Replay every table: its hashes, every move, the result and the bag.

    The exit code is 1 where a table is damaged.
    """
    url = settings_of(None, database=database).database_url

    def work(connection: Connection) -> tuple[int, list[str]]:
        archive.begin_snapshot(connection)
        names, wrong = archive.table_names(connection), []
        for name in names:
            try:
                archive.checked(_kept(connection, name))
            except ArchiveError as error:
                wrong.append(str(error))
        return len(names), wrong

    count, wrong = _read(url, work)
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


def _read(url: str, work: Callable[[Connection], Result]) -> Result:
    return _run(url, lambda store: store.read(work))


def _write(url: str, work: Callable[[Connection], Result]) -> Result:
    return _run(url, lambda store: store.write(work))


def _run(url: str, use: Callable[[Store], Awaitable[Result]]) -> Result:
    async def run() -> Result:
        store = Store(url)
        try:
            await store.start()
            return await use(store)
        finally:
            await store.stop()

    with database_failures(url):
        return asyncio.run(run())


def _kept(connection: Connection, name: str) -> Kept:
    kept = archive.kept_table(connection, name)
    if kept is None:
        raise Failure(f"there is no table {name}.")
    return kept


def _take_in(url: str, file: Path, *, everything: bool) -> int:
    def work(connection: Connection) -> int:
        if everything and archive.table_names(connection):
            where = shown_database(url)
            raise Failure(f"the database {where} is not empty; restore into a new one.")
        with _lines_of(file) as lines:
            return _add_all(connection, Archive(lines), everything)

    with database_held(url):
        try:
            return _write(url, work)
        except ArchiveError as error:
            raise Failure(f"{file}: {error} Nothing was taken in.") from None
        except IntegrityError:
            reason = "parts of a table are there already. Nothing was taken in."
            raise Failure(f"{file}: {reason}") from None


def _add_all(connection: Connection, source: Archive, everything: bool) -> int:
    count = 0
    for kept in source.tables():
        table: Checked = archive.checked(kept)
        if archive.is_kept(connection, kept.table):
            raise ArchiveError(f"the table {kept.table} is there already.")
        archive.take_in(connection, table)
        count += 1
    if everything and source.key is not None:
        archive.set_server_key(connection, source.key)
    return count


# Files


def _told(count: int, what: str, file: Path) -> None:
    tables = "1 table" if count == 1 else f"{count:,} tables"
    click.echo(f"{tables} {what} {printable(str(file))}.", err=file == STDOUT)


@contextmanager
def _lines_of(file: Path) -> Iterator[Iterable[str]]:
    try:
        with ExitStack() as stack:
            start = stack.enter_context(file.open("rb"))
            packed = start.read(2) == b"\x1f\x8b"
            start.seek(0)
            raw = stack.enter_context(gzip.GzipFile(fileobj=start)) if packed else start
            yield stack.enter_context(io.TextIOWrapper(raw, encoding="utf-8"))
    except (EOFError, UnicodeDecodeError, gzip.BadGzipFile):
        raise Failure(f"{file} is damaged: it cannot be read to its end.") from None
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}.") from None


def _write_lines(file: Path, force: bool, lines: Iterable[str]) -> int:
    """Write lines to a file that is whole or not there, and nobody else's to read."""
    if file == STDOUT:
        return sum(1 for line in lines if sys.stdout.write(f"{line}\n"))
    if file.exists() and not force:
        raise Failure(f"{file} exists already; choose another name or add --force.")
    part = file.with_name(f".{file.name}.part")
    count = 0
    try:
        with _opened_private(part, file.suffix == ".gz") as target:
            for line in lines:
                target.write(f"{line}\n".encode())
                count += 1
        part.replace(file)
    except OSError as error:
        raise Failure(f"{file} cannot be written: {error.strerror}.") from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
    return count


@contextmanager
def _opened_private(path: Path, packed: bool) -> Iterator[IO[bytes]]:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        if packed:
            with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as zipped:
                yield zipped  # type: ignore[misc]
        else:
            yield file
        file.flush()
        os.fsync(file.fileno())
