"""What a bot thinks a field on offer is worth, in Talers: the yardstick for prices."""

from collections.abc import Sequence

from industry.boards import BoardSpec
from industry.bots.mind import FastMind, SlowMind, ready_mind
from industry.bots.weights import learned_weights
from industry.engine import Position

DECIMALS = 2


class Appraiser:
    """Values fields by the weights that the strongest bot learned for the edition."""

    def __init__(self, board: BoardSpec, players: int, *, fast: bool) -> None:
        self.players = players
        self._weights = learned_weights(board.rules.edition, players)
        self._mind = FastMind(board.rules) if fast else ready_mind(board.rules)

    def values(self, position: Position) -> list[float]:
        """The worth of the field on offer to each seat, in a position in which somebody must bid.

        It is the price at which having the field and having the Talers are equally good.
        """
        gains, purse = self._weigh(position)
        talers = position.state.talers
        return [
            round(price_of(gains[seat], int(talers[seat]), purse), DECIMALS)
            for seat in range(self.players)
        ]

    def _weigh(self, position: Position) -> tuple[Sequence[float], Sequence[float]]:
        """Points that the field would add by seat, and points that a purse is worth by Talers."""
        self._mind.simply(position, self._weights)  # weighs the field before it decides
        if isinstance(self._mind, SlowMind):
            return self._mind.desk.gain, self._mind.desk.purse
        desk = self._mind.desks[0]
        return desk["gain"].tolist(), desk["purse"].tolist()


def price_of(gain: float, talers: int, purse: Sequence[float]) -> float:
    """How many Talers of a purse are worth so many points.

    Beyond the purse every further Taler counts like its last one; a field that does harm is worth
    nothing.
    """
    price = 0.0
    left = gain
    while left > 0 and price < talers:
        held = talers - int(price)
        loss = max(purse[held] - purse[held - 1], 1e-9)
        if loss >= left:
            return price + left / loss
        left -= loss
        price += 1
    return price + max(0.0, left) / max(purse[1] - purse[0], 1e-9)
