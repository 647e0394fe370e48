"""The cards of a report: a picture, how to read it, its conclusion, and its numbers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from industry.notation.explain import join_words
from industry.notation.record import SCORE_PARTS
from industry.texts import say

from ..board_statistics import Wins
from . import plots
from .data import Group
from .svg import draw
from .words import Words

NAMED = 4
"""Fields that are named on each side of the picture of prices."""
ENDS = 7
"""Entries of each end that a long list shows in its picture."""
ROW = 25
"""Height of one row of dots."""


@dataclass(frozen=True)
class NumberTable:
    """Numbers as text; the first column names the row."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Card:
    """One picture with all that a reader needs to understand it."""

    title: str
    read: str
    says: str
    picture: str
    table: NumberTable


class Cards:
    """Makes the cards of a group of games; pictures are numbered through the whole page."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self._pictures = 0

    def of(self, group: Group) -> Iterator[Card]:
        """Returns all cards for which the games have data."""
        yield self.parts(group)
        yield self.turns(group)
        if group.seats:
            yield self.players(group)
        yield self.money(group)
        yield self.length(group)
        yield self.prices(group)
        yield self.fields(group)
        yield self.columns(group)
        yield self.networks(group)
        yield self.links(group)

    def parts(self, group: Group) -> Card:
        words = self.words
        winners, others = (group.parts[name] for name in ("winners", "others"))
        gaps = [mine - theirs for mine, theirs in zip(winners, others, strict=True)]
        greatest = max(range(len(SCORE_PARTS)), key=lambda k: abs(gaps[k]))
        names = [say(f"part.{part}", words.language) for part in SCORE_PARTS]
        finding = words.say(
            "lab.says.parts",
            winner=words.number(sum(winners)),
            other=words.number(sum(others)),
            part=names[greatest],
            difference=words.number(gaps[greatest], sign=True),
        )
        rows = [
            (name, words.number(mine), words.number(theirs))
            for name, mine, theirs in zip(names, winners, others, strict=True)
        ]
        heads = (
            words.say("lab.head.part"),
            words.say("lab.winners"),
            words.say("lab.others"),
        )
        return self._card(
            "parts",
            finding,
            190,
            lambda f: plots.parts(f, group, words),
            NumberTable(heads, tuple(rows)),
        )

    def turns(self, group: Group) -> Card:
        words, wins = self.words, group.statistics.turn_order
        names = [
            words.say("lab.place.next", place=place + 1) if place else words.say("lab.place.first")
            for place in range(group.players)
        ]
        fair = 1 / group.players
        finding = self._off_average(wins, names, fair)
        return self._wins("turns", "lab.head.who", finding, wins, names, fair)

    def players(self, group: Group) -> Card:
        names = [f"{seat}: {player.name}"[:28] for seat, player in enumerate(group.seats, start=1)]
        fair = 1 / group.players
        finding = self._off_average(group.seats, names, fair)
        return self._wins("players", "lab.head.who", finding, group.seats, names, fair)

    def money(self, group: Group) -> Card:
        words, curve = self.words, group.money
        rows = [
            (str(number), words.number(mine), words.number(theirs))
            for number, mine, theirs in zip(curve.rounds, curve.winners, curve.others, strict=True)
        ]
        heads = (
            words.say("lab.head.round"),
            words.say("lab.winners"),
            words.say("lab.others"),
        )
        return self._card(
            "money",
            "",
            250,
            lambda f: plots.money(f, curve, words),
            NumberTable(heads, tuple(rows)),
        )

    def length(self, group: Group) -> Card:
        words, mean = self.words, group.means["decisions"]
        low, high = np.percentile(group.decisions, (5, 95))
        finding = words.say(
            "lab.says.length",
            mean=words.number(mean.value, 0),
            low=words.number(low, 0),
            high=words.number(high, 0),
            count=max(group.rounds),
        )
        heads = (words.say("lab.axis.decisions"), words.say("lab.head.games"))
        values, counts = np.unique(group.decisions, return_counts=True)
        rows = [(str(v), str(c)) for v, c in zip(values, counts, strict=True)]
        return self._card(
            "length",
            finding,
            220,
            lambda f: plots.length(f, group.decisions, words),
            NumberTable(heads, tuple(rows)),
        )

    def prices(self, group: Group) -> Card:
        words = self.words
        ranked = sorted(group.prices, key=lambda price: price.bargain)
        dear, bargain = ranked[0], ranked[-1]
        named = [price.field for price in (*ranked[:NAMED], *ranked[-NAMED:])]
        finding = words.say(
            "lab.says.prices",
            bargain=words.field(group.board, bargain.field, short=False),
            bargain_value=words.number(bargain.value),
            bargain_price=words.number(bargain.price),
            dear=words.field(group.board, dear.field, short=False),
            dear_value=words.number(dear.value),
            dear_price=words.number(dear.price),
        )
        rows = [
            (
                words.field(group.board, price.field, short=False),
                words.number(price.value),
                words.number(price.price),
                words.range(
                    words.number(price.price - price.error), words.number(price.price + price.error)
                ),
            )
            for price in group.prices
        ]
        keys = ("lab.head.field", "lab.head.value", "lab.head.price", "lab.head.interval")
        heads = tuple(words.say(key) for key in keys)
        return self._card(
            "prices",
            finding,
            400,
            lambda f: plots.prices(f, group.prices, named, words),
            NumberTable(heads, tuple(rows)),
        )

    def fields(self, group: Group) -> Card:
        words, uses, fair = self.words, group.statistics.fields, group.owner_share
        ranked = sorted(uses, key=lambda use: use.owner.share)
        finding = self._extremes(
            [use.owner for use in ranked],
            [words.field(group.board, use.field.id, short=False) for use in ranked],
        )
        rows = [
            (
                words.field(group.board, use.field.id, short=False),
                *self._share_cells(use.owner),
                words.percent(use.used),
                words.percent(use.unwanted),
            )
            for use in uses
        ]
        keys = ("field", "wins", "interval", "used", "unwanted")
        heads = tuple(words.say(f"lab.head.{key}") for key in keys)
        return self._card(
            "fields",
            finding,
            34 + 33 * len({use.field.era for use in uses}),
            lambda f: plots.field_map(f, group.board, uses, fair, words),
            NumberTable(heads, tuple(rows)),
            fair=words.number(100 * fair, 0),
        )

    def columns(self, group: Group) -> Card:
        wins = [entry for _, entry in group.statistics.columns]
        names = [entry.name for entry in wins]
        ranked = sorted(wins, key=lambda entry: entry.share)
        finding = self._extremes(ranked, [entry.name for entry in ranked])
        fair = group.owner_share
        return self._wins("columns", "lab.head.column", finding, wins, names, fair)

    def networks(self, group: Group) -> Card:
        names = {
            entry.name: say(f"network.{entry.name}", self.words.language)
            for entry in group.statistics.networks
        }
        return self._ranked("networks", "lab.head.network", group.statistics.networks, names, group)

    def links(self, group: Group) -> Card:
        board, words = group.board, self.words
        names = {}
        for entry in group.statistics.links:
            first, second = (board.field(end).name[words.language] for end in entry.name.split("–"))
            names[entry.name] = f"{entry.name} {first}, {second}"
        return self._ranked("links", "lab.head.link", group.statistics.links, names, group)

    def _share_cells(self, wins: Wins) -> tuple[str, str]:
        words = self.words
        low, high = words.number(100 * wins.low, 0), words.percent(wins.high)
        return words.percent(wins.share), words.range(low, high)

    def _off_average(self, wins: Sequence[Wins], names: Sequence[str], fair: float) -> str:
        words = self.words
        apart = [
            f"{name} ({words.percent(entry.share)})"
            for name, entry in zip(names, wins, strict=True)
            if not entry.low <= fair <= entry.high
        ]
        if not apart:
            return words.say("lab.says.even")
        return words.say("lab.says.uneven", list=join_words(apart, words.language))

    def _extremes(self, ranked: Sequence[Wins], names: Sequence[str]) -> str:
        """Returns a sentence on both ends of `ranked`, which begins with the fewest victories."""
        words = self.words
        if ranked[-1].low <= ranked[0].high:
            return words.say("lab.says.alike")
        return words.say(
            "lab.says.extremes",
            best=names[-1],
            best_share=words.percent(ranked[-1].share),
            worst=names[0],
            worst_share=words.percent(ranked[0].share),
        )

    def _ranked(
        self, name: str, head: str, wins: Sequence[Wins], names: dict[str, str], group: Group
    ) -> Card:
        """Returns a card of wins, most first; of a long list it shows only the two ends."""
        words = self.words
        ranked = sorted((e for e in wins if e.frequency), key=lambda e: e.share, reverse=True)
        finding = words.say("lab.says.nothing")
        drawn = ranked
        if ranked:
            finding = self._extremes(ranked[::-1], [names[entry.name] for entry in ranked[::-1]])
        if len(ranked) > 2 * ENDS:
            drawn = [*ranked[:ENDS], *ranked[-ENDS:]]
            finding = f"{finding} {words.say('lab.says.more')}"
        short = [_shortened(names[entry.name]) for entry in drawn]
        table = self._wins_table(head, ranked, [names[entry.name] for entry in ranked], often=True)
        fair = 1 / group.players
        return self._card(
            name,
            finding,
            46 + ROW * max(1, len(drawn)),
            lambda f: plots.shares(f, drawn, short, fair, words),
            table,
        )

    def _wins(
        self,
        name: str,
        head: str,
        finding: str,
        wins: Sequence[Wins],
        names: Sequence[str],
        fair: float,
    ) -> Card:
        words = self.words
        return self._card(
            name,
            finding,
            46 + ROW * len(wins),
            lambda f: plots.shares(f, wins, names, fair, words),
            self._wins_table(head, wins, names),
        )

    def _wins_table(
        self, head: str, wins: Sequence[Wins], names: Sequence[str], *, often: bool = False
    ) -> NumberTable:
        words = self.words
        heads = [words.say(head), words.say("lab.head.wins"), words.say("lab.head.interval")]
        if often:
            heads.append(words.say("lab.head.often"))
        rows = [
            (label, *self._share_cells(entry), *([words.percent(entry.frequency)] if often else []))
            for label, entry in zip(names, wins, strict=True)
        ]
        return NumberTable(tuple(heads), tuple(rows))

    def _card(
        self,
        name: str,
        finding: str,
        height: float,
        paint: Callable[[Figure], None],
        table: NumberTable,
        **values: object,
    ) -> Card:
        title = self.words.say(f"lab.card.{name}")
        read = self.words.say(f"lab.read.{name}", **values)
        return Card(title, read, finding, self.picture(title, height, paint), table)

    def picture(self, label: str, height: float, paint: Callable[[Figure], None]) -> str:
        """Returns a picture with the next number of the page."""
        self._pictures += 1
        return draw(height, paint, label, self._pictures)


def _shortened(name: str) -> str:
    """Shortens a name to fit into a picture."""
    return name if len(name) <= 26 else f"{name[:25].rstrip(' ,')}…"
