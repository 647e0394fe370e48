"""Plans the route of every network and link across the board, before anything has coordinates.

Between the rows of cards lie gutters, between the columns gaps: gutter g is above row g, gap c is
left of column c. A place along a gutter is a number: column c is 2c + 1, gap c is 2c.
"""

from dataclasses import dataclass, field
from itertools import combinations

from industry.engine import COLUMN_LETTERS, COLUMNS, ERAS

from ..spec import BoardSpec, FieldSpec

Lanes = dict[int, tuple[int, int]]

_LANE = 24
"""The cost of another lane, as a length in places."""
_OUTER = 20
"""The extra cost of a gutter above the first or below the last row."""
_CROWD = 5
"""The extra cost for each lane that the gutter or gap already has."""


@dataclass(frozen=True, slots=True)
class Stub:
    """The short line from a gutter to the card above (`up`) or below it."""

    gutter: int
    column: int
    up: bool

    @property
    def row(self) -> int:
        """The row of the card."""
        return self.gutter - 1 if self.up else self.gutter


@dataclass(eq=False, slots=True)
class Route:
    """One network or one link: its lanes by gutter, its trunk in a gap, its stubs to cards."""

    name: str
    lanes: Lanes = field(default_factory=dict)
    trunk: tuple[int, int, int] | None = None
    """The gap, and the gutters between which it runs."""
    stubs: list[Stub] = field(default_factory=list)
    bridge: tuple[int, int] | None = None
    """Row and left column of two neighbours that are joined directly."""
    ends: tuple[str, str] | None = None


def column_place(column: int) -> int:
    return 2 * column + 1


def gap_place(gap: int) -> int:
    return 2 * gap


def spot(field_spec: FieldSpec) -> tuple[int, int]:
    """Returns row and column of a field, both from 0."""
    return field_spec.era - 1, COLUMN_LETTERS.index(field_spec.column)


def is_member(field_spec: FieldSpec, network: str) -> bool:
    """Checks whether a field belongs to a network: as a factory on it, or as its bonus field."""
    bonus = field_spec.bonus
    return network in field_spec.networks or (bonus is not None and bonus.network == network)


class Planner:
    """Plans routes one after the other; later ones avoid gutters that earlier ones have filled."""

    def __init__(self, board: BoardSpec) -> None:
        self.board = board
        self.lanes: list[list[tuple[int, int]]] = [[] for _ in range(ERAS + 1)]
        self.gap_load = [0] * (COLUMNS + 1)
        columns = [spot(f)[1] for f in board.fields if f.kind == "bonus"]
        self.corridor = max(columns, default=0) + 1
        """The gap before the factories: left of it are the bonus fields that count them."""

    def routes(self) -> list[Route]:
        """Returns all networks that have members, then all links in the order of the file."""
        links = [self._reserve(self._link(*ends)) for ends in self.board.links]
        networks = []
        for network in self.board.networks:
            members = [spot(f) for f in self.board.fields if is_member(f, network)]
            if members:
                networks.append(self._reserve(self._network(network, members)))
        return networks + links

    def _reserve(self, route: Route) -> Route:
        for gutter, lane in route.lanes.items():
            self.lanes[gutter].append(lane)
        if route.trunk:
            self.gap_load[route.trunk[0]] += 1
        return route

    def _link(self, first: str, second: str) -> Route:
        upper, lower = sorted(spot(self.board.field(end)) for end in (first, second))
        kind = self.board.field(first).kind
        route = Route("road" if kind == "factory" else "line", ends=(first, second))
        (row, column), (low_row, low_column) = upper, lower
        if row == low_row and abs(column - low_column) == 1:
            route.bridge = (row, min(column, low_column))
        elif row == low_row:
            lane = _between(column_place(column), column_place(low_column))
            gutter = min(
                (row, row + 1), key=lambda g: (_is_outer(g), self._parallel_lanes(g, lane))
            )
            route.stubs = [Stub(gutter, c, up=gutter == row + 1) for c in (column, low_column)]
            route.lanes[gutter] = lane
        else:
            route.stubs = [Stub(row + 1, column, up=True), Stub(low_row, low_column, up=False)]
            self._descend(route, row + 1, low_row, column_place(column), column_place(low_column))
        return route

    def _descend(self, route: Route, top: int, bottom: int, start: int, end: int) -> None:
        """Plans the way from a place in the gutter `top` to a place in the gutter `bottom`."""
        if top == bottom:
            if start != end:
                route.lanes[top] = _between(start, end)
            return
        gap = min(
            range(COLUMNS + 1),
            key=lambda g: (
                abs(gap_place(g) - start) + abs(gap_place(g) - end) + self.gap_load[g],
                -g,
            ),
        )
        route.trunk = (gap, top, bottom)
        route.lanes[top] = _between(start, gap_place(gap))
        route.lanes[bottom] = _between(gap_place(gap), end)

    def _network(self, name: str, members: list[tuple[int, int]]) -> Route:
        rows = {row for row, _ in members}
        tries = [
            self._attempt(name, members, gutters)
            for count in range(1, ERAS + 2)
            for gutters in combinations(range(ERAS + 1), count)
            if all(row in gutters or row + 1 in gutters for row in rows)
        ]
        return min(tries, key=self._weight)

    def _attempt(
        self, name: str, members: list[tuple[int, int]], gutters: tuple[int, ...]
    ) -> Route:
        route = Route(name)
        places: dict[int, list[int]] = {gutter: [] for gutter in gutters}
        free = []
        for row, column in members:
            near = [g for g in (row, row + 1) if g in gutters]
            if len(near) == 2:
                free.append((row, column))
            else:
                places[near[0]].append(column_place(column))
                route.stubs.append(Stub(near[0], column, up=near[0] == row + 1))
        for row, column in free:
            place = column_place(column)
            gutter = min((row, row + 1), key=lambda g: (_extra_length(places[g], place), -g))
            places[gutter].append(place)
            route.stubs.append(Stub(gutter, column, up=gutter == row + 1))
        used = {gutter: some for gutter, some in places.items() if some}
        if len(used) > 1:
            gap = min(
                range(COLUMNS + 1),
                key=lambda g: (
                    sum(_extra_length(some, gap_place(g)) for some in used.values()),
                    abs(g - self.corridor),
                ),
            )
            route.trunk = (gap, min(used), max(used))
            for some in used.values():
                some.append(gap_place(gap))
        route.lanes = {gutter: (min(some), max(some)) for gutter, some in used.items()}
        return route

    def _weight(self, route: Route) -> float:
        weight = 0.0
        for gutter, lane in route.lanes.items():
            weight += _LANE + (lane[1] - lane[0]) + _CROWD * self._parallel_lanes(gutter, lane)
            weight += _OUTER if _is_outer(gutter) else 0
        return weight

    def _parallel_lanes(self, gutter: int, lane: tuple[int, int]) -> int:
        """Returns how many lanes of a gutter run beside this one."""
        return sum(1 for low, high in self.lanes[gutter] if low <= lane[1] and lane[0] <= high)


def _is_outer(gutter: int) -> bool:
    return gutter in (0, ERAS)


def _between(first: int, second: int) -> tuple[int, int]:
    return min(first, second), max(first, second)


def _extra_length(places: list[int], place: int) -> int:
    """Returns how much longer a lane becomes if it must reach one more place."""
    if not places:
        return 0
    return max(min(places) - place, place - max(places), 0)
