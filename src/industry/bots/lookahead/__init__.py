"""Lines that are valued at the end of every round, for the compiled rules.

This module has its own folder, because machine code is compiled again when a file in its folder
changes.
"""

from typing import Any

from industry.bots.lines import step_line
from industry.bots.net import WIN, count_inputs, seat_answer
from industry.bots.scratch import SIMULATED, Scratch, copy_place
from industry.bots.search import ROOT
from industry.bots.values import evaluate, final_shares, shares_of
from industry.engine.board import Board
from industry.engine.constants import Phase
from industry.engine.dispatch import apply_move
from industry.engine.rule import entry_point, helper
from industry.engine.state import State

SPREAD = 5.0
"""Points by which chances scatter at the end of a round."""
FINAL_SPREAD = 4.0
"""The same at the end of the game: a close result could easily have been another one."""
FINAL = 0.3
"""How much the victory itself counts there."""


@helper
def add_worths(
    board: Board,
    state: State,
    weights: list[list[float]],
    scratch: Scratch,
    share: float,
    worths: list[float],
    net: list[float],
    inputs: list[float],
    memory: list[float],
) -> None:
    """Adds a share of every seat's chance at the end of a round, or of the game."""
    players = int(state.players)
    if state.phase != Phase.OVER and len(net) > 0:
        net_shares(board, state, weights, scratch, net, inputs, memory)
    elif state.phase != Phase.OVER:
        evaluate(board, state, weights, scratch, scratch.expected, scratch.shares)
        shares_of(scratch.expected, players, SPREAD, scratch.shares)
    else:
        evaluate(board, state, weights, scratch, scratch.expected, scratch.shares)
        final_shares(board, state, scratch.shares)
        for seat in range(players):
            worths[seat] += share * FINAL * scratch.shares[seat]
        shares_of(scratch.expected, players, FINAL_SPREAD, scratch.shares)
        share *= 1.0 - FINAL
    for seat in range(players):
        worths[seat] += share * scratch.shares[seat]


@helper
def net_shares(
    board: Board,
    state: State,
    weights: list[list[float]],
    scratch: Scratch,
    net: list[float],
    inputs: list[float],
    memory: list[float],
) -> None:
    """Writes every seat's chance between rounds: the linear value, corrected by the net."""
    players = int(state.players)
    count_inputs(board, state, weights, scratch, inputs, scratch.expected)
    for seat in range(players):
        seat_answer(players, seat, inputs, net, memory)
        scratch.expected[seat] += SPREAD * memory[WIN]
    shares_of(scratch.expected, players, SPREAD, scratch.shares)


@entry_point
def value_lines(
    boards: Any,
    states: Any,
    weights: Any,
    opinions: Any,
    scratches: Any,
    moves: Any,
    orders: Any,
    code: int,
    turn: int,
    mixture: Any,
    worths: Any,
    net: Any,
    inputs: Any,
    memory: Any,
) -> None:
    """Plays a line for each row of `worths` after a move or draw at the root, and values it.

    Added to the worth of each seat is a mean over the ends of the line's rounds, weighted by
    `mixture`. A line that is over earlier keeps its last value. Line n follows the opinions number
    `turn` + n. Eleven arguments, one per line, make this longer than 40 lines.
    """
    board = boards[0]
    state = states[SIMULATED]
    for line in range(len(worths)):
        copy_place(states, SIMULATED, ROOT)
        apply_move(board, state, int(state.actor), code)
        opinion = opinions[(turn + line) % len(opinions)]
        place = 0
        while place < len(mixture):
            if state.phase == Phase.DRAW or state.phase == Phase.OVER:
                share = float(mixture[place])
                place += 1
                if state.phase == Phase.OVER:
                    while place < len(mixture):
                        share += float(mixture[place])
                        place += 1
                if share > 0.0:
                    add_worths(
                        board,
                        state,
                        weights,
                        scratches[0],
                        share,
                        worths[line],
                        net,
                        inputs,
                        memory,
                    )
            if place < len(mixture):
                step_line(board, states, opinion, scratches, moves, orders[line])
