"""Measures how a board plays in observed games, and compares with the few known real games."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from industry.boards import BoardSpec, FieldSpec
from industry.boards.spec import FIELD_INDEX
from industry.engine import COLUMN_LETTERS, COLUMNS, LINK_POINTS, NOBODY, Kind, Status
from industry.notation.record import SCORE_PARTS

from .observed_games import AuctionOutcome, ObservedGames
from .summary import Z_95, wilson

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

MIDDLE = (2.5, 97.5)
"""The percentiles between which 95 of 100 games lie."""

YARDSTICKS: dict[tuple[str, int], dict[str, float]] = {
    ("industria", 4): {
        "total": 40.1,
        "place 1": 50.5,
        "place 2": 47.0,
        "place 3": 34.5,
        "place 4": 28.5,
        "development": 20.3,
        "links": 7.5,
        "roads": 3.8,
        "lines": 3.8,
        "bonuses": 6.0,
        "money": 1.8,
    },
    ("industria", 3): {
        "total": 38.7,
        "place 1": 42.0,
        "place 2": 41.0,
        "place 3": 33.0,
        "development": 20.0,
        "links": 11.0,
        "roads": 8.0,
        "lines": 3.0,
        "bonuses": 6.7,
        "money": 1.0,
    },
}
"""Points of real games, mean of a table: two games of four players (their parts: one of the two)
and one of three. docs/boards.md names their sources. No game of Industry is known.
"""


@dataclass(frozen=True)
class Measure:
    """A mean over games with its 95 % interval, and where 95 of 100 single games lie."""

    name: str
    mean: float
    low: float
    high: float
    least: float
    most: float
    yardstick: float | None = None

    @property
    def distance(self) -> float | None:
        return None if self.yardstick is None else self.mean - self.yardstick

    @property
    def inside(self) -> bool | None:
        """Checks whether the result of the real game would be ordinary on this board."""
        return None if self.yardstick is None else self.least <= self.yardstick <= self.most

    def data(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "mean": _short(self.mean),
            "interval": [_short(self.low), _short(self.high)],
            "games_between": [_short(self.least), _short(self.most)],
            "yardstick": self.yardstick,
            "distance": None if self.distance is None else _short(self.distance),
            "inside": self.inside,
        }


@dataclass(frozen=True)
class Wins:
    """How often owners of something won, and in what share of games anyone owned it."""

    name: str
    share: float
    low: float
    high: float
    frequency: float

    def data(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "win_share": _short(self.share),
            "wilson": [_short(self.low), _short(self.high)],
            "frequency": _short(self.frequency),
        }


@dataclass(frozen=True)
class FieldUse:
    """How a field was used, in shares of the games in which it was offered.

    A joker counts as used when it was spent.
    """

    field: FieldSpec
    used: float
    unwanted: float
    price: float
    owner: Wins

    def data(self) -> dict[str, Any]:
        return {
            "field": self.field.id,
            "used": _short(self.used),
            "unwanted": _short(self.unwanted),
            "price": _short(self.price),
            "owner": self.owner.data(),
        }


def _short(value: float) -> float:
    return round(float(value), 4)


class BoardStatistics:
    """Statistics of one board from the games that were observed on it."""

    def __init__(self, board: BoardSpec, players: int, seen: ObservedGames) -> None:
        self.board = board
        self.players = players
        self.seen = seen
        self.totals = seen.parts.sum(axis=2)
        self.shares = seen.winners / seen.winners.sum(axis=1, keepdims=True)
        self.developed = seen.statuses == Status.DEVELOPED
        self.yardsticks = YARDSTICKS.get((board.edition, players), {})

    @cached_property
    def points(self) -> list[Measure]:
        """Returns totals, their ranking and their parts, per player."""
        ranked = -np.sort(-self.totals, axis=1)
        found = [self._measure("total", self.totals.mean(axis=1))]
        for place in range(self.players):
            found.append(self._measure(f"place {place + 1}", ranked[:, place]))
        parts = {part: self.seen.parts[:, :, k].mean(axis=1) for k, part in enumerate(SCORE_PARTS)}
        roads, lines = self._link_points("factory"), self._link_points("technology")
        for part in ("development", "links", "bonuses", "money", "jokers", "subsidy"):
            if part not in ("jokers", "subsidy") or self.board.edition == "industry":
                found.append(self._measure(part, parts[part]))
            if part == "links":
                found += [self._measure("roads", roads), self._measure("lines", lines)]
        return found

    @property
    def spread(self) -> tuple[float, float]:
        """Returns the range in which 90 of 100 totals lie."""
        low, high = np.percentile(self.totals, (5, 95))
        return float(low), float(high)

    @cached_property
    def auctions(self) -> list[Measure]:
        """Returns prices and what Auctioneers do, per game."""
        outcomes, prices = self.seen.outcomes, self.seen.prices
        offered = (outcomes != AuctionOutcome.NOT_OFFERED).sum(axis=1)
        bid = np.maximum(1, (outcomes > AuctionOutcome.UNWANTED).sum(axis=1))
        found = [self._measure("price where somebody bid", prices.sum(axis=1) / bid)]
        for name, outcome in (
            ("share without a bid", AuctionOutcome.UNWANTED),
            ("share sold", AuctionOutcome.SOLD),
            ("share claimed", AuctionOutcome.CLAIMED),
        ):
            found.append(self._measure(name, (outcomes == outcome).sum(axis=1) / offered))
        if self.board.edition == "industry":
            taken = (self.seen.parts[:, :, SCORE_PARTS.index("subsidy")] < 0).mean(axis=1)
            found.append(self._measure("share of players with a subsidy", taken))
        return found

    @cached_property
    def turn_order(self) -> list[Wins]:
        """Returns victories from the Starting Player of the first round on."""
        rows = np.arange(self.seen.games)
        found = []
        for place in range(self.players):
            seats = (self.seen.starters + place) % self.players
            won = float(self.shares[rows, seats].sum())
            found.append(_wins(f"turn {place + 1}", won, self.seen.games, self.seen.games))
        return found

    @cached_property
    def fields(self) -> list[FieldUse]:
        """Returns the use of every field that was ever offered."""
        offered = (self.seen.outcomes != AuctionOutcome.NOT_OFFERED).any(axis=0)
        return [self._field(int(number)) for number in np.flatnonzero(offered)]

    def rarest(self, count: int) -> list[FieldUse]:
        """Returns the fields developed least often, without jokers."""
        fields = [use for use in self.fields if use.field.kind != "joker"]
        return sorted(fields, key=lambda use: use.used)[:count]

    def ignored(self, count: int) -> list[FieldUse]:
        """Returns the fields that most often get no bid."""
        return sorted(self.fields, key=lambda use: -use.unwanted)[:count]

    @cached_property
    def networks(self) -> list[Wins]:
        """Returns the wins of those who own a bonus of the network and a factory on it."""
        return [
            self._owners(name, self._network_seats(number))
            for number, name in enumerate(self.board.networks)
        ]

    @cached_property
    def links(self) -> list[Wins]:
        """Returns the wins of those who developed both ends."""
        return [
            self._owners(f"{first}–{second}", self._link_seats(first, second))
            for first, second in self.board.links
        ]

    @cached_property
    def columns(self) -> list[tuple[float, Wins]]:
        """Returns each column's mean price, and how often those win who took a field in it."""
        found = []
        for column, letter in enumerate(COLUMN_LETTERS):
            fields = list(range(column, len(self.board.fields), COLUMNS))
            offered = self.seen.outcomes[:, fields] != AuctionOutcome.NOT_OFFERED
            seats = np.where(offered, self.seen.owners[:, fields], NOBODY)
            price = self.seen.prices[:, fields].sum() / max(1, offered.sum())
            found.append((float(price), self._wins_of_owners(letter, seats)))
        return found

    def data(self) -> dict[str, Any]:
        """Returns everything, for scripts."""
        return {
            "games": self.seen.games,
            "points": [measure.data() for measure in self.points],
            "players_between": list(self.spread),
            "auctions": [measure.data() for measure in self.auctions],
            "turn_order": [wins.data() for wins in self.turn_order],
            "networks": [wins.data() for wins in self.networks],
            "links": [wins.data() for wins in self.links],
            "columns": [{"price": _short(price), **wins.data()} for price, wins in self.columns],
            "fields": [use.data() for use in self.fields],
        }

    def _measure(self, name: str, per_game: npt.NDArray[Any]) -> Measure:
        mean = float(per_game.mean())
        error = Z_95 * float(per_game.std()) / math.sqrt(len(per_game))
        least, most = np.percentile(per_game, MIDDLE)
        yardstick = self.yardsticks.get(name)
        return Measure(name, mean, mean - error, mean + error, float(least), float(most), yardstick)

    def _link_points(self, kind: str) -> Floats:
        """Returns each game's points for links of this kind of fields, per player."""
        count = np.zeros(self.seen.games)
        for first, second in self.board.links:
            if self.board.field(first).kind == kind:
                count += self._link_seats(first, second).any(axis=1)
        return LINK_POINTS * count / self.players

    def _link_seats(self, first: str, second: str) -> Bools:
        return self._developers(FIELD_INDEX[first]) & self._developers(FIELD_INDEX[second])

    def _network_seats(self, network: int) -> Bools:
        rules = self.board.rules
        bonus, factory = (np.zeros((self.seen.games, self.players), bool) for _ in range(2))
        for number in range(len(self.board.fields)):
            if rules.bonus_network[number] == network:
                bonus |= self._developers(number)
            if rules.kind[number] == Kind.FACTORY and rules.networks[number] >> network & 1:
                factory |= self._developers(number)
        return bonus & factory

    def _developers(self, number: int) -> Bools:
        """Returns, by game and seat, whether the seat developed the field."""
        owner = np.where(self.developed[:, number], self.seen.owners[:, number], NOBODY)
        found: Bools = owner[:, None] == np.arange(self.players)
        return found

    def _field(self, number: int) -> FieldUse:
        field = self.board.fields[number]
        offered = self.seen.outcomes[:, number] != AuctionOutcome.NOT_OFFERED
        count = int(offered.sum())
        used = Status.SPENT if field.kind == "joker" else Status.DEVELOPED
        return FieldUse(
            field,
            float((self.seen.statuses[:, number] == used).sum()) / count,
            float((self.seen.outcomes[:, number] == AuctionOutcome.UNWANTED).sum()) / count,
            float(self.seen.prices[:, number].sum()) / count,
            self._wins_of_owners(field.id, self.seen.owners[offered][:, [number]], offered),
        )

    def _owners(self, name: str, having: Bools) -> Wins:
        won = float(self.shares[having].sum())
        return _wins(name, won, int(having.sum()), self.seen.games, int(having.any(axis=1).sum()))

    def _wins_of_owners(
        self, name: str, seats: npt.NDArray[Any], rows: Bools | None = None
    ) -> Wins:
        """Counts the wins of owners. `seats` has them, one column per field; NOBODY is left out."""
        shares = self.shares if rows is None else self.shares[rows]
        won, times = 0.0, 0
        for column in seats.T:
            taken = column != NOBODY
            won += float(shares[taken, column[taken]].sum())
            times += int(taken.sum())
        return _wins(name, won, times, seats.size)


def _wins(name: str, won: float, times: int, games: int, with_it: int | None = None) -> Wins:
    low, high = wilson(won, times)
    frequency = (times if with_it is None else with_it) / max(1, games)
    return Wins(name, won / max(1, times), low, high, frequency)
