"""Chooses moves by rules of thumb: what a field is worth to the seat, regardless of the others."""

from industry.engine.board import Board
from industry.engine.constants import COLUMNS, NO_FIELD, Phase, Token
from industry.engine.dispatch import apply_move, list_developments
from industry.engine.move_codes import BID, CLAIM, DONE, OFFER, PASS, SELL
from industry.engine.rule import helper
from industry.engine.rules.auction import claim_change, claim_purse
from industry.engine.state import State

from .auction import appraise_field
from .features import Stage
from .scratch import SIMULATED, Scratch, copy_place
from .tally import count_built, count_table
from .values import counted_value

CAUTION = 0.8
"""Share of a field's worth that a bidder is willing to pay."""


@helper
def heuristic_offer(
    board: Board, state: State, weights: list[list[float]], scratch: Scratch
) -> int:
    """Offers the field that is worth most to the Auctioneer."""
    seat = int(state.actor)
    chosen = NO_FIELD
    best = 0.0
    for column in range(COLUMNS):
        if state.tokens[column] == Token.FACE_UP:
            field = int(state.era) * COLUMNS + column
            appraise_field(board, state, field, weights, scratch)
            if chosen == NO_FIELD or scratch.gain[seat] > best:
                best = scratch.gain[seat]
                chosen = field
    return OFFER + chosen


@helper
def heuristic_bid(board: Board, state: State, weights: list[list[float]], scratch: Scratch) -> int:
    """Bids one more than the highest bid as long as the field is worth it."""
    seat = int(state.actor)
    talers = int(state.talers[seat])
    appraise_field(board, state, int(state.offered), weights, scratch)
    price = int(state.high_bid) + 1
    if price + scratch.price[seat] > talers:
        return PASS
    cost = scratch.purse[talers] - scratch.purse[talers - price]
    return BID + price if cost < CAUTION * scratch.gain[seat] else PASS


@helper
def heuristic_settlement(
    board: Board, state: State, weights: list[list[float]], scratch: Scratch
) -> int:
    """Claims if the field is worth more than its price and the money that a sale would bring."""
    seat = int(state.actor)
    talers, price = int(state.talers[seat]), int(state.high_bid)
    if talers < claim_purse(board, state, price):
        return SELL
    appraise_field(board, state, int(state.offered), weights, scratch)
    left = talers + claim_change(board, state, seat, price)
    if left < scratch.price[seat]:
        return SELL
    missed = scratch.purse[talers + price] - scratch.purse[left]
    return CLAIM if scratch.gain[seat] > missed else SELL


@helper
def heuristic_development(
    board: Board,
    states: list[State],
    weights: list[list[float]],
    scratch: Scratch,
    moves: list[list[int]],
) -> int:
    """Develops the single field that gains most, if any gains at all."""
    state = states[SIMULATED]
    seat = int(state.actor)
    stage = Stage.AFTER_DEVELOPMENT
    count_table(board, state, scratch)
    best = counted_value(board, state, seat, stage, weights, scratch)
    chosen = DONE
    row = moves[0]
    for position in range(list_developments(board, state, seat, row, 0)):
        code = int(row[position])
        if code != DONE:
            copy_place(states, SIMULATED + 1, SIMULATED)
            apply_move(board, states[SIMULATED + 1], seat, code)
            count_built(board, states[SIMULATED + 1], scratch)
            value = counted_value(board, states[SIMULATED + 1], seat, stage, weights, scratch)
            if value > best:
                best = value
                chosen = code
    return chosen


@helper
def choose_heuristic(
    board: Board,
    states: list[State],
    weights: list[list[float]],
    scratch: Scratch,
    moves: list[list[int]],
) -> int:
    """Returns the code of the deciding seat's move in the simulated state."""
    state = states[SIMULATED]
    if state.phase == Phase.OFFER:
        return heuristic_offer(board, state, weights, scratch)
    if state.phase == Phase.BID:
        return heuristic_bid(board, state, weights, scratch)
    if state.phase == Phase.SETTLE:
        return heuristic_settlement(board, state, weights, scratch)
    return heuristic_development(board, states, weights, scratch, moves)
