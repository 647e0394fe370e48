"""Compiled entries of the bots: one decision, and whole games between sets of weights."""

from typing import Any

from industry.engine.codes import DONE
from industry.engine.playout import random_draw
from industry.engine.rule import loop, part
from industry.engine.step import carry_out
from industry.engine.vocabulary import NOBODY, Phase

from .desk import SIMULATED, copy_place
from .endgame import is_ending, solve_moves
from .features import BETWEEN, COUNT, read_features
from .policy import choose_by_value, play_on
from .search import ROOT, list_candidates, try_candidates
from .simple import choose_simply
from .values import final_shares, final_value, row_of

TO_THE_END = 99
"""More rounds than a game has."""


@loop
def decide_simply(boards: Any, states: Any, weights: Any, desks: Any, moves: Any) -> int:
    """The move by rule of thumb of the deciding seat of the simulated state."""
    return choose_simply(boards[0], states, weights, desks[0], moves)


@loop
def decide_by_value(boards: Any, states: Any, weights: Any, desks: Any, moves: Any) -> int:
    """The move by value of the deciding seat of the simulated state."""
    return choose_by_value(boards[0], states, weights, desks[0], moves)


@loop
def candidates(boards: Any, states: Any, found: Any, first: int) -> int:
    """List the candidates of the position thought about; return how many."""
    return list_candidates(boards[0], states[ROOT], found, first)


@loop
def think(
    boards: Any,
    states: Any,
    weights: Any,
    opinions: Any,
    desks: Any,
    moves: Any,
    generator: Any,
    found: Any,
    count: int,
    rounds: int,
    taken: int,
    samples: int,
    leads: Any,
) -> None:
    """So many samples of looking ahead so many rounds; `leads` adds up by candidate."""
    for sample in range(taken, taken + samples):
        try_candidates(
            boards[0],
            states,
            weights,
            opinions[sample % len(opinions)],
            desks[0],
            moves,
            generator,
            found,
            count,
            rounds,
            leads,
        )


@loop
def solve_ending(
    boards: Any,
    states: Any,
    moves: Any,
    worths: Any,
    memory: Any,
    tried: Any,
    nodes: int,
    results: Any,
) -> int:
    """Solve the first state if it is an ending; the number of its moves, or -1."""
    if not is_ending(boards[0], states[0]):
        return -1
    return solve_moves(boards[0], states, moves, worths, memory, tried, nodes, results)


@loop
def play_by_value(
    boards: Any, states: Any, weights: Any, desks: Any, moves: Any, generator: Any
) -> int:
    """Play the simulated state to its end, each seat by its own weights; count the decisions."""
    board = boards[0]
    state = states[SIMULATED]
    decisions = 0
    while state.phase != Phase.OVER:
        if state.phase == Phase.DRAW:
            carry_out(board, state, NOBODY, random_draw(board, state, generator))
        else:
            seat = int(state.actor)
            code = choose_by_value(board, states, weights[seat], desks[0], moves)
            carry_out(board, state, seat, code)
            decisions += 1
    return decisions


@loop
def gather(
    boards: Any,
    states: Any,
    weights: Any,
    desks: Any,
    moves: Any,
    generator: Any,
    features: Any,
    rows: Any,
    seats: Any,
) -> int:
    """Play a game by value and note the features of all seats before every auction, and of each
    seat after its development turn; return how many rows were noted."""
    board = boards[0]
    state = states[SIMULATED]
    count = 0
    while state.phase != Phase.OVER:
        if state.phase == Phase.OFFER:
            for other in range(state.players):
                count = note_row(board, state, other, 0, desks[0], features, rows, seats, count)
        if state.phase == Phase.DRAW:
            carry_out(board, state, NOBODY, random_draw(board, state, generator))
            continue
        seat = int(state.actor)
        code = choose_by_value(board, states, weights[seat], desks[0], moves)
        if code == DONE:
            count = note_row(board, state, seat, 1, desks[0], features, rows, seats, count)
        carry_out(board, state, seat, code)
    return count


@part
def note_row(
    board: Any,
    state: Any,
    seat: int,
    stage: int,
    desk: Any,
    features: Any,
    rows: Any,
    seats: Any,
    count: int,
) -> int:
    read_features(board, state, seat, stage, desk.room)
    for feature in range(COUNT):
        features[count, feature] = desk.room[feature]
    rows[count] = row_of(state, stage)
    seats[count] = seat
    return count + 1


@loop
def branch_out(
    boards: Any,
    states: Any,
    opinions: Any,
    desks: Any,
    moves: Any,
    generator: Any,
    rounds: int,
    changes: Any,
    features: Any,
    rows: Any,
    points: Any,
    shares: Any,
) -> None:
    """Play so many rounds with the first opinions; from there, with each of the others, one round
    more, change the purses, note the features, and play to the end. Row -1: it was over."""
    board = boards[0]
    state = states[SIMULATED]
    desk = desks[0]
    play_on(board, states, opinions[0], desk, moves, generator, rounds)
    copy_place(states, ROOT, SIMULATED)
    for branch in range(len(rows)):
        copy_place(states, SIMULATED, ROOT)
        play_on(board, states, opinions[1 + branch], desk, moves, generator, 1)
        rows[branch] = -1
        if state.phase == Phase.OVER:
            continue
        rows[branch] = row_of(state, BETWEEN)
        for seat in range(state.players):
            change = max(changes[branch, seat], -state.talers[seat])
            state.talers[seat] += change
            state.bank -= change
        for seat in range(state.players):
            read_features(board, state, seat, BETWEEN, desk.room)
            for feature in range(COUNT):
                features[branch, seat, feature] = desk.room[feature]
        play_on(board, states, opinions[1 + branch], desk, moves, generator, TO_THE_END)
        final_shares(board, state, desk.shares)
        for seat in range(state.players):
            points[branch, seat] = final_value(board, state, seat)
            shares[branch, seat] = desk.shares[seat]
