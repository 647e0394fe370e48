"""How much of a cup's luck duplicate rounds take away: `python -m benchmarks.cups`.

Sixteen bots of different opinions play the same cup many times, with another seating each time:
all know the learned values of fields, and misjudge them each in its own way, from not at all to
hopelessly. The cup is played with a bag of its own at every table and points for places, and with
the same bag and Starting Player at all tables of a round and matchpoints.

What luck does to the standings is the variance of a bot's score from cup to cup; what strength does
is the variance between the bots' mean scores. Their ratio does not depend on the scale of the
scores, so that it can be compared. The variance of the final place is given as well, and how much
of the variance of single results bag and seat explain: no more than that can be taken away.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean, variance

import numpy as np

from industry.boards import load_board
from industry.bots.features import SPREAD, WIDTH
from industry.bots.learn_from_points import SelfPlay
from industry.bots.weights import learned_weights
from industry.cups import Cup, Entrant, Game, Result, Round, Rules, next_games, schedule, standings
from industry.engine.compiled import generators

ENTRANTS = 16
SIZE = 4
WORST = 1.2
"""Standard deviation of the logarithm by which the weakest bot misjudges a value."""


class Players:
    """Sixteen bots at one table after the other."""

    def __init__(self, edition: str, worst: float) -> None:
        """`worst` is how far the weakest bot misjudges values; the strongest knows them."""
        board = load_board(edition)
        self._table = SelfPlay(board, SIZE)
        learned = np.array(learned_weights(int(board.rules.edition), SIZE))
        errors = np.random.default_rng(19).standard_normal((ENTRANTS, 1, WIDTH))
        errors *= np.linspace(worst, 0, ENTRANTS)[:, None, None]
        errors[:, :, SPREAD] = 0.0
        self._weights = learned[None] * np.exp(errors)
        self._drawn: dict[str, tuple[int, ...]] = {}

    def play(self, game: Game, bag: str) -> Game:
        """Plays a game; everything the bag and the Starting Player are follows from `bag`."""
        by_seat = self._weights[[number - 1 for number in game.seats]]
        first = Random(f"{bag} first").randrange(SIZE)
        words = generators(bag, 1, 0)[0]
        self._table.play(first, by_seat, words)
        drawn = tuple(words)  # where the generator of the draws has come to
        assert self._drawn.setdefault(bag, drawn) == drawn, "two tables had different draws"
        points, winners = self._table.result()
        won = tuple(int(seat) + 1 for seat in np.flatnonzero(winners))
        return replace(game, result=Result(tuple(int(value) for value in points), won))

    def cup(self, number: int, rounds: int, *, same_bag: bool) -> Cup:
        """Plays a cup with a seating of its own."""
        entrants = tuple(Entrant(n, f"Bot {n}") for n in range(1, ENTRANTS + 1))
        cup = Cup(Rules("cup", SIZE, rounds, duplicate=same_bag), f"cup {number}", entrants)
        cup = replace(cup, plan=schedule(cup))
        for n in range(1, rounds + 1):
            bag = f"cup {number} round {n}"
            games = tuple(
                self.play(game, bag if same_bag else f"{bag} table {place}")
                for place, game in enumerate(next_games(cup))
            )
            cup = replace(cup, rounds=(*cup.rounds, Round(n, games)))
        return cup


@dataclass(frozen=True)
class Luck:
    """What luck does to the standings of many cups."""

    by_strength: float
    """Variance of the scores by luck, divided by that by strength."""
    places: float
    """Variance of the final place of a bot."""


def luck_of(cups: Sequence[Cup], *, duplicate: bool) -> Luck:
    """Returns what luck does to these cups, with matchpoints or with points for places."""
    scores: list[list[float]] = [[] for _ in range(ENTRANTS)]
    places: list[list[float]] = [[] for _ in range(ENTRANTS)]
    for cup in cups:
        counted = replace(cup, rules=replace(cup.rules, duplicate=duplicate))
        for row in standings(counted):
            scores[row.entrant - 1].append(float(row.score))
            places[row.entrant - 1].append(float(row.place))
    luck = fmean(map(variance, scores))
    strength = variance([fmean(own) for own in scores]) - luck / len(cups)
    return Luck(luck / strength, fmean(map(variance, places)))


def shared_part(cups: Sequence[Cup]) -> float:
    """Returns how much of the variance of a result bag and seat explain, in duplicate cups.

    A result is a seat's points less the mean of its table.
    """
    within, everything = [], []
    for held in (held for cup in cups for held in cup.rounds):
        points = [game.result.points for game in held.games if game.result is not None]
        above = np.array([[own - fmean(row) for own in row] for row in points])
        within.append(float(above.var(axis=0, ddof=1).mean()))
        everything.append(above)
    return 1 - fmean(within) / float(np.concatenate(everything).var())


def print_seating_times() -> None:
    """Prints how long the seating of all rounds takes."""
    for players, size, rounds in ((64, 4, 6), (64, 3, 6), (60, 4, 6), (128, 4, 8)):
        entrants = tuple(Entrant(n, "") for n in range(1, players + 1))
        begin = time.perf_counter()
        schedule(Cup(Rules("cup", size, rounds), "seed", entrants))
        seconds = time.perf_counter() - begin
        print(f"{players} players, tables of {size}, {rounds} rounds: {seconds:.3f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cups", type=int, default=400, help="of each kind")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--edition", default="industry", choices=("industry", "industria"))
    parser.add_argument("--worst", type=float, default=WORST, help="error of the weakest bot")
    parser.add_argument("--seating", action="store_true", help="only measure the seating")
    given = parser.parse_args()
    if given.seating:
        print_seating_times()
        return
    players, begin = Players(given.edition, given.worst), time.perf_counter()
    kinds = {
        same: [players.cup(n, given.rounds, same_bag=same) for n in range(given.cups)]
        for same in (False, True)
    }
    seconds = time.perf_counter() - begin
    print(f"{given.cups} cups of {given.rounds} rounds of each kind in {seconds:.0f} s")
    print(f"{'':40} {'luck/strength':>14} {'variance of place':>18}")
    found = {}
    for same, bags in ((False, "own bags"), (True, "same bag")):
        for duplicate, scoring in ((False, "points for places"), (True, "matchpoints")):
            luck = found[same, duplicate] = luck_of(kinds[same], duplicate=duplicate)
            print(f"{bags + ', ' + scoring:40} {luck.by_strength:14.3f} {luck.places:18.2f}")
    explained = shared_part(kinds[True])
    print(f"bag, Starting Player and seat explain {explained:.1%} of the variance of a result")
    before, after = found[False, False], found[True, True]
    print(
        f"duplicate rounds leave {after.by_strength / before.by_strength:.0%} of the luck in "
        f"scores and {after.places / before.places:.0%} of the variance of places"
    )


if __name__ == "__main__":
    main()
