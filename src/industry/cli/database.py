"""What commands that use a server's database share."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import click
from sqlalchemy import Connection

from industry.server.store import Store

from ._server import database_failures

Result = TypeVar("Result")

database_option = click.option(
    "--database", metavar="URL", help="Default: that of the settings, as for `industry serve`."
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
