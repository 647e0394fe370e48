"""A report on games for people who do not code: from datasets to one page."""

from collections.abc import Sequence

from industry import __version__
from industry.texts import DEFAULT

from .cards import Cards, NumberTable
from .compare import change, comparison
from .data import MEASURES, GameSource, Group, differences, groups_of
from .page import Page, Section
from .review_cards import review_cards
from .words import Words

SHOWN = ("winning_points", "points", "margin", "price", "decisions")
"""Measures that the first table shows for every kind of games."""


def report_page(sources: Sequence[GameSource], language: str = DEFAULT) -> str:
    """Returns the whole page as HTML."""
    words = Words(language)
    cards = Cards(words)
    groups = groups_of(sources)
    names = [words.group(group, groups) for group in groups]
    sections = [
        Section(f"games-{number}", f"{number} · {name}" if len(groups) > 1 else name, found)
        for number, (name, found) in enumerate(
            (
                (name, (*cards.of(group), *review_cards(cards, group)))
                for name, group in zip(names, groups, strict=True)
            ),
            start=1,
        )
    ]
    if len(groups) > 1:
        sections.insert(0, _comparison(groups, cards, words))
    return Page(
        language=language,
        title=words.say("lab.heading", count=sum(group.games for group in groups)),
        lead=words.say("lab.lead"),
        contents=words.say("lab.contents"),
        numbers=words.say("lab.numbers"),
        notes_title=words.say("lab.sure.heading"),
        notes=tuple(
            words.say(key) for key in ("lab.sure.interval", "lab.sure.cause", "lab.sure.people")
        ),
        kinds=_kinds(groups, names, words),
        sections=tuple(sections),
        ends=tuple(_ends(sources, words)),
    ).html()


def _comparison(groups: Sequence[Group], cards: Cards, words: Words) -> Section:
    lines = tuple(change(difference, words) for difference in differences(groups))
    return Section(
        "compared",
        words.say("lab.compare.heading"),
        tuple(comparison(cards, groups, measure) for measure in MEASURES),
        words.say("lab.compare.read"),
        words.say("lab.compare.pairs"),
        lines,
    )


def _kinds(groups: Sequence[Group], names: Sequence[str], words: Words) -> NumberTable:
    """Returns the table with one row for every group of games."""
    heads = (
        words.say("lab.head.number"),
        words.say("lab.head.group"),
        words.say("lab.head.games"),
        *(words.say(f"lab.measure.{measure}") for measure in SHOWN),
    )
    rows = tuple(
        (
            str(number),
            name,
            words.number(group.games, 0),
            *(words.number(group.means[measure].value) for measure in SHOWN),
        )
        for number, (group, name) in enumerate(zip(groups, names, strict=True), start=1)
    )
    return NumberTable(heads, rows)


def _ends(sources: Sequence[GameSource], words: Words) -> list[str]:
    """Says where the games come from, so that they can be found or played again."""
    lines = []
    for source in sources:
        board = source.dataset.board
        parts = [source.name, words.say("lab.board", name=board.id), board.hash]
        if "seed" in source.dataset.settings:
            parts.append(words.say("lab.seed", seed=source.dataset.settings["seed"]))
        lines.append(" · ".join(parts))
    return [*lines, words.say("lab.made", version=__version__)]
