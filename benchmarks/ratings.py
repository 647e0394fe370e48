"""How well ratings forecast games: `python -m benchmarks.ratings`.

A simulated club: 200 players with true strengths, whose games end as the Plackett-Luce model says;
in a quarter of the other seats sits one of the bots. After 10 games each the forecasts for further
games are compared with the true chances and with the winners, and so are those of pairwise Elo,
which gets the same games, the same anchors and the best of several factors K, and those of an ideal
rater, which no other can surpass on average.
"""

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import fmean

from industry.server.ratings import model
from industry.server.ratings.anchors import Kind, anchors
from industry.server.ratings.model import BETA, NEWCOMER, START, Skill

from .ideal_ratings import IdealRater

PLAYERS, GAMES, FURTHER = 200, 10, 4000
SPREAD = 5.0
"""The standard deviation of true strengths, in points of the model."""
BOTS = 0.25
BINS = 20
FACTORS = (0.1, 0.18, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9)
"""Elo's K in units of the logistic curve: 0.18 is the usual 32 of 400 points for a factor of 10."""
YEAR = 365
DRIFT = 3.3
"""By how much true strengths change in a year, as a standard deviation."""
IDEAL = -1
"""Where the ideal rater stands among the courses."""
Numbers = Sequence[float]


@dataclass
class Forecast:
    """What was expected of a game, the true chances, and who won."""

    expected: Numbers
    true: Numbers
    winner: int


@dataclass
class Elo:
    """Pairwise Elo: every game is a match against each other seat."""

    factor: float
    heights: dict[int, float] = field(default_factory=dict)

    def of(self, who: int, bot: float | None) -> float:
        return bot if bot is not None else self.heights.get(who, 0.0)

    def expected(self, heights: Numbers) -> list[float]:
        return shares(heights)

    def learn(self, people: Sequence[int | None], heights: Numbers, ranks: Sequence[int]) -> None:
        seats = range(len(heights))
        for seat, who in enumerate(people):
            if who is not None:
                gain = sum(
                    (ranks[seat] < ranks[other])
                    - 1 / (1 + math.exp(heights[other] - heights[seat]))
                    for other in seats
                    if other != seat
                )
                change = self.factor * gain / (len(heights) - 1)
                self.heights[who] = self.heights.get(who, 0.0) + change


def shares(heights: Numbers) -> list[float]:
    """Returns the chances that follow from logistic heights."""
    top = max(heights)
    weights = [math.exp(height - top) for height in heights]
    return [weight / sum(weights) for weight in weights]


class SimulatedClub:
    """A club whose players' true strengths are known."""

    def __init__(
        self, seed: str, kind: Kind, mean: float, spread: float, games: int = GAMES
    ) -> None:
        self.rng = Random(seed)
        self.kind = kind
        self.scale = BETA * math.sqrt(kind.players)
        self.bots = list(anchors(kind).values())[1:4]
        self.true = [self.rng.gauss(mean, spread) for _ in range(PLAYERS)]
        self.left = [games] * PLAYERS

    def seats(self, of: Sequence[int]) -> tuple[list[int | None], list[Skill | None]]:
        """Returns who plays a game: persons by number, and bots in the seats that remain."""
        wanted = 1 + sum(self.rng.random() >= BOTS for _ in range(self.kind.players - 1))
        people: list[int | None] = [*self.rng.sample(of, min(wanted, len(of)))]
        people += [None] * (self.kind.players - len(people))
        return people, [None if who is not None else self.rng.choice(self.bots) for who in people]

    def strengths(self, people: Sequence[int | None], bots: Sequence[Skill | None]) -> list[float]:
        return [
            (bot.rating if bot else self.true[who if who is not None else 0]) / self.scale
            for who, bot in zip(people, bots, strict=True)
        ]

    def ranks(self, strengths: Numbers) -> list[int]:
        """Draws how a game ends, as the Plackett-Luce model says."""
        drawn = [height - math.log(-math.log(self.rng.random())) for height in strengths]
        return [1 + sum(other > own for other in drawn) for own in drawn]


@dataclass
class ForecastSeries:
    """Forecasts of one way to rate: for the games that it learns from, and for those after."""

    name: str
    first: list[Forecast] = field(default_factory=list)
    after: list[Forecast] = field(default_factory=list)


def heights_by(
    elo: Elo, people: Sequence[int | None], bots: Sequence[Skill | None], scale: float
) -> Numbers:
    """Returns the strength of every player at a table by one Elo; bots are anchors."""
    return [
        elo.of(who or 0, (bot.rating - START) / scale if bot else None)
        for who, bot in zip(people, bots, strict=True)
    ]


def simulate(
    seed: str, kind: Kind, mean: float, spread: float, games: int
) -> tuple[list[ForecastSeries], dict[int, Skill]]:
    """Plays a club's games; returns forecasts of our ratings, of each Elo and of the ideal."""
    club = SimulatedClub(seed, kind, mean, spread, games)
    skills: dict[int, Skill] = {}
    elos = [Elo(factor) for factor in FACTORS]
    names = ("OpenSkill", *(f"Elo, K = {elo.factor}" for elo in elos))
    series = [ForecastSeries(name) for name in names]
    ideal = IdealRater(PLAYERS, mean, spread, club.scale, len(seed))
    perfect = ForecastSeries("ideal")
    while True:
        waiting = [who for who in range(PLAYERS) if club.left[who]]
        is_first = bool(waiting)
        if not is_first and len(perfect.after) == FURTHER:
            return [*series, perfect], skills
        people, bots = club.seats(waiting or range(PLAYERS))
        strengths = club.strengths(people, bots)
        ranks = club.ranks(strengths)
        true, winner = shares(strengths), ranks.index(1)
        known = [skills.get(who or 0, NEWCOMER) for who in people]
        before = [bot or skill for skill, bot in zip(known, bots, strict=True)]
        told = [model.forecast(before)]
        for elo in elos:
            told.append(elo.expected(heights_by(elo, people, bots, club.scale)))
            if is_first:
                elo.learn(people, heights_by(elo, people, bots, club.scale), ranks)
        for each, expected in zip(series, told, strict=True):
            (each.first if is_first else each.after).append(Forecast(expected, true, winner))
        fixed = [bot and bot.rating for bot in bots]
        if is_first:
            ideal.learn(people, fixed, ranks)
            after = model.after_game(before, ranks, kind.players)
            for who, skill in zip(people, after, strict=True):
                if who is not None:
                    skills[who] = skill
                    club.left[who] -= 1
        else:
            perfect.after.append(Forecast(ideal.expected(people, fixed), true, winner))


