"""The command line: the commands, what they share, and how errors are reported."""

import contextlib
import errno
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NoReturn, TypeVar

import click

from industry import __version__
from industry.texts import DEFAULT, LANGUAGES
from industry.texts.sanitize import printable
from industry.texts.suggest import did_you_mean

from ._options import ANY_FILE

COMMANDS = {
    "play": "play in the browser, on this machine",
    "terminal": "play a game in the terminal",
    "serve": "run a server for a club",
    "admin": "list, export, import, delete, back up and restore tables",
    "board": "list, show, check, edit and measure boards",
    "simulate": "play many games and record them",
    "report": "write an HTML page of charts from recorded games",
    "tournament": "let bots play each other, each equally often in every seat",
    "ladder": "measure each level of bot against the one below it",
    "bots": "list the installed bots",
    "engine": "run a bot as an engine for other programs",
    "train": "train the strongest bot by self-play",
    "verify": "check game records move by move",
    "replay": "show a recorded game move by move",
    "legal": "list the legal moves of a recorded position",
    "perft": "count the move sequences from a recorded position",
    "score": "show the points of a recorded game",
    "review": "explain the result of a game and what each decision cost",
    "judge": "estimate every seat's chances in a recorded position",
}
"""Name and one-line help of every command; its module in this package has the same name."""

STOPPED = 130
"""The exit code after Ctrl-C, as shells use it."""
PIPE_CLOSED = 141
"""The exit code when the reader of the output has gone, as shells use it."""

Function = TypeVar("Function", bound=Callable[..., object])


class PipeClosed(Exception):
    """The reader of the output has gone."""


class LazyCommands(click.Group):
    """Commands whose modules are imported only when they are called, so that help is fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"industry.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            ctx.fail(f"No such command “{printable(name)}”.{did_you_mean(name, COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> object:
        """Runs a command; raises `PipeClosed` where click would hide that the output was closed."""
        try:
            result = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()
        except BrokenPipeError:
            raise PipeClosed from None
        return result


@click.group(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="industry")
def cli() -> None:
    """Industry (2010) and Industria (2003): play, record, check and study the auction games.

    An unofficial program, not affiliated with the publishers. The boards are reconstructions:
    see `industry board show`.
    """


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line; errors become one sentence and an exit code, never a traceback."""
    _escape_unprintable()
    try:
        code = cli(args, prog_name="industry", standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        _leave("Stopped.", STOPPED)
    except click.ClickException as error:
        with contextlib.suppress(OSError):
            error.show()
        _exit(error.exit_code)
    except PipeClosed:
        _exit(PIPE_CLOSED)
    except OSError as error:
        _leave(f"Error: {describe(error)}", 1)
    _exit(code if isinstance(code, int) else 0)


def describe(error: OSError) -> str:
    """Describes an operating-system error in a sentence."""
    name = printable(str(error.filename)) if error.filename else ""
    if error.errno == errno.ENOSPC:
        return f"there is no space left on the disk{f' for {name}' if name else ''}."
    return f"{name}{': ' if name else ''}{error.strerror or error}."


def _leave(message: str, code: int) -> NoReturn:
    with contextlib.suppress(OSError):
        click.echo(message, err=True)
    _exit(code)


def _escape_unprintable() -> None:
    """Escapes characters that the terminal cannot show instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _exit(code: int) -> NoReturn:
    """Exits with this code, even if an output is broken: Python would flush it again at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)


def one_game(command: Function) -> Function:
    """Adds FILE, --game and --board, for commands on one recorded game."""
    board = click.option("--board", metavar="FILE", help="The board file of the game.")
    game = click.option(
        "--game", type=int, default=1, show_default=True, help="Which game in the file."
    )
    file = click.argument("file", type=ANY_FILE)
    return file(game(board(command)))


at_option = click.option("--at", type=int, help="The position after this many moves; default: all.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for scripts.")
language_option = click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default=DEFAULT,
    show_default=True,
    help="The language of the output.",
)


def echo_json(data: object, *, err: bool = False) -> None:
    """Prints one line of JSON in ASCII, so that no name can disturb a terminal or an encoding."""
    click.echo(json.dumps(data, separators=(",", ":")), err=err)
