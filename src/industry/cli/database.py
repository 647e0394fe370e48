"""Shared by commands that use a server's database."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

import click
from rich import box
from rich.console import Console
from rich.table import Table
from sqlalchemy import Connection

from industry.server import archive
from industry.server.store import Store
from industry.server.tokens import TokenKeys
from industry.texts.sanitize import printable

from ._server import DatabaseInUse, database_failures
from .app import echo_json
from .files import Failure

Result = TypeVar("Result")
PATIENCE = 30.0
"""Seconds for which a server is given time to answer."""

database_option = click.option(
    "--database",
    metavar="URL",
    help="The database; default: the one that `industry serve` would use.",
)
force_option = click.option("--force", is_flag=True, help="Replace an existing file.")


def read_database(url: str, work: Callable[[Connection], Result]) -> Result:
    """Runs work that changes nothing; raises `Failure`."""
    return use_database(url, lambda store: store.read(work))


def write_database(url: str, work: Callable[[Connection], Result]) -> Result:
    """Runs work in one transaction; raises `Failure`."""
    return use_database(url, lambda store: store.write(work))


def use_database(url: str, use: Callable[[Store], Awaitable[Result]]) -> Result:
    """Opens a database for some work, and migrates it first; raises `Failure`."""

    async def run() -> Result:
        store = Store(url)
        try:
            await store.start()
            return await use(store)
        finally:
            await store.stop()

    with database_failures(url):
        return asyncio.run(run())


def ask_server(
    url: str,
    held: DatabaseInUse,
    path: str,
    message: dict[str, Any],
    sign: Callable[[TokenKeys, int], str],
) -> bytes:
    """Returns the answer of the server that uses a database to a message signed with its key.

    `sign` gets the database's keys and the time. Raises `Failure`, or `HTTPError` for a refusal.
    """
    key = read_database(url, archive.server_key)
    if not held.address or key is None:
        raise held
    at = time.time_ns() // 1_000_000
    signed = {**message, "at": at, "signature": sign(TokenKeys(bytes.fromhex(key)), at)}
    request = Request(
        f"{held.address}{path}", json.dumps(signed).encode(), {"content-type": "application/json"}
    )
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=PATIENCE) as response:
            answer: bytes = response.read()
            return answer
    except HTTPError:
        raise
    except (OSError, ValueError) as error:
        raise Failure(f"the server at {held.address} did not answer: {error}.") from None


def echo_rows(
    rows: list[dict[str, Any]],
    noun: str,
    overview: Callable[[list[dict[str, Any]]], Table],
    *,
    as_json: bool,
) -> None:
    """Prints rows as a table with their number below, or one line of JSON for each."""
    if as_json:
        for row in rows:
            echo_json(row)
        return
    if rows:
        Console().print(overview(rows), markup=False)
    click.echo(f"1 {noun}." if len(rows) == 1 else f"{len(rows):,} {noun}s.")


def rows_table(rows: Iterable[Sequence[object]], *names: str, wrapped: str = "") -> Table:
    """Returns a table of printable cells under these names; the column `wrapped` may wrap."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    for name in names:
        table.add_column(name, no_wrap=name != wrapped)
    for cells in rows:
        table.add_row(*(printable(str(cell)) for cell in cells))
    return table


def utc_minute(milliseconds: int) -> str:
    """Returns a time of the database to the minute, in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")
