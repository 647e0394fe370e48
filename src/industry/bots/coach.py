"""Measures what a move loses, by the values that the bots use. The engineer decides by its chance
of winning after a solved auction or a whole development turn. Here the same chances are computed
for each legal move, so that it can be compared with the best one.
"""

from collections.abc import Callable
from dataclasses import dataclass

from industry.engine import Phase, PlayerMove, Position, code_of, player_move_of
from industry.engine.constants import NOBODY
from industry.engine.dispatch import apply_move
from industry.engine.move_codes import BID, CLAIM, DONE, OFFER, PASS, SELL

from .auction import (
    appraise_field,
    evaluate_settlement,
    offer_chance,
    solve_auction,
    turn_of,
)
from .features import Stage
from .greedy import explore, stop_chance
from .runner import InterpretedRunner
from .scratch import SIMULATED, TOP_BID
from .values import seat_value
from .weights import Weights, handmade_weights

BAD_MISTAKE = 0.06
"""From this loss of the chance to win on, a move is called a bad mistake (docs/bots.md)."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A move compared with the best one."""

    loss: float
    """By how much the best move's chance of winning is higher; 0 if the move is not judged."""
    better: PlayerMove | None
    """The best move, if this one is a bad mistake."""


def judge_move(position: Position, move: PlayerMove) -> Judgement:
    """Compares a legal move of the deciding seat with the best one by value."""
    chances = move_chances(position)
    code = code_of(move)
    if code not in chances:
        return Judgement(0.0, None)
    best = max(chances, key=lambda other: chances[other])
    loss = chances[best] - chances[code]
    if loss < BAD_MISTAKE:
        return Judgement(loss, None)
    return Judgement(loss, player_move_of(position.board, position.actor, best))


def move_chances(position: Position) -> dict[int, float]:
    """Returns the deciding seat's chance of winning after each of its legal moves, by code.

    Extra moves, such as a subsidy during an auction, are left out.
    """
    runner = InterpretedRunner(position.board)
    runner.states[SIMULATED] = position.state.copy()
    codes = [code_of(move) for move in position.legal_moves]
    chances = _PHASES[position.phase](runner, handmade_weights())
    return {code: chances[code] for code in codes if code in chances}


def _offers(runner: InterpretedRunner, weights: Weights) -> dict[int, float]:
    board, state, scratch = runner.board, runner.states[SIMULATED], runner.scratch
    fields = [
        code - OFFER for code in _legal_codes(runner) if OFFER <= code < OFFER + len(board.cost)
    ]
    return {OFFER + field: offer_chance(board, state, field, weights, scratch) for field in fields}


def _bids(runner: InterpretedRunner, weights: Weights) -> dict[int, float]:
    board, state, scratch = runner.board, runner.states[SIMULATED], runner.scratch
    field, turn, seat = int(state.offered), turn_of(state), int(state.actor)
    appraise_field(board, state, field, weights, scratch)
    solve_auction(board, state, field, turn + 1, scratch)
    holder = 0
    if state.high_bidder != NOBODY:
        holder = (state.high_bidder - state.auctioneer + state.players) % state.players
    price, after = min(int(state.high_bid), TOP_BID), scratch.tree[turn + 1]
    chances = {PASS: after[price][holder][seat]}
    for talers in range(price + 1, min(TOP_BID, scratch.talers[seat]) + 1):
        chances[BID + talers] = after[talers][turn + 1][seat]
    return chances


def _settlements(runner: InterpretedRunner, weights: Weights) -> dict[int, float]:
    board, state, scratch = runner.board, runner.states[SIMULATED], runner.scratch
    seat, bidder, price = int(state.actor), int(state.high_bidder), int(state.high_bid)
    appraise_field(board, state, int(state.offered), weights, scratch)
    chances = {}
    for code, winner in ((SELL, bidder), (CLAIM, seat)):
        evaluate_settlement(board, state, winner, price, code == CLAIM, scratch)
        chances[code] = scratch.shares[seat]
    return chances


def _developments(runner: InterpretedRunner, weights: Weights) -> dict[int, float]:
    board, states, scratch = runner.board, runner.states, runner.scratch
    state = states[SIMULATED]
    seat = int(state.actor)
    for other in range(state.players):
        scratch.talers[other] = state.talers[other]
        if other != seat:
            scratch.base[other] = seat_value(
                board, state, other, Stage.AFTER_DEVELOPMENT, weights, scratch
            )
    chances = {DONE: stop_chance(board, state, seat, weights, scratch)}
    for code in _legal_codes(runner):
        if code not in chances:
            states[SIMULATED + 1] = state.copy()
            apply_move(board, states[SIMULATED + 1], seat, code)
            chances[code] = explore(
                board, states, SIMULATED + 1, seat, weights, scratch, runner.moves
            )
    return chances


def _legal_codes(runner: InterpretedRunner) -> list[int]:
    """Returns the legal codes of the deciding seat."""
    state = runner.states[SIMULATED]
    moves = Position(runner.board, state).legal_moves
    return [code_of(move) for move in moves]


_PHASES: dict[Phase, Callable[[InterpretedRunner, Weights], dict[int, float]]] = {
    Phase.OFFER: _offers,
    Phase.BID: _bids,
    Phase.SETTLE: _settlements,
    Phase.DEVELOP: _developments,
}
