"""Values the field on offer in Talers, by the weights of the strongest bot."""

from collections.abc import Sequence

from industry.boards import BoardSpec
from industry.bots.runner import CompiledRunner, ready_runner
from industry.bots.weights import learned_weights
from industry.engine import Position

DECIMALS = 2


class Appraiser:
    """Values fields by the weights that the strongest bot learned for the edition."""

    def __init__(self, board: BoardSpec, players: int, *, fast: bool) -> None:
        self.players = players
        self._weights = learned_weights(board.rules.edition, players)
        rules = board.rules
        self._runner = CompiledRunner(rules) if fast else ready_runner(rules, "appraise_offer")

    def values(self, position: Position) -> list[float]:
        """Returns what the field on offer is worth to each seat, in a position with a bidder.

        It is the price at which having the field and having the Talers are equally good.
        """
        appraisal = self._runner.appraise(position, self._weights)
        talers = position.state.talers
        return [
            round(price_of(gain, int(talers[seat]), appraisal.purse), DECIMALS)
            for seat, gain in enumerate(appraisal.gains)
        ]


def price_of(gain: float, talers: int, purse: Sequence[float]) -> float:
    """Returns how many Talers of a purse are worth `gain` points.

    Beyond the purse every further Taler counts like its last one; a harmful field is worth nothing.
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
