"""A whole player without search: the best move by value in every decision of the game."""

from industry.engine.board import Board
from industry.engine.codes import DONE, OFFER, SUBSIDY
from industry.engine.faults import Fault
from industry.engine.playout import random_draw
from industry.engine.rule import part
from industry.engine.rules.subsidy import subsidy_fault
from industry.engine.state import State
from industry.engine.step import carry_out, list_developments
from industry.engine.vocabulary import COLUMNS, FIELDS, NO_FIELD, NOBODY, Phase, Status, Token

from .auction import choose_bid, choose_settlement, finish_auction, offer_chance
from .desk import SIMULATED, Desk, copy_place
from .features import SPREAD
from .values import purse_value, row_of, seat_value, shares_of

DEEPEST = 4
"""A development turn has at most a subsidy and three fields."""


@part
def only_field(state: State) -> int:
    """The field that is left to be auctioned, if it is the only one."""
    found = NO_FIELD
    for column in range(COLUMNS):
        if state.tokens[column] == Token.FACE_UP:
            if found != NO_FIELD:
                return NO_FIELD
            found = int(state.era) * COLUMNS + column
    return found


@part
def choose_offer(board: Board, state: State, weights: list[list[float]], desk: Desk) -> int:
    """The field whose auction leaves the Auctioneer with the best chance."""
    best = -1.0
    chosen = only_field(state)
    if chosen != NO_FIELD:
        return OFFER + chosen
    for column in range(COLUMNS):
        if state.tokens[column] == Token.FACE_UP:
            field = int(state.era) * COLUMNS + column
            chance = offer_chance(board, state, field, weights, desk)
            if chance > best:
                best = chance
                chosen = field
    return OFFER + chosen


@part
def stop_chance(
    board: Board, state: State, seat: int, weights: list[list[float]], desk: Desk
) -> float:
    """The seat's chance if it ended its development turn now; `desk.base` holds the others."""
    players = int(state.players)
    row = weights[row_of(state, 1)]
    for other in range(players):
        if other == seat:
            desk.worth[other] = seat_value(board, state, seat, 1, weights, desk.room)
        else:
            desk.worth[other] = desk.base[other] + (
                purse_value(row, int(state.talers[other])) - purse_value(row, desk.talers[other])
            )
    shares_of(desk.worth, players, row[SPREAD], desk.shares)
    return desk.shares[seat]


@part
def explore(
    board: Board,
    states: list[State],
    place: int,
    seat: int,
    weights: list[list[float]],
    desk: Desk,
    moves: list[list[int]],
) -> float:
    """The best chance after any further developments of this turn."""
    best = stop_chance(board, states[place], seat, weights, desk)
    depth = place - SIMULATED
    if depth >= DEEPEST:
        return best
    row = moves[depth]
    count = list_developments(board, states[place], seat, row, 0)
    for position in range(count):
        if row[position] != DONE:
            copy_place(states, place + 1, place)
            carry_out(board, states[place + 1], seat, int(row[position]))
            chance = explore(board, states, place + 1, seat, weights, desk, moves)
            if chance > best + 1e-12:
                best = chance
    return best


@part
def has_waiting_field(state: State, seat: int) -> bool:
    for field in range(FIELDS):
        if state.owner[field] == seat and state.status[field] == Status.UNDEVELOPED:
            return True
    return False


@part
def choose_development(
    board: Board,
    states: list[State],
    weights: list[list[float]],
    desk: Desk,
    moves: list[list[int]],
) -> int:
    """The first step of the best way through this development turn."""
    state = states[SIMULATED]
    seat = int(state.actor)
    if not has_waiting_field(state, seat):
        return DONE
    for other in range(state.players):
        desk.talers[other] = state.talers[other]
        if other != seat:
            desk.base[other] = seat_value(board, state, other, 1, weights, desk.room)
    best = stop_chance(board, state, seat, weights, desk)
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
            carry_out(board, states[SIMULATED + 1], seat, code)
            chance = explore(board, states, SIMULATED + 1, seat, weights, desk, moves)
            if chance > best + 1e-12:
                best = chance
                chosen = code
    return chosen


@part
def choose_by_value(
    board: Board,
    states: list[State],
    weights: list[list[float]],
    desk: Desk,
    moves: list[list[int]],
) -> int:
    """The move of the deciding seat of the simulated state."""
    state = states[SIMULATED]
    if state.phase == Phase.OFFER:
        return choose_offer(board, state, weights, desk)
    if state.phase == Phase.BID:
        return choose_bid(board, state, weights, desk)
    if state.phase == Phase.SETTLE:
        return choose_settlement(board, state, weights, desk)
    return choose_development(board, states, weights, desk, moves)


@part
def play_on(
    board: Board,
    states: list[State],
    weights: list[list[float]],
    desk: Desk,
    moves: list[list[int]],
    generator: list[int],
    rounds: int,
) -> None:
    """Play the simulated state on by value until so many rounds are over, or the game is."""
    state = states[SIMULATED]
    while state.phase != Phase.OVER:
        if state.phase == Phase.DRAW:
            if rounds == 0:
                return
            carry_out(board, state, NOBODY, random_draw(board, state, generator))
        elif state.phase == Phase.BID or state.phase == Phase.SETTLE:
            finish_auction(board, state, weights, desk)
        else:
            code = choose_by_value(board, states, weights, desk, moves)
            carry_out(board, state, int(state.actor), code)
            if state.phase == Phase.DRAW:
                rounds -= 1
