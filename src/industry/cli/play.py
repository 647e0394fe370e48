"""`industry play`: a server of one's own, and the browser on it."""

import os
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click
import platformdirs

from industry.server import logs
from industry.server.settings import Settings, default_database
from industry.server.shelf import Shelf
from industry.texts import LANGUAGES, say

from .files import Failure
from .serving import (
    Held,
    address_of,
    boards_option,
    check_database,
    database_held,
    open_door,
    run_server,
    settings_of,
    shelf_of,
)
from .terminal import system_language

LOOPBACK = "127.0.0.1"


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=0, help="Default: any that is free."
)
@boards_option
@click.option("--no-browser", is_flag=True, help="Only print the link.")
@click.option("--language", type=click.Choice(LANGUAGES), help="Default: the system's, or English.")
def command(port: int, boards: tuple[str, ...], no_browser: bool, language: str | None) -> None:
    """Play in the browser: against bots, with others at this screen, or both.

    Starts a server that only this machine reaches and opens the browser. Games are kept in the
    user's data folder and go on next time. Ctrl-C ends it. For a club there is `industry serve`,
    for the terminal `industry terminal`.
    """
    language = language or system_language(os.environ)
    settings = replace(
        settings_of(None, boards=boards or None),
        host=LOOPBACK,
        port=port,
        database=default_database(),
    )
    shelf = shelf_of(settings)
    try:
        with database_held(settings.database) as note_address:
            _serve(settings, shelf, note_address, no_browser, language)
    except Held as held:
        if boards and held.address:
            raise Failure(say("play.other_boards", language, address=held.address)) from None
        _join(held, no_browser, language)
    else:
        click.echo(say("play.ended", language))


def _serve(
    settings: Settings,
    shelf: Shelf,
    note_address: Callable[[str], None],
    no_browser: bool,
    language: str,
) -> None:
    with log_file().open("w", encoding="utf-8") as log, open_door(LOOPBACK, settings.port) as door:
        logs.set_up(settings.log_level, log)
        check_database(settings.database)
        address = address_of(door)
        note_address(address)

        def when_ready() -> None:
            click.echo(say("play.ready", language, address=address))
            click.echo(say("play.end", language))
            if not no_browser:
                show(address)

        run_server(settings, shelf, door, when_ready)


def _join(held: Held, no_browser: bool, language: str) -> None:
    """A second call shows the server that runs already."""
    if not held.address:
        raise held
    click.echo(say("play.running", language, address=held.address))
    if not no_browser:
        show(held.address)


def log_file() -> Path:
    """Where the server of `industry play` tells what it does."""
    return platformdirs.user_data_path("industry", appauthor=False) / "play.log"


def show(address: str) -> None:
    """Open the browser, where there is a screen for one; never one inside this terminal."""
    screen = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    if screen:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
