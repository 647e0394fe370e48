"""Runs the board editor: a server for one board file and one person, and the browser."""

import os
import secrets
import sys
from pathlib import Path

import click

from industry.boards import BoardError
from industry.server import logs
from industry.server.app import uvicorn_config
from industry.server.editor.app import editor_app
from industry.server.editor.board_file import BoardFile, UnusableFile
from industry.texts import say
from industry.texts.sanitize import printable

from ._server import Server, address_of, open_listener
from .files import Failure, replace_file
from .play import LOOPBACK, show
from .terminal import system_language


def edit(file: Path, origin: str | None, port: int, no_open: bool, language: str | None) -> None:
    """Serves the editor until Ctrl-C."""
    language = language or system_language(os.environ)
    try:
        board_file = BoardFile(file, origin, replace_file)
    except (UnusableFile, BoardError) as error:
        raise Failure(str(error)) from None
    logs.set_up("warning", sys.stderr)
    token = secrets.token_urlsafe(24)
    with open_listener(LOOPBACK, port) as listener:
        address = f"{address_of(listener)}#{token}"

        def when_ready() -> None:
            name = printable(str(file))
            click.echo(say("board.editor.ready", language, file=name, address=address))
            click.echo(say("board.editor.end", language))
            if not no_open:
                show(address)

        config = uvicorn_config(editor_app(board_file, token), host=LOOPBACK, port=port)
        Server(config, when_ready).run([listener])
