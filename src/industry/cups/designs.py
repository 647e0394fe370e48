"""Exact designs: rounds in which every two players meet at most once.

The points of the affine space over a field of q = 3 or 4 elements are the players, its lines are
the tables. Lines of one direction are parallel: they make up a round in which everybody plays. In
`dimension` d there are q^d players and (q^d - 1) / (q - 1) rounds, in all of which every two
players meet exactly once: 9 players in 4 rounds of threes, 16 in 5 rounds of fours, 64 in 21.
"""

from itertools import product

Seats = list[list[int]]
"""The tables of a round: the players at each, from 0."""

LARGEST = 256

_FOUR = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""Products in the field of four elements; sums are exclusive or."""


def designed_rounds(players: int, size: int) -> list[Seats]:
    """Returns all rounds of the design for these numbers of players and seats; [] without one."""
    dimension, points = 1, size
    while points < players:
        dimension, points = dimension + 1, points * size
    if size not in (3, 4) or points != players or dimension < 2 or players > LARGEST:
        return []
    spaces = list(product(range(size), repeat=dimension))
    return [_parallel_lines(spaces, size, slope) for slope in spaces if _is_direction(slope)]


def projective_tables() -> Seats:
    """Returns the 13 tables of four for 13 players at which every two meet exactly once.

    Any two of these tables share a player: they cannot be played at the same time by people who sit
    at one table only, but they can over days.
    """
    base = (0, 1, 3, 9)  # every difference modulo 13 occurs once
    return [[(shift + point) % 13 for point in base] for shift in range(13)]


def _is_direction(slope: tuple[int, ...]) -> bool:
    """Checks that the first coordinate other than 0 is 1: one slope represents its multiples."""
    return next((value for value in slope if value), 0) == 1


def _parallel_lines(spaces: list[tuple[int, ...]], size: int, slope: tuple[int, ...]) -> Seats:
    number = {point: place for place, point in enumerate(spaces)}
    tables, seen = [], set()
    for point in spaces:
        if point in seen:
            continue
        line = [_moved(point, slope, step, size) for step in range(size)]
        seen.update(line)
        tables.append([number[other] for other in line])
    return tables


def _moved(point: tuple[int, ...], slope: tuple[int, ...], step: int, size: int) -> tuple[int, ...]:
    if size == 3:
        return tuple((a + step * b) % 3 for a, b in zip(point, slope, strict=True))
    return tuple(a ^ _FOUR[step][b] for a, b in zip(point, slope, strict=True))
