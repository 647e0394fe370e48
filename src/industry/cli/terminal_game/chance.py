"""Players who move at random; every legal move is possible."""

from random import Random

from industry.engine import (
    LOWEST_BID,
    Bid,
    Cash,
    Claim,
    Develop,
    Done,
    Pass,
    PlayerMove,
    Position,
    Subsidy,
)

_WEIGHTS: dict[type, float] = {
    Pass: 2,
    Bid: 3,
    Develop: 6,
    Done: 1,
    Claim: 1,
    Subsidy: 0.005,
    Cash: 0.005,
}
"""The weight of each kind of move; 1 for those not listed.

The kind is drawn first: a purse of 9 Talers has nine bids and one pass, and nobody would ever pass
if all moves were equally likely.
"""


def random_move(position: Position, chance: Random) -> PlayerMove:
    """Returns a random legal move of the deciding seat: first its kind, then one of that kind."""
    kinds: dict[type, list[PlayerMove]] = {}
    for move in position.legal_moves:
        kinds.setdefault(type(move), []).append(move)
    weights = [_WEIGHTS.get(kind, 1) for kind in kinds]
    moves = kinds[chance.choices(list(kinds), weights)[0]]
    lowest = max(LOWEST_BID, int(position.state.high_bid) + 1)
    return chance.choices(moves, [_likelihood(move, lowest) for move in moves])[0]


def _likelihood(move: PlayerMove, lowest: int) -> float:
    """Returns a bid's weight, halved by each Taler above the lowest; 1 for other moves."""
    return 0.5 ** (move.talers - lowest) if isinstance(move, Bid) else 1
