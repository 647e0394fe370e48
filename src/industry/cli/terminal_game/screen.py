"""The whole screen at a decision, fitted to the terminal: the larger it is, the more board."""

from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.rule import Rule
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from industry.engine import (
    COLUMNS,
    NO_FIELD,
    Claim,
    Develop,
    Edition,
    Phase,
    Status,
    Token,
    field_id,
)

from ..position import holdings
from .board_view import (
    FULL_WIDTH,
    all_eras,
    era_list,
    grid,
    legend,
    other_eras,
)
from .choices import choices, main_moves
from .seats_view import auction, headline, resources, seats
from .view import View

NOTATION_WIDTH = 112
"""From this many columns on, each move is also shown as it would be typed."""
SIDE_BY_SIDE_WIDTH = 140
"""From this many columns on, the seats and the story are side by side."""
HINTS = {
    Phase.OFFER: "terminal.hint.offer",
    Phase.BID: "terminal.hint.bid",
    Phase.SETTLE: "terminal.hint.settle_industry",
    Phase.DEVELOP: "terminal.hint.develop_industry",
}
HINTS_INDUSTRIA = {
    **HINTS,
    Phase.SETTLE: "terminal.hint.settle_industria",
    Phase.DEVELOP: "terminal.hint.develop_industria",
}
NO_CHOICE = {
    Phase.BID: "terminal.hint.bid_none",
    Phase.DEVELOP: "terminal.hint.nothing",
}
UNLIMITED = 10_000


class ScreenBlock:
    """A part of the screen, rendered once: its lines are counted, and printed if there is room."""

    def __init__(self, console: Console, *parts: RenderableType, width: int | None = None) -> None:
        options = console.options.update(width=width) if width else console.options
        self.lines = console.render_lines(Group(*parts), options, pad=False) if parts else []

    @property
    def height(self) -> int:
        return len(self.lines)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for line in self.lines:
            yield from line
            yield Segment.line()


def show_decision(console: Console, view: View, story: list[Text]) -> None:
    """Shows everything that the deciding seat needs to know, with its moves at the bottom."""
    room = console.height - 1 if console.is_terminal else UNLIMITED
    head = ScreenBlock(console, Rule(headline(view), style="dim"))
    wide = console.width >= SIDE_BY_SIDE_WIDTH
    width = console.width // 2 - 2 if wide else console.width
    seated = ScreenBlock(console, seats(view), resources(view), width=width)
    items = [ScreenBlock(console, _item(paragraph), width=width) for paragraph in story]
    hint = ScreenBlock(console, Text(_hint(view), "italic"))
    below = ScreenBlock(console, *_auction(view), hint, _moves(view, console.width))
    least = head.height + seated.height + (1 + items[-1].height if items else 0)
    if least + below.height > room:
        below = ScreenBlock(console, *_auction(view), _moves(view, console.width))
    room -= head.height + below.height
    middle = (_wide if wide else _narrow)(console, view, items, seated, room)
    blank = ScreenBlock(console, "" if sum(part.height for part in middle) < room else Group())
    console.print(Group(head, *middle, blank, below))


def _wide(
    console: Console, view: View, items: list[ScreenBlock], seated: ScreenBlock, room: int
) -> list[ScreenBlock]:
    """Arranges the board, and below it the seats beside the story."""
    half = console.width // 2 - 2
    board = _board(console, view, room - seated.height)
    beside = Table.grid(padding=(0, 4, 0, 0))
    beside.add_column(width=half)
    beside.add_column(width=half)
    story = _fit(console, view, items, max(seated.height, room - board.height))
    beside.add_row(seated, Group(*story))
    return [board, ScreenBlock(console, beside)]


def _narrow(
    console: Console, view: View, items: list[ScreenBlock], seated: ScreenBlock, room: int
) -> list[ScreenBlock]:
    """Arranges the story, the board and the seats below each other."""
    newest = 1 + items[-1].height if items else 0
    board = _board(console, view, room - seated.height - newest)
    story = _fit(console, view, items, room - seated.height - board.height)
    return [*story, board, seated]


