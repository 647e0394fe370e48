"""Measures how well a player plays: by the mean loss per decision, compared with the five bots.

A single game says little, so a level is named from ten games on. The bots were measured by the same
judge: `python -m benchmarks.judge level --write` makes `levels.json`.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from .account import FORCED
from .judging import DEFAULT_LINES
from .over_games import ratio

LEAST_GAMES = 10
SMALLEST_ERROR = 1e-6
"""In thousandths of a win; no measured bot is more certain than that."""
FILE = Path(str(files(__package__).joinpath("levels.json")))


@dataclass(frozen=True, slots=True)
class GameLosses:
    """What one seat lost in one game."""

    table: str
    """Edition and number of players, such as `industry 4`."""
    lines: int
    values: str
    """The version of the reference policy's values."""
    loss: float
    """In wins, summed over all decisions with a choice."""
    decisions: int


@dataclass(frozen=True, slots=True)
class BotLoss:
    bot: str
    mean: float
    """In thousandths of a win per decision."""
    error: float


@dataclass(frozen=True, slots=True)
class Level:
    """A player's mean loss per decision in thousandths of a win, with half its 95 % interval."""

    games: int
    decisions: int
    mean: float
    half: float | None
    """None for a single game."""
    bots: tuple[BotLoss, ...]
    """From the strongest to the weakest, for the same mix of tables; empty with fewer than ten
    games, or if the bots were not measured in the same way."""
    better: str | None
    """The next stronger bot; None above all bots, or without a level."""
    worse: str | None

    def data(self) -> dict[str, Any]:
        return asdict(self)


def losses_of(review: dict[str, Any], seat: int) -> GameLosses:
    """Returns what a seat (from 1) lost in a reviewed game."""
    made = [
        one["loss"]
        for one in review["decisions"]
        if one["seat"] == seat and one["verdict"] != FORCED
    ]
    return GameLosses(
        f"{review['edition']} {len(review['players'])}",
        review["lines"],
        review["versions"]["values"],
        sum(made),
        len(made),
    )


def level_of(games: Sequence[GameLosses]) -> Level:
    """Returns the level of a player from what they lost in these games."""
    found = ratio([game.loss for game in games], [game.decisions for game in games])
    mean = 1000 * found.value
    bots = _bots(games) if len(games) >= LEAST_GAMES else ()
    better = [one.bot for one in bots if one.mean < mean]
    worse = [one.bot for one in bots if one.mean >= mean]
    return Level(
        len(games),
        sum(game.decisions for game in games),
        mean,
        1000 * found.half if found.is_known else None,
        bots,
        better[-1] if better else None,
        worse[0] if worse else None,
    )


def _bots(games: Sequence[GameLosses]) -> tuple[BotLoss, ...]:
    """Returns what the bots lose per decision, for the same mix of tables as these games."""
    tables = _measured()
    weights: dict[str, int] = {}
    for game in games:
        if not is_comparable(game):
            return ()
        weights[game.table] = weights.get(game.table, 0) + game.decisions
    total = sum(weights.values())
    if total == 0:
        return ()
    names = tables[next(iter(weights))]["bots"]
    found = [
        BotLoss(bot, *_mixed([(n / total, tables[t]["bots"][bot]) for t, n in weights.items()]))
        for bot in names
    ]
    return tuple(reversed(in_order_of_strength(found)))


def in_order_of_strength(found: Sequence[BotLoss]) -> list[BotLoss]:
    """Returns the bots, weakest first as they came, with losses that never grow with strength.

    Games have shown which bot is stronger (docs/bots.md); their losses are less certain. Neighbours
    whose measured losses contradict that order get their common mean, weighted by precision.
    """
    pools: list[tuple[float, float, list[str]]] = []
    for one in found:
        weight, mean, bots = max(one.error, SMALLEST_ERROR) ** -2, one.mean, [one.bot]
        while pools and pools[-1][1] < mean:
            other, theirs, weaker = pools.pop()
            mean = (other * theirs + weight * mean) / (other + weight)
            weight, bots = other + weight, weaker + bots
        pools.append((weight, mean, bots))
    return [BotLoss(bot, mean, weight**-0.5) for weight, mean, bots in pools for bot in bots]


def _mixed(parts: Iterable[tuple[float, list[float]]]) -> tuple[float, float]:
    """Returns the weighted mean of values with errors."""
    mean = square = 0.0
    for weight, (value, error) in parts:
        mean += weight * value
        square += (weight * error) ** 2
    return mean, square**0.5


def is_comparable(game: GameLosses) -> bool:
    """Checks whether the bots were measured by the same judge that reviewed the game."""
    table = _measured().get(game.table)
    return table is not None and game.lines == DEFAULT_LINES and table["values"] == game.values


@cache
def _measured() -> dict[str, dict[str, Any]]:
    """Returns, by table, the version of the values and each bot's mean and standard error."""
    tables: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["tables"]
    return tables
