"""Draws networks, roads and technology lines, with strokes that differ even without colour."""

import math
from collections.abc import Callable, Iterable

from .layout import Line, Point, Way
from .palette import Palette
from .svg import group, number, tag, title, use
from .symbols import network_glyph

BADGE = 8.2
BADGE_OFF = 5.5
"""How far outside the card's edge a badge has its middle, so that it hides nothing."""
_Draw = Callable[[list[Line], list[Line], str, str], list[str]]


def drawn_network(way: Way, palette: Palette, caption: str) -> str:
    """Draws a network with all its lanes, its trunk and its stubs."""
    colour, _ = palette.lines[way.route.name]
    parts = [
        title(caption),
        _stroke(_straight(way.casings), palette.paper, 12),
        *strokes(way.route.name, way.lines, way.stubs, palette),
    ]
    parts += [tag("circle", cx=x, cy=y, r=3.4, fill=colour) for (x, y), _ in way.stubs]
    return group(parts, class_=f"network {way.route.name}")


def strokes(name: str, lines: list[Line], stubs: list[Line], palette: Palette) -> list[str]:
    """Draws a network along the given lines."""
    return _STROKES[name](lines, stubs, *palette.lines[name])


def badge_points(way: Way) -> Line:
    """Returns the centres of a network's badges, one per stub; a link has none."""
    if way.route.ends:
        return []
    return [
        (x, edge + (BADGE_OFF if stub.up else -BADGE_OFF))
        for stub, (_, (x, edge)) in zip(way.route.stubs, way.stubs, strict=True)
    ]


def badge(x: float, y: float, network: str, palette: Palette, radius: float = BADGE) -> str:
    """Draws the sign of a network in a ring, where the network touches a card."""
    size = radius * 1.24
    return group(
        [
            tag("circle", class_="node", cx=x, cy=y, r=radius),
            use(network_glyph(network), x - size / 2, y - size / 2, size, size),
        ],
        color=palette.lines[network][0],
    )


def drawn_link(way: Way, palette: Palette, caption: str) -> str:
    """Draws a road or a technology line between two cards."""
    name = way.route.name
    first, second = way.route.ends or ("", "")
    casing = _stroke(_straight(way.casings), palette.paper, 15.5 if name == "road" else 8)
    return group(
        [title(caption), casing, *link_strokes(name, way.lines[0], palette)],
        class_=f"link {name}",
        id=f"link-{first}-{second}",
    )


def link_strokes(name: str, points: Line, palette: Palette) -> list[str]:
    """Draws a link along the given points."""
    colour, inner = palette.lines[name]
    path = _rounded(points)
    if name == "road":
        return [
            _stroke(path, colour, 11.5),
            _stroke(path, inner, 1.6, stroke_dasharray="4.5 3.5"),
        ]
    rings = [
        tag("circle", class_="node", cx=x, cy=y, r=3.6, color=colour)
        for x, y in (points[0], points[-1])
    ]
    return [
        _stroke(path, colour, 3.2, stroke_dasharray=".1 5.2", stroke_linecap="round"),
        *rings,
    ]


def _stroke(path: str, colour: str, width: float, **more: str | float) -> str:
    return tag("path", class_="way", d=path, stroke=colour, stroke_width=width, **more)


def _straight(pieces: Iterable[Line]) -> str:
    return "".join(
        "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) for points in pieces
    )


def _rounded(points: Line, radius: float = 7) -> str:
    """Returns a path through the points with rounded corners."""
    path = f"M{number(points[0][0])} {number(points[0][1])}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        start, end = _towards(corner, before, radius), _towards(corner, after, radius)
        path += (
            f"L{number(start[0])} {number(start[1])}"
            f"Q{number(corner[0])} {number(corner[1])} {number(end[0])} {number(end[1])}"
        )
    return path + f"L{number(points[-1][0])} {number(points[-1][1])}"


