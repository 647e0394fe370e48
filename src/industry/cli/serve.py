"""`industry serve`: tables for a club, over a network."""

import logging
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import click
from sqlalchemy import make_url

from industry.server import logs
from industry.server.processes.router import Router, hand_down
from industry.server.settings import Settings, unknown_variables
from industry.server.store.access import is_sqlite, is_unsound

from ._options import ANY_FILE
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
from .files import Failure


@click.command()
@click.option("--host", help="The address to listen on; default: 127.0.0.1, this machine only.")
@click.option(
    "--port", type=int, help="The port to listen on; default: 8000; 0 takes any free one."
)
@click.option(
    "--database",
    metavar="URL",
    help="The database; default: a SQLite file in the user's data folder.",
)
@boards_option
@click.option("--config", type=ANY_FILE, help="A TOML file with settings.")
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    default=1,
    help="Processes that share one port; default: 1. More than one needs PostgreSQL.",
)
@click.option("--channel", type=int, hidden=True)
def command(
    host: str | None,
    port: int | None,
    database: str | None,
    boards: tuple[str, ...],
    config: Path | None,
    processes: int,
    channel: int | None,
) -> None:
    """Run a server on which people and bots play, until it is stopped.

    Tables are kept in the database: SQLite in a file, or PostgreSQL, which several servers can
    share. docs/operations.md lists all settings and explains how to run it behind a proxy with
    TLS. SIGTERM or Ctrl-C stops it: requests in progress are finished, and no move is lost.
    """
    settings = settings_of(config, host=host, port=port, database=database, boards=boards or None)
    catalogue = catalogue_of(settings)
    logs.set_up(settings.log_level)
    for name in unknown_variables(os.environ):
        logs.log_event("unknown_variable", logging.WARNING, name=name)
    url = settings.database_url
    if processes > 1:
        _serve_with(processes, settings)
        return
    if channel is not None:  # its parent listens; this port is for the machine's own questions
        settings = settings.model_copy(update={"host": "127.0.0.1", "port": 0})
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

            run_server(settings, catalogue, listener, when_ready, channel=channel)


def _serve_with(processes: int, settings: Settings) -> None:
    """Listens, and hands every connection to one of several processes."""
    url = settings.database_url
    if is_sqlite(make_url(url)):
        raise Failure(
            "several processes need PostgreSQL, because each would miss what another writes to a "
            "SQLite file; name a database with --database, or leave --processes out."
        )
    check_database(url)

    def start(channel: int) -> subprocess.Popen[bytes]:
        given = [word for word in sys.argv[1:] if word != "--processes=" + str(processes)]
        while "--processes" in given:
            place = given.index("--processes")
            del given[place : place + 2]
        command = [sys.executable, "-m", "industry", *given, "--channel", str(channel)]
        return hand_down(channel, command)

    with open_listener(settings.host, settings.port) as listener:
        address = settings.public_url or address_of(listener)

        def when_ready() -> None:
            click.echo(f"Industry is served at {address} by {processes} processes")
            shown = shown_database(url)
            logs.log_event("started", address=address, database=shown, processes=processes)

        Router(listener, processes, start).run(when_ready)
    logs.log_event("stopped")
