"""Everything around the cards: title, column letters, eras, legend."""

from collections.abc import Callable

from industry.engine import COIN_TALERS, COLUMN_LETTERS, ERAS, LINK_POINTS

from ..spec import appears_in
from .cards import Sheet, cog, coin, crate, discount_pill, mark
from .layout import BAND, CARD_HEIGHT, CARD_WIDTH, ERA_WIDTH, MARGIN, Layout
from .lines import badge, link_strokes, strokes
from .palette import mixed
from .svg import NARROW, figure, group, label, label_width, number, tag, use
from .symbols import resource_symbol
from .text_fit import fitted

ROMAN = ("I", "II", "III", "IV", "V")
_LEGEND = 13.0
_LINE = 30.0
LegendEntry = tuple[float, str, Callable[[float, float], str]]
"""Width of the sign, its words, and how to draw it from its left edge around a middle line."""


def heading(sheet: Sheet, layout: Layout) -> str:
    """Draws the edition, the board's name and how reliable its values are."""
    board = sheet.board
    name = sheet.say(f"edition.{board.edition}")
    parts = [tag("text", name, class_="slab", x=MARGIN, y=50, font_size=34)]
    code = f"{board.id} · {board.hash[:19]}…"
    parts.append(label(layout.right, 46, code, 12, "quiet", "end"))
    key = "board.reconstruction" if board.status == "reconstruction" else "picture.verified"
    size, lines = fitted(
        sheet.say(key), (layout.right - MARGIN - 20) / NARROW, ((15.0, 1), (13.0, 1), (12.0, 2))
    )
    if board.status == "reconstruction":
        parts.append(mark(MARGIN + 4, 73))
    parts += [
        label(MARGIN + 14, 78 + n * size * 1.2, line, size, "quiet", "start")
        for n, line in enumerate(lines)
    ]
    return group(parts, class_="heading")


def columns(sheet: Sheet, layout: Layout) -> str:
    """Draws the column letters, with a coin on the one that pays."""
    parts = []
    for letter, left in zip(COLUMN_LETTERS, layout.card_x, strict=True):
        parts.append(token(sheet, left + CARD_WIDTH / 2, layout.letters_y, letter))
    return group(parts, class_="columns")


def token(sheet: Sheet, x: float, y: float, letter: str) -> str:
    """Draws a column token; Industria's letters exist only in the file and get none."""
    if sheet.board.edition == "industria":
        return figure(x, y + 6.5, letter, 18, "num")
    corners = ((-18, 0), (-9, -16), (9, -16), (18, 0), (9, 16), (-9, 16))
    shape = " ".join(f"{number(x + dx)},{number(y + dy)}" for dx, dy in corners)
    parts = [
        tag("polygon", class_="hexagon", points=shape),
        figure(x, y + 6.5, letter, 18, "num"),
    ]
    if letter in sheet.board.coin_columns:
        parts.append(coin(x + 19, y - 9, f"+{COIN_TALERS}", 20))
    return group(parts)


def bands(sheet: Sheet, layout: Layout) -> str:
    """Draws one coloured band per era, with its resources at the left."""
    return group(
        (_band(sheet, layout, row) + _era(sheet, layout, row) for row in range(ERAS)),
        class_="eras",
    )


def _band(sheet: Sheet, layout: Layout, row: int) -> str:
    return tag(
        "rect",
        x=MARGIN - BAND,
        y=layout.card_y[row] - BAND,
        width=layout.right - MARGIN + 2 * BAND,
        height=CARD_HEIGHT + 2 * BAND,
        rx=9,
        fill=sheet.palette.band[row],
    )


def _era(sheet: Sheet, layout: Layout, row: int) -> str:
    palette = sheet.palette
    top = layout.card_y[row]
    ground = mixed(palette.card, palette.era[row], 0.22)
    parts = [
        tag("rect", x=MARGIN, y=top, width=ERA_WIDTH - 8, height=CARD_HEIGHT, rx=6, fill=ground),
        tag("text", ROMAN[row], class_="num", x=MARGIN + 10, y=top + 32, font_size=27),
        label(MARGIN + ERA_WIDTH - 16, top + 22, sheet.say("picture.era"), 12, "quiet", "end"),
    ]
    new = [r for n, r in enumerate(sheet.board.resources) if appears_in(n) == row + 1]
    for line, resource in enumerate(new):
        y = top + 50 + line * 19
        parts.append(use(resource_symbol(resource), MARGIN + 8, y - 9, 18, 18))
        parts.append(_fitted_label(MARGIN + 31, y + 4.5, sheet.say(f"resource.{resource}")))
    words = (
        sheet.say("picture.bank_from", era=ROMAN[row + 1]) if new else sheet.say("picture.no_new")
    )
    size, lines = fitted(words, (ERA_WIDTH - 22) / NARROW, ((11.0, 1), (10.5, 2), (9.5, 2)))
    y = top + CARD_HEIGHT - 9 if new else top + 56
    first = y - (len(lines) - 1) * size * 1.1 if new else y
    parts += [
        label(MARGIN + 8, first + n * size * 1.1, line, size, "quiet", "start")
        for n, line in enumerate(lines)
    ]
    return group(parts, color=palette.era[row])


