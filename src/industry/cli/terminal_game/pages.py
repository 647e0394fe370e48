"""Pages that a player can ask for: rules, help, a field, the points, the result."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from industry.bots import bot_maker
from industry.engine import COLUMNS, NOBODY, Edition, Kind, Status, Token
from industry.notation.consequences import worth_to
from industry.notation.record import SCORE_PARTS
from industry.texts import has

from ..score import verdict
from .encoding_output import hold
from .fields import linked, summary, supply
from .opponents import CHANCE, bot_at
from .seats_view import named
from .speech import Speech
from .symbols import mark
from .view import View

COMMANDS = {
    "number": "3",
    "move": "bid 3",
    "sources": "",
    "why": "why bid 3",
    "field": "field 2H",
    "board": "board",
    "score": "score",
    "log": "log",
    "undo": "undo",
    "save": "save x.toml",
    "load": "load x.toml",
    "rules": "rules",
    "quit": "quit",
}
"""The lines of the help page and what is typed; commands are the same in every language."""

RULES = ("aim", "round", "auction", "outcome", "develop", "resources", "points", "eras", "end")
FATES = {
    Status.UNDEVELOPED: "terminal.fate.undeveloped",
    Status.DEVELOPED: "terminal.fate.developed",
    Status.LAPSED: "terminal.fate.lapsed",
    Status.HELD: "terminal.fate.held",
    Status.SPENT: "terminal.fate.spent",
}


def _player_kind(view: View, seat: int) -> str:
    """Describes the player of a seat."""
    if seat in view.people:
        return view.speech.say("terminal.welcome.person")
    bot = bot_at(view.game, seat)
    if bot is None or bot == CHANCE:
        return view.speech.say("terminal.welcome.random")
    if has(f"terminal.bot.{bot}"):
        return view.speech.say(f"terminal.bot.{bot}")
    return bot_maker(bot)().description


def welcome(view: View, seed: str) -> Group:
    """Shows who plays, how, and the first words to know."""
    say, game = view.speech.say, view.game
    edition = say(f"edition.{game.board.edition}")
    lines = [Text(say("terminal.welcome.title", edition=edition), "bold")]
    for seat, name in enumerate(game.players):
        line = mark(seat)
        line.append(f" {name} – {_player_kind(view, seat)}")
        lines.append(line)
    lines.append(Text(say("terminal.welcome.seed", seed=seed)))
    if game.board.status == "reconstruction":
        lines.append(Text(say("terminal.welcome.reconstruction"), "dim"))
    return Group(*lines, Text(say("terminal.welcome.how")))


def rules(view: View) -> Table:
    """Shows the rules on one screen."""
    say = view.speech.say
    industria = view.position.board.edition == Edition.INDUSTRIA
    table = _two_columns()
    for part in RULES:
        key = f"terminal.rules.industria.{part}" if industria else f"terminal.rules.industry.{part}"
        table.add_row(say(f"terminal.rules.title.{part}"), say(key))
    return table


def help_page(speech: Speech) -> Group:
    table = _two_columns()
    for name, typed in COMMANDS.items():
        table.add_row(typed, speech.say(f"terminal.help.{name}"))
    signs = ("terminal.help.signs", "terminal.board.legend", "terminal.board.legend_list")
    return Group(table, *(Text(speech.say(key), "dim") for key in signs))


def _two_columns() -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    return table


def field_page(view: View, field: int) -> Group:
    """Shows what a field is, where its resources come from, and what it is worth to each seat."""
    speech = view.speech
    say, spec = speech.say, speech.board.field(field)
    lines: list[RenderableType] = [
        Text.assemble((speech.field(field), "bold"), f" · {summary(field, speech)}"),
        Text(_field_history(view, field)),
    ]
    for need in view.position.board.needs(field):
        source = supply(view.position, need, speech)
        lines.append(
            Text(say("terminal.field.supply", resource=speech.resource(need), source=source))
        )
    if spec.makes:
        lines.append(Text(say("terminal.field.sells", resource=say(f"resource.{spec.makes}"))))
    links = [speech.field(other) for other in linked(speech.board, field)]
    if links:
        lines.append(Text(say("terminal.field.links", fields=speech.join_words(links))))
    return Group(*lines, *_worths(view, field))


def _field_history(view: View, field: int) -> str:
    """Says what has happened to the field so far."""
    say, state = view.speech.say, view.position.state
    owned = view.owner(field)
    if owned is not None:
        seat, status = owned
        if seat == NOBODY:
            return say("terminal.fate.hidden")
        return say(FATES[status], seat=view.speech.seat(seat))
    if field // COLUMNS not in view.eras:
        return say("terminal.fate.never")
    if field == state.offered:
        return say("terminal.fate.on_offer")
    if field in view.row and state.tokens[field % COLUMNS] == Token.FACE_UP:
        return say("terminal.fate.available")
    return say("terminal.fate.to_come", era=field // COLUMNS + 1)


def _worths(view: View, field: int) -> list[RenderableType]:
    """Says what each seat (or the owner alone) would get, as far as it is known now."""
    say, position = view.speech.say, view.position
    status = Status(position.state.status[field])
    if status in (Status.LAPSED, Status.SPENT):
        return []
    if position.board.kind[field] == Kind.JOKER:
        industry = position.board.edition == Edition.INDUSTRY
        return [Text(say("terminal.field.unused" if industry else "terminal.field.unused_raw"))]
    owned = view.owner(field)
    seats = range(len(view.game.players)) if owned is None or owned[0] == NOBODY else [owned[0]]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(say("terminal.seats.seat"))
    table.add_column(say("terminal.worth.price"), justify="right")
    for part in ("development", "links", "bonuses", "total"):
        table.add_column(say(f"part.{part}"), justify="right")
    for seat in seats:
        value = worth_to(position, seat, field)
        price = "–" if value.price is None else view.speech.talers(value.price)
        parts = (value.points, value.links, value.bonuses, value.total)
        table.add_row(named(view, seat), price, *(str(part) for part in parts))
    developed = status == Status.DEVELOPED
    note = "terminal.worth.developed" if developed else "terminal.worth.note"
    return [table, Text(say(note), "dim")]


def score(view: View) -> Group:
    """Shows every seat's points by their parts; after the end, who wins by what."""
    say, game = view.speech.say, view.game
    key = "report.final" if game.is_over else "report.now"
    title = Text(say(key, at=len(game.moves)), "bold")
    breakdowns = game.score()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("")
    for seat in range(len(game.players)):
        table.add_column(named(view, seat), justify="right")
    for part in SCORE_PARTS:
        table.add_row(say(f"part.{part}"), *(str(getattr(entry, part)) for entry in breakdowns))
    totals = (str(entry.points) for entry in breakdowns)
    table.add_row(say("part.total"), *totals, style="bold")
    if not game.is_over:
        return Group(title, table)
    return Group(title, table, Text(hold(verdict(game, view.speech.language)), "bold"))
