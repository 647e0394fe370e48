"""Lets a reader of a review try for a better move than the one that was played."""

from typing import Any

from industry.boards import BoardSpec
from industry.engine import Draw
from industry.notation import Record, read_move, replay, write_move

from .comparison import compare
from .judging import Judge, JudgeError, candidates
from .words import move_text

GOOD = 0.015
"""A move that loses at most this much of a win is as good as the best one."""


def is_good(loss: float, error: float) -> bool:
    """Checks whether a move counts as a good one: it loses little, or no more than its error."""
    return loss <= max(GOOD, error)


def choices(board: BoardSpec, record: Record, move: int, language: str) -> list[dict[str, str]]:
    """Returns the moves that can be tried before a move of the record, in words."""
    lines = _lines(board, record, move)
    texts = [move_text(line, board, language) for line in lines]
    return [
        {"line": line, "text": text if texts.count(text) == 1 else f"{text} ({_payment(line)})"}
        for line, text in zip(lines, texts, strict=True)
    ]


def _lines(board: BoardSpec, record: Record, move: int) -> list[str]:
    """Returns the candidates, always including the move that was played."""
    position = replay(record, board, move).position
    found = [write_move(one, board) for one in candidates(position)]
    return found if record.moves[move] in found else [*found, record.moves[move]]


def _payment(line: str) -> str:
    """Returns how a development is paid for, to tell moves on the same field apart."""
    return ", ".join(line.split()[3:]) or "–"


def attempt(
    board: BoardSpec, record: Record, move: int, line: str, lines: int, seed: int | str
) -> dict[str, Any]:
    """Measures a move tried in place of a recorded one, in the same way as the review."""
    if line not in _lines(board, record, move):
        raise JudgeError(f"“{line}” is not one of the moves that can be tried there.")
    position, tried = replay(record, board, move).position, read_move(line, board)
    assert not isinstance(tried, Draw)
    found = compare(Judge(board.rules, seed=seed, lines=lines), position, tried, False)
    return {
        "line": line,
        "loss": found.loss,
        "loss_se": found.loss_se,
        "good": is_good(found.loss, found.loss_se),
    }
