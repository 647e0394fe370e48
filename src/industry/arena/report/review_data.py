"""Computes the numbers of reviewed games: what luck explains, what decisions and fields cost."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from industry.judge.over_games import Ratio, ratio, share_of_variance

from ..dataset.tables import Tables

ACCOUNT_TERMS = ("luck", "own", "gifts", "unexplained")
"""The parts of a seat's result less its chance at the start."""
NUMBER = r" \(?\d+\)?$"
"""The number at the end of the names of bots of the same kind."""
MEANS = ("price", "perfect", "worth", "win", "denial", "regret")


@dataclass(frozen=True)
class PlayerLosses:
    """What the decisions of one player, or of all bots of one kind, lost."""

    name: str
    decisions: int
    loss: Ratio
    """In wins per decision with a choice."""
    mistakes: float
    """Per seat and game."""
    blunders: float


@dataclass(frozen=True)
class FieldSheet:
    """The auctions of one field, on average."""

    field: str
    surplus: Ratio
    """Worth to the owner less the price, in Talers."""
    price: float
    perfect: float
    """The price if everyone decided by the reference values."""
    worth: float
    win: float
    """The chance of winning that it adds for its owner."""
    denial: float
    """What it costs a seat if the wrong rival gets it."""
    regret: float
    """What all decisions of the auction together lost."""


class ReviewStatistics:
    """Statistics of the reviews of some games."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    @cached_property
    def shares(self) -> dict[str, Ratio]:
        """The share of the variance of results that each part explains; they add up to 1."""
        changes = pl.col("result") - pl.col("start")
        games = (
            self._tables["accounts"]
            .with_columns(change=changes)
            .group_by("game", maintain_order=True)
            .agg("change", *ACCOUNT_TERMS)
        )
        return {
            part: share_of_variance(list(games[part]), list(games["change"]))
            for part in ACCOUNT_TERMS
        }

    @cached_property
    def losses(self) -> list[PlayerLosses]:
        """The losses by player, smallest first."""
        return sorted(self._players(), key=lambda player: player.loss.value)

    def _players(self) -> Iterator[PlayerLosses]:
        names = self._tables["seats"].select(
            "game", "seat", name=pl.col("player").str.replace(NUMBER, "")
        )
        decisions = self._tables["decisions"].filter(pl.col("verdict") != "forced")
        decisions = decisions.join(names, on=["game", "seat"])
        for (name,), found in decisions.group_by("name", maintain_order=True):
            games = found.group_by("game").agg(pl.col("loss").sum(), pl.len().alias("count"))
            seats = names.filter(pl.col("name") == name).height
            words = found["verdict"].to_list()
            yield PlayerLosses(
                str(name),
                found.height,
                ratio(games["loss"].to_list(), games["count"].to_list()),
                words.count("mistake") / seats,
                words.count("blunder") / seats,
            )

    @cached_property
    def sheet(self) -> list[FieldSheet]:
        """The auctions by field, in the order of the board."""
        keys = ["game", "auction"]
        owners = self._tables["auctions"].select(*keys, "price", seat="owner")
        stakes = self._tables["stakes"]
        owned = stakes.join(owners, on=[*keys, "seat"]).select(*keys, "price", "win")
        together = stakes.group_by(keys).agg(pl.col("denial").mean(), pl.col("regret").sum())
        rows = self._tables["sheet"].join(owned, on=keys).join(together, on=keys)
        rows = rows.with_columns(perfect="perfect_price").sort("game")
        return [
            FieldSheet(
                str(field),
                ratio(found["surplus"].to_list(), [1.0] * found.height),
                *(float(found[name].to_numpy().mean()) for name in MEANS),
            )
            for (field,), found in sorted(rows.group_by("field"), key=lambda entry: entry[0])
        ]
