"""A board in the terminal: as a list of its fields or, if that does not fit, as cards."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from industry.boards import BoardSpec, FieldSpec
from industry.boards.picture import ROMAN, kind_words
from industry.boards.spec import FIELD_INDEX, appears_in
from industry.engine import COLUMN_LETTERS, ERAS, field_id
from industry.texts import say
from industry.texts.sanitize import printable

from .terminal_game.fields import linked

ATTESTED = "•"
CARD_WIDTH = 14
"""A field is readable from this many columns on."""

_ERA_STYLES = ("#d0784f", "#d06a6a", "#c49a1a", "#2fa39a", "#8a8ef0")
_COST, _POINTS = 3, 6
"""The columns with numbers."""
_KIND_STYLES = {"joker": "yellow", "bonus": "cyan", "factory": "", "technology": "green"}


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
        """Returns head, one table per era, and legend."""
        board = self.board
        head = Text(self.say(f"edition.{board.edition}"), "bold")
        head.append(f" · {board.id} · {board.hash}", "not bold dim")
        yield head
        key = "board.reconstruction" if board.status == "reconstruction" else "picture.verified"
        yield Text(self.say(key))
        if board.coin_columns:
            columns = " ".join(board.coin_columns)
            yield Text(self.say("picture.coin_columns", columns=columns))
        cards = self._card_width(len(COLUMN_LETTERS)) >= CARD_WIDTH or not self._list_fits
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
        """Draws one line per field."""
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
        """Returns the headings; the name shares that of the field."""
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
        """Returns all cells of the lists of all eras, column by column, headings first."""
        rows = [self._cells(field) for field in self.board.fields]
        return [
            [Text(heading), *cells]
            for heading, cells in zip(self._headings, zip(*rows, strict=True), strict=True)
        ]

    @cached_property
    def _minimum_widths(self) -> list[int]:
        """Returns the minimum widths of the columns without breaking a word."""
        return [max(_longest_word(cell) for cell in column) for column in self._columns]

    @property
    def _list_fits(self) -> bool:
        return sum(self._minimum_widths) + len(self._minimum_widths) - 1 <= self.width

    @cached_property
    def _widths(self) -> list[int]:
        """Returns widths that are the same for all eras; too wide texts wrap, the widest first."""
        widths = [max(cell.cell_len for cell in column) for column in self._columns]
        while sum(widths) + len(widths) - 1 > self.width:
            spare = [n for n, width in enumerate(widths) if width > self._minimum_widths[n]]
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
            self._gains(field, self._words("resource", gives)),
            self._points(field),
            self._marked(field, "networks", self._words("network", networks)),
            Text(" ".join(self._link_names(field))),
        ]

    def _name(self, field: FieldSpec) -> str:
        return printable(field.name[self.language])

    def _words(self, family: str, names: Iterable[str]) -> str:
        return ", ".join(self.say(f"{family}.{name}") for name in names)

    def _link_names(self, field: FieldSpec) -> list[str]:
        return [field_id(other) for other in linked(self.board, FIELD_INDEX[field.id])]

    def _marked(self, field: FieldSpec, key: str, words: str) -> Text:
        """Returns a value, with a dot if a source attests it."""
        text = Text(words)
        if words and key in field.attested:
            text.append(ATTESTED, "bold green")
        return text

    def _gains(self, field: FieldSpec, words: str) -> Text:
        if field.discount:
            return self._marked(field, "discount", f"−{field.discount}")
        return self._marked(field, "joker" if field.joker else "makes", words)

    def _points(self, field: FieldSpec, unit: str = "") -> Text:
        if field.bonus:
            return self._marked(field, "bonus", f"×{field.bonus.points}{unit}")
        return self._marked(field, "points", f"{field.points}{unit}" if field.points else "")

    def _grid(self, era: int) -> Table:
        """Draws the fields side by side, twelve or as many as fit."""
        fields = self.board.row(era)
        count = max(n for n in (1, 2, 3, 4, 6, 12) if n == 1 or self._card_width(n) >= CARD_WIDTH)
        table = Table(box=box.SQUARE, padding=0, show_lines=True, show_header=False)
        for _ in range(count):
            table.add_column(width=self._card_width(count), overflow="fold")
        for start in range(0, len(fields), count):
            table.add_row(*(self._card(field) for field in fields[start : start + count]))
        return table

    def _card_width(self, count: int) -> int:
        """Returns the width of a card if this many are side by side."""
        return max(1, (self.width - 1) // count - 1)

    def _card(self, field: FieldSpec) -> Text:
        """Draws a field in a few short lines, with Talers and points on one."""
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
