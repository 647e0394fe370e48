"""A process in which bots think, seen from the inside, and what goes through its pipe."""

import contextlib
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from multiprocessing.connection import Connection
from random import Random

from industry.boards import BoardSpec
from industry.bots.base import Bot
from industry.bots.processes import leave_with_parent
from industry.bots.registry import bot_maker, bot_names
from industry.notation import Record, replay, write_move

LOOKING_AHEAD = 4
"""The lowest level that needs machine code."""
STAND_IN = "engineer"
"""Decides for those bots until machine code is there."""
POLITE = 5
"""Bots think at a lower priority: people's moves come first."""


class Errand(Enum):
    """What is asked besides moves."""

    WARM = "warm"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class Question:
    """One decision of one bot. The board is sent along only once per process."""

    bot: str
    record: Record
    board: str
    """The board's hash."""
    spec: BoardSpec | None
    seconds: float
    seed: str
    warm: bool
    """Machine code is there: nobody would wait for the compiler."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A legal move, as a line of the record."""

    line: str


@dataclass(frozen=True, slots=True)
class Warmed:
    """Everything is compiled; `kept` where other processes find it too."""

    kept: bool
    troubles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A bot that can be played against."""

    name: str
    level: int
    description: str


@dataclass(frozen=True, slots=True)
class Listed:
    bots: tuple[BotEntry, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """There is no answer, and why."""

    kind: str
    text: str


def serve(connection: Connection) -> None:
    """Answer one question after the other until nobody is there to ask."""
    with contextlib.suppress(OSError):
        os.dup2(2, 1)  # a bot that prints must not spoil what the server prints
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the server ends this process when it is ready
    leave_with_parent()
    os.nice(POLITE)
    _maker(STAND_IN)  # loads what takes seconds before anything is asked
    boards: dict[str, BoardSpec] = {}
    connection.send(None)
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            connection.send(_answer(connection.recv(), boards))


def _answer(
    asked: Question | Errand, boards: dict[str, BoardSpec]
) -> Moved | Warmed | Listed | Failed:
    try:
        if asked is Errand.WARM:
            return _warm()
        if asked is Errand.LIST:
            return Listed(tuple(_entry(name) for name in bot_names()))
        assert isinstance(asked, Question)
        if asked.spec is not None:
            boards[asked.board] = asked.spec
        return _choose(asked, boards[asked.board])
    except Exception as error:
        return Failed("error", f"{type(error).__name__}: {error}")


def _choose(asked: Question, board: BoardSpec) -> Moved | Failed:
    """A new bot for each decision: the answer depends on the question alone."""
    position = replay(asked.record, board).position
    legal = position.legal_moves
    if len(legal) == 1:
        return Moved(write_move(legal[0], board))
    bot = _maker(asked.bot)()
    if not asked.warm and _looks_ahead(bot):
        bot = _maker(STAND_IN)()
    move = bot.choose(position, legal, asked.seconds, Random(asked.seed))
    if move not in legal:
        return Failed("illegal", f"{move}")
    return Moved(write_move(move, board))


@cache
def _maker(bot: str) -> Callable[[], Bot]:
    return bot_maker(bot)  # asks what is installed, which takes longer than many a decision


def _looks_ahead(bot: Bot) -> bool:
    return bot.level >= LOOKING_AHEAD and hasattr(bot, "warm_up")


def _warm() -> Warmed:
    """Let every bot prepare; one that cannot harms only itself."""
    from industry.engine.compiled import can_keep  # only here: it takes seconds to import

    troubles = []
    for name in bot_names():
        try:
            if callable(prepare := getattr(bot_maker(name)(), "warm_up", None)):
                prepare()
        except Exception as error:
            troubles.append(f"{name}: {type(error).__name__}: {error}")
    return Warmed(can_keep(), tuple(troubles))


def _entry(name: str) -> BotEntry:
    bot = bot_maker(name)()
    return BotEntry(name, bot.level, bot.description)
