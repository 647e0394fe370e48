"""Plays lines: the rest of a game by the reference policy, for the compiled rules.

This module has its own folder, because machine code is compiled again when a file in its folder
changes.
"""

from typing import Any

from industry.bots.lines import step_line
from industry.bots.scratch import SIMULATED, copy_place
from industry.bots.search import ROOT
from industry.bots.values import final_shares
from industry.engine.constants import Phase
from industry.engine.dispatch import apply_move
from industry.engine.rule import entry_point
from industry.engine.rules.scoring import total_points

NO_MOVE = -1
"""The code for no move: the policy plays on from the position itself."""


@entry_point
def play_lines(
    boards: Any,
    states: Any,
    opinions: Any,
    scratches: Any,
    moves: Any,
    orders: Any,
    seat: int,
    code: int,
    first: int,
    last: int,
    turn: int,
    wins: Any,
    points: Any,
) -> None:
    """Plays lines `first` to `last` - 1 of the root after a seat's move, and notes how they end.

    Line n follows the opinions number `turn` + n.
    """
    board = boards[0]
    state = states[SIMULATED]
    scratch = scratches[0]
    for line in range(first, last):
        copy_place(states, SIMULATED, ROOT)
        if code != NO_MOVE:
            apply_move(board, state, seat, code)
        opinion = opinions[(turn + line) % len(opinions)]
        while state.phase != Phase.OVER:
            step_line(board, states, opinion, scratches, moves, orders[line])
        final_shares(board, state, scratch.shares)
        for other in range(state.players):
            wins[line, other] = scratch.shares[other]
            points[line, other] = total_points(board, state, other)
