"""The inside of a process in which reviews are computed, and the questions through its pipe.

Bots think in processes of their own, so no bot waits for a review. These have the lowest priority:
on a busy machine they take what is left.
"""

import contextlib
import gzip
import json
import os
import signal
from collections.abc import Callable
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from industry.boards import BoardSpec
from industry.bots.processes import serve_parent
from industry.notation import Record
from industry.texts import LANGUAGES

if TYPE_CHECKING:
    from industry.judge.level import GameLosses

SEED = 1
TOLD = 200
"""Decisions that are explained in words, the most costly first."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a game: the name of an answer below, and its arguments."""

    what: str
    record: Record | None
    """None where the answer does not depend on a game."""
    board: str
    """The board's hash."""
    spec: BoardSpec | None
    """The board itself, if it has not been sent to the process yet."""
    values: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """Compressed JSON, or another text."""

    body: bytes


@dataclass(frozen=True, slots=True)
class Trouble:
    """No answer, with the reason."""

    text: str


def serve(connection: Connection, niceness: int) -> None:
    """Answers questions until the pipe is closed."""
    with contextlib.suppress(OSError):
        os.dup2(2, 1)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the server ends this process when it is ready
    serve_parent()
    if hasattr(os, "nice"):
        os.nice(niceness)
    from industry.judge import compile_judge  # here, because the server imports no numpy

    compile_judge()
    boards: dict[str, BoardSpec] = {}
    connection.send(None)
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            connection.send(_answer(connection.recv(), boards))


def _answer(asked: Question, boards: dict[str, BoardSpec]) -> Answer | Trouble:
    try:
        if asked.spec is not None:
            boards[asked.board] = asked.spec
        return Answer(ANSWERS[asked.what](boards[asked.board], asked.record, *asked.values))
    except Exception as error:
        return Trouble(f"{type(error).__name__}: {error}")


def packed(data: object) -> bytes:
    """Returns data as compressed JSON."""
    return gzip.compress(json.dumps(data, separators=(",", ":")).encode(), 5)


def unpacked(body: bytes) -> Any:
    return json.loads(gzip.decompress(body))


def sketched(board: BoardSpec, record: Record) -> bytes:
    """Answers with the chances round by round: the first picture."""
    from industry.judge.sketch import sketch

    return packed(sketch(board, record, SEED))


def piece(board: BoardSpec, record: Record, first: int, last: int, lines: int) -> bytes:
    """Answers with some items of a review."""
    from industry.judge.review import review_items

    return packed(review_items(board, record, first, last, lines, SEED))


def assembled(board: BoardSpec, record: Record, pieces: list[bytes], lines: int) -> bytes:
    """Answers with the review so far, and what it says in every language."""
    from industry.judge.review import assemble
    from industry.judge.words import sentences

    items = [item for one in pieces for item in unpacked(one)]
    review = assemble(board, record, items, lines, SEED)
    costly = sorted(review["decisions"], key=lambda decision: -decision["loss"])[:TOLD]
    told = {
        language: {
            decision["move"]: sentences(decision, review["players"], board, language)
            for decision in costly
            if decision["loss"] > 0
        }
        for language in LANGUAGES
    }
    return packed({"review": review, "told": told})


def page(board: BoardSpec, record: Record, found: bytes, language: str) -> bytes:
    """Answers with the page of a finished review, as one file."""
    from industry.judge.page import page as written

    return gzip.compress(written(board, record, unpacked(found)["review"], language).encode(), 5)


def choices(board: BoardSpec, record: Record, move: int, language: str) -> bytes:
    """Answers with the moves that can be tried instead of a move."""
    from industry.judge.attempt import choices as listed

    return packed(listed(board, record, move, language))


def attempt(board: BoardSpec, record: Record, move: int, line: str, lines: int) -> bytes:
    """Answers with what a move would have lost."""
    from industry.judge.attempt import attempt as measured

    return packed(measured(board, record, move, line, lines, SEED))


def hint(board: BoardSpec, record: Record, step: int, language: str, lines: int) -> bytes:
    """Answers with a step of a hint for the seat that must decide."""
    from industry.judge.hint import hint as found

    return packed(found(board, record, step, language, lines, SEED))


def outlook(board: BoardSpec, record: Record, moves: int | None, lines: int) -> bytes:
    """Answers with how a game may end from a moment on."""
    from industry.judge.outlook import outlook as found

    return packed(found(board, record, moves, lines, SEED))


def level(board: BoardSpec, record: Record, seats: list[tuple[bytes, int]]) -> bytes:
    """Answers with the level of a player who had these seats (from 1) in reviewed games."""
    from industry.judge.level import losses_of

    return _level([losses_of(unpacked(body)["review"], seat) for body, seat in seats])


def losses(board: BoardSpec, record: Record, found: bytes) -> bytes:
    """Answers with what each seat lost in a reviewed game."""
    from industry.judge.level import losses_of

    review = unpacked(found)["review"]
    seats = range(1, len(review["players"]) + 1)
    return packed([asdict(losses_of(review, seat)) for seat in seats])


def level_of_losses(board: BoardSpec, record: None, games: list[dict[str, Any]]) -> bytes:
    """Answers with the level of a player who lost this in some games."""
    from industry.judge.level import GameLosses

    return _level([GameLosses(**game) for game in games])


def _level(games: "list[GameLosses]") -> bytes:
    from industry.judge.level import level_of
    from industry.judge.words import level_text

    found = level_of(games)
    told = {language: level_text("{player}", found, language) for language in LANGUAGES}
    return packed({"level": found.data(), "told": told})


ANSWERS: dict[str, Callable[..., bytes]] = {
    "sketch": sketched,
    "piece": piece,
    "assemble": assembled,
    "page": page,
    "choices": choices,
    "attempt": attempt,
    "hint": hint,
    "outlook": outlook,
    "level": level,
    "losses": losses,
    "level_of_losses": level_of_losses,
}
