"""A cup as plain values: its rules, who takes part, and the games of its rounds.

Seats and entrants count from 1; entrant 0 is a bot of the house, which fills a table and is in no
standings.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, get_args

Format = Literal["cup", "swiss", "league", "evening"]
FORMATS: tuple[Format, ...] = get_args(Format)
SIZES = (3, 4)
MOST_ROUNDS = 21
MOST_ENTRANTS = 128


class CupError(ValueError):
    """The rules contradict each other; the message is the name of the one that is wrong."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How a cup is played."""

    format: Format
    size: int
    """Seats at each table."""
    rounds: int
    """Of a cup or Swiss; a league follows from its groups, an evening has no end of its own."""
    duplicate: bool = False
    """All tables of a round have the same bag and Starting Player."""

    def check(self) -> None:
        """Raises `CupError` if the rules contradict each other."""
        if self.format not in FORMATS:
            raise CupError("format")
        if self.size not in SIZES:
            raise CupError("size")
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise CupError("rounds")
        if self.duplicate and self.format == "evening":
            raise CupError("duplicate")  # its tables have no others to be compared with


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player or bot that takes part; `alias` is what exports show of a person."""

    number: int
    alias: str
    bot: str | None = None
    withdrawn: bool = False
    """Plays in no further round."""
    rank: int = 0
    """In the season before, from 1; 0 for newcomers."""
    addition: str = ""
    """Hexadecimal digits that a person has added to the shuffling."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended, by seat."""

    points: tuple[int, ...]
    winners: tuple[int, ...]
    """Seats from 1; several where the rules share the victory."""
    forfeits: tuple[int, ...] = ()
    """Seats from 1 that a stand-in played to the end."""


@dataclass(frozen=True, slots=True)
class Game:
    """A table of a round: who sits on each seat, where it is played, how it ended."""

    seats: tuple[int, ...]
    table: str = ""
    group: int = 0
    """Of a league, from 1."""
    result: Result | None = None
    closed: bool = False
    """Ended without a result."""

    @property
    def is_over(self) -> bool:
        return self.result is not None or self.closed


@dataclass(frozen=True, slots=True)
class Round:
    number: int
    games: tuple[Game, ...]
    begun: int = 0
    """When its tables were made, in milliseconds."""

    @property
    def is_over(self) -> bool:
        return all(game.is_over for game in self.games)


@dataclass(frozen=True, slots=True)
class Cup:
    """Everything that determines a cup's next round and its standings."""

    rules: Rules
    seed: str
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[Round, ...] = ()
    plan: tuple[tuple[Game, ...], ...] = ()
    """The games of all rounds where they are known before the first one."""

    def active(self) -> list[int]:
        """Returns the numbers of those who are still playing."""
        return [one.number for one in self.entrants if not one.withdrawn]

    def games(self) -> Iterator[Game]:
        for held in self.rounds:
            yield from held.games

    def with_round(self, number: int, held: Round) -> "Cup":
        """Returns the cup with this round in place of the old one."""
        rounds = (*self.rounds[: number - 1], held, *self.rounds[number:])
        return replace(self, rounds=rounds)
