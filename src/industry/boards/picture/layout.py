"""Computes coordinates for every card and for the lanes, trunks and stubs of the planned routes."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from industry.engine import COLUMNS, ERAS

from ..spec import BoardSpec
from .routes import Planner, Route, Stub, column_place

Point = tuple[float, float]
Line = list[Point]

MARGIN = 22
TOP = 150
"""Above the board: title, remark and column letters."""
ERA_WIDTH = 112
CARD_WIDTH = 104
CARD_HEIGHT = 136
BAND = 9
"""How far the band of an era reaches beyond its cards."""
SLOT = 26.0
"""Between two routes that arrive at the same edge of a card, where there is room."""
_GAP = 15
_GUTTER = 40
_EDGE = 19
"""Between a card and the nearest lane: room for a badge."""
_THICKNESS = {"road": 15.0, "line": 9.0, "power": 15.0, "river": 14.0, "port": 14.0}
_USUAL = 13.0


@dataclass(frozen=True, slots=True)
class Way:
    """A route in coordinates. A link is one line; a network has lanes, a trunk and stubs."""

    route: Route
    lines: list[Line]
    stubs: list[Line]
    """Each from its lane to the edge of its card."""
    casings: list[Line]
    """The parts that cross a gutter, where a clear rim shows what lies above what."""


class Layout:
    """Sizes follow from the board: a gutter or gap is as wide as its routes need."""

    def __init__(self, board: BoardSpec) -> None:
        self.routes = Planner(board).routes()
        self._lane_tracks = [self._gutter_tracks(gutter) for gutter in range(ERAS + 1)]
        self._trunk_tracks = [self._gap_tracks(gap) for gap in range(COLUMNS + 1)]
        self.slot_step: dict[tuple[int, int], float] = {}
        self._slots = self._slot_offsets()
        self.card_x: list[float] = []
        self.card_y: list[float] = []
        self._lane_y: dict[tuple[Route, int], float] = {}
        self._trunk_x: dict[Route, float] = {}
        self._place_columns()
        self._place_rows()

    @property
    def letters_y(self) -> float:
        """The middle line of the column letters."""
        return TOP - 28

    @property
    def right(self) -> float:
        return self.width - MARGIN

    def _place_columns(self) -> None:
        x = float(MARGIN + ERA_WIDTH - 8)
        for gap in range(COLUMNS + 1):
            tracks = self._trunk_tracks[gap]
            inner = sum(_thickness(track) for track in tracks)
            outside = gap == COLUMNS
            gap_width = max(_GAP, inner + 12) if inner or not outside else BAND
            at = x + (gap_width - inner) / 2
            for track in tracks:
                for route in track:
                    self._trunk_x[route] = at + _thickness(track) / 2
                at += _thickness(track)
            x += gap_width
            if not outside:
                self.card_x.append(x)
                x += CARD_WIDTH
        self.width = x + MARGIN

    def _place_rows(self) -> None:
        y = float(TOP)
        for gutter in range(ERAS + 1):
            tracks = self._lane_tracks[gutter]
            inner = sum(_thickness(track) for track in tracks)
            outer = gutter in (0, ERAS)
            height = max(inner + 2 * _EDGE, 0 if outer else _GUTTER) if inner or not outer else BAND
            at = y + (height - inner) / 2
            for track in tracks:
                for route in track:
                    self._lane_y[route, gutter] = at + _thickness(track) / 2
                at += _thickness(track)
            y += height
            if gutter < ERAS:
                self.card_y.append(y)
                y += CARD_HEIGHT
        self.bottom = y

    def _gutter_tracks(self, gutter: int) -> list[list[Route]]:
        """Lanes of a gutter from top to bottom; those that do not meet share one."""

        def pull(route: Route) -> float:
            sides = [1 if not s.up else -1 for s in route.stubs if s.gutter == gutter]
            through = route.trunk
            if through and through[1] < gutter:
                sides.append(-1)
            if through and through[2] > gutter:
                sides.append(1)
            return sum(sides) / len(sides)

        here = [route for route in self.routes if gutter in route.lanes]
        here.sort(key=pull)
        return _tracks(here, lambda route: route.lanes[gutter])

    def _gap_tracks(self, gap: int) -> list[list[Route]]:
        here = [route for route in self.routes if route.trunk and route.trunk[0] == gap]
        here.sort(key=lambda route: sum(low + high for low, high in route.lanes.values()))
        return _tracks(here, _span)

    def _slot_offsets(self) -> dict[tuple[Route, int, int], float]:
        """Returns where each route meets a card's edge, as a distance from the card's centre."""
        cells: dict[tuple[int, int], list[Route]] = defaultdict(list)
        for route in self.routes:
            for stub in route.stubs:
                if route not in cells[stub.gutter, stub.column]:
                    cells[stub.gutter, stub.column].append(route)
        offsets: dict[tuple[Route, int, int], float] = {}
        for (gutter, column), here in cells.items():
            here.sort(key=lambda route: _lean(route, gutter, column))
            step = min(SLOT, (CARD_WIDTH - 22) / max(1, len(here) - 1))
            self.slot_step[gutter, column] = step
            for number, route in enumerate(here):
                offsets[route, gutter, column] = step * (number - (len(here) - 1) / 2)
        return offsets

    def slot_x(self, route: Route, gutter: int, column: int) -> float:
        middle = self.card_x[column] + CARD_WIDTH / 2
        return middle + self._slots[route, gutter, column]

    def _place_x(self, route: Route, gutter: int, place: int) -> float:
        if place % 2 == 0:
            return self._trunk_x[route]
        return self.slot_x(route, gutter, place // 2)

    def _card_edge(self, stub: Stub) -> float:
        return self.card_y[stub.gutter - 1] + CARD_HEIGHT if stub.up else self.card_y[stub.gutter]

    def way(self, route: Route) -> Way:
        """Returns the coordinates of a route."""
        stubs: list[Line] = []
        if route.bridge:
            lines = [self._bridge(*route.bridge)]
        elif route.ends:
            lines = [self._link_line(route)]
        else:
            lines = self._network_lines(route)
            stubs = [
                [(x, self._lane_y[route, stub.gutter]), (x, self._card_edge(stub))]
                for stub in route.stubs
                for x in [self.slot_x(route, stub.gutter, stub.column)]
            ]
        casings = [part for line in lines + stubs for part in self._in_gutters(line)]
        return Way(route, lines, stubs, casings)

    def _network_lines(self, route: Route) -> list[Line]:
        lines = []
        for gutter, (low, high) in route.lanes.items():
            y = self._lane_y[route, gutter]
            lines.append(
                [(self._place_x(route, gutter, low), y), (self._place_x(route, gutter, high), y)]
            )
        if route.trunk:
            x = self._trunk_x[route]
            _, top, bottom = route.trunk
            lines.append([(x, self._lane_y[route, top]), (x, self._lane_y[route, bottom])])
        return lines

    def _in_gutters(self, line: Line) -> list[Line]:
        """Returns the straight parts of a line that lie outside the bands of eras."""
        parts: list[Line] = []
        for (x1, y1), (x2, y2) in pairwise(line):
            top, bottom = min(y1, y2), max(y1, y2)
            if x1 != x2:
                parts.append([(x1, y1), (x2, y2)])
                continue
            edges = [y for row in self.card_y for y in (row - BAND, row + CARD_HEIGHT + BAND)]
            spans = [float(TOP - BAND), *edges, self.bottom + BAND]
            for start, end in zip(spans[::2], spans[1::2], strict=True):
                if max(top, start) < min(bottom, end):
                    parts.append([(x1, max(top, start)), (x1, min(bottom, end))])
        return parts

    def _bridge(self, row: int, column: int) -> Line:
        y = self.card_y[row] + CARD_HEIGHT * 0.47
        return [(self.card_x[column] + CARD_WIDTH, y), (self.card_x[column + 1], y)]

    def _link_line(self, route: Route) -> Line:
        """Returns the line from card to card, along the lanes and the trunk between them."""
        first, second = route.stubs
        start, end = (
            (self.slot_x(route, stub.gutter, stub.column), self._card_edge(stub))
            for stub in (first, second)
        )
        points = [start]
        if first.gutter in route.lanes:
            points.append((start[0], self._lane_y[route, first.gutter]))
        if route.trunk:
            x = self._trunk_x[route]
            points.append((x, self._lane_y[route, first.gutter]))
            points.append((x, self._lane_y[route, second.gutter]))
        if second.gutter in route.lanes:
            points.append((end[0], self._lane_y[route, second.gutter]))
        points.append(end)
        return points


def _span(route: Route) -> tuple[int, int]:
    """Returns the gutters between which a route's trunk runs."""
    return (route.trunk[1], route.trunk[2]) if route.trunk else (0, 0)


def _thickness(track: list[Route]) -> float:
    return max(_THICKNESS.get(route.name, _USUAL) for route in track)


def _tracks(routes: list[Route], interval: Callable[[Route], tuple[int, int]]) -> list[list[Route]]:
    """Puts each route on the first track where it meets no other."""
    tracks: list[list[Route]] = []
    for route in routes:
        low, high = interval(route)
        for track in tracks:
            if all(high < interval(other)[0] or interval(other)[1] < low for other in track):
                track.append(route)
                break
        else:
            tracks.append([route])
    return tracks


def _lean(route: Route, gutter: int, column: int) -> tuple[float, str]:
    low, high = route.lanes.get(gutter, (column_place(column), column_place(column)))
    return (low + high) / 2 - column_place(column), route.name
