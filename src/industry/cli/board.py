"""`industry board`: list boards, show one in the terminal or as a picture, check a file.

`calibrate` measures how a board plays, and `_editor` runs the editor; both are imported only when
needed.
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from rich.console import Console, RenderableType

from industry.boards import (
    BOARDS,
    BoardError,
    BoardSpec,
    Problem,
    board_text,
    load_board,
    parse_board,
)
from industry.boards.check import board_remarks
from industry.boards.picture import THEMES, board_svg
from industry.boards.read import FORMAT
from industry.boards.store import board_file_text
from industry.engine import ERAS
from industry.texts import say
from industry.texts.sanitize import printable

from ._options import ANY_FILE, free_port_option, messages_language_option, players_option
from .app import echo_json, json_option, language_option
from .board_view import Drawing
from .files import Failure, write_whole


@click.group()
def command() -> None:
    """List, show, check, edit and measure boards.

    Name a board by its name (see `industry board list`) or by the path of its file.
    """


@command.command("list")
@json_option
def list_boards(as_json: bool) -> None:
    """List the boards that come with the program."""
    boards = [load_board(name) for name in BOARDS]
    if as_json:
        echo_json([_summary(board) for board in boards])
        return
    for board in boards:
        found = _summary(board)
        click.echo(f"{click.style(board.id, bold=True)}  {say(f'edition.{board.edition}')}")
        click.echo(
            f"  {board.status}: a source states {found['attested_values']} values on "
            f"{found['attested_fields']} of {len(board.fields)} fields"
        )
        click.echo(f"  {board.hash}")


def _summary(board: BoardSpec) -> dict[str, Any]:
    return {
        "id": board.id,
        "edition": board.edition,
        "status": board.status,
        "hash": board.hash,
        "attested_values": sum(len(field.attested) for field in board.fields),
        "attested_fields": sum(1 for field in board.fields if field.attested),
    }


@command.command()
@click.argument("board", metavar="NAME|FILE")
@language_option
@click.option("--era", type=click.IntRange(1, ERAS), help="Show only this era.")
@click.option("--toml", "as_toml", is_flag=True, help="Print the board file.")
@json_option
@click.option("--svg", type=ANY_FILE, help="Write a picture to this file.")
@click.option(
    "--theme", type=click.Choice(list(THEMES)), help="Colours of the picture; default: light."
)
@click.option("--force", is_flag=True, help="Let --svg replace an existing file.")
def show(
    board: str,
    language: str,
    era: int | None,
    as_toml: bool,
    as_json: bool,
    svg: Path | None,
    theme: str | None,
    force: bool,
) -> None:
    """Show a board: all fields with their values, networks and links.

    A dot marks the values that a source states. To make a board of your own, start from
    `industry board show industry --toml > mine.toml`.
    """
    if as_toml + as_json + (svg is not None) > 1:
        raise click.UsageError("--toml, --json and --svg cannot be combined.")
    if svg is None and (theme or force):
        raise click.UsageError("--theme and --force belong to --svg.")
    if era is not None and (as_toml or svg):
        raise click.UsageError(
            "--era cannot be combined with --toml and --svg, which show all eras."
        )
    spec = _loaded(board)
    if as_toml:
        click.echo(_file_text(board), nl=False)
    elif as_json:
        echo_json(_data(spec, era))
    elif svg is not None:
        write_whole(svg, board_svg(spec, language, theme or "light"), replace=force)
        click.echo(f"{printable(str(svg))} written.")
    else:
        _print(*Drawing(spec, language).parts(era))


def _loaded(name: str) -> BoardSpec:
    try:
        return load_board(name)
    except BoardError as error:
        raise Failure(str(error)) from None


def _file_text(name: str) -> bytes:
    """Writes bytes, so that the file is exact whatever the terminal's encoding."""
    return board_text(name).encode() if name in BOARDS else Path(name).read_bytes()


def _data(board: BoardSpec, era: int | None) -> dict[str, Any]:
    fields = board.fields if era is None else board.row(era)
    shown = {field.id for field in fields}
    return {
        **_summary(board),
        "coin_columns": list(board.coin_columns),
        "fields": [
            {
                **field.rule_values(),
                "name": field.name,
                "attested": list(field.attested),
                "source": field.source,
            }
            for field in fields
        ],
        "links": [list(ends) for ends in board.links if shown & set(ends)],
    }


@command.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@language_option
@json_option
@click.pass_context
def check(ctx: click.Context, files: tuple[str, ...], language: str, as_json: bool) -> None:
    """Check whether boards can be played on, and if not, which field is wrong and why.

    The exit code is 0 if all of them can be played on, else 1; remarks do not count.
    """
    reports = [_Report(name) for name in files]
    if as_json:
        echo_json([report.data(language) for report in reports])
    else:
        for report in reports:
            click.echo("\n".join(report.lines(language)))
    ctx.exit(0 if all(report.board for report in reports) else 1)


