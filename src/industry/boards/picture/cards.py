"""The card of a field: name, picture, costs at the left, gains at the right, and the footer."""

from dataclasses import dataclass

from industry.texts import say

from ..spec import BoardSpec, FieldSpec
from .layout import CARD_HEIGHT, CARD_WIDTH
from .palette import Palette, mixed
from .svg import NARROW, figure, group, label, label_width, number, tag, title, use
from .symbols import picture_of, resource_symbol
from .text_fit import fitted

HEAD = 36
_PICTURE = (72, 48)
_VALUES = 101
"""The middle of the line of costs and gains, from the top of the card."""
_NAME_SIZES = (
    (12.5, 2),
    (12.0, 2),
    (11.5, 2),
    (11.0, 2),
    (10.5, 3),
    (10.0, 3),
    (9.5, 3),
    (9.0, 3),
    (8.0, 4),
)
_BELOW = 14.6
"""From there to the dots of attested values."""
_SIDE = 4.5
_FOOT = 10.5


@dataclass(frozen=True, slots=True)
class Sheet:
    """Settings that all parts of a picture share."""

    board: BoardSpec
    language: str
    palette: Palette

    def say(self, key: str, **values: object) -> str:
        return say(key, self.language, **values)


def kind_words(board: BoardSpec, field: FieldSpec, language: str) -> str:
    """Returns what the edition calls this kind of field."""
    if field.kind == "joker" and board.edition == "industria":
        return say("picture.raw_material", language)
    return say(f"kind.{field.kind}", language)


def card(sheet: Sheet, field: FieldSpec, x: float, y: float) -> str:
    """Draws the whole card with its upper left corner at x, y."""
    name = field.name[sheet.language]
    note = f"{field.id} · {name} · {kind_words(sheet.board, field, sheet.language)}"
    if field.source:
        note += f" — {sheet.say('picture.attested')}: {field.source}"
    parts = [title(note), *_ground(sheet, field), *_head(field, name), *_picture(sheet, field)]
    parts += _values(field) + _foot(sheet, field)
    return group(
        parts,
        id=f"field-{field.id}",
        class_=f"field {field.kind}-field",
        transform=f"translate({number(x)} {number(y)})",
        color=_accent(sheet, field),
    )


def _accent(sheet: Sheet, field: FieldSpec) -> str:
    if field.bonus is not None and field.bonus.network not in ("rail", "tracks"):
        return sheet.palette.lines[field.bonus.network][0]
    return sheet.palette.era[field.era - 1]


def _ground(sheet: Sheet, field: FieldSpec) -> list[str]:
    palette = sheet.palette
    if field.kind == "joker":
        fill = mixed(palette.card, palette.band[field.era - 1], 0.45)
        return [
            tag(
                "rect",
                class_="card joker",
                width=CARD_WIDTH,
                height=CARD_HEIGHT,
                rx=6,
                style=f"fill:{fill}",
            )
        ]
    tint = {
        "bonus": mixed(palette.card, _accent(sheet, field), 0.24),
        "technology": mixed(palette.card, palette.lines["line"][0], 0.22),
    }.get(field.kind)
    ground = [tag("rect", class_="card", width=CARD_WIDTH, height=CARD_HEIGHT, rx=6)]
    if tint:
        edge = CARD_WIDTH - 0.5
        path = f"M.5 {HEAD}V6a5.5 5.5 0 0 1 5.5-5.5H{edge - 5.5}a5.5 5.5 0 0 1 5.5 5.5V{HEAD}z"
        ground.append(tag("path", d=path, fill=tint))
    return ground


def mark(x: float, y: float) -> str:
    """Draws the small dot beside a value that a source states."""
    return tag("circle", class_="mark", cx=x, cy=y, r=2.1)


def _marks(field: FieldSpec, key: str, x: float, y: float) -> list[str]:
    return [mark(x, y)] if key in field.attested else []


def _head(field: FieldSpec, name: str) -> list[str]:
    size, lines = fitted(name, (CARD_WIDTH - 8) / NARROW, _NAME_SIZES)
    step = size * 1.07
    top = HEAD / 2 + size * 0.36 - step * (len(lines) - 1) / 2 + 0.5
    labels = [
        label(CARD_WIDTH / 2, top + place * step, line, size, "name")
        for place, line in enumerate(lines)
    ]
    return labels + _marks(field, "name", CARD_WIDTH - 5.5, 5.5)


