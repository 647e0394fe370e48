"""Chooses the move with the best resulting value, without search; also plays games this way."""

from industry.engine.board import Board
from industry.engine.constants import COLUMNS, FIELDS, NO_FIELD, NOBODY, Phase, Status, Token
from industry.engine.dispatch import apply_move, list_developments
from industry.engine.faults import Fault
from industry.engine.move_codes import DONE, OFFER, SUBSIDY
from industry.engine.playout import random_draw
from industry.engine.rule import helper
from industry.engine.rules.subsidy import subsidy_fault
from industry.engine.state import State

from .auction import choose_bid, choose_settlement, finish_auction, offer_chance
from .features import SPREAD, Stage
from .scratch import SIMULATED, Scratch, copy_place
from .tally import count_built, count_table
from .values import counted_value, purse_value, row_of, shares_of

DEEPEST = 4
"""A development turn has at most a subsidy and three fields."""


@helper
def only_field(state: State) -> int:
    """Returns the field that is left to be auctioned, if it is the only one."""
    found = NO_FIELD
    for column in range(COLUMNS):
        if state.tokens[column] == Token.FACE_UP:
            if found != NO_FIELD:
                return NO_FIELD
            found = int(state.era) * COLUMNS + column
    return found


@helper
def choose_offer(board: Board, state: State, weights: list[list[float]], scratch: Scratch) -> int:
    """Offers the field whose auction leaves the Auctioneer with the best chance."""
    best = -1.0
    chosen = only_field(state)
    if chosen != NO_FIELD:
        return OFFER + chosen
    for column in range(COLUMNS):
        if state.tokens[column] == Token.FACE_UP:
            field = int(state.era) * COLUMNS + column
            chance = offer_chance(board, state, field, weights, scratch)
            if chance > best:
                best = chance
                chosen = field
    return OFFER + chosen


@helper
def stop_chance(
    board: Board, state: State, seat: int, weights: list[list[float]], scratch: Scratch
) -> float:
    """Returns the seat's chance if its development turn ended now; `base` values the others.

    `count_table` has counted the position at some moment of this turn.
    """
    players = int(state.players)
    stage = Stage.AFTER_DEVELOPMENT
    row = weights[row_of(state, stage)]
    count_built(board, state, scratch)
    for other in range(players):
        if other == seat:
            scratch.expected[other] = counted_value(board, state, seat, stage, weights, scratch)
        else:
            scratch.expected[other] = scratch.base[other] + (
                purse_value(row, int(state.talers[other])) - purse_value(row, scratch.talers[other])
            )
    shares_of(scratch.expected, players, row[SPREAD], scratch.shares)
    return scratch.shares[seat]


@helper
def explore(
    board: Board,
    states: list[State],
    place: int,
    seat: int,
    weights: list[list[float]],
    scratch: Scratch,
    moves: list[list[int]],
) -> float:
    """Returns the best chance after any further developments of this turn."""
    best = stop_chance(board, states[place], seat, weights, scratch)
    depth = place - SIMULATED
    if depth >= DEEPEST:
        return best
    row = moves[depth]
    count = list_developments(board, states[place], seat, row, 0)
    for position in range(count):
        if row[position] != DONE:
            copy_place(states, place + 1, place)
            apply_move(board, states[place + 1], seat, int(row[position]))
            chance = explore(board, states, place + 1, seat, weights, scratch, moves)
            if chance > best + 1e-12:
                best = chance
    return best


@helper
def has_waiting_field(state: State, seat: int) -> bool:
    for field in range(FIELDS):
        if state.owner[field] == seat and state.status[field] == Status.UNDEVELOPED:
            return True
    return False


@helper
def choose_development(
    board: Board,
    states: list[State],
    weights: list[list[float]],
    scratch: Scratch,
    moves: list[list[int]],
) -> int:
    """Returns the code of the first move of the best development turn."""
    state = states[SIMULATED]
    seat = int(state.actor)
    if not has_waiting_field(state, seat):
        return DONE
    stage = Stage.AFTER_DEVELOPMENT
    count_table(board, state, scratch)
    for other in range(state.players):
        scratch.talers[other] = state.talers[other]
        if other != seat:
            scratch.base[other] = counted_value(board, state, other, stage, weights, scratch)
    best = stop_chance(board, state, seat, weights, scratch)
    chosen = DONE
    row = moves[0]
    count = list_developments(board, state, seat, row, 0)
    if subsidy_fault(board, state, seat) == Fault.NONE:
        row[count] = SUBSIDY
        count += 1
    for position in range(count):
        code = int(row[position])
        if code != DONE:
            copy_place(states, SIMULATED + 1, SIMULATED)
            apply_move(board, states[SIMULATED + 1], seat, code)
            chance = explore(board, states, SIMULATED + 1, seat, weights, scratch, moves)
            if chance > best + 1e-12:
                best = chance
                chosen = code
    return chosen


@helper
def choose_greedy(
    board: Board,
    states: list[State],
    weights: list[list[float]],
    scratch: Scratch,
    moves: list[list[int]],
) -> int:
    """Returns the code of the deciding seat's move in the simulated state."""
    state = states[SIMULATED]
    if state.phase == Phase.OFFER:
        return choose_offer(board, state, weights, scratch)
    if state.phase == Phase.BID:
        return choose_bid(board, state, weights, scratch)
    if state.phase == Phase.SETTLE:
        return choose_settlement(board, state, weights, scratch)
    return choose_development(board, states, weights, scratch, moves)


@helper
def play_on(
    board: Board,
    states: list[State],
    weights: list[list[float]],
    scratch: Scratch,
    moves: list[list[int]],
    generator: list[int],
    rounds: int,
) -> None:
    """Plays the simulated state greedily for a number of rounds, or until the game is over."""
    state = states[SIMULATED]
    while state.phase != Phase.OVER:
        if state.phase == Phase.DRAW:
            if rounds == 0:
                return
            apply_move(board, state, NOBODY, random_draw(board, state, generator))
        elif state.phase == Phase.BID or state.phase == Phase.SETTLE:
            finish_auction(board, state, weights, scratch)
        else:
            code = choose_greedy(board, states, weights, scratch, moves)
            apply_move(board, state, int(state.actor), code)
            if state.phase == Phase.DRAW:
                rounds -= 1
