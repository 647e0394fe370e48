"""Solves auctions: what the field is worth to each seat, and the best bid of every bidder.

An auction is short and open: each bidder bids or passes once, then the Auctioneer decides. So it is
solved backwards (max^n): from the chances of all seats after each possible settlement to the best
answer of every bidder in turn. Values are piecewise linear in Talers, so two evaluations per seat
suffice.
"""

from math import exp

from industry.engine.board import Board
from industry.engine.constants import (
    ANY_RESOURCE,
    COLUMNS,
    NO_RESOURCE,
    NOBODY,
    RESOURCE_PRICE,
    Kind,
    Phase,
    Status,
    Token,
)
from industry.engine.dispatch import apply_move
from industry.engine.move_codes import BID, CLAIM, PASS, SELL
from industry.engine.rule import helper
from industry.engine.rules.auction import claim_change, claim_purse
from industry.engine.rules.development import construction_cost, jokers_held, produces
from industry.engine.rules.draw import tokens_in_bag
from industry.engine.rules.era import is_last_era
from industry.engine.rules.turn import left_of
from industry.engine.state import State

from .features import SPREAD, Stage, add_field, count_seat
from .scratch import MAX_PURSE, TOP_BID, Scratch
from .tally import Feature, count_table
from .values import counted_value, purse_value, row_of, weighted_features

AUCTIONEER_POINTS = 0.5
"""Points that being Auctioneer of one more field is worth."""


@helper
def last_price(board: Board, state: State, seat: int, field: int) -> int:
    """Returns the least that developing costs if this round is the last chance to do so, else 0."""
    kind = board.kind[field]
    if kind == Kind.JOKER or tokens_in_bag(state) > 0:
        return 0
    if kind != Kind.TECHNOLOGY and not is_last_era(board, state):
        return 0
    price = construction_cost(board, state, seat, field)
    if board.need_1[field] != NO_RESOURCE:
        price += need_price(board, state, seat, int(board.need_1[field]))
    if board.need_2[field] != NO_RESOURCE:
        price += need_price(board, state, seat, int(board.need_2[field]))
    return price


@helper
def need_price(board: Board, state: State, seat: int, resource: int) -> int:
    """Returns what the seat would pay for a resource now, jokers spent first."""
    if produces(board, state, seat, resource):
        return 0
    if jokers_held(board, state, seat, resource) + jokers_held(board, state, seat, ANY_RESOURCE):
        return 0
    return RESOURCE_PRICE


@helper
def appraise_field(
    board: Board, state: State, field: int, weights: list[list[float]], scratch: Scratch
) -> None:
    """Fills `scratch` with every seat's value without the field and the gain from having it."""
    owner, status = state.owner[field], state.status[field]
    players = int(state.players)
    state.status[field] = Status.UNDEVELOPED
    if board.kind[field] == Kind.JOKER:
        state.status[field] = Status.HELD
    count_table(board, state, scratch)
    stage = Stage.BEFORE_DEVELOPMENT
    row = weights[row_of(state, stage)]
    for seat in range(players):
        state.owner[field] = (seat + 1) % players
        scratch.base[seat] = counted_value(board, state, seat, stage, weights, scratch)
        state.owner[field] = seat
        if board.kind[field] == Kind.JOKER:  # it may unblock other fields
            count_seat(board, state, seat, stage, scratch)
        else:
            add_field(board, state, seat, stage, field, scratch)
        scratch.gain[seat] = weighted_features(row, scratch) - scratch.base[seat]
        scratch.price[seat] = last_price(board, state, seat, field)
        scratch.talers[seat] = state.talers[seat]
    state.owner[field] = owner
    state.status[field] = status
    scratch.spread = row[SPREAD]
    scratch.auctioneer_factor = exp(AUCTIONEER_POINTS * fields_left(state, field) / scratch.spread)
    fill_factors(row, players, scratch)


@helper
def purse_length(most: int) -> int:
    """Returns how many purses are valued where the fullest one holds `most` Talers."""
    return min(MAX_PURSE, most + TOP_BID + 1)


@helper
def fill_factors(row: list[float], players: int, scratch: Scratch) -> None:
    """Turns points into factors of the odds of winning."""
    best = scratch.base[0]
    most = 0
    for seat in range(players):
        best = max(best, scratch.base[seat])
        most = max(most, scratch.talers[seat])
    for seat in range(players):
        scratch.base_factor[seat] = exp((scratch.base[seat] - best) / scratch.spread)
        scratch.gain_factor[seat] = exp(scratch.gain[seat] / scratch.spread)
    fill_purses(row, purse_length(most), scratch)


