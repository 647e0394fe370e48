"""Computes what the results of a round are worth."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from .cup import Game, Result
from .seats import NOBODY

PLACE_POINTS = {3: (3, 1, 0), 4: (4, 2, 1, 0)}
"""By size of the table: points for the first, second, … place."""


def order_key(result: Result, seat: int) -> tuple[int, int, int]:
    """Returns the key by which the seats of a table are compared: higher is better.

    A seat (from 1) that forfeits is behind all others; then come those who did not win, by points.
    """
    forfeits = seat in result.forfeits
    return (0 if forfeits else 1, int(seat in result.winners), result.points[seat - 1])


def places(result: Result) -> list[int]:
    """Returns the place of each seat, from 1; seats that are equal share the better one."""
    keys = [order_key(result, seat) for seat in range(1, len(result.points) + 1)]
    return [1 + sum(other > key for other in keys) for key in keys]


def place_points(result: Result) -> list[Fraction]:
    """Returns the points of each seat for its place; those who share a place share its points.

    A seat that forfeits gets nothing.
    """
    worth, found = PLACE_POINTS[len(result.points)], []
    taken = places(result)
    for seat, place in enumerate(taken, start=1):
        shared = worth[place - 1 : place - 1 + taken.count(place)]
        total = Fraction(sum(shared), len(shared))
        found.append(Fraction(0) if seat in result.forfeits else total)
    return found


def victories(result: Result) -> list[Fraction]:
    """Returns the victory of a table, shared among the best of those who did not forfeit."""
    keys = [order_key(result, seat) for seat in range(1, len(result.points) + 1)]
    best = max(keys)
    share = Fraction(1, keys.count(best)) if best[0] else Fraction(0)
    return [share if key == best else Fraction(0) for key in keys]


def point_shares(result: Result) -> list[Fraction]:
    """Returns each seat's share of the points of its table; negative points count as 0."""
    points = [
        0 if seat in result.forfeits else max(0, value)
        for seat, value in enumerate(result.points, start=1)
    ]
    total = sum(points)
    return [Fraction(value, total) if total else Fraction(1, len(points)) for value in points]


def matchpoints(games: Sequence[Game]) -> list[list[Fraction]]:
    """Returns for each game of a duplicate round the matchpoints of its seats, from 0 to 1.

    Each seat is compared with the same seat at every other table: 1 for a better result, a half for
    an equal one, divided by the number of comparisons. The result of a seat is its points. Bots of
    the house count for the comparison. A seat that forfeits gets nothing and is compared with
    nobody; where there is nobody to compare with, a result is worth a half.
    """
    return [
        [_matchpoints(games, number, seat) for seat in range(1, len(game.seats) + 1)]
        for number, game in enumerate(games)
    ]


def _matchpoints(games: Sequence[Game], number: int, seat: int) -> Fraction:
    own = games[number].result
    if own is None or seat in own.forfeits:
        return Fraction(0)
    others = list(_others(games, number, seat))
    if not others:
        return Fraction(1, 2)
    mine = own.points[seat - 1]
    gained = sum(2 * (mine > other) + (mine == other) for other in others)
    return Fraction(gained, 2 * len(others))


def _others(games: Iterable[Game], number: int, seat: int) -> Iterable[int]:
    """Yields the points of a seat at the other tables."""
    for place, game in enumerate(games):
        if place != number and game.result is not None and seat not in game.result.forfeits:
            yield game.result.points[seat - 1]


def scored(games: Sequence[Game], *, duplicate: bool) -> list[tuple[int, int, Fraction]]:
    """Returns entrant, place of the game and score for all seats of a round's games."""
    found = []
    compared = matchpoints(games) if duplicate else []
    for number, game in enumerate(games):
        if game.result is None:
            continue
        scores = compared[number] if duplicate else place_points(game.result)
        for player, score in zip(game.seats, scores, strict=True):
            if player != NOBODY:
                found.append((player, number, score))
    return found
