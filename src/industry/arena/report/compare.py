"""Compares groups of games: a card per measure, and a sentence for each changed setting."""

from collections.abc import Sequence
from functools import reduce

from industry.texts import say

from . import plots
from .cards import ROW, Card, Cards, NumberTable
from .data import FINE, SHARES, Difference, Group, Mean
from .words import Words


def comparison(cards: Cards, groups: Sequence[Group], measure: str) -> Card:
    """Returns the card that compares all groups by one measure."""
    words = cards.words
    title = words.say(f"lab.measure.{measure}")
    picture = cards.picture(
        title,
        46 + ROW * len(groups),
        lambda figure: plots.comparison(figure, groups, measure, words),
    )
    keys = ("lab.head.number", "lab.head.mean", "lab.head.interval")
    rows = [
        (str(number), *_mean_cells(group.means[measure], words))
        for number, group in enumerate(groups, start=1)
    ]
    return Card(title, "", "", picture, NumberTable(tuple(map(words.say, keys)), tuple(rows)))


def change(difference: Difference, words: Words) -> str:
    """Returns a sentence on what changing one setting does."""
    what = _what(difference, words)
    if not difference.means:
        return words.say("lab.compare.same", what=what)
    items = [
        words.say(
            "lab.compare.item",
            measure=words.say(f"lab.measure.{mean.name}"),
            difference=_shown(mean.name, mean.value, words, sign=True),
            low=_shown(mean.name, mean.low, words, sign=True),
            high=_shown(mean.name, mean.high, words, sign=True),
        )
        for mean in difference.means
    ]
    listed = reduce(
        lambda first, second: words.say("lab.compare.also", first=first, second=second), items
    )
    return words.say("lab.compare.change", what=what, changes=listed)


def _what(difference: Difference, words: Words) -> str:
    one, other, name = difference.first, difference.second, difference.setting
    if name == "players":
        return words.say("lab.compare.players", first=one.players, second=other.players)
    if name == "source":
        return words.say("lab.compare.instead", first=one.source, second=other.source)
    if name == "board":
        first, second = (
            say(f"edition.{group.board.edition}", words.language)
            if one.board.edition != other.board.edition
            else words.say("lab.board", name=group.board.id)
            for group in (one, other)
        )
        return words.say("lab.compare.instead", first=first, second=second)
    first, second = one.options[name], other.options[name]
    return words.say("lab.compare.option", name=name, first=first, second=second)


def _shown(measure: str, value: float, words: Words, *, sign: bool = False) -> str:
    if measure in SHARES:
        return words.percent(value, 1, sign=sign)
    return words.number(value, 1 + (measure in FINE), sign=sign)


def _mean_cells(mean: Mean, words: Words) -> tuple[str, str]:
    value, low, high = (_shown(mean.name, x, words) for x in (mean.value, mean.low, mean.high))
    return value, words.range(low, high)
