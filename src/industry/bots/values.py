"""Expected final points of a seat, and from them everyone's chance to win."""

from math import exp

from industry.engine.board import Board
from industry.engine.rule import part
from industry.engine.rules.draw import tokens_in_bag
from industry.engine.rules.era import is_last_era
from industry.engine.rules.scoring import developed_count, is_ahead, total_points
from industry.engine.state import State
from industry.engine.vocabulary import Phase

from .features import COUNT, SPREAD, STAGES, Feature, read_seat, stage_of, survey


@part
def row_of(state: State, stage: int) -> int:
    return int(state.era) * STAGES + stage


TIE_BREAK = 0.01
"""Points that a developed field, first of the tie-breaks, is worth where all else is counted."""


@part
def is_last_round(board: Board, state: State) -> bool:
    return is_last_era(board, state) and tokens_in_bag(state) == 0


@part
def final_value(board: Board, state: State, seat: int) -> float:
    """The points of a seat that can do nothing more, tie-breaks included."""
    fields = developed_count(board, state, seat)
    talers = min(1.0, int(state.talers[seat]) / 100)
    return total_points(board, state, seat) + TIE_BREAK * (fields + talers)


@part
def seat_value(
    board: Board, state: State, seat: int, stage: int, weights: list[list[float]], room: list[float]
) -> float:
    """The final points that the seat can expect; after its last development turn, those it has."""
    survey(board, state, room)
    return surveyed_value(board, state, seat, stage, weights, room)


@part
def surveyed_value(
    board: Board, state: State, seat: int, stage: int, weights: list[list[float]], room: list[float]
) -> float:
    """`seat_value` where `room` holds the survey of the table already."""
    if stage == 1 and is_last_round(board, state):
        return final_value(board, state, seat)
    read_seat(board, state, seat, stage, room)
    row = weights[row_of(state, stage)]
    value = 0.0
    for feature in range(COUNT):
        value += row[feature] * room[feature]
    return value


@part
def purse_value(row: list[float], talers: int) -> float:
    """What a purse is worth in points."""
    value = row[Feature.TALERS] * talers
    if talers > 4:
        value += row[Feature.TALERS_OVER_4] * (talers - 4)
    if talers > 8:
        value += row[Feature.TALERS_OVER_8] * (talers - 8)
    return value


@part
def shares_of(values: list[float], players: int, spread: float, shares: list[float]) -> None:
    """Everyone's chance to win, from expected points and their uncertainty."""
    best = values[0]
    for seat in range(1, players):
        best = max(best, values[seat])
    total = 0.0
    for seat in range(players):
        shares[seat] = exp((values[seat] - best) / spread)
        total += shares[seat]
    for seat in range(players):
        shares[seat] /= total


@part
def final_shares(board: Board, state: State, shares: list[float]) -> None:
    """1 for the winner; a shared victory is split."""
    winners = 0
    for seat in range(state.players):
        shares[seat] = 1.0
        for other in range(state.players):
            if is_ahead(board, state, other, seat):
                shares[seat] = 0.0
        winners += int(shares[seat])
    for seat in range(state.players):
        shares[seat] /= winners


@part
def judge(
    board: Board,
    state: State,
    weights: list[list[float]],
    room: list[float],
    values: list[float],
    shares: list[float],
) -> None:
    """Expected points and chances of all seats in any position."""
    if state.phase == Phase.OVER:
        for seat in range(state.players):
            values[seat] = final_value(board, state, seat)
        final_shares(board, state, shares)
        return
    survey(board, state, room)
    first = STAGES
    for seat in range(state.players):
        stage = stage_of(state, seat)
        first = min(first, stage)
        values[seat] = surveyed_value(board, state, seat, stage, weights, room)
    shares_of(values, int(state.players), weights[row_of(state, first)][SPREAD], shares)
