"""Compiled entry points of the bots: single decisions, and whole games between weight sets."""

from typing import Any

from industry.engine.constants import BANK, NOBODY, Phase, Reason
from industry.engine.dispatch import apply_move
from industry.engine.move_codes import DONE
from industry.engine.playout import random_draw
from industry.engine.raw_events import move_talers
from industry.engine.rule import entry_point, helper

from .auction import appraise_field
from .endgame import is_ending, solve_moves
from .features import COUNT, Stage, count_features
from .greedy import choose_greedy, play_on
from .heuristic import choose_heuristic
from .scratch import SIMULATED, copy_place
from .search import ROOT, list_candidates, try_candidates
from .values import final_shares, final_value, row_of

TO_THE_END = 99
"""More rounds than a game has."""


@entry_point
def decide_heuristic(boards: Any, states: Any, weights: Any, scratches: Any, moves: Any) -> int:
    """Returns the deciding seat's move by rules of thumb in the simulated state."""
    return choose_heuristic(boards[0], states, weights, scratches[0], moves)


@entry_point
def decide_greedy(boards: Any, states: Any, weights: Any, scratches: Any, moves: Any) -> int:
    """Returns the deciding seat's greedy move in the simulated state."""
    return choose_greedy(boards[0], states, weights, scratches[0], moves)


@entry_point
def appraise_offer(boards: Any, states: Any, weights: Any, scratches: Any) -> None:
    """Values the field on offer in the simulated state."""
    state = states[SIMULATED]
    appraise_field(boards[0], state, int(state.offered), weights, scratches[0])


@entry_point
def candidates(boards: Any, states: Any, found: Any, first: int) -> int:
    """Lists the candidate moves of the searched position; returns how many."""
    return list_candidates(boards[0], states[ROOT], found, first)


@entry_point
def think(
    boards: Any,
    states: Any,
    weights: Any,
    variants: Any,
    scratches: Any,
    moves: Any,
    generator: Any,
    found: Any,
    count: int,
    rounds: int,
    taken: int,
    samples: int,
    leads: Any,
) -> None:
    """Takes `samples` samples of `rounds` rounds; adds each candidate's leads to `leads`."""
    for sample in range(taken, taken + samples):
        try_candidates(
            boards[0],
            states,
            weights,
            variants[sample % len(variants)],
            scratches[0],
            moves,
            generator,
            found,
            count,
            rounds,
            leads,
        )


@entry_point
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
    """Solves the first state if it is an ending; returns the number of its moves, or -1."""
    if not is_ending(boards[0], states[0]):
        return -1
    return solve_moves(boards[0], states, moves, worths, memory, tried, nodes, results)


@entry_point
def play_greedy(
    boards: Any, states: Any, weights: Any, scratches: Any, moves: Any, generator: Any
) -> int:
    """Plays the simulated state greedily to its end, each seat by its own weights."""
    board = boards[0]
    state = states[SIMULATED]
    decisions = 0
    while state.phase != Phase.OVER:
        if state.phase == Phase.DRAW:
            apply_move(board, state, NOBODY, random_draw(board, state, generator))
        else:
            seat = int(state.actor)
            code = choose_greedy(board, states, weights[seat], scratches[0], moves)
            apply_move(board, state, seat, code)
            decisions += 1
    return decisions


@entry_point
def gather_features(
    boards: Any,
    states: Any,
    weights: Any,
    scratches: Any,
    moves: Any,
    generator: Any,
    features: Any,
    rows: Any,
    seats: Any,
) -> int:
    """Plays a game greedily and stores features; returns the number of rows written.

    Stored are all seats before every auction, and each seat after its development turn. Nine
    arguments, one per line and given on twice, make this longer than 40 lines.
    """
    board = boards[0]
    state = states[SIMULATED]
    count = 0
    while state.phase != Phase.OVER:
        if state.phase == Phase.OFFER:
            for other in range(state.players):
                count = write_row(
                    board,
                    state,
                    other,
                    Stage.BEFORE_DEVELOPMENT,
                    scratches[0],
                    features,
                    rows,
                    seats,
                    count,
                )
        if state.phase == Phase.DRAW:
            apply_move(board, state, NOBODY, random_draw(board, state, generator))
            continue
        seat = int(state.actor)
        code = choose_greedy(board, states, weights[seat], scratches[0], moves)
        if code == DONE:
            count = write_row(
                board,
                state,
                seat,
                Stage.AFTER_DEVELOPMENT,
                scratches[0],
                features,
                rows,
                seats,
                count,
            )
        apply_move(board, state, seat, code)
    return count


@helper
def write_row(
    board: Any,
    state: Any,
    seat: int,
    stage: Stage,
    scratch: Any,
    features: Any,
    rows: Any,
    seats: Any,
    count: int,
) -> int:
    count_features(board, state, seat, stage, scratch)
    for feature in range(COUNT):
        features[count, feature] = scratch.features[feature]
    rows[count] = row_of(state, stage)
    seats[count] = seat
    return count + 1


@entry_point
def branch_out(
    boards: Any,
    states: Any,
    variants: Any,
    scratches: Any,
    moves: Any,
    generator: Any,
    rounds: int,
    changes: Any,
    features: Any,
    rows: Any,
    points: Any,
    shares: Any,
) -> None:
    """Plays `rounds` rounds by the first weights, then one branch for each of the others.

    A branch plays one round, changes the purses, stores the features and plays to the end. Its row
    is -1 where the game was over before. Twelve arguments, one per line, make this longer than 40
    lines.
    """
    board = boards[0]
    state = states[SIMULATED]
    scratch = scratches[0]
    play_on(board, states, variants[0], scratch, moves, generator, rounds)
    copy_place(states, ROOT, SIMULATED)
    for branch in range(len(rows)):
        copy_place(states, SIMULATED, ROOT)
        play_on(board, states, variants[1 + branch], scratch, moves, generator, 1)
        rows[branch] = -1
        if state.phase == Phase.OVER:
            continue
        rows[branch] = row_of(state, Stage.BETWEEN_ROUNDS)
        for seat in range(state.players):
            change = max(int(changes[branch, seat]), -int(state.talers[seat]))
            move_talers(state, BANK, seat, change, Reason.INCOME)
        for seat in range(state.players):
            count_features(board, state, seat, Stage.BETWEEN_ROUNDS, scratch)
            for feature in range(COUNT):
                features[branch, seat, feature] = scratch.features[feature]
        play_on(board, states, variants[1 + branch], scratch, moves, generator, TO_THE_END)
        final_shares(board, state, scratch.shares)
        for seat in range(state.players):
            points[branch, seat] = final_value(board, state, seat)
            shares[branch, seat] = scratch.shares[seat]
