"""Decides which games come next."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .chance import Chance
from .cup import Cup, Game
from .designs import designed_rounds
from .league import group_rounds, groups_of
from .pairing import Meetings, paired
from .seats import NOBODY, SeatedPlayers, balanced_seats, next_seats
from .standings import standings

_HOUSE = (1, 2, 5)
"""The points of a design, counted from its end, that bots of the house take: no three on a line."""


def schedule(cup: Cup) -> tuple[tuple[Game, ...], ...]:
    """Returns the games of all rounds, if the format fixes them before the first one."""
    if cup.rules.format == "cup":
        return _cup_schedule(cup)
    if cup.rules.format == "league":
        return _league_schedule(cup)
    return ()


def round_count(cup: Cup) -> int | None:
    """Returns how many rounds there will be; None if the format does not say."""
    if cup.rules.format == "evening":
        return None
    return len(cup.plan) or cup.rules.rounds


def next_games(cup: Cup) -> tuple[Game, ...]:
    """Returns the games of the next round, or nothing if none can begin now.

    A round of an evening is one table, which begins as soon as enough people are free; all other
    rounds begin when the round before is over.
    """
    if cup.rules.format == "evening":
        return _free_table(cup)
    done = len(cup.rounds)
    if done == round_count(cup) or any(not held.is_over for held in cup.rounds):
        return ()
    active = set(cup.active())
    if len(active) < 2:
        return ()
    if cup.plan:
        return tuple(_without(game, active) for game in cup.plan[done])
    return _swiss_round(cup)


def is_finished(cup: Cup) -> bool:
    """Checks whether everything has been played; an evening only ends when somebody ends it."""
    if cup.rules.format == "evening" or any(not held.is_over for held in cup.rounds):
        return False
    return not next_games(cup)


def _without(game: Game, active: set[int]) -> Game:
    """Returns a planned game in which bots of the house play for those who have withdrawn."""
    seats = tuple(player if player in active else NOBODY for player in game.seats)
    return replace(game, seats=seats)


def _games(tables: Iterable[SeatedPlayers], group: int = 0) -> tuple[Game, ...]:
    return tuple(Game(seats=table, group=group) for table in tables)


def _cup_schedule(cup: Cup) -> tuple[tuple[Game, ...], ...]:
    """Returns rounds of a design if there is one, else rounds with few rematches."""
    size, count = cup.rules.size, cup.rules.rounds
    chance = Chance(f"{cup.seed} rounds")
    players = chance.shuffled(cup.active())
    rounds = designed(players, size)[:count]
    meetings = Meetings(rounds)
    while len(rounds) < count:
        tables = paired(players, size, meetings, chance)
        for table in tables:
            meetings.add(table)
        rounds.append(tables)
    return tuple(_games(tables) for tables in balanced_seats(rounds, size))


def designed(players: Sequence[int], size: int) -> list[list[SeatedPlayers]]:
    """Returns the rounds of the design that these players and bots of the house fill, else [].

    The bots' points are not on one line: a table never has three. Rounds in which two of them share
    a table come last.
    """
    everybody = -(-len(players) // size) * size
    house = [everybody - far for far in _HOUSE[: everybody - len(players)]]
    rest = iter(players)
    points = [NOBODY if place in house else next(rest) for place in range(everybody)]
    rounds = [
        [tuple(points[place] for place in table) for table in tables]
        for tables in designed_rounds(everybody, size)
    ]
    return sorted(rounds, key=lambda tables: max(table.count(NOBODY) for table in tables))


def _league_schedule(cup: Cup) -> tuple[tuple[Game, ...], ...]:
    """Returns the rounds of all groups side by side; a short season ends sooner."""
    size = cup.rules.size
    newcomers = [one.number for one in cup.entrants if not one.rank and not one.withdrawn]
    known = sorted((one.rank, one.number) for one in cup.entrants if one.rank and not one.withdrawn)
    groups = groups_of([*(number for _, number in known), *newcomers])
    chance = Chance(f"{cup.seed} groups")
    seasons = [balanced_seats(group_rounds(chance.shuffled(group), size), size) for group in groups]
    return tuple(
        tuple(
            game
            for number, season in enumerate(seasons, start=1)
            if n < len(season)
            for game in _games(season[n], number)
        )
        for n in range(max(map(len, seasons)))
    )


def _swiss_round(cup: Cup) -> tuple[Game, ...]:
    """Returns tables of players who are close in the standings and have rarely met."""
    number = len(cup.rounds) + 1
    chance = Chance(f"{cup.seed} round {number}")
    active = set(cup.active())
    drawn = {one: place for place, one in enumerate(chance.shuffled(sorted(active)))}
    rows = [row for row in standings(cup) if row.entrant in active]
    ranked = [row.entrant for row in sorted(rows, key=lambda r: (r.place, drawn[r.entrant]))]
    before = [[game.seats for game in held.games] for held in cup.rounds]
    tables = paired(ranked, cup.rules.size, Meetings(before), chance, by_rank=number > 1)
    return _games(next_seats(tables, before))


def _free_table(cup: Cup) -> tuple[Game, ...]:
    """Returns the next table of an evening: the longest waiting, with those they met least."""
    playing = {player for game in cup.games() if not game.is_over for player in game.seats}
    last: dict[int, int] = {}
    for number, game in enumerate(cup.games(), start=1):
        last |= dict.fromkeys(game.seats, number)
    free = sorted((n for n in cup.active() if n not in playing), key=lambda n: (last.get(n, 0), n))
    size = cup.rules.size
    if len(free) < size:
        return ()
    before = [[game.seats for game in held.games] for held in cup.rounds]
    meetings = Meetings(before)
    table, others = [free[0]], free[1:]
    while len(table) < size:
        chosen = min(others, key=lambda one: sum(meetings.between(one, p) for p in table))
        table.append(chosen)
        others.remove(chosen)
    return _games(next_seats([tuple(table)], before))
