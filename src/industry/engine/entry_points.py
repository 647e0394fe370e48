"""Loops over many games at once, for the compiled rules only (see `compiled`).

`boards` is an array with one record, `states` an array of records, `moves` a row of codes per game.
"""

from typing import Any

from .dispatch import apply_move, list_moves, move_fault
from .faults import NO_FAULT
from .move_codes import DRAW
from .playout import is_winner, playout, recorded_playout, step
from .rule import entry_point
from .rules.scoring import (
    bonus_points,
    is_ahead_by,
    joker_points,
    link_points,
    money_points,
    subsidy_points,
    total_points,
)


@entry_point
def copy_state(states: Any, target: int, source: int) -> None:
    """Overwrites one state with another."""
    states[target] = states[source]


@entry_point
def fault_of(boards: Any, states: Any, game: int, seat: int, code: int) -> int:
    """Returns the fault of a move, as a number."""
    return move_fault(boards[0], states[game], seat, code).value


@entry_point
def apply(boards: Any, states: Any, game: int, seat: int, code: int) -> None:
    """Applies a legal move or draw."""
    apply_move(boards[0], states[game], seat, code)


@entry_point
def legal(boards: Any, states: Any, game: int, seat: int, moves: Any) -> int:
    """Lists the legal moves of a seat in one row; returns how many there are."""
    return list_moves(boards[0], states[game], seat, moves)


@entry_point
def play_out(boards: Any, states: Any, game: int, generator: Any, moves: Any) -> int:
    """Plays one game at random to its end; returns the number of decisions."""
    return playout(boards[0], states[game], generator, moves)


@entry_point
def play_out_from(
    boards: Any, start: Any, states: Any, generators: Any, moves: Any, points: Any, wins: Any
) -> int:
    """Plays many games at random from one position; adds up points and shares of victory by seat.

    `states` has one scratch record; the number of games is that of the generators.
    """
    board = boards[0]
    decisions = 0
    for game in range(generators.shape[0]):
        states[0] = start[0]
        state = states[0]
        decisions += playout(board, state, generators[game], moves)
        winners = 0
        for seat in range(state.players):
            points[seat] += total_points(board, state, seat)
            if is_winner(board, state, seat):
                winners += 1
        for seat in range(state.players):
            if is_winner(board, state, seat):
                wins[seat] += 1.0 / winners
    return decisions


@entry_point
def play_games(boards: Any, states: Any, generators: Any, moves: Any, decisions: Any) -> None:
    """Plays every game at random to its end and counts the decisions of each."""
    for game in range(states.shape[0]):
        decisions[game] = playout(boards[0], states[game], generators[game], moves)


@entry_point
def record_games(
    boards: Any,
    states: Any,
    generators: Any,
    moves: Any,
    codes: Any,
    seats: Any,
    counts: Any,
    lengths: Any,
) -> None:
    """Plays every game at random to its end and records every step of each."""
    for game in range(states.shape[0]):
        lengths[game] = recorded_playout(
            boards[0],
            states[game],
            generators[game],
            moves,
            codes[game],
            seats[game],
            counts[game],
        )


@entry_point
def score_games(boards: Any, states: Any, parts: Any, winners: Any) -> None:
    """Computes each seat's six parts of points (in the record's order) and the winners, by game."""
    board = boards[0]
    for game in range(states.shape[0]):
        state = states[game]
        for seat in range(state.players):
            parts[game, seat, 0] = state.points[seat]
            parts[game, seat, 1] = money_points(board, state, seat)
            parts[game, seat, 2] = link_points(board, state, seat)
            parts[game, seat, 3] = bonus_points(board, state, seat)
            parts[game, seat, 4] = joker_points(board, state, seat)
            parts[game, seat, 5] = subsidy_points(board, state, seat)
        for seat in range(state.players):
            winners[game, seat] = True
            for other in range(state.players):
                mine, others = parts[game, seat].sum(), parts[game, other].sum()
                if other != seat and is_ahead_by(board, state, other, others, seat, mine):
                    winners[game, seat] = False


@entry_point
def batch_step(
    boards: Any, states: Any, codes: Any, generators: Any, faults: Any, moves: Any, counts: Any
) -> int:
    """Makes one move in every game, draws included, and lists the next legal moves.

    A game that is over stays as it is, with no moves. Returns how many moves were refused.
    """
    board = boards[0]
    refused = 0
    for game in range(states.shape[0]):
        faults[game] = step(board, states[game], codes[game], generators[game])
        if faults[game] != NO_FAULT and counts[game] > 0:
            refused += 1
        counts[game] = list_moves(board, states[game], int(states[game].actor), moves[game])
    return refused


@entry_point
def batch_legal(boards: Any, states: Any, moves: Any, counts: Any) -> None:
    """Lists the legal moves of all games."""
    for game in range(states.shape[0]):
        counts[game] = list_moves(boards[0], states[game], int(states[game].actor), moves[game])


@entry_point
def batch_masks(moves: Any, counts: Any, masks: Any) -> None:
    """Writes the legal moves of all games as rows of zeros and ones, one per player code."""
    for game in range(moves.shape[0]):
        for code in range(DRAW):
            masks[game, code] = 0
        for position in range(counts[game]):
            masks[game, moves[game, position]] = 1