def log_loss(games: Sequence[Forecast]) -> float:
    return -fmean(math.log(game.expected[game.winner]) for game in games)


def calibration(games: Sequence[Forecast]) -> float:
    """Returns the mean distance between forecasts of similar size and the true chances."""
    bins: dict[int, list[tuple[float, float]]] = {}
    for game in games:
        for expected, true in zip(game.expected, game.true, strict=True):
            bins.setdefault(int(expected * BINS), []).append((expected, true))
    rows = [
        (len(seats), *(fmean(column) for column in zip(*seats, strict=True)))
        for seats in bins.values()
    ]
    return sum(count * abs(told - true) for count, told, true in rows) / sum(row[0] for row in rows)


def distance(games: Sequence[Forecast]) -> float:
    """Returns the mean distance between a single forecast and the true chance."""
    return fmean(
        abs(expected - true)
        for game in games
        for expected, true in zip(game.expected, game.true, strict=True)
    )


def compare(kind: Kind, mean: float, spread: float, clubs: int, games: int) -> None:
    """Prints what our ratings and Elo come to in some clubs."""
    found = [simulate(f"{number}", kind, mean, spread, games) for number in range(clubs)]
    what = f"{kind.edition}, {kind.players} players, true strengths {mean:g} ± {spread:g}"
    print(f"{what}, after {games} games each", flush=True)
    for place in (0, *best_elos(found), IDEAL):
        series = [one[0][place] for one in found]
        first = [game for each in series for game in each.first]
        after = [game for each in series for game in each.after]
        print(
            f"  {series[0].name:14} error {100 * calibration(after):4.1f} points,"
            f" single forecast {100 * distance(after):4.1f},"
            f" log-loss {log_loss(after):.4f}"
            + (f", from the first game on {log_loss(first):.4f}" if first else "")
        )
    after = [game for one in found for game in one[0][0].after]
    true = -fmean(math.log(game.true[game.winner]) for game in after)
    doubts = [skill.doubt for one in found for skill in one[1].values()]
    known = fmean(doubt <= model.KNOWN for doubt in doubts)
    print(f"  true chances   log-loss {true:.4f}; doubt {fmean(doubts):.2f}, known {known:.0%}")


def best_elos(found: Sequence[tuple[list[ForecastSeries], dict[int, Skill]]]) -> list[int]:
    """Returns the usual factor, and the one with the least log-loss after the first games."""
    usual = 1 + FACTORS.index(0.18)
    places = range(1, len(FACTORS) + 1)
    best = min(places, key=lambda place: fmean(log_loss(one[0][place].after) for one in found))
    return [usual, best]


def absence(growth: float, clubs: int) -> float:
    """Returns the log-loss in a club whose strengths drift, with ratings that age by `growth`."""
    losses = []
    for number in range(clubs):
        kind = Kind("industry", 4, "live")
        club = SimulatedClub(f"absence {number}", kind, START, SPREAD)
        skills: dict[int, tuple[Skill, float]] = {}
        day, loss = 0.0, []
        for game in range(5000):
            step = 4 * YEAR / 5000
            day += step
            people, bots = club.seats(range(PLAYERS))
            for who in range(PLAYERS):
                club.true[who] += club.rng.gauss(0, DRIFT * math.sqrt(step / YEAR))
            ranks = club.ranks(club.strengths(people, bots))
            before = [
                bot or aged(*skills.get(who or 0, (NEWCOMER, day)), day, growth)
                for who, bot in zip(people, bots, strict=True)
            ]
            if game > 1000:
                loss.append(-math.log(model.forecast(before)[ranks.index(1)]))
            after = model.after_game(before, ranks, kind.players)
            skills |= {
                w: (skill, day) for w, skill in zip(people, after, strict=True) if w is not None
            }
        losses.append(fmean(loss))
    return fmean(losses)


def aged(skill: Skill, since: float, day: float, growth: float) -> Skill:
    doubt = math.sqrt(skill.doubt**2 + growth * (day - since))
    return Skill(skill.rating, min(model.START_DOUBT, doubt))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clubs", type=int, default=5)
    parser.add_argument(
        "--games", type=int, default=GAMES, help="before the forecasts; default: 10"
    )
    parser.add_argument("--absence", action="store_true", help="also measure the growth of doubt")
    chosen = parser.parse_args()
    how_many = chosen.clubs, chosen.games
    compare(Kind("industry", 4, "live"), START, SPREAD, *how_many)
    compare(Kind("industria", 3, "live"), START, SPREAD, *how_many)
    compare(Kind("industry", 4, "live"), START - 4, SPREAD, *how_many)
    compare(Kind("industry", 4, "live"), START, SPREAD / 2, *how_many)
    for growth in (0.0, 0.01, 0.03, 0.06, 0.12) if chosen.absence else ():
        print(f"growth {growth:g}: log-loss {absence(growth, chosen.clubs):.4f}")


if __name__ == "__main__":
    main()
