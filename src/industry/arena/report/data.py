"""Computes the numbers of a report: groups of games with the same settings, and statistics."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from industry.boards import BoardSpec
from industry.boards.spec import FIELD_INDEX
from industry.engine import FIELDS, NOBODY, Status
from industry.notation.options import CHOICES
from industry.notation.record import SCORE_PARTS

from ..board_statistics import BoardStatistics, Wins
from ..dataset.tables import Dataset, Tables, tables_batch
from ..observed_games import AuctionOutcome, ObservedGames
from ..summary import Z_95, wilson
from .review_data import NUMBER

OUTCOMES = {
    "taken": AuctionOutcome.UNWANTED,
    "sold": AuctionOutcome.SOLD,
    "claimed": AuctionOutcome.CLAIMED,
}

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class GameSource:
    """A file or folder that was read, with the name that readers see."""

    name: str
    dataset: Dataset


@dataclass(frozen=True)
class Mean:
    """A mean over games with its 95 % interval."""

    name: str
    value: float
    error: float
    """Half the width of the interval."""

    @property
    def low(self) -> float:
        return self.value - self.error

    @property
    def high(self) -> float:
        return self.value + self.error


@dataclass(frozen=True)
class Price:
    """What a field cost, and what it was worth to its owner by the bots' values, in Talers."""

    field: str
    price: float
    value: float
    error: float
    """Half the width of the interval of the price."""
    auctions: int

    @property
    def bargain(self) -> float:
        return self.value - self.price


@dataclass(frozen=True)
class PurseCurve:
    """The mean purse at the end of each round, of winners and of all others."""

    rounds: tuple[int, ...]
    eras: tuple[int, ...]
    winners: tuple[float, ...]
    others: tuple[float, ...]


MEASURES = (
    "winning_points",
    "points",
    "margin",
    "developed",
    "price",
    "unwanted",
    "claimed",
    "decisions",
)
"""What is compared between groups; shares are of the fields that were offered."""
SHARES = ("unwanted", "claimed")
FINE = ("price", "developed")
"""Measures that ask for two decimals."""


class Group:
    """Games with the same source, board, options and number of players."""

    def __init__(
        self, source: str, board: BoardSpec, players: int, options: dict[str, str], tables: Tables
    ) -> None:
        self.source = source
        self.board = board
        self.players = players
        self.options = options
        self.tables = tables

    @property
    def games(self) -> int:
        return self.tables["games"].height

    @property
    def is_reviewed(self) -> bool:
        return "accounts" in self.tables

    @cached_property
    def statistics(self) -> BoardStatistics:
        """Who wins with what, counted as `industry board calibrate` does."""
        return BoardStatistics(self.board, self.players, observed_games(self.tables, self.players))

    @cached_property
    def means(self) -> dict[str, Mean]:
        """The mean of each measure."""
        games, seats, auctions = (self.tables[name] for name in ("games", "seats", "auctions"))
        per_seat = seats.group_by("game", maintain_order=True).agg(
            pl.col("points").mean(), pl.col("developed").mean()
        )
        per_auction = auctions.group_by("game", maintain_order=True).agg(
            pl.col("price").mean(),
            (pl.col("outcome") == "taken").mean().alias("unwanted"),
            (pl.col("outcome") == "claimed").mean().alias("claimed"),
        )
        frames = (games, per_seat, per_auction)
        columns = {name: frame[name] for frame in frames for name in frame.columns}
        return {name: mean_of(name, columns[name].to_numpy()) for name in MEASURES}

    @cached_property
    def parts(self) -> dict[str, tuple[float, ...]]:
        """Mean points by part, of winners and of all others; shared victories count as won."""
        seats = self.tables["seats"].with_columns(winner=pl.col("won") > 0)
        found = {}
        for name, wanted in (("winners", True), ("others", False)):
            chosen = seats.filter(pl.col("winner") == wanted)
            found[name] = tuple(_number(chosen[part].mean()) for part in SCORE_PARTS)
        return found

    @cached_property
    def seats(self) -> list[Wins]:
        """Victories by seat, if every seat always had the same player and not all are alike.

        Bots of the same kind differ only by a number at the end of their names.
        """
        seats = (
            self.tables["seats"]
            .group_by("seat")
            .agg(pl.col("player").unique(), pl.col("won").sum())
        )
        names = seats.sort("seat")["player"].to_list()
        kinds = {re.sub(NUMBER, "", player) for players in names for player in players}
        if any(len(players) > 1 for players in names) or len(kinds) == 1:
            return []
        won = seats.sort("seat")["won"].to_list()
        return [
            Wins(players[0], wins / self.games, *wilson(wins, self.games), 1.0)
            for players, wins in zip(names, won, strict=True)
        ]

    @cached_property
    def owner_share(self) -> float:
        """How often a field's owner won: more than a fair share, because winners own more."""
        seats = self.tables["seats"].select("game", pl.col("seat").alias("owner"), "won")
        owners = self.tables["auctions"].join(seats, on=["game", "owner"])
        return _number(owners["won"].mean())

    @cached_property
    def money(self) -> PurseCurve:
        seats = self.tables["seats"].select("game", "seat", winner=pl.col("won") > 0)
        rounds = self.tables["rounds"].join(seats, on=["game", "seat"])
        found = (
            rounds.group_by("round")
            .agg(
                pl.col("era").median(),
                pl.col("talers").filter(pl.col("winner")).mean().alias("winners"),
                pl.col("talers").filter(~pl.col("winner")).mean().alias("others"),
            )
            .sort("round")
        )
        return PurseCurve(
            tuple(found["round"]),
            tuple(int(era) for era in found["era"]),
            tuple(_number(value) for value in found["winners"]),
            tuple(_number(value) for value in found["others"]),
        )

    @cached_property
    def prices(self) -> list[Price]:
        """What the fields cost, in the order of the board."""
        found = (
            self.tables["auctions"]
            .group_by("field")
            .agg(
                pl.col("price").mean(),
                pl.col("price").std().fill_null(0.0).alias("spread"),
                pl.col("owner_value").mean().alias("value"),
                pl.len().alias("auctions"),
            )
            .sort("field")
        )
        return [
            Price(
                row["field"],
                row["price"],
                row["value"],
                Z_95 * row["spread"] / math.sqrt(row["auctions"]),
                row["auctions"],
            )
            for row in found.iter_rows(named=True)
        ]

    @cached_property
    def decisions(self) -> npt.NDArray[Any]:
        return self.tables["games"]["decisions"].to_numpy()

    @cached_property
    def rounds(self) -> tuple[int, ...]:
        """The different numbers of rounds that games had."""
        return tuple(sorted(set(self.tables["games"]["rounds"].to_list())))


