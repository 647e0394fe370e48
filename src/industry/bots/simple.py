"""A player by rule of thumb: knows what a field is worth to him, not what the others will do."""

from industry.engine.board import Board
from industry.engine.codes import BID, CLAIM, DONE, OFFER, PASS, SELL
from industry.engine.rule import part
from industry.engine.rules.auction import claim_purse, claim_share
from industry.engine.state import State
from industry.engine.step import carry_out, list_developments
from industry.engine.vocabulary import COLUMNS, NO_FIELD, Edition, Phase, Token

from .auction import weigh_field
from .desk import SIMULATED, Desk, copy_place
from .values import seat_value

CAUTION = 0.8
"""A bidder keeps a part of the worth for himself."""


@part
def simple_offer(board: Board, state: State, weights: list[list[float]], desk: Desk) -> int:
    """The field that the Auctioneer himself likes best."""
    seat = int(state.actor)
    chosen = NO_FIELD
    best = 0.0
    for column in range(COLUMNS):
        if state.tokens[column] == Token.FACE_UP:
            field = int(state.era) * COLUMNS + column
            weigh_field(board, state, field, weights, desk)
            if chosen == NO_FIELD or desk.gain[seat] > best:
                best = desk.gain[seat]
                chosen = field
    return OFFER + chosen


@part
def simple_bid(board: Board, state: State, weights: list[list[float]], desk: Desk) -> int:
    """One more than the highest bid, as long as the field is worth it."""
    seat = int(state.actor)
    talers = int(state.talers[seat])
    weigh_field(board, state, int(state.offered), weights, desk)
    price = int(state.high_bid) + 1
    if price + desk.price[seat] > talers:
        return PASS
    cost = desk.purse[talers] - desk.purse[talers - price]
    return BID + price if cost < CAUTION * desk.gain[seat] else PASS


@part
def simple_settlement(board: Board, state: State, weights: list[list[float]], desk: Desk) -> int:
    """Claim if the field is worth more than its price and the money that a sale would bring."""
    seat = int(state.actor)
    talers, price = int(state.talers[seat]), int(state.high_bid)
    if talers < claim_purse(board, state, price):
        return SELL
    weigh_field(board, state, int(state.offered), weights, desk)
    paid = 0
    if board.edition == Edition.INDUSTRY:
        players = int(state.players)
        paid = price - claim_share(price, players, players)
    if talers - paid < desk.price[seat]:
        return SELL
    missed = desk.purse[talers + price] - desk.purse[talers - paid]
    return CLAIM if desk.gain[seat] > missed else SELL


@part
def simple_development(
    board: Board,
    states: list[State],
    weights: list[list[float]],
    desk: Desk,
    moves: list[list[int]],
) -> int:
    """The single development that gains most, if any gains at all."""
    state = states[SIMULATED]
    seat = int(state.actor)
    best = seat_value(board, state, seat, 1, weights, desk.room)
    chosen = DONE
    row = moves[0]
    for position in range(list_developments(board, state, seat, row, 0)):
        code = int(row[position])
        if code != DONE:
            copy_place(states, SIMULATED + 1, SIMULATED)
            carry_out(board, states[SIMULATED + 1], seat, code)
            value = seat_value(board, states[SIMULATED + 1], seat, 1, weights, desk.room)
            if value > best:
                best = value
                chosen = code
    return chosen


@part
def choose_simply(
    board: Board,
    states: list[State],
    weights: list[list[float]],
    desk: Desk,
    moves: list[list[int]],
) -> int:
    """The move of the deciding seat of the simulated state."""
    state = states[SIMULATED]
    if state.phase == Phase.OFFER:
        return simple_offer(board, state, weights, desk)
    if state.phase == Phase.BID:
        return simple_bid(board, state, weights, desk)
    if state.phase == Phase.SETTLE:
        return simple_settlement(board, state, weights, desk)
    return simple_development(board, states, weights, desk, moves)
