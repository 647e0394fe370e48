"""An auction solved the plain way: every line of play by the real rules, the best for each."""

from math import exp

from industry.bots.auction import OFFICE, fields_left
from industry.bots.desk import Desk
from industry.engine import Board, Phase, State
from industry.engine.codes import CLAIM, OFFER, PASS, SELL
from industry.engine.step import carry_out, list_moves, new_move_list
from industry.engine.vocabulary import Status


def chances(board: Board, state: State, field: int, desk: Desk) -> list[float]:
    """Everyone's chances from here, if each takes what is best for himself.

    The state is before the offer of the field or within its auction; `desk` says what the field
    and a purse are worth. Of equal moves the first is taken: pass before bid, low before high,
    sell before claim.
    """
    if state.status[field] != Status.FREE:
        raise ValueError("the field is gone")
    if state.phase == Phase.OFFER:
        return _after(board, state, field, desk, OFFER + field)
    best: list[float] = []
    for code in _answers(board, state):
        found = _after(board, state, field, desk, code)
        if not best or found[state.actor] > best[state.actor]:
            best = found
    return best


def _answers(board: Board, state: State) -> list[int]:
    moves = new_move_list()
    count = list_moves(board, state, int(state.actor), moves)
    if state.phase == Phase.SETTLE:
        return [code for code in (SELL, CLAIM) if code in moves[:count]]
    bids = [code for code in moves[:count] if code > OFFER]
    return [PASS, *sorted(bids)]


def _after(board: Board, state: State, field: int, desk: Desk, code: int) -> list[float]:
    after = state.copy()
    carry_out(board, after, int(state.actor), code)
    if after.status[field] == Status.FREE:
        return chances(board, after, field, desk)
    return _settled(state, after, field, desk, sold=code == SELL)


def _settled(before: State, after: State, field: int, desk: Desk, sold: bool) -> list[float]:
    """Chances once the field has an owner and the Talers have changed hands."""
    seats = range(int(after.players))
    worth = [
        desk.base[seat] + desk.purse[after.talers[seat]] - desk.purse[desk.talers[seat]]
        for seat in seats
    ]
    owner = int(after.owner[field])
    if after.talers[owner] >= desk.price[owner]:
        worth[owner] += desk.gain[owner]
    auctioneer = int(before.auctioneer)
    office = auctioneer if sold else (auctioneer + 1) % len(seats)
    worth[office] += OFFICE * fields_left(before, field)
    parts = [exp((value - max(worth)) / desk.spread) for value in worth]
    return [part / sum(parts) for part in parts]
