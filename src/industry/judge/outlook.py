"""How a game may end from a moment on: chances, and where most of the points will be."""

from typing import Any

import numpy as np

from industry.boards import BoardSpec
from industry.notation import Record, replay

from .judging import Judge, final_values

LOW, HIGH = 0.1, 0.9
"""Between these shares of all lines lie the points that are stated as likely."""


def outlook(
    board: BoardSpec, record: Record, moves: int | None, lines: int, seed: int | str
) -> dict[str, Any]:
    """Returns every seat's chance of winning and likely points after some moves of a record.

    By seat `win` and `points` with their standard errors, and `low` to `high`: four of five lines
    end with points in this range. `over`: nothing is estimated any more.
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
