"""Decides who gets which seat of their table, so that everyone has each about equally often.

Where all rounds are known beforehand the seats are as even as numbers allow: in r games with tables
of k, everybody has each seat r // k times or once more. Players and tables are the two sides of a
graph, games its edges, seats the colours of the edges; a player with many games counts as several
with at most k, so that k colours suffice (König), and chains of two colours find them.
"""

from collections.abc import Sequence
from itertools import permutations

SeatedPlayers = tuple[int, ...]
NOBODY = 0
"""A seat that a bot of the house fills; its seats need no balance."""


def balanced_seats(
    rounds: Sequence[Sequence[SeatedPlayers]], size: int
) -> list[list[SeatedPlayers]]:
    """Returns the rounds with the players of each table in the order of their seats."""
    colours = _Colours(size)
    played: dict[int, int] = {}
    for number, tables in enumerate(rounds):
        for place, table in enumerate(tables):
            for player in table:
                if player != NOBODY:
                    game = played.get(player, 0)
                    played[player] = game + 1
                    colours.add(("player", player, game // size), ("table", number, place))
    return [
        [_in_order(table, colours.seats_of(("table", n, place)), size) for place, table in found]
        for n, found in ((n, list(enumerate(tables))) for n, tables in enumerate(rounds))
    ]


def _in_order(table: SeatedPlayers, seats: dict[int, int], size: int) -> SeatedPlayers:
    """Returns the players by seat; the house has the seats that are left."""
    return tuple(seats.get(seat, NOBODY) for seat in range(size))


def next_seats(
    tables: Sequence[SeatedPlayers], before: Sequence[Sequence[SeatedPlayers]]
) -> list[SeatedPlayers]:
    """Returns the tables of one more round, with everybody on a seat they have rarely had."""
    had: dict[tuple[int, int], int] = {}
    for earlier in before:
        for table in earlier:
            for seat, player in enumerate(table):
                had[player, seat] = had.get((player, seat), 0) + 1

    def cost(order: SeatedPlayers) -> int:
        return sum(had.get((p, seat), 0) ** 2 for seat, p in enumerate(order) if p != NOBODY)

    return [min(permutations(table), key=cost) for table in tables]


Node = tuple[str, int, int]


class _Colours:
    """Colours edges one by one so that no node has a colour twice."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._edges: dict[Node, dict[int, Node]] = {}

    def add(self, player: Node, table: Node) -> None:
        """Colours one more edge, and recolours others where that is necessary."""
        free, other = self._free(player), self._free(table)
        if free != other:
            self._swap(table, free, other)
        self._set(player, table, free)

    def seats_of(self, table: Node) -> dict[int, int]:
        """Returns the player on each seat of a table."""
        return {colour: player[1] for colour, player in self._edges.get(table, {}).items()}

    def _free(self, node: Node) -> int:
        used = self._edges.get(node, {})
        return next(colour for colour in range(self._count) if colour not in used)

    def _set(self, one: Node, other: Node, colour: int) -> None:
        self._edges.setdefault(one, {})[colour] = other
        self._edges.setdefault(other, {})[colour] = one

    def _swap(self, start: Node, first: int, second: int) -> None:
        """Exchanges two colours along the chain that begins here with the first of them."""
        chain, node, colour = [], start, first
        while (following := self._edges.get(node, {}).get(colour)) is not None:
            chain.append((node, following, colour))
            node, colour = following, first + second - colour
        for one, other, colour in chain:
            del self._edges[one][colour]
            del self._edges[other][colour]
        for one, other, colour in chain:
            self._set(one, other, first + second - colour)
