"""The interface of bots: a small class with one method."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol, runtime_checkable

from industry.boards import BoardSpec
from industry.engine import PlayerMove, Position
from industry.notation import Record


class BotError(ValueError):
    """There is no bot of this name, or it cannot be loaded."""


class BotTooSlow(Exception):
    """A bot did not decide in time; the message says how long the caller waited."""


@runtime_checkable
class Bot(Protocol):
    """A player that chooses a move.

    A bot sees what people at the table see. A position does not contain the order of the bag. One
    instance plays one seat of one game.
    """

    level: int
    """0 for players that do not try; 1 to 5 for the levels of the ladder."""
    description: str
    """One sentence for people who choose an opponent."""

    def choose(
        self,
        position: Position,
        legal: Sequence[PlayerMove],
        seconds: float,
        rng: Random,
    ) -> PlayerMove:
        """Returns one of the legal moves of the seat that must decide (`position.actor`).

        `seconds` is the time budget of this decision. All randomness must come from `rng`, so that
        the same seed gives the same game.
        """
        ...


@dataclass(frozen=True, slots=True)
class BoardAndRecord:
    """Where a position comes from, for bots that need more than the position."""

    board: BoardSpec
    record: Callable[[], Record]
    """Returns the game so far; building it takes longer than many decisions."""


@runtime_checkable
class RecordBot(Bot, Protocol):
    """A bot that chooses from the record of the game instead of a position."""

    def choose_from_record(
        self,
        game: BoardAndRecord,
        legal: Sequence[PlayerMove],
        seconds: float,
        rng: Random,
    ) -> PlayerMove:
        """Returns one of the legal moves, like `choose`."""
        ...


def ask(
    bot: Bot,
    position: Position,
    legal: Sequence[PlayerMove],
    seconds: float,
    rng: Random,
    game: BoardAndRecord,
) -> PlayerMove:
    """Returns the move of a bot of either kind."""
    if isinstance(bot, RecordBot):
        return bot.choose_from_record(game, legal, seconds, rng)
    return bot.choose(position, legal, seconds, rng)