@dataclass(frozen=True)
class Difference:
    """How the games of two groups differ whose settings differ in only one thing."""

    first: Group
    second: Group
    setting: str
    """`board`, `players`, `source` or the name of an option."""
    means: tuple[Mean, ...]
    """Second minus first, for every measure whose difference exceeds its 95 % interval."""


def groups_of(sources: Iterable[GameSource]) -> list[Group]:
    """Returns the games of all sources, grouped by their settings."""
    found = []
    for source in sources:
        games = source.dataset.tables["games"]
        keys = ["players", *CHOICES]
        for row in games.select(keys).unique(maintain_order=True).iter_rows(named=True):
            same = pl.all_horizontal(pl.col(key).eq_missing(pl.lit(row[key])) for key in keys)
            numbers = games.filter(same).select("game")
            tables = {
                name: frame.join(numbers, on="game", how="semi")
                for name, frame in source.dataset.tables.items()
            }
            options = {name: row[name] for name in CHOICES if row[name] is not None}
            found.append(Group(source.name, source.dataset.board, row["players"], options, tables))
    return found


def differences(groups: Sequence[Group]) -> list[Difference]:
    """Returns the pairs of groups that differ in one setting, with the differences of their games.

    Groups with the same settings from different sources differ by their source.
    """
    found = []
    for first, second in combinations(groups, 2):
        settings = differing(first, second) or ["source"]
        if len(settings) == 1:
            means = tuple(_probable_differences(first, second))
            found.append(Difference(first, second, settings[0], means))
    return found


def differing(first: Group, second: Group) -> list[str]:
    """Returns the settings in which two groups differ; an edition includes its own options."""
    settings = [
        name
        for name, same in (
            ("board", first.board.hash == second.board.hash),
            ("players", first.players == second.players),
        )
        if not same
    ]
    if first.board.edition == second.board.edition:
        settings += [
            name for name in CHOICES if first.options.get(name) != second.options.get(name)
        ]
    return settings


def _probable_differences(first: Group, second: Group) -> Iterable[Mean]:
    for name in MEASURES:
        one, other = first.means[name], second.means[name]
        found = Mean(name, other.value - one.value, math.hypot(one.error, other.error))
        if abs(found.value) > found.error:
            yield found


def mean_of(name: str, per_game: npt.NDArray[Any]) -> Mean:
    """Returns the mean of one number per game."""
    count = len(per_game)
    spread = float(per_game.std(ddof=1)) if count > 1 else 0.0
    return Mean(name, float(per_game.mean()), Z_95 * spread / math.sqrt(count))


def observed_games(tables: Tables, players: int) -> ObservedGames:
    """Returns the games of some tables in the form that `BoardStatistics` takes."""
    batch = tables_batch(tables, players)
    auctions = tables["auctions"]
    order = tables["games"].sort("game")["game"].to_numpy()
    rows = np.searchsorted(order, auctions["game"].to_numpy())
    fields = np.array([FIELD_INDEX[name] for name in auctions["field"]], dtype=np.int64)

    def spread(values: Sequence[int], empty: int) -> npt.NDArray[np.int64]:
        found = np.full((len(order), FIELDS), empty, dtype=np.int64)
        found[rows, fields] = values
        return found

    return ObservedGames(
        starters=batch.starters,
        parts=batch.parts,
        winners=batch.winners,
        outcomes=spread(
            [OUTCOMES[name] for name in auctions["outcome"]], AuctionOutcome.NOT_OFFERED
        ),
        prices=spread(auctions["price"].to_list(), 0),
        owners=spread([seat - 1 for seat in auctions["owner"]], NOBODY),
        statuses=spread([Status[name.upper()] for name in auctions["end"]], Status.FREE),
    )


def _number(value: Any) -> float:
    """Returns the value as a number; the mean of nothing is 0."""
    return 0.0 if value is None else float(value)
