"""Estimates how a game may end: chances of winning, and the likely range of points."""

from typing import Any

import numpy as np

from industry.boards import BoardSpec
from industry.notation import Record, replay

from .judging import Judge, final_values

LOW, HIGH = 0.1, 0.9
"""The quantiles of the points of all lines that bound the likely range."""


def outlook(
    board: BoardSpec, record: Record, moves: int | None, lines: int, seed: int | str
) -> dict[str, Any]:
    """Returns every seat's chance of winning and likely points after some moves of a record.

    Each seat has `win` and `points` with their standard errors, and `low` to `high`: four of five
    lines end with points in this range. `over`: the game is over and nothing is estimated.
    """
    position = replay(record, board, moves).position
    if position.is_over:
        seats = final_values(position)
        low = high = [seat.points for seat in seats]
    else:
        found = Judge(board.rules, seed=seed, lines=lines).outcomes(position)
        seats = found.seats()
        low, high = (np.quantile(found.points, share, axis=0).tolist() for share in (LOW, HIGH))
    return {
        "over": position.is_over,
        "seats": [
            {
                "win": seat.win,
                "win_se": seat.win_se,
                "points": seat.points,
                "points_se": seat.points_se,
                "low": low[place],
                "high": high[place],
            }
            for place, seat in enumerate(seats)
        ],
    }
