"""The board in the terminal: all 60 fields if they fit, otherwise this era in full."""

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from industry.boards.spec import FieldSpec
from industry.engine import COLUMN_LETTERS, COLUMNS, NOBODY, Kind, Status, Token, field_id

from .columns import aligned
from .fields import linked
from .speech import shortened
from .symbols import AVAILABLE, FREE, ON_OFFER, mark
from .view import View

FULL_WIDTH = 160
"""From this many columns on, twelve fields are side by side."""


def whole_board(view: View, width: int) -> RenderableType:
    """Draws everything about every field that the width allows."""
    if width >= FULL_WIDTH:
        return Group(grid(view, width), legend(view, grid=True))
    return Group(era_list(view, width), other_eras(view), legend(view, grid=False))


def legend(view: View, *, grid: bool) -> Text:
    say = view.speech.say
    key = "terminal.board.legend_grid" if grid else "terminal.board.legend_list"
    return Text(f"{say('terminal.board.legend')}\n{say(key)}", "dim")


def token(view: View, field: int) -> str:
    """Says whether the field is on offer, available this round, or neither."""
    state = view.position.state
    if state.offered == field:
        return ON_OFFER
    if field in view.row and state.tokens[field % COLUMNS] == Token.FACE_UP:
        return AVAILABLE
    return " "


def owner_mark(view: View, field: int, free: str = "") -> Text:
    owned = view.owner(field)
    if owned is None:
        return Text(free, "dim")
    seat, status = owned
    return Text("?", "dim") if seat == NOBODY else mark(seat, status)


def _style(view: View, field: int) -> str:
    if view.position.state.offered == field:
        return "bold"
    owned = view.owner(field)
    return "dim" if owned and owned[1] in (Status.LAPSED, Status.SPENT) else ""


def era_list(view: View, width: int, fields: list[int] | None = None) -> Text:
    """Draws one line per field of the current era (or of `fields`), in whole words if they fit."""
    shown = list(view.row) if fields is None else fields
    written_out = _lines(view, shown, wordy=True)
    fits = all(line.cell_len <= width for line in written_out.split())
    return written_out if fits else _lines(view, shown, wordy=False)


def _lines(view: View, fields: list[int], *, wordy: bool) -> Text:
    headings = ("field", "kind", "cost", "needs", "makes", "points", "networks", "links")
    words = ["", "", *(view.speech.say(f"terminal.board.{heading}") for heading in headings)]
    rows = [_line(view, field, wordy) for field in fields]
    return aligned([[Text(word, "dim") for word in words], *rows], right={4, 7})


def _line(view: View, field: int, wordy: bool) -> list[Text]:
    speech = view.speech
    spec = speech.board.field(field)
    kind = speech.kind(field)
    makes = spec.makes or spec.joker
    network = (spec.bonus.network,) if spec.bonus else spec.networks
    words = [
        speech.name(field),
        kind if wordy else kind[0],
        _cost(spec),
        _words(view, "resource", spec.needs, wordy),
        _words(view, "resource", (makes,) if makes else (), wordy),
        f"{spec.bonus.points}×" if spec.bonus else str(spec.points or ""),
        _words(view, "network", network, wordy),
        " ".join(field_id(other) for other in linked(speech.board, field)),
    ]
    style = _style(view, field)
    first = Text(f"{token(view, field)}{spec.id}", style)
    return [first, owner_mark(view, field, FREE), *(Text(word, style) for word in words)]


def _cost(spec: FieldSpec) -> str:
    return str(spec.cost) if spec.kind in ("bonus", "factory") else ""


def _words(view: View, kind: str, names: tuple[str, ...], wordy: bool) -> str:
    if names == ("any",):
        return "?"
    words = [view.speech.say(f"{kind}.{name}") for name in names]
    return ", ".join(words) if wordy else " ".join(shortened(word) for word in words)


def other_eras(view: View) -> Text:
    """Draws a row of twelve symbols for every era but the current one."""
    return _signs(view, [era for era in view.eras if era != view.era])


def all_eras(view: View) -> Text:
    return _signs(view, list(view.eras))


def _signs(view: View, eras: list[int]) -> Text:
    rows = [[Text(""), *(Text(f"{letter:<4}", "dim") for letter in COLUMN_LETTERS)]]
    for era in eras:
        fields = range(era * COLUMNS, (era + 1) * COLUMNS)
        name = view.speech.say("terminal.board.era", era=era + 1)
        signs = [owner_mark(view, field, _sign(view, field)) for field in fields]
        rows.append([Text(name, "" if era == view.era else "dim"), *signs])
    return aligned(rows)


def _sign(view: View, field: int) -> str:
    """Returns a free field in two characters: the kind's first letter and the points."""
    spec = view.speech.board.field(field)
    points = spec.bonus.points if spec.bonus else spec.points
    return f"{view.speech.kind(field)[0]}{points or ''}"


def grid(view: View, width: int) -> Table:
    """Draws five eras of twelve columns."""
    table = Table(box=box.SQUARE, show_lines=True, padding=0, header_style="dim")
    table.add_column("", no_wrap=True)
    room = (width - 2 - COLUMNS - 3) // COLUMNS
    for letter in COLUMN_LETTERS:
        table.add_column(letter, width=room, overflow="fold")
    for era in view.eras:
        style = "bold" if era == view.era else "dim"
        fields = range(era * COLUMNS, (era + 1) * COLUMNS)
        table.add_row(Text(str(era + 1), style), *(_cell(view, f, room) for f in fields))
    return table


def _cell(view: View, field: int, room: int) -> Text:
    spec = view.speech.board.field(field)
    cell = Text(style=_style(view, field))
    cell.append(f"{token(view, field)}{field_id(field)} ", "bold" if field in view.row else "")
    cell.append_text(owner_mark(view, field))
    points = f"{spec.points}P" if spec.points else ""
    cell.append(points.rjust(room - cell.cell_len), "bold")
    cell.append(f"\n{_hyphenated(view.speech.name(field), room)}\n")
    links = [f"={field_id(other)}" for other in linked(view.speech.board, field)]
    cell.append(" ".join([*_facts(view, spec), *links]))
    return cell


def _hyphenated(name: str, room: int) -> str:
    """Returns the name with a hyphen where a word is too long for its line."""
    words = []
    for word in name.split(" "):
        cut = word
        while len(cut) > room:
            words.append(f"{cut[: room - 1]}-")
            cut = cut[room - 1 :]
        words.append(cut)
    return " ".join(words)


def _facts(view: View, spec: FieldSpec) -> list[str]:
    """Returns `2T +Sto →Gla ~Riv =2F`: pieces without spaces, so that lines break between them."""
    speech = view.speech
    facts = [f"{spec.cost}T"] if _cost(spec) else []
    facts += [f"+{shortened(speech.say(f'resource.{need}'))}" for need in spec.needs]
    if spec.kind == Kind.JOKER.name.lower():
        facts.append(
            "?" if spec.joker == "any" else shortened(speech.say(f"resource.{spec.joker}"))
        )
    if spec.makes:
        facts.append(f"→{shortened(speech.say(f'resource.{spec.makes}'))}")
    if spec.discount:
        facts.append(f"−{spec.discount}T")
    if spec.bonus:
        facts.append(f"{spec.bonus.points}P×{shortened(speech.network(spec.bonus.network))}")
    return facts + [f"~{shortened(speech.network(name))}" for name in spec.networks]
