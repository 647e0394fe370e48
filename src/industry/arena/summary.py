"""Sums up many games: means and shares with their uncertainty."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from industry.notation.record import SCORE_PARTS

from .games import Batch

Z_95 = 1.959963984540054


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Returns the Wilson 95 % interval of a share."""
    if games == 0:
        return 0.0, 1.0
    share = wins / games
    square = Z_95 * Z_95 / games
    centre = share + square / 2
    spread = Z_95 * math.sqrt(share * (1 - share) / games + square / (4 * games))
    return max(0.0, (centre - spread) / (1 + square)), min(1.0, (centre + spread) / (1 + square))


@dataclass
class Summary:
    """Sums over batches; rows of the tables are places in turn order from the Starting Player."""

    players: int
    games: int = 0
    decisions: int = 0
    shared: int = 0
    faults: int = 0
    """Games that a bot forfeited by a fault; nothing else counts them."""
    parts: npt.NDArray[np.float64] = field(init=False)
    wins: npt.NDArray[np.float64] = field(init=False)
    seat_points: npt.NDArray[np.float64] = field(init=False)
    seat_wins: npt.NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        self.parts = np.zeros((self.players, len(SCORE_PARTS)))
        self.wins, self.seat_points, self.seat_wins = (np.zeros(self.players) for _ in range(3))

    def add(self, batch: Batch) -> None:
        """Adds the games of a batch; a shared victory counts as a half, a third or a quarter."""
        games = len(batch.decisions)
        rows = np.arange(games)
        shares = batch.winners / batch.winners.sum(axis=1, keepdims=True)
        for place in range(self.players):
            seats = (batch.starters + place) % self.players
            self.parts[place] += batch.parts[rows, seats].sum(axis=0)
            self.wins[place] += shares[rows, seats].sum()
        self.seat_points += batch.parts.sum(axis=(0, 2))
        self.seat_wins += shares.sum(axis=0)
        self.faults += len(batch.faults)
        self.games += games
        self.decisions += int(batch.decisions.sum())
        self.shared += int((batch.winners.sum(axis=1) > 1).sum())

    def seats(self, names: Sequence[str]) -> list[dict[str, object]]:
        """Returns who won how often, for players who keep their seats."""
        games = max(1, self.games)
        return [
            {
                "seat": seat + 1,
                "player": names[seat],
                "win_share": round(self.seat_wins[seat] / games, 5),
                "wilson": [round(x, 5) for x in wilson(self.seat_wins[seat], self.games)],
                "mean_points": round(self.seat_points[seat] / games, 3),
            }
            for seat in range(self.players)
        ]

    def data(self) -> dict[str, object]:
        """Returns the summary for scripts."""
        games = max(1, self.games)
        return {
            "games": self.games,
            "decisions": self.decisions,
            "decisions_per_game": round(self.decisions / games, 2),
            "shared_victories": self.shared,
            "turn_order": [
                {
                    "place": place + 1,
                    "win_share": round(self.wins[place] / games, 5),
                    "wilson": [round(x, 5) for x in wilson(self.wins[place], self.games)],
                    "mean_points": round(float(self.parts[place].sum()) / games, 3),
                    "mean_parts": {
                        part: round(float(self.parts[place][k]) / games, 3)
                        for k, part in enumerate(SCORE_PARTS)
                    },
                }
                for place in range(self.players)
            ],
        }
