"""`industry board`: list the boards, show one in the terminal or as a picture, check a file.

How a board plays is measured in `calibrate`, which is imported only when somebody asks.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from industry.boards import (
    BOARDS,
    BoardError,
    BoardSpec,
    FieldSpec,
    Problem,
    board_text,
    load_board,
)
from industry.boards.check import board_remarks
from industry.boards.picture import ROMAN, THEMES, board_svg, kind_words
from industry.boards.spec import FIELD_INDEX, appears_in
from industry.engine.vocabulary import COLUMN_LETTERS, ERAS, field_id
from industry.texts import say
from industry.texts.shown import printable

from .app import echo_json, json_option, language_option
from .files import Failure, write_whole
from .table.fields import linked

ATTESTED = "•"
CARD_WIDTH = 14
"""A field can be read in so many columns."""

_ERA_STYLES = ("#d0784f", "#d06a6a", "#c49a1a", "#2fa39a", "#8a8ef0")
_COST, _POINTS = 3, 6
"""The columns of numbers."""
_KIND_STYLES = {"joker": "yellow", "bonus": "cyan", "factory": "", "technology": "green"}


@click.group()
def command() -> None:
    """List, show, check and measure boards.

    A board is named by its name (see `industry board list`) or by the path of its file.
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
@click.option("--era", type=click.IntRange(1, ERAS), help="Only this era.")
@click.option("--toml", "as_toml", is_flag=True, help="Print the board file itself.")
@json_option
@click.option("--svg", type=click.Path(path_type=Path), help="Write a picture to this file.")
@click.option("--theme", type=click.Choice(list(THEMES)), help="Of the picture; default: light.")
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

    A dot marks the values that a source states. To make a board of your own, begin with
    `industry board show industry --toml > mine.toml`.
    """
    if as_toml + as_json + (svg is not None) > 1:
        raise click.UsageError("--toml, --json and --svg exclude each other.")
    if svg is None and (theme or force):
        raise click.UsageError("--theme and --force belong to --svg.")
    if era is not None and (as_toml or svg):
        raise click.UsageError("--era does not go with --toml and --svg, which show all eras.")
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
        more = len(error.problems) - 1
        rest = f" (and {more} more: see “industry board check {name}”)" if more else ""
        raise Failure(f"{name}: {error.problems[0].sentence()}{rest}") from None


def _file_text(name: str) -> bytes:
    """In bytes, so that the file comes out as it is whatever the terminal's encoding."""
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
    """Say whether boards can be played on, and if not, which field is wrong and why.

    Exit code 0 when all of them can, else 1. Remarks do not count.
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
@click.option("--games", "-n", type=click.IntRange(2), default=1000, show_default=True)
@click.option("--players", "-p", type=click.Choice(["3", "4"]), default="4", show_default=True)
@click.option("--seed", default="calibrate", show_default=True, help="Any text.")
@click.option(
    "--bot", type=click.Choice(["engineer", "foreman"]), default="engineer", show_default=True
)
@json_option
def calibrate(board: str, games: int, players: str, seed: str, bot: str, as_json: bool) -> None:
    """Measure how a board plays, by games of bots, beside what is known of real games.

    The bots play by handmade values, each with a taste of its own. The same board, players, bot
    and seed give the same games. Without a board, Industria's is measured: only of that edition are
    real results known.
    """
    measuring = import_module("industry.cli.calibrate")
    measuring.calibrate(_loaded(board), int(players), games, seed, bot, as_json)


class _Report:
    """What the check of one file found."""

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
    """Through click, which knows whether the output is a terminal, a file or a closed pipe."""
    console = Console()
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


def _longest_word(cell: Text) -> int:
    return max((len(word) for word in cell.plain.split()), default=0)


class Drawing:
    """A board in the terminal, in one language."""

    def __init__(self, board: BoardSpec, language: str) -> None:
        self.board = board
        self.language = language
        self.width = Console().width

    def say(self, key: str, /, **values: object) -> str:
        return say(key, self.language, **values)

    def parts(self, era: int | None) -> Iterator[RenderableType]:
        """Head, one table per era, legend."""
        board = self.board
        head = Text(self.say(f"edition.{board.edition}"), "bold")
        head.append(f" · {board.id} · {board.hash}", "not bold dim")
        yield head
        key = "board.reconstruction" if board.status == "reconstruction" else "picture.verified"
        yield Text(self.say(key))
        if board.coin_columns:
            columns = " ".join(board.coin_columns)
            yield Text(self.say("picture.coin_columns", columns=columns))
        cards = self._room(len(COLUMN_LETTERS)) >= CARD_WIDTH or not self._list_fits
        for number in range(1, ERAS + 1) if era is None else [era]:
            yield Text()
            yield self._era_head(number)
            yield self._grid(number) if cards else self._list(number)
        yield Text()
        yield Text(self.say("picture.grid_signs" if cards else "picture.list_signs"), "dim")
        yield Text(f"{ATTESTED} {self.say('picture.attested')}", "dim")

    def _era_head(self, era: int) -> Text:
        head = Text(f"{self.say('picture.era')} {ROMAN[era - 1]}", f"bold {_ERA_STYLES[era - 1]}")
        new = [
            name for number, name in enumerate(self.board.resources) if appears_in(number) == era
        ]
        if new:
            words = ", ".join(self.say(f"resource.{name}") for name in new)
            head.append(f" · {words}", "not bold")
            head.append(f" ({self.say('picture.bank_from', era=ROMAN[era])})", "not bold dim")
        return head

    def _list(self, era: int) -> Table:
        """One line per field."""
        table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim underline")
        for heading, width in zip(self._headings, self._widths, strict=True):
            right = heading in (self._headings[_COST], self._headings[_POINTS])
            table.add_column(
                heading, width=width, justify="right" if right else "left", overflow="fold"
            )
        for field in self.board.row(era):
            table.add_row(*self._cells(field), style=_KIND_STYLES[field.kind])
        return table

    @cached_property
    def _headings(self) -> list[str]:
        """The name needs none beside the field."""
        return [
            self.say("picture.heading.field"),
            "",
            self.say("picture.heading.kind"),
            self.say("picture.heading.cost"),
            self.say("picture.heading.needs"),
            self.say("picture.heading.gives"),
            self.say("picture.heading.points"),
            self.say("picture.heading.network"),
            self.say("picture.heading.links"),
        ]

    @cached_property
    def _columns(self) -> list[list[Text]]:
        """All cells of the lists of all eras, column by column, headings first."""
        rows = [self._cells(field) for field in self.board.fields]
        return [
            [Text(heading), *cells]
            for heading, cells in zip(self._headings, zip(*rows, strict=True), strict=True)
        ]

    @cached_property
    def _least(self) -> list[int]:
        """How narrow the columns can be without breaking a word."""
        return [max(_longest_word(cell) for cell in column) for column in self._columns]

    @property
    def _list_fits(self) -> bool:
        return sum(self._least) + len(self._least) - 1 <= self.width

    @cached_property
    def _widths(self) -> list[int]:
        """The same for all eras; what is too wide breaks between words, the widest first."""
        widths = [max(cell.cell_len for cell in column) for column in self._columns]
        while sum(widths) + len(widths) - 1 > self.width:
            spare = [n for n, width in enumerate(widths) if width > self._least[n]]
            widths[max(spare, key=lambda n: widths[n])] -= 1
        return widths

    def _cells(self, field: FieldSpec) -> list[Text]:
        gives = [name for name in (field.makes, field.joker) if name]
        networks = [field.bonus.network] if field.bonus else list(field.networks)
        return [
            self._marked(field, "id", field.id),
            self._marked(field, "name", self._name(field)),
            self._marked(field, "kind", kind_words(self.board, field, self.language)),
            self._marked(field, "cost", str(field.cost) if field.cost else ""),
            self._marked(field, "needs", self._words("resource", field.needs)),
            self._gives(field, self._words("resource", gives)),
            self._points(field),
            self._marked(field, "networks", self._words("network", networks)),
            Text(" ".join(self._linked(field))),
        ]

    def _name(self, field: FieldSpec) -> str:
        return printable(field.name[self.language])

    def _words(self, family: str, names: Iterable[str]) -> str:
        return ", ".join(self.say(f"{family}.{name}") for name in names)

    def _linked(self, field: FieldSpec) -> list[str]:
        return [field_id(other) for other in linked(self.board, FIELD_INDEX[field.id])]

    def _marked(self, field: FieldSpec, key: str, words: str) -> Text:
        """A value, with the dot where a source states it."""
        text = Text(words)
        if words and key in field.attested:
            text.append(ATTESTED, "bold green")
        return text

    def _gives(self, field: FieldSpec, words: str) -> Text:
        if field.discount:
            return self._marked(field, "discount", f"−{field.discount}")
        return self._marked(field, "joker" if field.joker else "makes", words)

    def _points(self, field: FieldSpec, unit: str = "") -> Text:
        if field.bonus:
            return self._marked(field, "bonus", f"×{field.bonus.points}{unit}")
        return self._marked(field, "points", f"{field.points}{unit}" if field.points else "")

    def _grid(self, era: int) -> Table:
        """The fields side by side, twelve or what the width allows."""
        fields = self.board.row(era)
        count = max(n for n in (1, 2, 3, 4, 6, 12) if n == 1 or self._room(n) >= CARD_WIDTH)
        table = Table(box=box.SQUARE, padding=0, show_lines=True, show_header=False)
        for _ in range(count):
            table.add_column(width=self._room(count), overflow="fold")
        for start in range(0, len(fields), count):
            table.add_row(*(self._card(field) for field in fields[start : start + count]))
        return table

    def _room(self, count: int) -> int:
        """The width of a card where so many stand side by side."""
        return max(1, (self.width - 1) // count - 1)

    def _card(self, field: FieldSpec) -> Text:
        """A field in a few short lines; Talers and points stand on one."""
        identity, name, kind, _, needs, gives, _, networks, links = self._cells(field)
        name.stylize("bold")
        worth = [
            self._marked(field, "cost", f"{field.cost}T" if field.cost else ""),
            self._points(field, "P"),
        ]
        lines = [identity + Text(" ") + kind, name, Text(" ").join(text for text in worth if text)]
        signs = (("+", needs), ("→", gives), ("~", networks), ("=", links))
        lines += [Text(sign) + text for sign, text in signs if text]
        return Text("\n", _KIND_STYLES[field.kind]).join(line for line in lines if line)
