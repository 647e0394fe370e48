"""Draws the picture from bottom to top: era bands, routes, cards and signs."""

from industry.texts import LANGUAGES

from ..spec import BoardSpec
from . import frame
from .cards import Sheet, card, mark
from .layout import MARGIN, Layout, Way
from .lines import BADGE, badge, badge_points, drawn_link, drawn_network
from .palette import THEMES, stylesheet
from .svg import group, number, tag, title
from .symbols import definitions


def board_svg(board: BoardSpec, language: str = "en", theme: str = "light") -> str:
    """Returns the picture of a board as SVG text."""
    if theme not in THEMES:
        raise ValueError(f"there is no theme {theme}; known: {', '.join(THEMES)}")
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language}; known: {', '.join(LANGUAGES)}")
    sheet = Sheet(board, language, THEMES[theme])
    layout = Layout(board)
    legend, legend_height = frame.legend(sheet, layout)
    height = layout.bottom + legend_height + MARGIN + 14
    body = "\n".join(
        [
            tag("rect", width=layout.width, height=height, fill=sheet.palette.paper),
            frame.heading(sheet, layout),
            frame.bands(sheet, layout),
            frame.columns(sheet, layout),
            *_ways(sheet, layout),
            *_cards(sheet, layout),
            *_badges(sheet, layout),
            legend,
        ]
    )
    style = tag("style", stylesheet(sheet.palette))
    symbols = tag("defs", definitions(body, sheet.palette.lighten))
    name = title(f"{sheet.say(f'edition.{board.edition}')} · {board.id}")
    size = f"{number(layout.width)} {number(height)}"
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" '
        f'width="{number(layout.width)}" height="{number(height)}" role="img" lang="{language}">\n'
        f"{name}\n{style}\n{symbols}\n{body}\n</svg>\n"
    )


def _ways(sheet: Sheet, layout: Layout) -> list[str]:
    """Draws networks first: roads and technology lines cross above them."""
    ways = [layout.way(route) for route in layout.routes]
    networks = [
        drawn_network(way, sheet.palette, sheet.say(f"network.{way.route.name}"))
        for way in ways
        if way.route.ends is None
    ]
    links = [
        drawn_link(way, sheet.palette, _link_caption(sheet, way)) for way in ways if way.route.ends
    ]
    return networks + links


def _link_caption(sheet: Sheet, way: Way) -> str:
    names = [sheet.board.field(end).name[sheet.language] for end in way.route.ends or ()]
    return " – ".join(names)


def _cards(sheet: Sheet, layout: Layout) -> list[str]:
    parts = []
    for place, field in enumerate(sheet.board.fields):
        row, column = divmod(place, len(layout.card_x))
        parts.append(card(sheet, field, layout.card_x[column], layout.card_y[row]))
    return parts


def _badges(sheet: Sheet, layout: Layout) -> list[str]:
    parts = []
    for route in layout.routes:
        if route.ends is None:
            points = badge_points(layout.way(route))
            for stub, (x, y) in zip(route.stubs, points, strict=True):
                radius = min(BADGE, layout.slot_step[stub.gutter, stub.column] / 2)
                parts.append(badge(x, y, route.name, sheet.palette, radius))
                if "networks" in sheet.board.row(stub.row + 1)[stub.column].attested:
                    parts.append(mark(x + BADGE + 3, y))
    return [group(parts, class_="badges")]
