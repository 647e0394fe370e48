"""Describes a game in paragraphs: one per round, auction and development turn."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby

from rich.text import Text

from industry.engine import (
    MAX_SEATS,
    NOBODY,
    EraChanged,
    Event,
    FieldDeveloped,
    FieldOffered,
    GameEnded,
    Reason,
    ResourceProvided,
    RoundStarted,
    StartingPlayerChanged,
    TalersMoved,
    TechnologyLapsed,
    TurnEnded,
)

from .speech import Speech
from .symbols import colour

Grouped = tuple[Event, str]

IDLE = MAX_SEATS
"""Stands for all seats whose turn ended without a development."""

_TO_EVERYONE = (Reason.START, Reason.INCOME, Reason.ERA_INCOME, Reason.COIN)


def narrate(history: Sequence[Sequence[Event]], speech: Speech, since: int = 0) -> list[Text]:
    """Returns the paragraphs of a game's events from the given move on, oldest first."""
    grouped = list(_grouped(history[:since])), list(_grouped(history))
    paragraphs = [
        " ".join(_sentences(paragraph, speech))
        for paragraph in _paragraphs(grouped[1][len(grouped[0]) :])
    ]
    return [_coloured(paragraph, speech) for paragraph in paragraphs if paragraph]


def _grouped(history: Iterable[Iterable[Event]]) -> Iterator[Grouped]:
    """Groups neighbouring events that one sentence describes."""
    busy: set[int] = set()
    for event in chain.from_iterable(history):
        match event:
            case FieldDeveloped(seat):
                busy.add(seat)
                yield event, "plain"
            case TurnEnded(seat):
                yield event, "unsaid" if seat in busy else "idle"
            case StartingPlayerChanged() | TalersMoved(_, _, _, Reason.SALE):
                yield event, "unsaid"
            case TalersMoved(_, _, amount, reason) if reason in _TO_EVERYONE:
                yield event, f"{reason} {amount}"
            case TalersMoved(_, _, _, Reason.CLAIM):
                yield event, "shares"
            case RoundStarted():
                busy.clear()
                yield event, "plain"
            case _:
                yield event, "plain"


def _paragraphs(grouped: Iterable[Grouped]) -> Iterator[list[Grouped]]:
    """Splits events into rounds' openings, auctions, seats' developments, and turns without any."""
    paragraph: list[Grouped] = []
    builder = NOBODY
    for event, kin in grouped:
        seat = IDLE if kin == "idle" else _builder(event)
        opens = _opens(event, paragraph[-1][0] if paragraph else None)
        if paragraph and (opens or seat not in (NOBODY, builder)):
            yield paragraph
            paragraph = []
        if opens or seat != NOBODY:
            builder = seat
        paragraph.append((event, kin))
    if paragraph:
        yield paragraph


def _opens(event: Event, before: Event | None) -> bool:
    """Checks whether a paragraph starts here; lapses and the change of era belong together."""
    if isinstance(event, TechnologyLapsed | EraChanged):
        return not isinstance(before, TechnologyLapsed)
    return isinstance(event, RoundStarted | FieldOffered | GameEnded)


def _builder(event: Event) -> int:
    """Returns the seat whose development turn the event belongs to, if the event alone shows it."""
    match event:
        case ResourceProvided(seat) | FieldDeveloped(seat) | TurnEnded(seat):
            return seat
        case TalersMoved(seat, _, _, Reason.COST):
            return seat
    return NOBODY


def _sentences(paragraph: list[Grouped], speech: Speech) -> Iterator[str]:
    for kin, group in groupby(paragraph, lambda pair: pair[1]):
        events = [event for event, _ in group]
        moved = [event for event in events if isinstance(event, TalersMoved)]
        if kin == "plain":
            yield from (speech.sentence(event) for event in events)
        elif kin == "idle":
            seats = [speech.seat(event.seat) for event in events if isinstance(event, TurnEnded)]
            yield speech.say("terminal.story.idle", seats=speech.join_words(seats))
        elif kin == "shares":
            yield speech.say("terminal.story.shares", shares=_shares(moved, speech))
        elif kin != "unsaid":
            yield speech.say(
                "terminal.story.everyone",
                talers=speech.talers(moved[0].amount),
                reason=speech.say(f"reason.{moved[0].reason.name.lower()}"),
            )


def _shares(moved: list[TalersMoved], speech: Speech) -> str:
    return speech.join_words(
        speech.say(
            "terminal.story.share", seat=speech.seat(m.target), talers=speech.talers(m.amount)
        )
        for m in moved
    )


def _coloured(paragraph: str, speech: Speech) -> Text:
    text = Text(paragraph)
    for seat in range(MAX_SEATS):
        name = rf"(?i)(?<!\w){re.escape(speech.seat(seat))}(?!\w)"
        text.highlight_regex(name, colour(seat))
    return text