def _picture(sheet: Sheet, field: FieldSpec) -> list[str]:
    middle = CARD_WIDTH / 2
    if field.joker is not None:
        ring = tag(
            "circle",
            cx=middle,
            cy=70,
            r=25,
            fill=sheet.palette.card,
            stroke=sheet.palette.quiet,
            stroke_width=1.3,
            stroke_dasharray="2 2.4",
        )
        symbol = use(resource_symbol(field.joker), middle - 16, 54, 32, 32)
        parts = [ring, symbol, *_marks(field, "joker", middle + 22, 91)]
        caption = sheet.say(f"resource.{field.joker}")
        if caption.lower() != field.name[sheet.language].lower():
            parts.append(label(middle, 109, caption, 11.0, "quiet"))
        return parts
    width, height = _PICTURE
    parts = [use(picture_of(field), middle - width / 2, HEAD + 3, width, height)]
    if field.discount:
        parts.append(discount_pill(CARD_WIDTH - 30, HEAD + 3))
        parts += _marks(field, "discount", CARD_WIDTH - 33.5, HEAD + 5)
    return parts


def discount_pill(x: float, y: float) -> str:
    return group(
        [
            tag("rect", class_="pill", x=x, y=y, width=26, height=15, rx=7.5),
            figure(x + 13, y + 11.6, "−1", 13, "onc"),
        ]
    )


def coin(x: float, y: float, value: str, size: float = 21) -> str:
    """Draws a coin around its centre."""
    return use("u-coin", x - size / 2, y - size / 2, size, size) + figure(
        x, y + size * 0.22, value, size * 0.62, "onc"
    )


def cog(x: float, y: float, value: str, size: float = 24) -> str:
    """Draws a cogwheel around its centre."""
    return use("u-cog", x - size / 2, y - size / 2, size, size) + figure(
        x, y + size * 0.195, value, size * 0.55, "ong"
    )


def crate(x: float, y: float, resource: str) -> str:
    """Draws a product around its centre."""
    return tag("rect", class_="crate", x=x - 10.5, y=y - 10.5, width=21, height=21, rx=3) + use(
        resource_symbol(resource), x - 8, y - 8, 16, 16
    )


def _values(field: FieldSpec) -> list[str]:
    """Draws costs at the left and gains at the right; both shrink if there are many."""
    pays, pays_width = _cost_items(field)
    gets, gets_width = _gain_items(field)
    room = CARD_WIDTH - 2 * _SIDE
    scale = min(1.0, room / (pays_width + gets_width + 3))
    return [
        group(part, transform=f"translate({number(x)} {_VALUES}) scale({number(scale)})")
        for part, x in ((pays, _SIDE), (gets, CARD_WIDTH - _SIDE))
        if part
    ]


def _cost_items(field: FieldSpec) -> tuple[list[str], float]:
    """Draws cost and needs, from 0 to the right."""
    parts: list[str] = []
    x = 0.0
    if field.cost:
        parts.append(coin(10.5, 0, str(field.cost)))
        parts += _marks(field, "cost", 10.5, _BELOW)
        x = 22.5
    for need in field.needs:
        parts.append(use(resource_symbol(need), x, -8.5, 17, 17))
        x += 18
    if field.needs:
        parts += _marks(field, "needs", x - 9 * len(field.needs) - 0.5, _BELOW)
    return parts, x


def _gain_items(field: FieldSpec) -> tuple[list[str], float]:
    """Draws points or the value per factory, and the product, from 0 to the left."""
    parts: list[str] = []
    x = 0.0
    for key, value in (("bonus", field.bonus and field.bonus.points), ("points", field.points)):
        if value:
            parts.append(cog(x - 12, 0, str(value)))
            parts += _marks(field, key, x - 12, _BELOW)
            x -= 24.5
    if field.bonus is not None:
        parts.append(label(x - 4.5, 4.5, "×", 13, "name"))
        x -= 9
    if field.makes is not None:
        parts.append(crate(x - 11, 0, field.makes))
        parts += _marks(field, "makes", x - 11, _BELOW)
        x -= 22
    return parts, -x


def _foot(sheet: Sheet, field: FieldSpec) -> list[str]:
    kind = kind_words(sheet.board, field, sheet.language)
    y = CARD_HEIGHT - 6
    id_width, space = label_width(field.id, _FOOT), 5.0
    kind_size, _ = fitted(kind, (CARD_WIDTH - 20 - id_width) / NARROW, ((_FOOT, 1), (6.0, 1)))
    start = (CARD_WIDTH - id_width - space - label_width(kind, kind_size)) / 2
    end = CARD_WIDTH - start
    parts = [
        label(start, y, field.id, _FOOT, "name", "start"),
        label(start + id_width + space, y, kind, kind_size, "quiet", "start"),
    ]
    return [
        *parts,
        *_marks(field, "id", start - 4.5, y - 3.5),
        *_marks(field, "kind", end + 4.5, y - 3.5),
    ]
