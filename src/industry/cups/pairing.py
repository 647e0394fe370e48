"""Decides who meets whom in a round, by local search over rematches and strength."""

from collections.abc import Iterable, Sequence

from .chance import Chance
from .seats import NOBODY, SeatedPlayers

REMATCH = 100
"""What a rematch costs, in places between neighbours in a ranking; a second one costs four times
that, and so on.
"""
TRIES = 150
"""How many exchanges are tried per player and round."""


class Meetings:
    """Counts how often every two players have met; bots of the house do not count."""

    def __init__(self, rounds: Iterable[Iterable[SeatedPlayers]] = ()) -> None:
        self._met: dict[int, dict[int, int]] = {}
        for tables in rounds:
            for table in tables:
                self.add(table)

    def add(self, table: SeatedPlayers) -> None:
        for one in table:
            for other in table:
                if one != other and NOBODY not in (one, other):
                    row = self._met.setdefault(one, {})
                    row[other] = row.get(other, 0) + 1

    def between(self, one: int, other: int) -> int:
        return self._met.get(one, {}).get(other, 0)

    def matrix(self, players: Sequence[int]) -> list[list[int]]:
        """Returns the meetings between players by their places in the sequence."""
        return [[self.between(one, other) for other in players] for one in players]


def paired(
    players: Sequence[int],
    size: int,
    meetings: Meetings,
    chance: Chance,
    *,
    by_rank: bool = False,
) -> list[SeatedPlayers]:
    """Returns tables of this size with few rematches; `NOBODY` fills what is missing.

    With `by_rank`, players are given best first, and neighbours in the ranking share tables.
    """
    tables = -(-len(players) // size)
    order = list(players) if by_rank else chance.shuffled(players)
    search = _Search(_spread(order, tables, size), size, meetings, by_rank=by_rank)
    search.improve(chance, TRIES * len(players))
    return search.tables()


def _spread(order: list[int], tables: int, size: int) -> list[int]:
    """Returns all seats, one table after the other, with the empty ones at the last tables.

    No table has more empty seats than another has by more than one.
    """
    every, more = divmod(tables * size - len(order), tables)
    seats, place = [], 0
    for table in range(tables):
        empty = every + (table >= tables - more)
        seats += order[place : place + size - empty] + [NOBODY] * empty
        place += size - empty
    return seats


class _Search:
    """Exchanges two players of different tables as long as that makes the round better."""

    def __init__(self, seats: list[int], size: int, meetings: Meetings, *, by_rank: bool) -> None:
        self._size = size
        self._people = seats
        ranks = {player: rank for rank, player in enumerate(filter(None, seats))}
        self._seats = list(range(len(seats)))
        """For each seat the place of its player in `_people`."""
        self._cost = meetings.matrix(seats)
        for row, one in zip(self._cost, seats, strict=True):
            for place, other in enumerate(seats):
                row[place] = REMATCH * row[place] ** 2
                if by_rank and NOBODY not in (one, other):
                    row[place] += abs(ranks[one] - ranks[other])

    def improve(self, chance: Chance, tries: int) -> None:
        seats, size, count = self._seats, self._size, len(self._seats)
        if count == size:
            return
        for _ in range(tries):
            one, other = chance.below(count), chance.below(count)
            first, second = one - one % size, other - other % size
            if first == second or not self._may_change(one, other):
                continue
            if self._gain(one, first, other, second) > 0:
                seats[one], seats[other] = seats[other], seats[one]

    def _may_change(self, one: int, other: int) -> bool:
        """Checks that both seats have people: empty seats keep their tables and stay spread."""
        people, seats = self._people, self._seats
        return people[seats[one]] != NOBODY and people[seats[other]] != NOBODY

    def _gain(self, one: int, first: int, other: int, second: int) -> int:
        seats, size, cost = self._seats, self._size, self._cost
        mine, theirs = cost[seats[one]], cost[seats[other]]
        gain = 0
        for place in range(first, first + size):
            if place != one:
                gain += mine[seats[place]] - theirs[seats[place]]
        for place in range(second, second + size):
            if place != other:
                gain += theirs[seats[place]] - mine[seats[place]]
        return gain

    def tables(self) -> list[SeatedPlayers]:
        found = [self._people[seat] for seat in self._seats]
        return [tuple(found[n : n + self._size]) for n in range(0, len(found), self._size)]
