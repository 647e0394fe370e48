"""Computes what a finished game is worth to a seat; a running game is worth 0."""

from enum import IntEnum

from industry.engine.board import Board
from industry.engine.playout import is_winner
from industry.engine.rule import helper
from industry.engine.rules.scoring import is_ahead, total_points
from industry.engine.state import State


class Reward(IntEnum):
    WIN = 0
    RANK = 1
    MARGIN = 2


FORFEIT = {Reward.WIN: 0.0, Reward.RANK: -1.0, Reward.MARGIN: -100.0}
"""The reward for ending the game with an illegal move, if that does not raise an error."""


@helper
def write_win_shares(board: Board, state: State, rewards: list[float]) -> None:
    """Writes 1 for the winner, equal shares for a shared victory, and 0 for the others."""
    winners = 0
    for seat in range(state.players):
        rewards[seat] = 0.0
        if is_winner(board, state, seat):
            rewards[seat] = 1.0
            winners += 1
    for seat in range(state.players):
        rewards[seat] /= winners


@helper
def rank_value(board: Board, state: State, seat: int) -> float:
    """Returns the rank, from 1 (first) to -1 (last) in even steps, by the rules' tie-break (H8)."""
    beaten = 0
    for other in range(state.players):
        if is_ahead(board, state, seat, other):
            beaten += 1
        elif is_ahead(board, state, other, seat):
            beaten -= 1
    return beaten / (state.players - 1)


@helper
def point_margin(board: Board, state: State, seat: int) -> float:
    """Returns the seat's points minus the mean of the others' points."""
    others = 0
    for other in range(state.players):
        if other != seat:
            others += total_points(board, state, other)
    return total_points(board, state, seat) - others / (state.players - 1)


@helper
def write_rewards(board: Board, state: State, kind: int, rewards: list[float]) -> None:
    """Writes the rewards of all seats of a finished game; `kind` is a `Reward`."""
    if kind == Reward.WIN:
        write_win_shares(board, state, rewards)
        return
    for seat in range(state.players):
        if kind == Reward.RANK:
            rewards[seat] = rank_value(board, state, seat)
        else:
            rewards[seat] = point_margin(board, state, seat)
