"""Auctions thought through to the end: what a field is worth to each, and what follows.

An auction is short and open: each bidder speaks once, then the Auctioneer decides. So it is solved
backwards (max^n): from the chances of all seats after each possible settlement to the best answer
of every bidder in turn. Values are linear in Talers by pieces, so two looks per seat are enough.
"""

from math import exp

from industry.engine.board import Board
from industry.engine.codes import BID, CLAIM, PASS, SELL
from industry.engine.rule import part
from industry.engine.rules.auction import claim_purse, claim_share
from industry.engine.rules.development import construction_cost, jokers_held, produces
from industry.engine.rules.draw import tokens_in_bag
from industry.engine.rules.era import is_last_era
from industry.engine.state import State
from industry.engine.step import carry_out
from industry.engine.vocabulary import (
    ANY_RESOURCE,
    COLUMNS,
    MAX_SEATS,
    NO_RESOURCE,
    NOBODY,
    RESOURCE_PRICE,
    Edition,
    Kind,
    Phase,
    Status,
    Token,
)

from .desk import MAX_PURSE, TOP_BID, Desk
from .features import SPREAD, survey
from .values import purse_value, row_of, surveyed_value

OFFICE = 0.5
"""Points that being Auctioneer of one more field is worth."""


@part
def last_price(board: Board, state: State, seat: int, field: int) -> int:
    """The least that developing costs where this round is the last chance to do so, else 0."""
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


@part
def need_price(board: Board, state: State, seat: int, resource: int) -> int:
    if produces(board, state, seat, resource):
        return 0
    if jokers_held(board, state, seat, resource) + jokers_held(board, state, seat, ANY_RESOURCE):
        return 0
    return RESOURCE_PRICE


@part
def weigh_field(
    board: Board, state: State, field: int, weights: list[list[float]], desk: Desk
) -> None:
    """Everyone's expected points without the field, and what it would add to each."""
    owner, status = state.owner[field], state.status[field]
    players = int(state.players)
    state.status[field] = Status.UNDEVELOPED
    if board.kind[field] == Kind.JOKER:
        state.status[field] = Status.HELD
    survey(board, state, desk.room)
    for seat in range(players):
        state.owner[field] = (seat + 1) % players
        desk.base[seat] = surveyed_value(board, state, seat, 0, weights, desk.room)
        state.owner[field] = seat
        with_it = surveyed_value(board, state, seat, 0, weights, desk.room)
        desk.gain[seat] = with_it - desk.base[seat]
        desk.price[seat] = last_price(board, state, seat, field)
        desk.talers[seat] = state.talers[seat]
    state.owner[field] = owner
    state.status[field] = status
    row = weights[row_of(state, 0)]
    desk.spread = row[SPREAD]
    desk.office = exp(OFFICE * fields_left(state, field) / desk.spread)
    weigh_chances(row, players, desk)


@part
def weigh_chances(row: list[float], players: int, desk: Desk) -> None:
    """Values as factors of the chance to win, so that settlements need no exponentials."""
    best = desk.base[0]
    most = 0
    for seat in range(players):
        best = max(best, desk.base[seat])
        most = max(most, desk.talers[seat])
    for seat in range(players):
        desk.odds[seat] = exp((desk.base[seat] - best) / desk.spread)
        desk.lift[seat] = exp(desk.gain[seat] / desk.spread)
    for talers in range(min(MAX_PURSE, most + TOP_BID + 1)):
        desk.purse[talers] = purse_value(row, talers)
        desk.coin[talers] = exp(desk.purse[talers] / desk.spread)


@part
def fields_left(state: State, field: int) -> int:
    """How many fields remain to be auctioned after this one."""
    count = 0
    for column in range(COLUMNS):
        if state.tokens[column] == Token.FACE_UP and column != field % COLUMNS:
            count += 1
    return count


@part
def judge_settlement(
    board: Board, state: State, winner: int, price: int, claimed: bool, desk: Desk
) -> None:
    """Everyone's chances (in `desk.shares`) after the field went to `winner`."""
    players = int(state.players)
    auctioneer = int(state.auctioneer)
    office = auctioneer if not claimed else (auctioneer + 1) % players
    total = 0.0
    for seat in range(players):
        talers = desk.talers[seat]
        paid = talers
        if claimed:
            if board.edition == Edition.INDUSTRY and price > 0:
                steps = (seat - auctioneer + players) % players
                if steps == 0:
                    paid -= price - claim_share(price, players, players)
                else:
                    paid += claim_share(price, players, steps)
        else:
            if seat == winner:
                paid -= price
            if seat == auctioneer:
                paid += price
        chance = desk.odds[seat]
        if paid != talers:
            chance *= desk.coin[paid] / desk.coin[talers]
        if seat == winner and paid >= desk.price[seat]:
            chance *= desk.lift[seat]
        if seat == office:
            chance *= desk.office
        desk.shares[seat] = chance
        total += chance
    for seat in range(players):
        desk.shares[seat] /= total


@part
def best_settlement(board: Board, state: State, bidder: int, price: int, desk: Desk) -> bool:
    """Whether the Auctioneer does better to claim; `desk.shares` holds what follows."""
    auctioneer = int(state.auctioneer)
    if desk.talers[auctioneer] >= claim_purse(board, state, price):
        judge_settlement(board, state, auctioneer, price, True, desk)
        claim_chance = desk.shares[auctioneer]
        judge_settlement(board, state, bidder, price, False, desk)
        if claim_chance > desk.shares[auctioneer]:
            judge_settlement(board, state, auctioneer, price, True, desk)
            return True
        return False
    judge_settlement(board, state, bidder, price, False, desk)
    return False