def _towards(start: Point, end: Point, distance: float) -> Point:
    length = math.dist(start, end)
    share = min(distance, length / 2) / length if length else 0
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _wave(start: Point, end: Point) -> str:
    length = math.dist(start, end)
    if not length:
        return ""
    count = 2 * max(1, round(length / 18))
    along = ((end[0] - start[0]) / count, (end[1] - start[1]) / count)
    across = (-along[1] * 2.6 / (length / count), along[0] * 2.6 / (length / count))
    path = f"M{number(start[0])} {number(start[1])}"
    for step in range(count):
        side = 1 if step % 2 == 0 else -1
        turn = (along[0] / 2 + across[0] * 2 * side, along[1] / 2 + across[1] * 2 * side)
        path += f"q{number(turn[0])} {number(turn[1])} {number(along[0])} {number(along[1])}"
    return path


def _water(lines: list[Line], stubs: list[Line], colour: str, inner: str) -> list[str]:
    path = "".join(_wave(*line) for line in lines) + _straight(stubs)
    return [
        _stroke(path, colour, 6.4, stroke_linecap="round"),
        _stroke(path, inner, 1.3, stroke_dasharray="9 6", stroke_linecap="round"),
    ]


def _channel(lines: list[Line], stubs: list[Line], colour: str, inner: str) -> list[str]:
    path = _straight(lines + stubs)
    return [
        _stroke(path, colour, 7.4, stroke_linecap="square"),
        _stroke(path, inner, 3.6, stroke_linecap="square"),
        _stroke(path, colour, 1, stroke_dasharray="7 5"),
    ]


def _rails(lines: list[Line], stubs: list[Line], colour: str, inner: str) -> list[str]:
    path = _straight(lines + stubs)
    return [
        _stroke(path, colour, 8.6, stroke_dasharray="1.6 3.4"),
        _stroke(path, colour, 5, stroke_linecap="square"),
        _stroke(path, inner, 2.4, stroke_linecap="square"),
    ]


def _tube(lines: list[Line], stubs: list[Line], colour: str, inner: str) -> list[str]:
    path = _straight(lines + stubs)
    return [
        _stroke(path, colour, 6, stroke_linecap="square"),
        _stroke(path, colour, 9.6, stroke_dasharray="3 21"),
        _stroke(path, inner, 1.6),
    ]


def _wires(lines: list[Line], stubs: list[Line], colour: str, inner: str) -> list[str]:
    """Draws two sagging wires on pylons along the lanes, and two straight ones elsewhere."""
    wires, pylons = "", ""
    for start, end in lines + stubs:
        if abs(end[0] - start[0]) > 30:
            spans = max(1, round(abs(end[0] - start[0]) / 46))
            wires += _sagging(start, end, spans)
            pylons += _pylons(start, end, spans)
        elif start[0] == end[0]:
            apart = 2.2
            wires += _straight(
                [[(x + side, y) for x, y in (start, end)] for side in (-apart, apart)]
            )
        else:
            wires += _straight([[start, end]])
    strokes = [_stroke(wires, colour, 1.3, stroke_linecap="round")]
    if pylons:
        strokes.append(_stroke(pylons, inner, 1.3, stroke_linecap="round"))
    return strokes


def _sagging(start: Point, end: Point, spans: int) -> str:
    path = ""
    step = (end[0] - start[0]) / spans
    for height in (-3.4, 0.6):
        path += f"M{number(start[0])} {number(start[1] + height)}"
        path += f"q{number(step / 2)} 6 {number(step)} 0" * spans
    return path


def _pylons(start: Point, end: Point, spans: int) -> str:
    path = ""
    step = (end[0] - start[0]) / spans
    for span in range(spans + 1):
        x, y = start[0] + span * step, start[1]
        path += f"M{number(x - 2.8)} {number(y + 5.6)}L{number(x)} {number(y - 6)}"
        path += f"L{number(x + 2.8)} {number(y + 5.6)}M{number(x - 4)} {number(y - 3.4)}h8"
        path += f"M{number(x - 3.2)} {number(y + 0.6)}h6.4"
    return path


def _packets(lines: list[Line], stubs: list[Line], colour: str, inner: str) -> list[str]:
    path = _straight(lines + stubs)
    return [
        _stroke(path, colour, 6, stroke_linecap="square"),
        _stroke(path, inner, 3.6, stroke_linecap="square"),
        _stroke(path, colour, 3.6, stroke_dasharray="3.6 6"),
    ]


_STROKES: dict[str, _Draw] = {
    "river": _water,
    "rail": _rails,
    "pipeline": _tube,
    "power": _wires,
    "canal": _channel,
    "port": _water,
    "tracks": _rails,
    "data": _packets,
}