@command.command()
@click.argument("board", metavar="[NAME|FILE]", default="industria")
@click.option(
    "--games",
    "-n",
    type=click.IntRange(2),
    default=1000,
    show_default=True,
    help="Number of games.",
)
@players_option
@click.option(
    "--seed",
    default="calibrate",
    show_default=True,
    help="Any text; the same seed gives the same games.",
)
@click.option(
    "--bot",
    type=click.Choice(["foreman", "engineer", "magnate"]),
    default="engineer",
    show_default=True,
    help="How the players decide.",
)
@click.option(
    "--weights",
    type=ANY_FILE,
    help="For the magnate: weights that `industry train` learned on this board.",
)
@json_option
def calibrate(
    board: str,
    games: int,
    players: str,
    seed: str,
    bot: str,
    weights: Path | None,
    as_json: bool,
) -> None:
    """Measure how a board plays by letting bots play on it, and compare with real games.

    The foreman and the engineer use handmade weights, the magnate learned ones; each player's are
    varied a little. The same board, players, bot and seed give the same games. The default board is
    Industria's, the only edition with known results of real games.
    """
    if weights is not None and bot != "magnate":
        raise click.UsageError("--weights belongs to --bot magnate.")
    measuring = import_module("industry.cli.calibrate")
    measuring.calibrate(_loaded(board), int(players), games, seed, bot, weights, as_json)


@command.command()
@click.argument("file", type=ANY_FILE)
@click.option(
    "--from",
    "origin",
    metavar="NAME|FILE",
    help="The board that a new file is copied from; default: industry.",
)
@free_port_option
@click.option("--no-open", is_flag=True, help="Print the link and open no browser.")
@messages_language_option
def edit(file: Path, origin: str | None, port: int, no_open: bool, language: str | None) -> None:
    """Edit a board of your own, field by field, in the browser.

    Opens a page that only this machine can reach, and only with the secret in its link. Values are
    checked as you enter them, and each is marked as printed, attested or reconstructed. A new FILE
    starts as a copy; the boards of the program are never changed.
    """
    editing = import_module("industry.cli._editor")
    editing.edit(file, origin, port, no_open, language)


@command.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=ANY_FILE)
@click.option(
    "--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if a file needs it."
)
@click.pass_context
def migrate(ctx: click.Context, files: tuple[Path, ...], only_check: bool) -> None:
    """Rewrite board files of format 1 in format 2, which keeps provenance as data.

    Values, board hash and comments stay the same. Nothing is written unless all FILEs are valid.
    """
    found = [(path, _upgrade(path)) for path in dict.fromkeys(files)]
    for path, text in found:
        name = printable(str(path))
        if text is None:
            click.echo(f"{name}: already in format {FORMAT}.")
        elif only_check:
            click.echo(f"{name}: not yet in format {FORMAT}.")
        else:
            write_whole(path, text, replace=True)
            click.echo(f"{name}: rewritten in format {FORMAT}.")
    ctx.exit(int(only_check and any(text is not None for _, text in found)))


def _upgrade(path: Path) -> str | None:
    """Returns the file in the current format, or None if it already is."""
    try:
        text = board_file_text(path)
        board = parse_board(text, str(path), expected_id=path.stem)
        new = import_module("industry.boards.migrate").in_current_format(text)
        if new == text:
            return None
        found = parse_board(new, str(path), expected_id=path.stem)
    except BoardError as error:
        raise Failure(str(error)) from None
    if found.hash != board.hash:
        raise Failure(f"{path}: the values would not stay the same; nothing was written.")
    return str(new)


class _Report:
    """The result of checking one file."""

    def __init__(self, name: str) -> None:
        self.name = printable(name)
        self.board: BoardSpec | None = None
        self.problems: list[Problem] = []
        self.remarks: list[Problem] = []
        try:
            self.board = load_board(name)
            self.remarks = board_remarks(self.board)
        except BoardError as error:
            self.problems = error.problems

    def lines(self, language: str) -> Iterator[str]:
        if self.board:
            key = "picture.playable"
            yield say(key, language, file=self.name, hash=self.board.hash)
        else:
            yield say("picture.not_playable", language, file=self.name, count=len(self.problems))
        for problem in self.problems:
            yield f"  {printable(problem.sentence(language))}"
        for remark in self.remarks:
            sentence = printable(remark.sentence(language))
            yield f"  {say('picture.remark', language, sentence=sentence)}"

    def data(self, language: str) -> dict[str, Any]:
        return {
            "file": self.name,
            "playable": self.board is not None,
            "hash": self.board.hash if self.board else None,
            "problems": [_problem(problem, language) for problem in self.problems],
            "remarks": [_problem(remark, language) for remark in self.remarks],
        }


def _problem(problem: Problem, language: str) -> dict[str, str]:
    return {
        "place": problem.place,
        "code": problem.code,
        "sentence": problem.sentence(language),
    }


def _print(*parts: RenderableType) -> None:
    """Prints through click, which knows terminals, files and closed pipes."""
    console = Console()
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))
