"""The published table: every level of the bots against the one below it."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any

from industry.boards import load_board
from industry.bots import bot_maker, bot_names
from industry.notation import complete_options

from .journal import Deal, Journal, create_journal, open_journal
from .ratings import Ratings
from .schedule import Tournament, read_entrants
from .standings import Standings

FORMAT = 1
SHIPPED = "ladder.json"
"""The measured ladder that comes with the program, next to this module."""
SEARCHING = 4
"""From this level on bots use their time, so their games are long."""
GAMES, SEARCHING_GAMES = 1000, 400
GOAL = 0.65
"""The share of games that a level should win against the one below."""


@dataclass(frozen=True)
class LadderStep:
    """One cell of the table: a level against the one below, in one edition at one table size."""

    edition: str
    players: int
    upper: str
    lower: str
    games: int

    @property
    def name(self) -> str:
        """Returns a short name that is valid as a file name."""
        return f"{self.edition}-{self.players}-{self.upper}-{self.lower}"

    def tournament(self, seed: str, seconds: float) -> Tournament:
        entrants = read_entrants([self.upper, self.lower], seconds)
        options = complete_options(self.edition, {})
        board = load_board(self.edition)
        return Tournament(board, self.players, options, f"{seed}/{self.name}", entrants)


def level_of(bot: str) -> int:
    return bot_maker(bot)().level


def own_bots() -> list[str]:
    """Returns the bots that come with the program, weakest first."""
    package = f"{__name__.partition('.')[0]}."
    return [name for name in bot_names() if type(bot_maker(name)()).__module__.startswith(package)]


def steps(
    editions: Sequence[str],
    players: Sequence[int],
    levels: Sequence[int] = (),
    games: int | None = None,
) -> list[LadderStep]:
    """Returns the cells of the table, lowest step first; `levels` keeps only steps up to those."""
    bots = own_bots()
    found = []
    for lower, upper in pairwise(bots):
        level = level_of(upper)
        count = games or (SEARCHING_GAMES if level >= SEARCHING else GAMES)
        if not levels or level in levels:
            found += [LadderStep(e, p, upper, lower, count) for e in editions for p in players]
    return found


def step_journal(folder: Path, step: LadderStep, tournament: Tournament) -> Journal:
    """Opens the file of a step, or creates it."""
    path = folder / f"{step.name}.jsonl"
    if path.exists():
        return open_journal(path, tournament)
    return create_journal(path, tournament, step.games)


@dataclass(frozen=True)
class MeasuredStep:
    """A step that was played, with all its deals."""

    step: LadderStep
    tournament: Tournament
    deals: tuple[Deal, ...]

    def data(self) -> dict[str, Any]:
        standings = Standings(self.tournament)
        for deal in self.deals:
            standings.add(deal)
        upper, lower = standings.data()
        return {
            "edition": self.step.edition,
            "players": self.step.players,
            "upper": self.step.upper,
            "lower": self.step.lower,
            "games": standings.games,
            "win_share": upper["win_share"],
            "wilson": upper["wilson"],
            "time_ms": 1000 * self.tournament.entrants[0].seconds,
            "bots": [upper, lower],
        }


def joint_ratings(measured: Iterable[MeasuredStep]) -> dict[str, dict[str, float]]:
    """Returns one rating per bot over the games of all steps, taking their deals in turn."""
    ratings = Ratings()
    games: dict[str, int] = {}
    for row in zip_longest(*(_named_games(entry) for entry in measured)):
        for names, ranks in filter(None, row):
            ratings.add(names, ranks)
            for name in dict.fromkeys(names):
                games[name] = games.get(name, 0) + 1
    return {
        name: {
            "rating": round(ratings.of(name)[0], 2),
            "sigma": round(ratings.of(name)[1], 2),
            "games": count,
        }
        for name, count in games.items()
    }


def _named_games(measured: MeasuredStep) -> Iterator[tuple[list[str], tuple[float, ...]]]:
    entrants = measured.tournament.entrants
    for deal in measured.deals:
        for outcome in deal:
            yield [entrants[bot].bot for bot in outcome.seating.seats], outcome.ranks


def ladder_data(
    measured: Sequence[MeasuredStep], planned: int, settings: dict[str, Any]
) -> dict[str, Any]:
    """Returns the data of the ladder's file: settings, results and the resulting ratings."""
    return {
        "format": FORMAT,
        **settings,
        "complete": len(measured) == planned,
        "steps": [entry.data() for entry in measured],
        "ratings": joint_ratings(measured),
    }


def shipped_ratings() -> dict[str, dict[str, float]]:
    """Returns the ratings that come with the program; empty if nothing has been measured."""
    file = files(__package__).joinpath(SHIPPED)
    if not file.is_file():
        return {}
    ratings: dict[str, dict[str, float]] = json.loads(file.read_text(encoding="utf-8"))["ratings"]
    return ratings
