"""Seasons of a league: groups of four or five by strength; two are promoted, two relegated."""

from collections.abc import Sequence

from .seats import NOBODY, SeatedPlayers

MOVERS = 2


def groups_of(ranked: Sequence[int]) -> list[list[int]]:
    """Returns groups of four and five players, strongest first.

    6, 7 and 11 players do not divide into fours and fives: there a group has three, and a bot of
    the house plays with it. So it is with fewer than four.
    """
    count = len(ranked)
    groups = max(1, count // 4) if count not in (6, 7, 11) else -(-count // 4)
    small, larger = divmod(count, groups)
    found, place = [], 0
    for number in range(groups):
        length = small + (number < larger)
        found.append(list(ranked[place : place + length]))
        place += length
    return found


def group_rounds(group: Sequence[int], size: int) -> list[list[SeatedPlayers]]:
    """Returns the rounds of a group, in which everybody plays the same number of games.

    As many sit out as there are too many for a table, each equally often. A group that fits at one
    table plays one round per seat.
    """
    count = len(group)
    if count <= size:
        table = (*group, *[NOBODY] * (size - count))
        return [[table]] * size
    return [[tuple(group[(n + seat) % count] for seat in range(size))] for n in range(count)]


def moved(groups: Sequence[Sequence[int]]) -> list[int]:
    """Returns the ranking for the next season: two of each group are promoted, two relegated.

    Each group is given in the order of its standings. Nobody goes both ways: where a group is too
    small, or between two groups, as many change places as the smaller one has for it.
    """
    orders = [list(group) for group in groups]
    for upper in range(len(orders) - 1):
        up, down = groups[upper + 1], groups[upper]
        movers = min(MOVERS, len(up) // 2, len(down) // 2)
        rising, falling = list(up[:movers]), list(down[len(down) - movers :])
        kept = [one for one in orders[upper] if one not in falling]
        orders[upper] = kept + rising
        orders[upper + 1] = falling + [one for one in orders[upper + 1] if one not in rising]
    return [one for order in orders for one in order]
