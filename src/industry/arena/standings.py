"""The results of a tournament: wins with their uncertainty, points, ratings, times."""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .outcome import Outcome
from .ratings import Ratings
from .schedule import Tournament
from .sprt import FEWEST
from .summary import Z_95, wilson
from .time_histogram import TimeHistogram


@dataclass
class Row:
    """Sums over one entrant's games; `seats` counts a game twice if it has two seats there."""

    games: int = 0
    seats: int = 0
    wins: float = 0.0
    ranks: float = 0.0
    faults: int = 0
    finished_games: int = 0
    finished_seats: int = 0
    points: int = 0
    margin: int = 0
    thinking: TimeHistogram = field(default_factory=TimeHistogram)
    adjusted: list[float] = field(default_factory=list)
    """By deal, the share of games won without the luck of the draws."""
    scores: list[float] = field(default_factory=list)
    """The same with their luck."""

    @property
    def adjusted_share(self) -> tuple[float, float, float] | None:
        """Returns the mean over the deals, with its 95 % interval; None where luck is unknown."""
        if len(self.adjusted) < FEWEST:
            return None
        mean = statistics.fmean(self.adjusted)
        half = Z_95 * statistics.stdev(self.adjusted) / math.sqrt(len(self.adjusted))
        return mean, mean - half, mean + half

    @property
    def variance_factor(self) -> float | None:
        """Returns the variance of deals over what is left of it without the luck of the draws."""
        if self.adjusted_share is None or not (left := statistics.variance(self.adjusted)):
            return None
        return statistics.variance(self.scores) / left

    @property
    def win_share(self) -> float:
        return self.wins / max(1, self.games)

    @property
    def wilson(self) -> tuple[float, float]:
        return wilson(self.wins, self.games)

    @property
    def mean_rank(self) -> float:
        return self.ranks / max(1, self.seats)

    @property
    def mean_points(self) -> float | None:
        return self.points / self.finished_seats if self.finished_seats else None

    @property
    def mean_margin(self) -> float | None:
        return self.margin / self.finished_games if self.finished_games else None

    def milliseconds(self, share: float) -> float | None:
        seconds = self.thinking.quantile(share)
        return None if seconds is None else 1000 * seconds


class Standings:
    """Builds the table of a tournament, game by game.

    A shared victory counts as a half, a third or a quarter. Points and margins are those of games
    that were finished; a game with a fault counts for wins, ranks and ratings.
    """

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.games = 0
        self.rows = [Row() for _ in tournament.entrants]
        self.ratings = Ratings()

    def add(self, games: Iterable[Outcome]) -> None:
        """Adds the games of a deal."""
        outcomes = tuple(games)
        if all(outcome.luck is not None for outcome in outcomes):
            for number in {bot for outcome in outcomes for bot in outcome.seating.seats}:
                row = self.rows[number]
                row.adjusted.append(deal_score(outcomes, number, adjusted=True))
                row.scores.append(deal_score(outcomes, number))
        for outcome in outcomes:
            self.games += 1
            self._add_seats(outcome)
            if outcome.fault is None:
                self._add_points(outcome)
            else:
                self.rows[outcome.seating.seats[outcome.fault.seat]].faults += 1
            names = [self.tournament.entrants[bot].label for bot in outcome.seating.seats]
            self.ratings.add(names, outcome.ranks)

    def _add_seats(self, outcome: Outcome) -> None:
        for bot in set(outcome.seating.seats):
            self.rows[bot].games += 1
        for seat, bot in enumerate(outcome.seating.seats):
            row = self.rows[bot]
            row.seats += 1
            row.ranks += outcome.ranks[seat]
            row.thinking.merge(outcome.thinking[seat])
        for seat in outcome.winners:
            self.rows[outcome.seating.seats[seat]].wins += 1 / len(outcome.winners)

    def _add_points(self, outcome: Outcome) -> None:
        """Adds points, and the margin: a bot's best seat against the best seat of the others."""
        best: dict[int, int] = {}
        for bot, points in zip(outcome.seating.seats, outcome.points, strict=True):
            self.rows[bot].finished_seats += 1
            self.rows[bot].points += points
            best[bot] = max(points, best.get(bot, points))
        for bot, points in best.items():
            others = [other for rival, other in best.items() if rival != bot]
            self.rows[bot].finished_games += 1
            self.rows[bot].margin += points - max(others, default=points)

    def data(self) -> list[dict[str, Any]]:
        """Returns the table for scripts, in the order in which the bots were named."""
        return [self._row_data(number) for number in range(len(self.rows))]

    def _row_data(self, number: int) -> dict[str, Any]:
        entrant, row = self.tournament.entrants[number], self.rows[number]
        rating, sigma = self.ratings.of(entrant.label)
        return {
            "name": entrant.label,
            "games": row.games,
            "wins": round(row.wins, 3),
            "win_share": round(row.win_share, 5),
            "wilson": [round(bound, 5) for bound in row.wilson],
            "mean_rank": round(row.mean_rank, 3),
            "mean_points": _rounded(row.mean_points),
            "mean_margin": _rounded(row.mean_margin),
            "rating": round(rating, 2),
            "sigma": round(sigma, 2),
            "decisions": row.thinking.decisions,
            "ms_median": _rounded(row.milliseconds(0.5)),
            "ms_p99": _rounded(row.milliseconds(0.99)),
            "faults": row.faults,
            **_adjusted_data(row),
        }


def deal_score(deal: Sequence[Outcome], entrant: int, *, adjusted: bool = False) -> float:
    """Returns the share of its games of a deal that an entrant won, with or without their luck."""
    won = 0.0
    games = [outcome for outcome in deal if entrant in outcome.seating.seats]
    for outcome in games:
        seats = [seat for seat, bot in enumerate(outcome.seating.seats) if bot == entrant]
        won += sum(seat in outcome.winners for seat in seats) / len(outcome.winners)
        if adjusted and outcome.luck is not None:
            won -= sum(outcome.luck[seat] for seat in seats)
    return won / len(games)


def _adjusted_data(row: Row) -> dict[str, Any]:
    if row.adjusted_share is None:
        return {}
    share, *interval = row.adjusted_share
    return {
        "adjusted_share": round(share, 5),
        "adjusted_interval": [round(bound, 5) for bound in interval],
        "variance_factor": _rounded(row.variance_factor),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
