"""Sketches a review within a second: chances of winning, round by round."""

from industry.boards import BoardSpec
from industry.engine import Draw
from industry.notation import Record, replay_steps

from .judging import Judge, final_values
from .review import Item, check_finished

LINES = 12
"""Lines per position: one block, in which every token takes every place equally often."""


def sketch(board: BoardSpec, record: Record, seed: int | str) -> Item:
    """Returns everyone's chances at the start, after each draw and at the end, from few lines."""
    game = check_finished(record, board)
    judge = Judge(board.rules, seed=seed, lines=LINES)
    chances = []
    for number, step in enumerate(replay_steps(record, board)):
        if not step.is_over and (number == 0 or isinstance(step.moves[-1], Draw)):
            win = judge.outcomes(step.position).win.tolist()
            chances.append({"move": number, "win": win})
    result = [value.win for value in final_values(game.position)]
    chances.append({"move": len(record.moves), "win": result})
    return {"lines": LINES, "chances": chances}
