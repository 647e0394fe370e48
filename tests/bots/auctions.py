"""An auction solved the plain way: every line of play by the real rules, the best for each."""

from math import exp

from industry.bots.auction import AUCTIONEER_POINTS, fields_left
from industry.bots.scratch import Scratch
from industry.engine import Board, Phase, State
from industry.engine.constants import Status
from industry.engine.dispatch import apply_move, list_moves, new_move_list
from industry.engine.move_codes import CLAIM, OFFER, PASS, SELL


def chances(board: Board, state: State, field: int, scratch: Scratch) -> list[float]:
    """Everyone's chances from here, if each seat takes what is best for it.

    The state is before the offer of the field or within its auction; `scratch` says what the field
    and a purse are worth. Of equal moves the first is taken: pass before bid, low before high,
    sell before claim.
    """
    if state.status[field] != Status.FREE:
        raise ValueError("the field is gone")
    if state.phase == Phase.OFFER:
        return _after(board, state, field, scratch, OFFER + field)
    best: list[float] = []
    for code in _answers(board, state):
        found = _after(board, state, field, scratch, code)
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


def _after(board: Board, state: State, field: int, scratch: Scratch, code: int) -> list[float]:
    after = state.copy()
    apply_move(board, after, int(state.actor), code)
    if after.status[field] == Status.FREE:
        return chances(board, after, field, scratch)
    return _settled(state, after, field, scratch, sold=code == SELL)


def _settled(before: State, after: State, field: int, scratch: Scratch, sold: bool) -> list[float]:
    """Chances once the field has an owner and the Talers have changed hands."""
    seats = range(int(after.players))
    worth = [
        scratch.base[seat] + scratch.purse[after.talers[seat]] - scratch.purse[scratch.talers[seat]]
        for seat in seats
    ]
    owner = int(after.owner[field])
    if after.talers[owner] >= scratch.price[owner]:
        worth[owner] += scratch.gain[owner]
    auctioneer = int(before.auctioneer)
    next_auctioneer = auctioneer if sold else (auctioneer + 1) % len(seats)
    worth[next_auctioneer] += AUCTIONEER_POINTS * fields_left(before, field)
    parts = [exp((value - max(worth)) / scratch.spread) for value in worth]
    return [part / sum(parts) for part in parts]
