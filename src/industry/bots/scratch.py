"""Scratch memory for decisions, so that thinking never allocates; the same fields in both modes."""

from typing import Annotated

from industry.engine.constants import MAX_SEATS
from industry.engine.rule import compiled_as
from industry.engine.state import State

from .tally import Tally

TOP_BID = 20
"""Auctions are solved up to this price, which is more than any field is worth."""
MAX_PURSE = 160

SeatFloats = Annotated[list[float], "f8", (MAX_SEATS,)]
SeatInts = Annotated[list[int], "i8", (MAX_SEATS,)]
PurseFloats = Annotated[list[float], "f8", (MAX_PURSE,)]


class Scratch(Tally):
    """The tally of a seat, values and chances of all seats, and the auction that is being solved.

    A factor of a seat multiplies its odds of winning: adding points to its value is the same as
    multiplying by exp(points / spread), so settlements can be compared without exponentials.
    """

    expected: SeatFloats
    """Expected points."""
    shares: SeatFloats
    """Chances of winning."""
    base: SeatFloats
    """Expected points of each seat if somebody else gets the field on offer."""
    gain: SeatFloats
    """Points that the field on offer would add."""
    price: SeatInts
    """Talers that the seat must keep to develop the field, where this round is the last chance."""
    purse: PurseFloats
    """Points that a purse is worth, by Talers."""
    base_factor: SeatFloats
    gain_factor: SeatFloats
    purse_factor: PurseFloats
    talers: SeatInts
    """Purses before the auction is settled."""
    tree: Annotated[
        list[list[list[list[float]]]], "f8", (MAX_SEATS, TOP_BID + 1, MAX_SEATS, MAX_SEATS)
    ]
    """Chances of every seat (last index) before bidder number `turn` decides, by turn, highest bid
    and number of the highest bidder; bidders count from the Auctioneer's left.
    """
    claimed: SeatFloats
    """Chances after the Auctioneer has claimed at the price that is being evaluated."""
    purse_row: Annotated[list[float], "f8", (4,)]
    """The weights of Talers, and the spread, that `purse` and `purse_factor` were filled by."""
    purse_filled: Annotated[int, "i8", ()]
    """How many entries they have."""
    spread: Annotated[float, "f8", ()]
    auctioneer_factor: Annotated[float, "f8", ()]


SIMULATED = 0
"""Index of the state that is being simulated; the following ones are for looking ahead."""
PLACES = 8


def _copy_record(states: list[State], target: int, source: int) -> None:
    states[target] = states[source]


@compiled_as(_copy_record)
def copy_place(states: list[State], target: int, source: int) -> None:
    """Overwrites one state with another."""
    states[target] = states[source].copy()
