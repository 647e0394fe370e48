"""`industry engine`: a bot of this program for hosts that speak the engine protocol."""

import sys

import click

from industry.bots import bot_maker
from industry.bots.engine_server import EngineServer

from ._arena import arena_failures


@click.command()
@click.argument("name")
def command(name: str) -> None:
    """Let a bot decide through standard input and output, for any program that hosts games.

    NAME is a bot of `industry bots`. docs/engine-protocol.md describes the few lines of text;
    `exec:industry engine NAME` seats the bot in a tournament.
    """
    with arena_failures():
        make = bot_maker(name)
    EngineServer(name, make, lambda line: click.echo(line)).serve(sys.stdin)
