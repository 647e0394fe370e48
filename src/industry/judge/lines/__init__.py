"""Lines: games played on to their end by the reference policy, for the compiled rules.

A line takes its draws from an order of the tokens that was dealt before, and all its moves from one
set of weights. So two candidates of one question can meet the same draws and the same opinions.

This module has a folder of its own: machine code is compiled again when a file beside it changes.
"""

from typing import Any

from industry.bots.auction import finish_auction
from industry.bots.greedy import choose_greedy
from industry.bots.scratch import SIMULATED, Scratch, copy_place
from industry.bots.search import ROOT
from industry.bots.values import final_shares
from industry.engine.board import Board
from industry.engine.constants import COLUMNS, NOBODY, Phase, Token
from industry.engine.dispatch import apply_move
from industry.engine.move_codes import DRAW
from industry.engine.playout import random_below
from industry.engine.rule import entry_point, helper
from industry.engine.rules.draw import draw_count
from industry.engine.rules.scoring import total_points
from industry.engine.state import State

NO_MOVE = -1
"""Stands for a candidate that makes no move: the policy plays on from the position itself."""
BLOCK = 12
"""Lines of one block share their orders of tokens, each turned one step further."""


@helper
def ordered_draw(board: Board, state: State, order: list[int]) -> int:
    """Returns the code of the draw that takes the next tokens of an order of columns."""
    wanted = draw_count(board, state)
    columns = 0
    for place in range(COLUMNS):
        column = int(order[place])
        if wanted > 0 and state.tokens[column] == Token.IN_BAG:
            columns |= 1 << column
            wanted -= 1
    return DRAW + columns


@helper
def play_line(
    board: Board,
    states: list[State],
    opinion: list[list[float]],
    scratch: Scratch,
    moves: list[list[int]],
    orders: list[list[int]],
) -> None:
    """Plays the simulated state to the end of the game, with the draws of `orders` by era."""
    state = states[SIMULATED]
    while state.phase != Phase.OVER:
        if state.phase == Phase.DRAW:
            apply_move(board, state, NOBODY, ordered_draw(board, state, orders[int(state.era)]))
        elif state.phase == Phase.BID or state.phase == Phase.SETTLE:
            finish_auction(board, state, opinion, scratch)
        else:
            code = choose_greedy(board, states, opinion, scratch, moves)
            apply_move(board, state, int(state.actor), code)


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
        play_line(board, states, opinion, scratch, moves, orders[line])
        final_shares(board, state, scratch.shares)
        for other in range(state.players):
            wins[line, other] = scratch.shares[other]
            points[line, other] = total_points(board, state, other)


@helper
def shuffle(generator: list[int], items: list[int], count: int) -> None:
    """Puts the first `count` items into an order, each equally likely."""
    for place in range(count - 1, 0, -1):
        other = random_below(generator, place + 1)
        items[place], items[other] = items[other], items[place]


@entry_point
def deal_orders(generators: Any, bag: int, columns: Any, era: int, orders: Any) -> None:
    """Deals the order of an era's bag to all lines: one shuffle per block, and each line of a
    block turned one step further, so that every token comes equally often at every place."""
    for block in range(generators.shape[0]):
        count = 0
        for column in range(COLUMNS):
            if bag >> column & 1:
                columns[count] = column
                count += 1
        shuffle(generators[block], columns, count)
        for line in range(block * BLOCK, min((block + 1) * BLOCK, orders.shape[0])):
            for place in range(count):
                orders[line, era, place] = columns[(place + line) % count]
            for place in range(count, COLUMNS):
                orders[line, era, place] = orders[line, era, 0]