@helper
def fill_purses(row: list[float], length: int, scratch: Scratch) -> None:
    """Values purses, unless they were valued by the same weights before."""
    cached = scratch.purse_row
    if (
        cached[0] != row[Feature.TALERS]
        or cached[1] != row[Feature.TALERS_OVER_4]
        or cached[2] != row[Feature.TALERS_OVER_8]
        or cached[3] != scratch.spread
    ):
        cached[0] = row[Feature.TALERS]
        cached[1] = row[Feature.TALERS_OVER_4]
        cached[2] = row[Feature.TALERS_OVER_8]
        cached[3] = scratch.spread
        scratch.purse_filled = 0
    for talers in range(scratch.purse_filled, length):
        scratch.purse[talers] = purse_value(row, talers)
        scratch.purse_factor[talers] = exp(scratch.purse[talers] / scratch.spread)
    scratch.purse_filled = max(scratch.purse_filled, length)


@helper
def fields_left(state: State, field: int) -> int:
    """Counts the fields that remain to be auctioned in this round after this one."""
    count = 0
    for column in range(COLUMNS):
        if state.tokens[column] == Token.FACE_UP and column != field % COLUMNS:
            count += 1
    return count


@helper
def evaluate_settlement(
    board: Board, state: State, winner: int, price: int, claimed: bool, scratch: Scratch
) -> None:
    """Writes every seat's chance (to `scratch.shares`) after the field went to `winner`."""
    players = int(state.players)
    auctioneer = int(state.auctioneer)
    next_auctioneer = left_of(state, auctioneer) if claimed else auctioneer
    total = 0.0
    for seat in range(players):
        talers = scratch.talers[seat]
        paid = talers
        if claimed:
            paid += claim_change(board, state, seat, price)
        else:
            if seat == winner:
                paid -= price
            if seat == auctioneer:
                paid += price
        chance = scratch.base_factor[seat]
        if paid != talers:
            chance *= scratch.purse_factor[paid] / scratch.purse_factor[talers]
        if seat == winner and paid >= scratch.price[seat]:
            chance *= scratch.gain_factor[seat]
        if seat == next_auctioneer:
            chance *= scratch.auctioneer_factor
        scratch.shares[seat] = chance
        total += chance
    for seat in range(players):
        scratch.shares[seat] /= total


@helper
def evaluate_claim(board: Board, state: State, price: int, scratch: Scratch) -> bool:
    """Writes every seat's chance after a claim to `scratch.claimed`; False if it costs too much."""
    auctioneer = int(state.auctioneer)
    if scratch.talers[auctioneer] < claim_purse(board, state, price):
        return False
    evaluate_settlement(board, state, auctioneer, price, True, scratch)
    copy_chances(scratch.claimed, scratch.shares, int(state.players))
    return True


@helper
def solve_auction(board: Board, state: State, field: int, first: int, scratch: Scratch) -> None:
    """Fills the tree from the last bidder to number `first` (0: left of the Auctioneer)."""
    players = int(state.players)
    auctioneer = int(state.auctioneer)
    top = 0
    for seat in range(players):
        if seat != auctioneer:
            top = max(top, scratch.talers[seat])
    top = min(top, TOP_BID)
    last = players - 1
    evaluate_settlement(board, state, auctioneer, 0, True, scratch)
    copy_chances(scratch.tree[last][0][0], scratch.shares, players)
    for price in range(1, top + 1):
        can_claim = evaluate_claim(board, state, price, scratch)
        for holder in range(1, players):
            bidder = (auctioneer + holder) % players
            if scratch.talers[bidder] < price:
                continue
            evaluate_settlement(board, state, bidder, price, False, scratch)
            target = scratch.tree[last][price][holder]
            if can_claim and scratch.claimed[auctioneer] > scratch.shares[auctioneer]:
                copy_chances(target, scratch.claimed, players)
            else:
                copy_chances(target, scratch.shares, players)
    for turn in range(last - 1, first - 1, -1):
        solve_turn(state, turn, top, scratch)


@helper
def copy_chances(target: list[float], source: list[float], players: int) -> None:
    for seat in range(players):
        target[seat] = source[seat]