@part
def leaf(turn: int, price: int, holder: int) -> int:
    """The place in the tree of chances before bidder number `turn` speaks."""
    return ((turn * (TOP_BID + 1) + price) * MAX_SEATS + holder) * MAX_SEATS


@part
def solve_auction(board: Board, state: State, field: int, first: int, desk: Desk) -> None:
    """Fill the tree from the end to bidder number `first` (0: left of the Auctioneer)."""
    players = int(state.players)
    top = 0
    for seat in range(players):
        if seat != state.auctioneer:
            top = max(top, desk.talers[seat])
    top = min(top, TOP_BID)
    last = players - 1
    judge_settlement(board, state, int(state.auctioneer), 0, True, desk)
    keep_shares(leaf(last, 0, 0), players, desk)
    for holder in range(1, players):
        bidder = (state.auctioneer + holder) % players
        for price in range(1, min(top, desk.talers[bidder]) + 1):
            best_settlement(board, state, bidder, price, desk)
            keep_shares(leaf(last, price, holder), players, desk)
    for turn in range(last - 1, first - 1, -1):
        solve_turn(state, turn, top, desk)


@part
def keep_shares(place: int, players: int, desk: Desk) -> None:
    for seat in range(players):
        desk.tree[place + seat] = desk.shares[seat]


@part
def solve_turn(state: State, turn: int, top: int, desk: Desk) -> None:
    """What bidder number `turn` does at every highest bid, given what the next ones would do."""
    players = int(state.players)
    bidder = (state.auctioneer + turn + 1) % players
    purse = min(top, desk.talers[bidder])
    best_bid = -1
    for price in range(top, -1, -1):
        if price + 1 <= purse:
            place = leaf(turn + 1, price + 1, turn + 1) + bidder
            if (
                best_bid < 0
                or desk.tree[place] >= desk.tree[leaf(turn + 1, best_bid, turn + 1) + bidder]
            ):
                best_bid = price + 1
        for holder in range(turn + 1):
            if (holder == 0) != (price == 0):
                continue
            source = leaf(turn + 1, price, holder)
            if best_bid > 0:
                bidding = leaf(turn + 1, best_bid, turn + 1)
                if desk.tree[bidding + bidder] > desk.tree[source + bidder]:
                    source = bidding
            target = leaf(turn, price, holder)
            for seat in range(players):
                desk.tree[target + seat] = desk.tree[source + seat]


@part
def turn_of(state: State) -> int:
    """The number of the bidder who must speak (0: left of the Auctioneer)."""
    return int(state.actor - state.auctioneer - 1 + state.players) % int(state.players)


@part
def read_bid(state: State, desk: Desk) -> int:
    """The bidder's best answer by the solved tree: a code."""
    seat = int(state.actor)
    players = int(state.players)
    turn = turn_of(state)
    holder = 0
    if state.high_bidder != NOBODY:
        holder = (state.high_bidder - state.auctioneer + players) % players
    price = min(int(state.high_bid), TOP_BID)
    best = desk.tree[leaf(turn + 1, price, holder) + seat]
    code = PASS
    for talers in range(price + 1, min(TOP_BID, desk.talers[seat]) + 1):
        chance = desk.tree[leaf(turn + 1, talers, turn + 1) + seat]
        if chance > best:
            best = chance
            code = BID + talers
    return code


@part
def choose_bid(board: Board, state: State, weights: list[list[float]], desk: Desk) -> int:
    """The bidder's best answer: a code."""
    weigh_field(board, state, int(state.offered), weights, desk)
    solve_auction(board, state, int(state.offered), turn_of(state) + 1, desk)
    return read_bid(state, desk)


@part
def finish_auction(board: Board, state: State, weights: list[list[float]], desk: Desk) -> None:
    """Play the running auction to its settlement, as `choose_bid` and `choose_settlement` would.

    One solution tells what all bidders say, as they share these weights.
    """
    field = int(state.offered)
    weigh_field(board, state, field, weights, desk)
    if state.phase == Phase.BID:
        solve_auction(board, state, field, turn_of(state) + 1, desk)
    while state.phase == Phase.BID and state.offered == field:
        carry_out(board, state, int(state.actor), read_bid(state, desk))
    if state.phase == Phase.SETTLE:
        seat = int(state.actor)
        carry_out(board, state, seat, read_settlement(board, state, desk))


@part
def choose_settlement(board: Board, state: State, weights: list[list[float]], desk: Desk) -> int:
    """Sell or claim: a code."""
    weigh_field(board, state, int(state.offered), weights, desk)
    return read_settlement(board, state, desk)


@part
def read_settlement(board: Board, state: State, desk: Desk) -> int:
    """Sell or claim, the field on offer being weighed: a code."""
    bidder, price = int(state.high_bidder), int(state.high_bid)
    if best_settlement(board, state, bidder, price, desk):
        return CLAIM
    return SELL


@part
def offer_chance(
    board: Board, state: State, field: int, weights: list[list[float]], desk: Desk
) -> float:
    """The Auctioneer's chance if he offers this field now."""
    weigh_field(board, state, field, weights, desk)
    solve_auction(board, state, field, 0, desk)
    return desk.tree[leaf(0, 0, 0) + state.auctioneer]
