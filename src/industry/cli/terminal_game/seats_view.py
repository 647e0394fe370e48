"""What is always in view: purses, points, jokers, subsidies, bids and resources."""

from rich.table import Table
from rich.text import Text

from industry.boards.spec import appears_in
from industry.engine import (
    NO_FIELD,
    NOBODY,
    RESOURCES,
    SUBSIDY_POINTS,
    Edition,
    Phase,
    Status,
    bank_sells,
    produces,
)
from industry.notation.consequences import highest_claim

from ..position import holdings
from .encoding_output import HELD_SPACE
from .fields import summary
from .symbols import FULL, HOLLOW, colour, mark
from .view import View

SHOWN_NAME = 16
NOBODY_MAKES = "–"
TAKEN = f"−{-SUBSIDY_POINTS}"


def headline(view: View) -> Text:
    """Returns era, round, and how much of the era is still to come."""
    say, to_come = view.speech.say, len(view.position.bag)
    parts = [
        say("terminal.seats.era", era=view.era + 1, eras=len(view.eras)),
        say("terminal.seats.round", number=view.position.state.round_number),
        say("terminal.seats.left", count=to_come) if to_come else say("terminal.seats.last"),
    ]
    return Text(" · ".join(parts), "bold")


def seats(view: View) -> Table:
    """Returns one line per seat."""
    say, state = view.speech.say, view.position.state
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("", no_wrap=True)
    table.add_column(say("terminal.seats.seat"), no_wrap=True)
    for heading in ("talers", "points", "now"):
        table.add_column(say(f"terminal.seats.{heading}"), justify="right", no_wrap=True)
    table.add_column(say("terminal.seats.fields"), no_wrap=True)
    if view.position.board.edition == Edition.INDUSTRY:
        table.add_column(say("terminal.seats.jokers"))
        table.add_column(say("terminal.seats.subsidy"), no_wrap=True)
    else:
        table.add_column(say("terminal.seats.raw"))
    table.add_column("", no_wrap=True)
    for seat in range(state.players):
        table.add_row(*_seat(view, seat), style="bold" if seat == view.position.actor else "")
    return table


def _seat(view: View, seat: int) -> list[Text | str]:
    say, state = view.speech.say, view.position.state
    total = view.position.breakdown(seat).points
    line: list[Text | str] = [
        "►" if seat == view.position.actor else " ",
        _name(view, seat),
        str(state.talers[seat]),
        str(state.points[seat]),
        str(total),
        _fields(view, seat),
        _jokers(view, seat),
    ]
    if view.position.board.edition == Edition.INDUSTRY:
        line.append(TAKEN if state.subsidies[seat] else say("terminal.seats.open"))
    return [*line, _role(view, seat)]


def named(view: View, seat: int) -> Text:
    """Returns a seat's symbol and its player's name."""
    name = view.game.players[seat]
    if len(name) > SHOWN_NAME:
        name = name[: SHOWN_NAME - 1] + "…"
    return Text.assemble(mark(seat), f" {name}")


def _name(view: View, seat: int) -> Text:
    text = named(view, seat)
    if seat == view.viewer and len(view.people) == 1:
        text.append(f" {view.speech.say('terminal.seats.you')}")
    return text


def _fields(view: View, seat: int) -> Text:
    """Returns how many fields are developed, and how many are not yet."""
    developed = len(holdings(view.game, seat, Status.DEVELOPED))
    waiting = len(holdings(view.game, seat, Status.UNDEVELOPED))
    return Text(f"{developed}{FULL[seat]} {waiting}{HOLLOW[seat]}", colour(seat))


def _jokers(view: View, seat: int) -> str:
    held = holdings(view.game, seat, Status.HELD)
    if any(view.owner(field) == (NOBODY, Status.HELD) for field in held):
        return str(len(held))
    jokers = [view.position.board.joker[field] for field in held]
    return " ".join(view.speech.short_resource(joker) for joker in jokers) or "–"


def _role(view: View, seat: int) -> str:
    """Returns the seat's part in the auction, or the Starting Player marker."""
    say, state = view.speech.say, view.position.state
    if seat == state.auctioneer:
        return say("terminal.seats.auctioneer")
    if view.position.phase in (Phase.BID, Phase.SETTLE):
        bid = state.bids[seat]
        if bid > 0:
            return say("terminal.seats.bid", talers=view.speech.talers(bid))
        return say("terminal.seats.passed") if bid == 0 else "…"
    return say("terminal.seats.starting") if seat == state.starting_player else ""


def resources(view: View) -> Text:
    """Says who makes what, and what the bank sells, of all resources so far."""
    speech, state, board = view.speech, view.position.state, view.position.board
    line = Text(speech.say("terminal.seats.resources"))
    shown = [r for r in range(RESOURCES) if appears_in(r) <= view.era + 1]
    for place, resource in enumerate(shown):
        makers = [s for s in range(state.players) if produces(board, state, s, resource)]
        line.append(" · " if place else " ", "dim")
        line.append(f"{speech.resource(resource)}{HELD_SPACE}")
        if makers:
            for seat in makers:
                line.append_text(mark(seat))
        elif bank_sells(state, resource):
            line.append(speech.say("terminal.seats.bank"))
        else:
            line.append(NOBODY_MAKES, "dim")
    return line


def auction(view: View) -> Text | None:
    """Shows the field on offer, and how far the Auctioneer could follow (C3)."""
    speech, state = view.speech, view.position.state
    if state.offered == NO_FIELD:
        return None
    field = int(state.offered)
    line = Text(speech.say("terminal.seats.on_offer"), "bold")
    line.append(f" {speech.field(field)}")
    line.append(f" · {summary(field, speech)}.", "not bold")
    limit = highest_claim(view.position)
    if limit is not None and state.auctioneer != view.viewer:
        text = speech.say("terminal.seats.can_claim", count=limit)
        line.append(f" {text}", "not bold dim")
    return line