@helper
def solve_turn(state: State, turn: int, top: int, scratch: Scratch) -> None:
    """Fills the tree for bidder number `turn` at every highest bid, from the answers after it."""
    players = int(state.players)
    bidder = (state.auctioneer + turn + 1) % players
    purse = min(top, scratch.talers[bidder])
    after = scratch.tree[turn + 1]
    best_bid = 0
    for price in range(top, -1, -1):
        if price + 1 <= purse:
            chance = after[price + 1][turn + 1][bidder]
            if best_bid == 0 or chance >= after[best_bid][turn + 1][bidder]:
                best_bid = price + 1
        for holder in range(turn + 1):
            if (holder == 0) != (price == 0):
                continue
            target, passing = scratch.tree[turn][price][holder], after[price][holder]
            if best_bid > 0 and after[best_bid][turn + 1][bidder] > passing[bidder]:
                copy_chances(target, after[best_bid][turn + 1], players)
            else:
                copy_chances(target, passing, players)


@helper
def turn_of(state: State) -> int:
    """Returns the number of the bidder whose turn it is (0: left of the Auctioneer)."""
    return int(state.actor - state.auctioneer - 1 + state.players) % int(state.players)


@helper
def read_bid(state: State, scratch: Scratch) -> int:
    """Returns the code of the bidder's best answer in the solved tree."""
    seat = int(state.actor)
    players = int(state.players)
    turn = turn_of(state)
    after = scratch.tree[turn + 1]
    holder = 0
    if state.high_bidder != NOBODY:
        holder = (state.high_bidder - state.auctioneer + players) % players
    price = min(int(state.high_bid), TOP_BID)
    best = after[price][holder][seat]
    code = PASS
    for talers in range(price + 1, min(TOP_BID, scratch.talers[seat]) + 1):
        chance = after[talers][turn + 1][seat]
        if chance > best:
            best = chance
            code = BID + talers
    return code


@helper
def choose_bid(board: Board, state: State, weights: list[list[float]], scratch: Scratch) -> int:
    """Returns the code of the bidder's best answer."""
    appraise_field(board, state, int(state.offered), weights, scratch)
    solve_auction(board, state, int(state.offered), turn_of(state) + 1, scratch)
    return read_bid(state, scratch)


@helper
def finish_auction(
    board: Board, state: State, weights: list[list[float]], scratch: Scratch
) -> None:
    """Plays the running auction to its settlement, as `choose_bid` and `choose_settlement` would.

    All bidders share these weights, so one solution gives all their bids.
    """
    field = int(state.offered)
    appraise_field(board, state, field, weights, scratch)
    if state.phase == Phase.BID:
        solve_auction(board, state, field, turn_of(state) + 1, scratch)
    finish_solved(board, state, scratch)


@helper
def finish_solved(board: Board, state: State, scratch: Scratch) -> None:
    """Plays the running auction, which `scratch` holds the solution of, to its settlement."""
    field = int(state.offered)
    while state.phase == Phase.BID and state.offered == field:
        apply_move(board, state, int(state.actor), read_bid(state, scratch))
    if state.phase == Phase.SETTLE:
        seat = int(state.actor)
        apply_move(board, state, seat, read_settlement(board, state, scratch))


@helper
def choose_settlement(
    board: Board, state: State, weights: list[list[float]], scratch: Scratch
) -> int:
    """Returns the code of selling or claiming."""
    appraise_field(board, state, int(state.offered), weights, scratch)
    return read_settlement(board, state, scratch)


@helper
def read_settlement(board: Board, state: State, scratch: Scratch) -> int:
    """Returns the code of selling or claiming, for a field that `appraise_field` has valued."""
    bidder, price = int(state.high_bidder), int(state.high_bid)
    can_claim = evaluate_claim(board, state, price, scratch)
    evaluate_settlement(board, state, bidder, price, False, scratch)
    seat = int(state.auctioneer)
    return CLAIM if can_claim and scratch.claimed[seat] > scratch.shares[seat] else SELL


@helper
def offer_chance(
    board: Board, state: State, field: int, weights: list[list[float]], scratch: Scratch
) -> float:
    """Returns the Auctioneer's chance of winning after offering this field now."""
    appraise_field(board, state, field, weights, scratch)
    solve_auction(board, state, field, 0, scratch)
    return scratch.tree[0][0][0][state.auctioneer]