def _fitted_label(x: float, y: float, text: str) -> str:
    size, lines = fitted(text, (ERA_WIDTH - 42) / NARROW, ((12.5, 1), (11.0, 1), (8.0, 1)))
    return label(x, y, lines[0], size, "name", "start")


def legend(sheet: Sheet, layout: Layout) -> tuple[str, float]:
    """Draws all signs with their names, in as many lines as needed; also returns the height."""
    parts: list[str] = []
    x, y = float(MARGIN), 0.0
    for row in (_line_entries(sheet, layout), _sign_entries(sheet)):
        for width, words, draw in row:
            full = width + 8 + label_width(words, _LEGEND)
            if x > MARGIN and x + full > layout.right:
                x, y = float(MARGIN), y + _LINE
            parts.append(draw(x, y))
            parts.append(label(x + width + 8, y + 4.6, words, _LEGEND, "quiet", "start"))
            x += full + 24
        x, y = float(MARGIN), y + _LINE
    return group(parts, class_="legend", transform=f"translate(0 {number(layout.bottom + 30)})"), y


def _line_entries(sheet: Sheet, layout: Layout) -> list[LegendEntry]:
    entries: list[LegendEntry] = []
    drawn = [route.name for route in layout.routes]
    for network in sheet.board.networks:
        if network in drawn:
            entries.append((72, _network_words(sheet, network), _network_sign(sheet, network)))
    for link in ("road", "line"):
        if link in drawn:
            words = sheet.say(f"picture.{link}", points=LINK_POINTS)
            entries.append((44, words, _link_sign(sheet, link)))
    return entries


def _network_words(sheet: Sheet, network: str) -> str:
    """Names the network with its bonus fields and what each scores per factory."""
    found = {
        (field.name[sheet.language], field.bonus.points)
        for field in sheet.board.fields
        if field.bonus is not None and field.bonus.network == network
    }
    words = sheet.say(f"network.{network}")
    words = words[:1].upper() + words[1:]
    listed = ", ".join(f"{name} ×{points}" for name, points in sorted(found))
    if not listed or (len(found) == 1 and listed.casefold().startswith(f"{words.casefold()} ")):
        return listed or words
    return f"{words} · {listed}"


def _network_sign(sheet: Sheet, network: str) -> Callable[[float, float], str]:
    def draw(x: float, y: float) -> str:
        line = [[(x + 4, y), (x + 58, y)]]
        return group(
            [*strokes(network, line, [], sheet.palette), badge(x + 64, y, network, sheet.palette)]
        )

    return draw


def _link_sign(sheet: Sheet, link: str) -> Callable[[float, float], str]:
    return lambda x, y: group(link_strokes(link, [(x + 4, y), (x + 40, y)], sheet.palette))


def _sign_entries(sheet: Sheet) -> list[LegendEntry]:
    first = sheet.board.resources[0]
    entries: list[LegendEntry] = [
        (22, sheet.say("picture.cost"), lambda x, y: coin(x + 11, y, "2")),
        (
            20,
            sheet.say("picture.needs"),
            lambda x, y: use(resource_symbol(first), x + 1, y - 9, 18, 18),
        ),
        (22, sheet.say("picture.makes"), lambda x, y: crate(x + 11, y, first)),
        (24, sheet.say("picture.points"), lambda x, y: cog(x + 12, y, "3")),
        (
            38,
            sheet.say("picture.bonus"),
            lambda x, y: label(x + 6, y + 4.5, "×", 13, "name") + cog(x + 25, y, "2"),
        ),
        (26, sheet.say("picture.discount"), lambda x, y: discount_pill(x, y - 7.5)),
        (8, sheet.say("picture.attested"), lambda x, y: mark(x + 4, y)),
    ]
    if sheet.board.coin_columns:
        entries.append(
            (20, sheet.say("picture.coin_column"), lambda x, y: coin(x + 10, y, f"+{COIN_TALERS}"))
        )
    return entries
