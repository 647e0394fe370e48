"""Counts of move sequences by the independent referee, to compare with the engine's."""

import copy
from itertools import combinations

from tests.independent import referee


def referee_divide(game: referee.Game, depth: int) -> dict[str, int]:
    """The number of sequences of `depth` moves after each first line."""
    return {line: _count(_after(game, line), depth - 1) for line in _lines(game)}


def _count(game: referee.Game, depth: int) -> int:
    if depth == 0:
        return 1
    lines = _lines(game)
    if depth == 1:
        return len(lines)
    return sum(_count(_after(game, line), depth - 1) for line in lines)


def _lines(game: referee.Game) -> list[str]:
    if game.phase != "draw":
        return game.legal()
    bag = [f"{game.era}{column}" for column in referee.COLUMNS]
    left = [id for id in bag if id not in game.drawn]
    return [" ".join(["draw", *drawn]) for drawn in combinations(left, game.draw_count())]


def _after(game: referee.Game, line: str) -> referee.Game:
    twin = copy.deepcopy(game, {id(game.board): game.board})
    twin.play(line)
    return twin
