"""`industry serve`: tables for a club, over a network."""

import logging
import os
import sqlite3
from pathlib import Path

import click

from industry.server import logs
from industry.server.settings import unknown_variables
from industry.server.store.access import is_unsound

from ._server import (
    address_of,
    boards_option,
    catalogue_of,
    check_database,
    database_locked,
    open_listener,
    run_server,
    settings_of,
    shown_database,
)


@click.command()
@click.option("--host", help="The address to listen at; default 127.0.0.1, this machine only.")
@click.option("--port", type=int, help="Default 8000; 0 takes any that is free.")
@click.option("--database", metavar="URL", help="Default: a SQLite file in the user's data folder.")
@boards_option
@click.option("--config", type=click.Path(path_type=Path), help="A file with settings (TOML).")
def command(
    host: str | None,
    port: int | None,
    database: str | None,
    boards: tuple[str, ...],
    config: Path | None,
) -> None:
    """Run a server on which people and bots play, until it is stopped.

    Tables are kept in the database: SQLite in a file, or PostgreSQL, which several servers can
    share. docs/operations.md has all settings, and how to run it behind a proxy with TLS. SIGTERM
    or Ctrl-C end it: what is under way is finished, and no move is lost.
    """
    settings = settings_of(config, host=host, port=port, database=database, boards=boards or None)
    catalogue = catalogue_of(settings)
    logs.set_up(settings.log_level)
    for name in unknown_variables(os.environ):
        logs.log_event("unknown_variable", logging.WARNING, name=name)
    url = settings.database_url
    with database_locked(url) as note_address:
        check_database(url)
        with open_listener(settings.host, settings.port) as listener:
            address = settings.public_url or address_of(listener)
            note_address(address_of(listener))  # `industry admin` asks from this machine

            def when_ready() -> None:
                click.echo(f"Industry is served at {address}")
                logs.log_event("started", address=address, database=shown_database(url))
                if is_unsound(url):
                    logs.log_event("old_sqlite", logging.WARNING, version=sqlite3.sqlite_version)

            run_server(settings, catalogue, listener, when_ready)
