"""Siblings: positions between rounds that differ by intervention, with how they end.

From a decision of a game, several moves are played on to the end of the round. Then purses and
owners change at random, and lines with the same draws and opinions show what that caused.

This module has its own folder, because machine code is compiled again when a file in its folder
changes.
"""

from typing import Any

from industry.bots.greedy import choose_greedy
from industry.bots.lines import step_line
from industry.bots.scratch import SIMULATED, copy_place
from industry.bots.search import ROOT, list_candidates
from industry.bots.values import final_shares
from industry.engine.constants import BANK, FIELDS, NOBODY, Phase, Reason
from industry.engine.dispatch import apply_move
from industry.engine.playout import random_below, random_draw
from industry.engine.raw_events import move_talers
from industry.engine.rule import entry_point, helper
from industry.engine.rules.scoring import total_points
from industry.engine.state import State

GAME_OVER = -1


@entry_point
def reach_root(
    boards: Any,
    states: Any,
    by_seat: Any,
    scratches: Any,
    moves: Any,
    generator: Any,
    rounds: int,
    steps: int,
) -> int:
    """Plays `rounds` rounds, a draw and up to `steps` decisions, each seat by its own weights.

    The decision that comes next becomes the root. Returns the number of decisions played after the
    draw, or GAME_OVER.
    """
    board = boards[0]
    state = states[SIMULATED]
    played = 0
    while state.phase != Phase.OVER:
        if state.phase == Phase.DRAW:
            if rounds < 0:
                break
            rounds -= 1
            apply_move(board, state, NOBODY, random_draw(board, state, generator))
        elif rounds < 0 and played == steps:
            break
        else:
            if rounds < 0:
                played += 1
                copy_place(states, ROOT, SIMULATED)
            seat = int(state.actor)
            code = choose_greedy(board, states, by_seat[seat], scratches[0], moves)
            apply_move(board, state, seat, code)
    if rounds >= 0:
        return GAME_OVER
    if state.phase != Phase.DRAW and state.phase != Phase.OVER:
        copy_place(states, ROOT, SIMULATED)
    return played


@helper
def change_owner(board: Any, state: State, generator: list[int]) -> None:
    """Gives a random field that somebody has to another seat."""
    owned = 0
    for field in range(FIELDS):
        if state.owner[field] != NOBODY:
            owned += 1
    if owned == 0:
        return
    chosen = random_below(generator, owned)
    for field in range(FIELDS):
        if state.owner[field] != NOBODY:
            if chosen == 0:
                step = 1 + random_below(generator, int(state.players) - 1)
                state.owner[field] = (state.owner[field] + step) % state.players
                return
            chosen -= 1


@helper
def change_purses(state: State, least: int, most: int, generator: list[int]) -> None:
    """Changes every purse by a random number of Talers, but never below nothing."""
    for seat in range(state.players):
        change = least + random_below(generator, most - least + 1)
        move_talers(state, BANK, seat, max(change, -int(state.talers[seat])), Reason.INCOME)


@entry_point
def play_siblings(
    boards: Any,
    states: Any,
    opinions: Any,
    scratches: Any,
    moves: Any,
    generator: Any,
    found: Any,
    orders: Any,
    turn: int,
    interventions: Any,
    least: int,
    most: int,
    kept: Any,
    wins: Any,
    points: Any,
) -> None:
    """Makes siblings of the root and writes each with its mean result by seat.

    The first follows the policy, the others random candidates. `interventions` are two numbers per
    sibling: whether purses and whether an owner changes. Fifteen arguments, one per line, make this
    longer than 40 lines.
    """
    board = boards[0]
    state = states[SIMULATED]
    scratch = scratches[0]
    actor = int(states[ROOT].actor)
    for sibling in range(len(kept)):
        copy_place(states, SIMULATED, ROOT)
        opinion = opinions[(turn + sibling) % len(opinions)]
        code = choose_greedy(board, states, opinion, scratch, moves)
        count = list_candidates(board, states[ROOT], found, code)
        place = 0 if sibling == 0 else random_below(generator, count)
        apply_move(board, state, actor, int(found[place]))
        while state.phase != Phase.DRAW and state.phase != Phase.OVER:
            step_line(board, states, opinion, scratches, moves, orders[0])
        if state.phase != Phase.OVER:
            if interventions[sibling, 0] != 0:
                change_purses(state, least, most, generator)
            if interventions[sibling, 1] != 0:
                change_owner(board, state, generator)
        kept[sibling] = state
        copy_place(states, LEAF, SIMULATED)
        for line in range(len(orders)):
            copy_place(states, SIMULATED, LEAF)
            opinion = opinions[(turn + line) % len(opinions)]
            while state.phase != Phase.OVER:
                step_line(board, states, opinion, scratches, moves, orders[line])
            final_shares(board, state, scratch.shares)
            for seat in range(state.players):
                wins[sibling, seat] += scratch.shares[seat] / len(orders)
                points[sibling, seat] += total_points(board, state, seat) / len(orders)


LEAF = 7
"""Index of the sibling from which lines start."""
