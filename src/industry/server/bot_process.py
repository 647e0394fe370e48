"""The inside of a process in which bots think, and the messages through its pipe."""

import contextlib
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from multiprocessing.connection import Connection
from random import Random

from industry.boards import BoardSpec
from industry.bots.base import BoardAndRecord, Bot, ask
from industry.bots.processes import serve_parent
from industry.bots.registry import add_engine, bot_maker, bot_names, engine_definition
from industry.engine import watch_compiling
from industry.notation import Record, replay, write_move

LOOKING_AHEAD = 4
"""The lowest level that needs machine code."""
UNCOMPILED_STAND_IN = "engineer"
"""The bot that decides for those bots until machine code is ready."""
POLITE = 5
"""Bots run at a lower priority, because people's moves come first."""


class PoolRequest(Enum):
    """Requests other than moves."""

    WARM = "warm"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """One decision of one bot. The board is only sent once per process."""

    bot: str
    record: Record
    board: str
    """The board's hash."""
    spec: BoardSpec | None
    seconds: float
    seed: str
    warm: bool
    """Machine code is loaded, so nobody waits for the compiler."""


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """A legal move as a line of the record."""

    line: str
    stand_in: str | None = None
    """The bot that decided instead, because the requested one needs machine code."""


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """A legal move of a person, to be compared with the best one."""

    record: Record
    board: str
    """The board's hash."""
    spec: BoardSpec | None
    line: str


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """How much chance to win a move gives away."""

    loss: float
    better: str | None
    """The line of the best move, where the judged one is a bad mistake."""


Question = MoveRequest | JudgeRequest | PoolRequest


@dataclass(frozen=True, slots=True)
class CompilationProgress:
    """Compilation is under way: `ready` of `total` parts are done; `bots` wait for it."""

    ready: int
    total: int
    bots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CompilationDone:
    """Compilation is complete; `kept` if other processes can load the code."""

    kept: bool
    troubles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BotListing:
    """A bot that can be played against."""

    name: str
    level: int
    description: str


@dataclass(frozen=True, slots=True)
class BotList:
    bots: tuple[BotListing, ...]


@dataclass(frozen=True, slots=True)
class BotFailure:
    """No answer, with the reason."""

    kind: str
    text: str


def serve(connection: Connection, engines: Sequence[str] = ()) -> None:
    """Answers requests until the pipe is closed; `engines` as in the setting of that name."""
    for definition in engines:
        add_engine(*engine_definition(definition))
    with contextlib.suppress(OSError):
        os.dup2(2, 1)  # a bot that prints must not disturb the server's output
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the server ends this process when it is ready
    serve_parent()
    if hasattr(os, "nice"):
        os.nice(POLITE)
    _maker(UNCOMPILED_STAND_IN)  # load what takes seconds before the first request
    boards: dict[str, BoardSpec] = {}
    connection.send(None)
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            connection.send(_answer(connection.recv(), boards, connection.send))


def _answer(
    asked: Question,
    boards: dict[str, BoardSpec],
    tell: Callable[[CompilationProgress], None],
) -> ChosenMove | JudgedMove | CompilationDone | BotList | BotFailure:
    try:
        if asked is PoolRequest.WARM:
            return _warm(tell)
        if asked is PoolRequest.LIST:
            return BotList(tuple(_entry(name) for name in bot_names()))
        assert isinstance(asked, MoveRequest | JudgeRequest)
        if asked.spec is not None:
            boards[asked.board] = asked.spec
        board = boards[asked.board]
        return _choose(asked, board) if isinstance(asked, MoveRequest) else _judge(asked, board)
    except Exception as error:
        return BotFailure("error", f"{type(error).__name__}: {error}")


def _choose(asked: MoveRequest, board: BoardSpec) -> ChosenMove | BotFailure:
    """Returns a move chosen by a new bot, so that it depends on the request alone."""
    position = replay(asked.record, board).position
    legal = position.legal_moves
    if len(legal) == 1:
        return ChosenMove(write_move(legal[0], board))
    bot = _maker(asked.bot)()
    stand_in = UNCOMPILED_STAND_IN if not asked.warm and _looks_ahead(bot) else None
    if stand_in is not None:
        bot = _maker(stand_in)()
    game = BoardAndRecord(board, lambda: asked.record)
    move = ask(bot, position, legal, asked.seconds, Random(asked.seed), game)
    if move not in legal:
        return BotFailure("illegal", f"{move}")
    return ChosenMove(write_move(move, board), stand_in)


def _judge(asked: JudgeRequest, board: BoardSpec) -> JudgedMove:
    from industry.bots.coach import judge_move  # the server imports this module, but no numpy

    position = replay(asked.record, board).position
    move = next(one for one in position.legal_moves if write_move(one, board) == asked.line)
    found = judge_move(position, move)
    better = None if found.better is None else write_move(found.better, board)
    return JudgedMove(found.loss, better)


@cache
def _maker(bot: str) -> Callable[[], Bot]:
    return bot_maker(bot)  # looking up installed bots takes longer than many decisions


def _looks_ahead(bot: Bot) -> bool:
    return bot.level >= LOOKING_AHEAD and hasattr(bot, "warm_up")


def _warm(tell: Callable[[CompilationProgress], None]) -> CompilationDone:
    """Lets every bot prepare; a failure affects only that bot."""
    from industry.engine import can_cache  # imported here because it takes seconds

    names = bot_names()
    waiting = tuple(name for name in names if _looks_ahead(_maker(name)()))
    troubles = []
    with watch_compiling(lambda ready, total: tell(CompilationProgress(ready, total, waiting))):
        for name in names:
            try:
                if callable(prepare := getattr(_maker(name)(), "warm_up", None)):
                    prepare()
            except Exception as error:
                troubles.append(f"{name}: {type(error).__name__}: {error}")
    return CompilationDone(can_cache(), tuple(troubles))


def _entry(name: str) -> BotListing:
    bot = bot_maker(name)()
    return BotListing(name, bot.level, bot.description)
