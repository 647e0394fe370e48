"""Players who move at random: no plan, no strength, but every legal move can happen."""

from random import Random

from industry.engine import Bid, Cash, Claim, Develop, Done, Pass, PlayerMove, Position, Subsidy
from industry.engine.vocabulary import LOWEST_BID

_WEIGHTS: dict[type, float] = {
    Pass: 2,
    Bid: 3,
    Develop: 6,
    Done: 1,
    Claim: 1,
    Subsidy: 0.005,
    Cash: 0.005,
}
"""How likely a kind of move is beside the other kinds that are legal; 1 for those not named.

Kinds come first: a purse of 9 Talers has nine bids and one pass, and among all moves alike nobody
would ever pass.
"""


def random_move(position: Position, chance: Random) -> PlayerMove:
    """A legal move of the seat that must decide: first its kind, then one of that kind."""
    kinds: dict[type, list[PlayerMove]] = {}
    for move in position.legal_moves:
        kinds.setdefault(type(move), []).append(move)
    weights = [_WEIGHTS.get(kind, 1) for kind in kinds]
    moves = kinds[chance.choices(list(kinds), weights)[0]]
    lowest = max(LOWEST_BID, int(position.state.high_bid) + 1)
    return chance.choices(moves, [_likelihood(move, lowest) for move in moves])[0]


def _likelihood(move: PlayerMove, lowest: int) -> float:
    """Each Taler above the lowest bid halves the chance; all else is alike."""
    return 0.5 ** (move.talers - lowest) if isinstance(move, Bid) else 1
