"""Draws the pictures of a report, one function each; `cards` explains what they mean."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from industry.boards import BoardSpec
from industry.engine import COLUMN_LETTERS, COLUMNS
from industry.judge.over_games import Ratio
from industry.notation.record import SCORE_PARTS
from industry.texts import say

from ..board_statistics import FieldUse, Wins
from .data import SHARES, Group, Price, PurseCurve
from .svg import SMALL, WIDTH, colour, grid
from .words import Words

DARK_PARTS = ("development", "subsidy")
"""Parts whose colours need light text."""
ROOM_FOR_NUMBER = 0.07
"""A part has room for its number if it is at least this share of the longest bar."""
STEPS = [1, 2, 5, 10]
"""Distances between ticks: numbers that people count in."""
LABEL_WIDTH, LABEL_HEIGHT = 20, 13
MOST_BARS = 24
LEAST_SPAN = 4
"""How many decisions the axis of lengths shows at least to either side."""
SHAPES = "os^Dv"
"""Marker shapes of the eras, because colours alone do not work for everyone."""
SIDES = ((6, -4), (-6, -4), (0, 6), (0, -15), (6, 7), (-6, 7))
"""Where a label may stand beside its dot, best first."""


def parts(figure: Figure, group: Group, words: Words) -> None:
    """Draws points by their parts, of winners and of all others."""
    axes = figure.subplots()
    rows = [("winners", words.say("lab.winners")), ("others", words.say("lab.others"))]
    room = ROOM_FOR_NUMBER * max(sum(map(abs, group.parts[name])) for name, _ in rows)
    for place, (name, _) in enumerate(rows):
        left, below = 0.0, 0.0
        for part, value in zip(SCORE_PARTS, group.parts[name], strict=True):
            start = below if value < 0 else left
            axes.barh(place, value, left=start, height=0.62, color=colour(part))
            if abs(value) >= room:
                ink = colour("card") if part in DARK_PARTS else colour("onpart")
                axes.text(start + value / 2, place, words.number(value), ha="center", va="center")
                axes.texts[-1].set(color=ink, fontsize=SMALL, fontweight="bold")
            left, below = (left, below + value) if value < 0 else (left + value, below)
        total = sum(group.parts[name])
        axes.text(left + 0.8, place, words.number(total), va="center", fontweight="bold")
    axes.set_yticks(range(len(rows)), [label for _, label in rows])
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set_xlabel(words.say("lab.axis.points"))
    grid(axes, "x")
    seen = [
        part for k, part in enumerate(SCORE_PARTS) if any(group.parts[name][k] for name, _ in rows)
    ]
    handles = [Rectangle((0, 0), 1, 1, color=colour(part)) for part in seen]
    names = [say(f"part.{part}", words.language) for part in seen]
    figure.legend(handles, names, loc="outside upper left", ncols=3, handlelength=1)


def shares(
    figure: Figure, wins: Sequence[Wins], names: Sequence[str], fair: float, words: Words
) -> None:
    """Draws shares of victories as dots with intervals; the dashed line is a fair share."""
    axes = figure.subplots()
    places = range(len(wins))
    axes.axvline(fair, color=colour("ink"), linestyle=(0, (4, 3)), linewidth=1)
    for place, entry in zip(places, wins, strict=True):
        role = _verdict(entry, fair)
        axes.plot([entry.low, entry.high], [place, place], color=colour(role), linewidth=2.4)
        axes.plot(entry.share, place, "o", color=colour(role), markersize=7)
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(_percents(words))
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=STEPS))
    axes.set_xlabel(words.say("lab.axis.wins"))
    axes.margins(x=0.06)
    axes.set_ylim(len(wins) - 0.4, -0.6)
    grid(axes, "x")


def _verdict(entry: Wins, fair: float) -> str:
    """Returns a colour for shares that clearly differ from a fair share, and grey for others."""
    if entry.low > fair:
        return "better2"
    return "worse2" if entry.high < fair else "quiet"


def money(figure: Figure, curve: PurseCurve, words: Words) -> None:
    """Draws purses at the end of the rounds, era by era."""
    axes = figure.subplots()
    for era in sorted(set(curve.eras)):
        inside = [r for r, e in zip(curve.rounds, curve.eras, strict=True) if e == era]
        first, last = min(inside) - 0.5, max(inside) + 0.5
        axes.axvspan(first, last, ymin=0.92, color=colour(f"era{era}"), linewidth=0)
        axes.text((first + last) / 2, 0.957, str(era), transform=axes.get_xaxis_transform())
        axes.texts[-1].set(ha="center", va="center", color=colour("card"), fontsize=SMALL)
        axes.texts[-1].set_fontweight("bold")
    for name, role, style in (("winners", "winner", "-"), ("others", "other", "--")):
        values = getattr(curve, name)
        label = words.say("lab.winners") if name == "winners" else words.say("lab.others")
        axes.plot(curve.rounds, values, style, color=colour(role), linewidth=2.2, label=label)
    axes.set_xlim(0.5, len(curve.rounds) + 0.5)
    top = max((*curve.winners, *curve.others))
    axes.set_ylim(0, 1.25 * max(1.0, top))
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    axes.set_xlabel(words.say("lab.axis.round"))
    axes.set_ylabel(words.say("lab.axis.talers"))
    grid(axes, "y")
    figure.legend(loc="outside upper left", ncols=2)


def length(figure: Figure, decisions: Any, words: Words) -> None:
    """Draws how many decisions games had."""
    axes = figure.subplots()
    low, high = int(np.min(decisions)), int(np.max(decisions))
    width = max(1, -(-(high - low + 1) // MOST_BARS))
    edges = np.arange(low, high + width + 1, width) - 0.5
    axes.hist(decisions, bins=edges.tolist(), color=colour("era4"), rwidth=0.9)
    axes.axvline(float(np.mean(decisions)), color=colour("ink"), linewidth=1.4)
    axes.set_xlim(min(low - 0.7, high - LEAST_SPAN), max(high + 0.7, low + LEAST_SPAN))
    axes.set_xlabel(words.say("lab.axis.decisions"))
    axes.set_ylabel(words.say("lab.axis.games"))
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.xaxis.set_major_locator(MaxNLocator(7, integer=True))
    axes.xaxis.set_major_formatter(_numbers(words))
    grid(axes, "y")


def prices(figure: Figure, found: Sequence[Price], named: Sequence[str], words: Words) -> None:
    """Draws price against worth, one dot per field; on the line they are equal."""
    axes = figure.subplots()
    most = 1.08 * max(1.0, *(max(p.price, p.value) for p in found))
    axes.plot([0, most], [0, most], color=colour("ink"), linestyle=(0, (4, 3)), linewidth=1)
    for era, shape in enumerate(SHAPES, start=1):
        dots = [p for p in found if p.field.startswith(str(era))]
        if dots:
            label = words.say("lab.era", era=era)
            axes.plot([p.value for p in dots], [p.price for p in dots], shape, label=label)
            axes.lines[-1].set(color=colour(f"era{era}"), markersize=6, markeredgewidth=0)
    axes.set_xlim(-0.02 * most, most)
    axes.set_ylim(-0.02 * most, most)
    _name_dots(axes, [price for price in found if price.field in named], WIDTH * 0.8 / most)
    axes.xaxis.set_major_formatter(_numbers(words))
    axes.yaxis.set_major_formatter(_numbers(words))
    axes.set_xlabel(words.say("lab.axis.value"))
    axes.set_ylabel(words.say("lab.axis.price"))
    axes.grid()
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    figure.legend(loc="outside upper left", ncols=3, handletextpad=0, columnspacing=0.6)


def _name_dots(axes: Axes, dots: Sequence[Price], scale: float) -> None:
    """Writes the names beside the dots so that none covers another."""
    taken: list[tuple[float, float]] = []
    for dot in dots:
        x, y = dot.value * scale, dot.price * scale

        def is_free(side: tuple[int, int], x: float = x, y: float = y) -> bool:
            place = (x + side[0] * 2.5, y + side[1])
            return all(
                abs(place[0] - other[0]) > LABEL_WIDTH or abs(place[1] - other[1]) > LABEL_HEIGHT
                for other in taken
            )

        side = next(filter(is_free, SIDES), SIDES[0])
        taken.append((x + side[0] * 2.5, y + side[1]))
        where = {1: "left", -1: "right", 0: "center"}[(side[0] > 0) - (side[0] < 0)]
        axes.annotate(
            dot.field,
            (dot.value, dot.price),
            xytext=side,
            textcoords="offset points",
            ha=where,
            fontsize=SMALL,
            fontweight="bold",
        )


def field_map(
    figure: Figure, board: BoardSpec, uses: Sequence[FieldUse], fair: float, words: Words
) -> None:
    """Draws the board with the win share of the owners of each field."""
    axes = figure.subplots()
    use_by_field = {use.field.id: use for use in uses}
    eras = sorted({use.field.era for use in uses})
    for row, era in enumerate(eras):
        for column, spec in enumerate(board.row(era)):
            use = use_by_field.get(spec.id)
            if use is not None:
                _field_cell(axes, column, row, use, fair, words)
    axes.set_xlim(0, COLUMNS)
    axes.set_ylim(len(eras), 0)
    axes.set_xticks([n + 0.5 for n in range(COLUMNS)], list(COLUMN_LETTERS))
    axes.xaxis.tick_top()
    axes.set_yticks([n + 0.5 for n in range(len(eras))], [str(era) for era in eras])
    for spine in axes.spines.values():
        spine.set_visible(False)


def _field_cell(
    axes: Axes, column: int, row: int, use: FieldUse, fair: float, words: Words
) -> None:
    role = step_of(use.owner, fair)
    axes.add_patch(Rectangle((column + 0.04, row + 0.05), 0.92, 0.9, color=colour(role)))
    text = words.number(100 * use.owner.share, 0)
    axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", fontsize=SMALL)
    certain = not use.owner.low <= fair <= use.owner.high
    axes.texts[-1].set(fontweight="bold" if certain else "normal")
    ink = "onstrong" if role in ("better2", "worse2") else "ink" if certain else "quiet"
    axes.texts[-1].set_color(colour(ink))


def step_of(wins: Wins, fair: float) -> str:
    """Returns the shade of a cell: strong a fifth away from a fair share, none if uncertain."""
    if wins.low <= fair <= wins.high:
        return "even"
    side = "better" if wins.share > fair else "worse"
    return f"{side}{2 if abs(wins.share - fair) > fair / 5 else 1}"


def comparison(figure: Figure, groups: Sequence[Group], measure: str, words: Words) -> None:
    """Draws one measure of all groups, each a dot with its interval."""
    axes = figure.subplots()
    for place, group in enumerate(groups):
        mean = group.means[measure]
        axes.plot([mean.low, mean.high], [place, place], color=colour("winner"), linewidth=2.4)
        axes.plot(mean.value, place, "o", color=colour("winner"), markersize=7)
    axes.set_yticks(range(len(groups)), [str(n + 1) for n in range(len(groups))])
    axes.set_ylim(len(groups) - 0.4, -0.6)
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=STEPS))
    axes.xaxis.set_major_formatter(_percents(words) if measure in SHARES else _numbers(words))
    axes.margins(x=0.08)
    grid(axes, "x")


def dots(
    figure: Figure,
    found: Sequence[Ratio],
    names: Sequence[str],
    label: str,
    words: Words,
    *,
    percent: bool = False,
) -> None:
    """Draws one value per row, with its interval if known; the vertical line is zero."""
    axes = figure.subplots()
    axes.axvline(0, color=colour("ink"), linestyle=(0, (4, 3)), linewidth=1)
    for place, one in enumerate(found):
        half = one.half if one.is_known else 0.0
        ends = [one.value - half, one.value + half]
        axes.plot(ends, [place, place], color=colour("winner"), linewidth=2.4)
        axes.plot(one.value, place, "o", color=colour("winner"), markersize=7)
    axes.set_yticks(range(len(found)), names)
    axes.set_ylim(len(found) - 0.4, -0.6)
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=STEPS))
    axes.xaxis.set_major_formatter(_percents(words) if percent else _numbers(words))
    axes.set_xlabel(label)
    axes.margins(x=0.08)
    grid(axes, "x")


def _percents(words: Words) -> FuncFormatter:
    return FuncFormatter(lambda share, _: words.percent(share))


def _numbers(words: Words) -> FuncFormatter:
    return FuncFormatter(lambda value, _: words.tick(value))
