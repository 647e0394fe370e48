"""Decides who plays whom in which seat: tournaments whose deals are fair to every bot."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any

from industry.boards import BoardSpec
from industry.bots.registry import EXEC

MAX_ENTRANTS = 60


class ArenaError(ValueError):
    """The request cannot be played; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot in a tournament, with its time for each decision."""

    label: str
    """The name in tables and records; unlike bots' names, no two entrants share it."""
    bot: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Seating:
    """One game of a deal: the entrant (its number) of each seat, and who starts."""

    deal: int
    game: int
    seats: tuple[int, ...]
    starting_seat: int


@dataclass(frozen=True)
class Tournament:
    """What is played, an endless sequence of deals; the caller decides how many are played."""

    board: BoardSpec
    players: int
    options: dict[str, str]
    seed: str
    entrants: tuple[Entrant, ...]
    record: bool = False
    """Whether outcomes keep the moves of their games."""
    adjusted: bool = False
    """Whether outcomes say how lucky the draws were."""
    patience: float = 30.0
    """Seconds beyond its limit after which a bot that does not answer is ended."""

    def __post_init__(self) -> None:
        if not self.entrants:
            raise ArenaError("a tournament needs at least one bot.")
        if len(self.entrants) > MAX_ENTRANTS:
            raise ArenaError(f"a tournament has room for {MAX_ENTRANTS} bots.")

    @property
    def games_per_deal(self) -> int:
        return len(_arrangements(len(self.entrants), self.players))

    @property
    def fair_share(self) -> float:
        """The share of games that each bot would win if all were equally strong."""
        return 1 / min(len(self.entrants), self.players)

    def settings(self) -> dict[str, Any]:
        """Returns the settings that determine this tournament, as plain data."""
        return {
            "edition": self.board.edition,
            "board": self.board.id,
            "board_hash": self.board.hash,
            "players": self.players,
            "options": dict(self.options),
            "seed": self.seed,
            "bots": [
                {"name": entrant.label, "bot": entrant.bot, "time_ms": 1000 * entrant.seconds}
                for entrant in self.entrants
            ],
        }

    def deal(self, number: int) -> tuple[Seating, ...]:
        """Returns the games of a deal: same draws, same Starting Player, bots changing seats.

        Every bot plays every seat equally often within the deal. The Starting Player advances by
        one seat from deal to deal.
        """
        bots = list(range(len(self.entrants)))
        if len(bots) > self.players:
            # All tables of one cycle have the same neighbours, so each deal has another cycle.
            Random(f"{self.seed}/deal {number}/seats").shuffle(bots)
        return tuple(
            Seating(number, game, tuple(bots[place] for place in seats), number % self.players)
            for game, seats in enumerate(_arrangements(len(bots), self.players))
        )


@lru_cache
def _arrangements(bots: int, players: int) -> tuple[tuple[int, ...], ...]:
    """Returns the bots of each game's seats; each bot plays each seat equally often.

    If there is a seat for every bot: all arrangements in which no bot has two seats more than
    another. With more bots than seats: as many tables as bots, each shifted by one bot.
    """
    if bots > players:
        return tuple(
            tuple((table + seat) % bots for seat in range(players)) for table in range(bots)
        )
    fewest = players // bots
    found = {
        seats
        for seats in product(range(bots), repeat=players)
        if all(seats.count(bot) - fewest in (0, int(players % bots > 0)) for bot in range(bots))
    }
    return tuple(sorted(found))


def read_entrants(names: Sequence[str], seconds: float) -> tuple[Entrant, ...]:
    """Returns entrants from `NAME` or `NAME@MS`; repeated names are numbered: `NAME (2)`."""
    entrants: list[Entrant] = []
    for text in names:
        bot, at, own = _split_time(text)
        if not bot:
            raise ArenaError("a bot has no name: separate names with single commas.")
        label, count = text, 1
        while any(entrant.label == label for entrant in entrants):
            count += 1
            label = f"{text} ({count})"
        entrants.append(Entrant(label, bot, _milliseconds(text, own) if at else seconds))
    return tuple(entrants)


def _split_time(text: str) -> tuple[str, str, str]:
    """Returns name, `@` and time; a command may have an `@` of its own."""
    if not text.startswith(EXEC):
        return text.partition("@")
    bot, at, own = text.rpartition("@")
    return (bot, at, own) if own.replace(".", "", 1).isdecimal() else (text, "", "")


def _milliseconds(text: str, number: str) -> float:
    try:
        milliseconds = float(number)
    except ValueError:
        milliseconds = 0.0
    if not 0 < milliseconds <= 3_600_000:
        raise ArenaError(f"{text}: after the @ give the time per decision in ms, like bot@200.")
    return milliseconds / 1000
