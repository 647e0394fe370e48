"""`industry board edit`: a server for one board file and one person, and the browser on it."""

import os
import secrets
import sys
from pathlib import Path

import click

from industry.boards import BoardError
from industry.server import logs
from industry.server.app import uvicorn_config
from industry.server.editor.app import editor_app
from industry.server.editor.desk import Desk, Unfit
from industry.texts import say
from industry.texts.shown import printable

from .files import Failure, replace_file
from .play import LOOPBACK, show
from .serving import Server, address_of, open_door
from .terminal import system_language


def edit(file: Path, origin: str | None, port: int, no_open: bool, language: str | None) -> None:
    """Serve the editor until Ctrl-C."""
    language = language or system_language(os.environ)
    try:
        desk = Desk(file, origin, replace_file)
    except (Unfit, BoardError) as error:
        raise Failure(str(error)) from None
    logs.set_up("warning", sys.stderr)
    token = secrets.token_urlsafe(24)
    with open_door(LOOPBACK, port) as door:
        address = f"{address_of(door)}#{token}"

        def when_ready() -> None:
            name = printable(str(file))
            click.echo(say("board.editor.ready", language, file=name, address=address))
            click.echo(say("board.editor.end", language))
            if not no_open:
                show(address)

        config = uvicorn_config(editor_app(desk, token), host=LOOPBACK, port=port)
        Server(config, when_ready).run([door])
