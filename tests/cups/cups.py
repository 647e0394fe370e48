"""Cups for the tests, and results that follow from a seed."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

from industry.cups import Cup, Entrant, Format, Game, Result, Round, Rules, next_games, schedule
from industry.cups.chance import Chance


def cup_of(
    count: int,
    size: int,
    rounds: int = 4,
    format: Format = "cup",
    *,
    duplicate: bool = False,
    seed: str = "seed",
) -> Cup:
    """Returns a cup that has just begun."""
    entrants = tuple(Entrant(n, f"Player {n}") for n in range(1, count + 1))
    cup = Cup(Rules(format, size, rounds, duplicate=duplicate), seed, entrants)
    return replace(cup, plan=schedule(cup))


def played(cup: Cup, chance: Chance) -> Cup:
    """Returns the cup after one more round with results by chance."""
    games = tuple(replace(game, result=result(game, chance)) for game in next_games(cup))
    return replace(cup, rounds=(*cup.rounds, Round(len(cup.rounds) + 1, games)))


def result(game: Game, chance: Chance) -> Result:
    points = tuple(chance.below(60) for _ in game.seats)
    best = max(points)
    winners = tuple(n for n, own in enumerate(points, start=1) if own == best)
    return Result(points, winners)


def whole(cup: Cup, chance: Chance) -> Cup:
    """Plays all rounds of a cup."""
    while next_games(cup):
        cup = played(cup, chance)
    return cup


def meetings(cup: Cup) -> Counter[tuple[int, int]]:
    """Counts how often every two entrants meet, over the rounds that are planned or played."""
    rounds = cup.plan or [held.games for held in cup.rounds]
    met: Counter[tuple[int, int]] = Counter()
    for games in rounds:
        for game in games:
            people = sorted(player for player in game.seats if player)
            met.update(combinations(people, 2))
    return met


def seats_had(cup: Cup) -> dict[int, list[int]]:
    """Counts for each entrant how often they have each seat."""
    had = {one.number: [0] * cup.rules.size for one in cup.entrants}
    for games in cup.plan or [held.games for held in cup.rounds]:
        for game in games:
            for seat, player in enumerate(game.seats):
                if player:
                    had[player][seat] += 1
    return had
