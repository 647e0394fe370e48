"""Compiled entries of the bots: one decision, and whole games between sets of weights."""

from typing import Any

from industry.engine.codes import DONE
from industry.engine.playout import random_draw
from industry.engine.rule import loop, part
from industry.engine.step import carry_out
from industry.engine.vocabulary import NOBODY, Phase

from .desk import SIMULATED
from .features import COUNT, read_features
from .policy import choose_by_value
from .search import ROOT, list_candidates, try_candidates
from .simple import choose_simply
from .values import row_of


@loop
def decide_simply(boards: Any, states: Any, weights: Any, desks: Any, moves: Any) -> int:
    """The move by rule of thumb of the deciding seat of the simulated state."""
    return choose_simply(boards[0], states, weights, desks[0], moves)


@loop
def decide_by_value(boards: Any, states: Any, weights: Any, desks: Any, moves: Any) -> int:
    """The move by value of the deciding seat of the simulated state."""
    return choose_by_value(boards[0], states, weights, desks[0], moves)


@loop
def candidates(boards: Any, states: Any, found: Any) -> int:
    """List the candidates of the position thought about; return how many."""
    return list_candidates(boards[0], states[ROOT], found)


@loop
def think(
    boards: Any,
    states: Any,
    weights: Any,
    desks: Any,
    moves: Any,
    generator: Any,
    found: Any,
    count: int,
    rounds: int,
    samples: int,
    totals: Any,
) -> None:
    """So many samples of looking ahead so many rounds, added up by candidate."""
    for _ in range(samples):
        try_candidates(
            boards[0],
            states,
            weights,
            desks[0],
            moves,
            generator,
            found,
            count,
            rounds,
            totals,
        )


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
    """Play a game by value and note the features of all seats before every auction and of each
    seat after its development turn; return how many rows were noted."""
    board = boards[0]
    state = states[SIMULATED]
    count = 0
    while state.phase != Phase.OVER:
        if state.phase == Phase.DRAW:
            carry_out(board, state, NOBODY, random_draw(board, state, generator))
            continue
        seat = int(state.actor)
        if state.phase == Phase.OFFER:
            for other in range(state.players):
                count = note_row(board, state, other, 0, desks[0], features, rows, seats, count)
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
