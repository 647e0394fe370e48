"""The cards of reviewed games: luck and skill, losses by player, and the auction sheet."""

from collections.abc import Iterator

from industry.judge.over_games import Ratio
from industry.texts import say

from . import plots
from .cards import ENDS, ROW, Card, Cards, NumberTable
from .data import Group
from .review_data import ACCOUNT_TERMS, ReviewStatistics


def review_cards(cards: Cards, group: Group) -> Iterator[Card]:
    """Returns the cards of a group's reviews; none if its games are not reviewed."""
    if not group.is_reviewed:
        return
    found = ReviewStatistics(group.tables)
    yield _luck(cards, found)
    yield _losses(cards, found)
    yield _sheet(cards, group, found)


def _luck(cards: Cards, found: ReviewStatistics) -> Card:
    words = cards.words
    names = [say(f"review.term.{part}", words.language) for part in ACCOUNT_TERMS]
    shares = [found.shares[part] for part in ACCOUNT_TERMS]
    luck = found.shares["luck"]
    finding = ""
    if luck.is_known:
        low, high = luck.value - luck.half, luck.value + luck.half
        finding = words.say(
            "lab.says.luck",
            share=words.percent(luck.value),
            range=words.range(words.percent(low), words.percent(high)),
        )
    rows = [
        (name, words.percent(share.value), _interval(share, cards, percent=True))
        for name, share in zip(names, shares, strict=True)
    ]
    heads = tuple(words.say(f"lab.head.{key}") for key in ("cause", "share", "interval"))
    picture = cards.picture(
        words.say("lab.card.luck"),
        46 + ROW * len(ACCOUNT_TERMS),
        lambda f: plots.dots(f, shares, names, words.say("lab.axis.variance"), words, percent=True),
    )
    return _card(cards, "luck", finding, picture, NumberTable(heads, tuple(rows)))


def _losses(cards: Cards, found: ReviewStatistics) -> Card:
    words, players = cards.words, found.losses
    losses = [Ratio(1000 * one.loss.value, 1000 * one.loss.error) for one in players]
    best, worst = players[0], players[-1]
    finding = words.say("lab.says.alike")
    if best.loss.value + best.loss.half < worst.loss.value - worst.loss.half:
        finding = words.say(
            "lab.says.losses",
            best=best.name,
            least=words.number(1000 * best.loss.value),
            worst=worst.name,
            most=words.number(1000 * worst.loss.value),
        )
    rows = [
        (
            player.name,
            str(player.decisions),
            words.number(loss.value),
            _interval(loss, cards),
            words.number(player.mistakes),
            words.number(player.blunders),
        )
        for player, loss in zip(players, losses, strict=True)
    ]
    keys = ("who", "decisions", "loss", "interval", "mistakes", "blunders")
    heads = tuple(words.say(f"lab.head.{key}") for key in keys)
    names = [player.name for player in players]
    picture = cards.picture(
        words.say("lab.card.losses"),
        46 + ROW * len(players),
        lambda f: plots.dots(f, losses, names, words.say("lab.axis.loss"), words),
    )
    return _card(cards, "losses", finding, picture, NumberTable(heads, tuple(rows)))


def _sheet(cards: Cards, group: Group, found: ReviewStatistics) -> Card:
    words = cards.words
    rows = [
        (
            words.field(group.board, entry.field, short=False),
            words.number(entry.price),
            words.number(entry.perfect),
            words.number(entry.worth),
            words.number(entry.surplus.value, sign=True),
            _interval(entry.surplus, cards),
            words.percent(entry.win, 1, sign=True),
            words.percent(entry.denial, 1),
            words.percent(entry.regret, 1),
        )
        for entry in found.sheet
    ]
    named = ("field", "price", "perfect", "worth", "surplus", "interval", "chance")
    heads = [
        words.say("lab.head.interval")
        if key == "interval"
        else say(f"review.column.{key}", words.language)
        for key in (*named, "denial", "regret")
    ]
    ranked = sorted(found.sheet, key=lambda entry: -entry.surplus.value)
    ends = ranked if len(ranked) <= 2 * ENDS else [*ranked[:ENDS], *ranked[-ENDS:]]
    names = [words.field(group.board, entry.field) for entry in ends]
    surpluses = [entry.surplus for entry in ends]
    picture = cards.picture(
        words.say("lab.card.sheet"),
        46 + ROW * len(ends),
        lambda f: plots.dots(f, surpluses, names, words.say("lab.axis.surplus"), words),
    )
    finding = words.say("lab.says.more") if len(ends) < len(ranked) else ""
    return _card(cards, "sheet", finding, picture, NumberTable(tuple(heads), tuple(rows)))


def _card(cards: Cards, name: str, finding: str, picture: str, table: NumberTable) -> Card:
    title = cards.words.say(f"lab.card.{name}")
    return Card(title, cards.words.say(f"lab.read.{name}"), finding, picture, table)


def _interval(found: Ratio, cards: Cards, *, percent: bool = False) -> str:
    if not found.is_known:
        return "–"
    words = cards.words
    low, high = found.value - found.half, found.value + found.half
    if percent:
        return words.range(words.percent(low), words.percent(high))
    return words.range(words.number(low, sign=low < 0), words.number(high, sign=high < 0))
