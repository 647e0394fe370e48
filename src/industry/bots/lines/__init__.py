"""Building blocks of lines, for the compiled rules: orders of draws, and the next step of a line.

A line takes its draws from a shuffled order of the tokens, and all its moves from one set of
weights (an opinion). So two candidates can be compared with the same draws and opinions.

This module has its own folder, because machine code is compiled again when a file in its folder
changes.
"""

from typing import Any

from industry.bots.auction import finish_auction, finish_solved, offer_chance
from industry.bots.greedy import choose_greedy, only_field
from industry.bots.scratch import SIMULATED, Scratch
from industry.engine.board import Board
from industry.engine.constants import COLUMNS, NO_FIELD, NOBODY, Phase, Token
from industry.engine.dispatch import apply_move
from industry.engine.move_codes import DRAW, OFFER
from industry.engine.playout import random_below
from industry.engine.rule import entry_point, helper
from industry.engine.rules.draw import draw_count
from industry.engine.state import State

BLOCK = 12
"""Lines of one block share one order of tokens, which each rotates one step further."""


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
def play_auction(
    board: Board, state: State, opinion: list[list[float]], scratches: list[Scratch]
) -> None:
    """Offers the field that `choose_offer` would, and plays its auction; each auction is solved
    once. One scratch memory keeps the solution of the best offer so far, the other takes the next.
    """
    seat = int(state.actor)
    chosen = only_field(state)
    if chosen != NO_FIELD:
        apply_move(board, state, seat, OFFER + chosen)
        finish_auction(board, state, opinion, scratches[0])
        return
    best = -1.0
    kept = 0
    for column in range(COLUMNS):
        if state.tokens[column] == Token.FACE_UP:
            field = int(state.era) * COLUMNS + column
            chance = offer_chance(board, state, field, opinion, scratches[1 - kept])
            if chance > best:
                best = chance
                chosen = field
                kept = 1 - kept
    apply_move(board, state, seat, OFFER + chosen)
    finish_solved(board, state, scratches[kept])


@helper
def step_line(
    board: Board,
    states: list[State],
    opinion: list[list[float]],
    scratches: list[Scratch],
    moves: list[list[int]],
    orders: list[list[int]],
) -> None:
    """Plays the next draw (of `orders` by era), auction or development of the simulated state."""
    state = states[SIMULATED]
    if state.phase == Phase.DRAW:
        apply_move(board, state, NOBODY, ordered_draw(board, state, orders[int(state.era)]))
    elif state.phase == Phase.BID or state.phase == Phase.SETTLE:
        finish_auction(board, state, opinion, scratches[0])
    elif state.phase == Phase.OFFER:
        play_auction(board, state, opinion, scratches)
    else:
        code = choose_greedy(board, states, opinion, scratches[0], moves)
        apply_move(board, state, int(state.actor), code)


@helper
def shuffle(generator: list[int], items: list[int], count: int) -> None:
    """Shuffles the first `count` items, every order equally likely."""
    for place in range(count - 1, 0, -1):
        other = random_below(generator, place + 1)
        items[place], items[other] = items[other], items[place]


@entry_point
def deal_orders(generators: Any, bag: int, columns: Any, era: int, orders: Any) -> None:
    """Gives all lines an order of an era's bag: one shuffle per block, rotated one step further for
    each line, so that every token comes equally often at every place.
    """
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
