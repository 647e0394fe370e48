"""`industry play`: a private server, opened in the browser."""

import os
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

import click
import platformdirs

from industry.server import logs
from industry.server.board_catalogue import BoardCatalogue
from industry.server.network import Network, own_addresses
from industry.server.settings import Settings, default_database
from industry.texts import say

from ._options import free_port_option, messages_language_option
from ._server import (
    DatabaseInUse,
    address_of,
    boards_option,
    catalogue_of,
    check_database,
    database_locked,
    open_listener,
    run_server,
    settings_of,
)
from .files import Failure
from .terminal import system_language

LOOPBACK = "127.0.0.1"


@click.command()
@free_port_option
@boards_option
@click.option(
    "--network-address",
    metavar="ADDRESS",
    help="This machine's address in the network, for inviting others; default: detected.",
)
@click.option("--no-browser", is_flag=True, help="Print the link and open no browser.")
@messages_language_option
def command(
    port: int,
    boards: tuple[str, ...],
    network_address: str | None,
    no_browser: bool,
    language: str | None,
) -> None:
    """Play in the browser: against bots, with others at this screen, or both.

    Starts a server that only this machine can reach, and opens the browser. To invite others, open
    it to the network from the page. Games are kept in the user's data folder and continue next
    time. Ctrl-C stops the server. `industry serve` runs a server for a club, `industry terminal`
    plays in the terminal.
    """
    language = language or system_language(os.environ)
    own = {"host": LOOPBACK, "port": port, "database": default_database()}
    settings = settings_of(None, boards=boards or None).model_copy(update=own)
    catalogue = catalogue_of(settings)
    try:
        with database_locked(settings.database) as note_address:
            _serve(settings, catalogue, note_address, network_address, no_browser, language)
    except DatabaseInUse as held:
        if boards and held.address:
            raise Failure(say("play.other_boards", language, address=held.address)) from None
        _join(held, no_browser, language)
    else:
        click.echo(say("play.ended", language))


def _serve(
    settings: Settings,
    catalogue: BoardCatalogue,
    note_address: Callable[[str], None],
    network_address: str | None,
    no_browser: bool,
    language: str,
) -> None:
    with (
        log_file().open("w", encoding="utf-8") as log,
        open_listener(LOOPBACK, settings.port) as listener,
    ):
        logs.set_up(settings.log_level, log)
        check_database(settings.database)
        address = address_of(listener)
        note_address(address)

        def when_ready() -> None:
            click.echo(say("play.ready", language, address=address))
            click.echo(say("play.end", language))
            if not no_browser:
                show(address)

        given = (lambda: [network_address]) if network_address else own_addresses
        run_server(settings, catalogue, listener, when_ready, Network(listener, given))


def _join(held: DatabaseInUse, no_browser: bool, language: str) -> None:
    """Shows the server that is already running."""
    if not held.address:
        raise held
    click.echo(say("play.running", language, address=held.address))
    if not no_browser:
        show(held.address)


def log_file() -> Path:
    """Returns the log file of `industry play`."""
    return platformdirs.user_data_path("industry", appauthor=False) / "play.log"


def show(address: str) -> None:
    """Opens a graphical browser if there is a screen; never a text browser in this terminal."""
    screen = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    if screen:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
