"""Values positions: expected final points of each seat, and from them its chance of winning."""

from math import exp

from industry.engine.board import Board
from industry.engine.constants import Phase
from industry.engine.rule import helper
from industry.engine.rules.draw import tokens_in_bag
from industry.engine.rules.era import is_last_era
from industry.engine.rules.scoring import developed_count, is_ahead, total_points
from industry.engine.state import State

from .features import ROWS, SPREAD, STAGES, Stage, count_seat, stage_of
from .tally import COUNT, Feature, Tally, count_table

TIE_BREAK = 0.01
"""Points that a developed field, the first tie-break, counts in a final position."""


@helper
def row_of(state: State, stage: Stage) -> int:
    """Returns the row of the weights for this era and stage."""
    return int(state.era) * STAGES + stage


@helper
def is_last_round(board: Board, state: State) -> bool:
    return is_last_era(board, state) and tokens_in_bag(state) == 0


@helper
def final_value(board: Board, state: State, seat: int) -> float:
    """Returns the final points of a seat that has no decisions left, tie-breaks included."""
    fields = developed_count(board, state, seat)
    talers = min(1.0, int(state.talers[seat]) / 100)
    return total_points(board, state, seat) + TIE_BREAK * (fields + talers)


@helper
def seat_value(
    board: Board, state: State, seat: int, stage: Stage, weights: list[list[float]], tally: Tally
) -> float:
    """Returns the final points that the seat can expect."""
    count_table(board, state, tally)
    return counted_value(board, state, seat, stage, weights, tally)


@helper
def counted_value(
    board: Board, state: State, seat: int, stage: Stage, weights: list[list[float]], tally: Tally
) -> float:
    """Returns `seat_value` where `tally` already counts what all seats share."""
    if stage == Stage.AFTER_DEVELOPMENT and is_last_round(board, state):
        return final_value(board, state, seat)
    count_seat(board, state, seat, stage, tally)
    return weighted_features(weights[row_of(state, stage)], tally)


@helper
def weighted_features(row: list[float], tally: Tally) -> float:
    """Returns the points that the counted features stand for."""
    features = tally.features
    value = 0.0
    for feature in range(COUNT):
        value += row[feature] * features[feature]
    return value


@helper
def purse_value(row: list[float], talers: int) -> float:
    """Returns what a purse is worth in points."""
    value = row[Feature.TALERS] * talers
    if talers > 4:
        value += row[Feature.TALERS_OVER_4] * (talers - 4)
    if talers > 8:
        value += row[Feature.TALERS_OVER_8] * (talers - 8)
    return value


@helper
def shares_of(values: list[float], players: int, spread: float, shares: list[float]) -> None:
    """Writes every seat's chance of winning, from expected points and their scatter."""
    best = values[0]
    for seat in range(1, players):
        best = max(best, values[seat])
    total = 0.0
    for seat in range(players):
        shares[seat] = exp((values[seat] - best) / spread)
        total += shares[seat]
    for seat in range(players):
        shares[seat] /= total


@helper
def final_shares(board: Board, state: State, shares: list[float]) -> None:
    """Writes 1 for the winner of a finished game; a shared victory is split."""
    winners = 0
    for seat in range(state.players):
        shares[seat] = 1.0
        for other in range(state.players):
            if is_ahead(board, state, other, seat):
                shares[seat] = 0.0
        winners += int(shares[seat])
    for seat in range(state.players):
        shares[seat] /= winners


@helper
def evaluate(
    board: Board,
    state: State,
    weights: list[list[float]],
    tally: Tally,
    values: list[float],
    shares: list[float],
) -> None:
    """Writes the expected points and chances of all seats in any position."""
    if state.phase == Phase.OVER:
        for seat in range(state.players):
            values[seat] = final_value(board, state, seat)
        final_shares(board, state, shares)
        return
    count_table(board, state, tally)
    first_row = ROWS
    for seat in range(state.players):
        stage = stage_of(state, seat)
        first_row = min(first_row, row_of(state, stage))
        values[seat] = counted_value(board, state, seat, stage, weights, tally)
    shares_of(values, int(state.players), weights[first_row][SPREAD], shares)