def _board(console: Console, view: View, room: int) -> ScreenBlock:
    """Returns the fullest drawing of the board that leaves room for the rest, or an empty block."""
    for parts in _drawings(view, console.width):
        drawing = ScreenBlock(console, *parts)
        if drawing.height <= room:
            return drawing
    return ScreenBlock(console)


def _drawings(view: View, width: int) -> Iterator[list[RenderableType]]:
    """Yields drawings, from the whole board down to the fields of this round."""
    if width >= FULL_WIDTH:
        yield [grid(view, width), legend(view, grid=True)]
        yield [grid(view, width)]
    era, others = era_list(view, width), other_eras(view)
    yield [era, others, legend(view, grid=False)]
    yield [era, others]
    yield [era]
    state = view.position.state
    if state.offered == NO_FIELD:
        yield [all_eras(view)]
    else:
        up = [field for field in view.row if state.tokens[field % COLUMNS] == Token.FACE_UP]
        yield [era_list(view, width, up)]


def _fit(console: Console, view: View, items: list[ScreenBlock], room: int) -> list[ScreenBlock]:
    """Returns the newest paragraphs that fit; at least the end of the last."""
    if not items:
        return []
    kept: list[ScreenBlock] = []
    left = room - 1
    for item in reversed(items):
        if item.height > left:
            break
        left -= item.height
        kept.insert(0, item)
    key = "terminal.story.since" if len(kept) == len(items) else "terminal.story.cut"
    if not kept:
        items[-1].lines = items[-1].lines[-max(left, 1) :]
        kept = items[-1:]
    return [ScreenBlock(console, Text(view.speech.say(key), "dim")), *kept]


def _item(paragraph: Text) -> Table:
    item = Table.grid(padding=(0, 1, 0, 0))
    item.add_row("•", paragraph)
    return item


def _auction(view: View) -> list[RenderableType]:
    line = auction(view)
    return [] if line is None else [line]


def _moves(view: View, width: int) -> Table:
    """Returns the list of moves, and what is not possible."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(justify="right", style="bold", no_wrap=True)
    table.add_column()
    if width >= NOTATION_WIDTH:
        table.add_column(style="dim")
    for choice in choices(view.position, view.speech):
        notation = [choice.notation] if width >= NOTATION_WIDTH else []
        table.add_row(choice.key, choice.words, *notation)
    for reason in _impossible(view):
        table.add_row("–", Text(reason, "dim"))
    return table


def _hint(view: View) -> str:
    """Says what this decision is about, for someone who meets it for the first time."""
    say, position = view.speech.say, view.position
    if len(position.legal_moves) == 1:
        only = say("terminal.hint.only")
        return f"{say(NO_CHOICE[position.phase])} {only}" if position.phase in NO_CHOICE else only
    if position.phase in NO_CHOICE and not main_moves(position):
        return say(NO_CHOICE[position.phase])
    industria = position.board.edition == Edition.INDUSTRIA
    return say((HINTS_INDUSTRIA if industria else HINTS)[position.phase])


def _impossible(view: View) -> list[str]:
    """Says why the Auctioneer cannot claim and which fields cannot be developed."""
    position, speech = view.position, view.speech
    if position.phase == Phase.SETTLE:
        refusal = position.refusal(Claim(position.actor))
        return [speech.what_is_wrong(refusal)] if refusal else []
    if position.phase != Phase.DEVELOP:
        return []
    possible = {move.field for move in position.legal_moves if isinstance(move, Develop)}
    owned = holdings(view.game, position.actor, Status.UNDEVELOPED)
    waiting = [field for field in owned if field not in possible]
    if not waiting:
        return []
    names = ", ".join(speech.field(field) for field in waiting)
    return [speech.say("terminal.choice.not_now", fields=names, example=field_id(waiting[0]))]
