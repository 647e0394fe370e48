"""`industry engine`: a bot of this program for hosts that speak the engine protocol."""

import sys

import click

from industry.bots import bot_maker
from industry.bots.engine_server import EngineServer

from ._arena import arena_failures


@click.command()
@click.argument("name")
def command(name: str) -> None:
    """Run a bot as an engine, over standard input and output, for any program that hosts games.

    NAME is a bot of `industry bots`. docs/engine-protocol.md describes the protocol;
    `exec:industry engine NAME` enters the bot in a tournament.
    """
    with arena_failures():
        make = bot_maker(name)
    EngineServer(name, make, lambda line: click.echo(line)).serve(sys.stdin)
