"""Scratch space of a thinking bot, in both memories, so that thinking never allocates."""

from typing import Annotated

from industry.engine.layout import Flat
from industry.engine.rule import compiled_as
from industry.engine.state import State
from industry.engine.vocabulary import MAX_SEATS

from .features import ROOM

TOP_BID = 20
"""Auctions are thought through up to this price; no field is worth more."""
MAX_PURSE = 160
TREE = MAX_SEATS * (TOP_BID + 1) * MAX_SEATS * MAX_SEATS

Floats = Annotated[list[float], "f8", (MAX_SEATS,)]


class Desk(Flat):
    """`tree` holds everyone's chances by bidder, highest bid, highest bidder and seat."""

    room: Annotated[list[float], "f8", (ROOM,)]
    worth: Floats
    shares: Floats
    base: Floats
    """Expected points of each seat if somebody else gets the field on offer."""
    gain: Floats
    """What the field on offer would add."""
    price: Annotated[list[int], "i8", (MAX_SEATS,)]
    """Talers without which the field on offer would be lost to the seat in this very round."""
    purse: Annotated[list[float], "f8", (MAX_PURSE,)]
    """What a purse is worth, by Talers."""
    odds: Floats
    """The base as a factor of the chance to win, and `lift` what the field makes of it."""
    lift: Floats
    coin: Annotated[list[float], "f8", (MAX_PURSE,)]
    """The purse as a factor of the chance to win, by Talers."""
    talers: Annotated[list[int], "i8", (MAX_SEATS,)]
    tree: Annotated[list[float], "f8", (TREE,)]
    spread: Annotated[float, "f8", ()]
    office: Annotated[float, "f8", ()]
    """The office of the Auctioneer as a factor of the chance to win."""


SIMULATED = 0
"""Place of the state that is being played on; the places behind it are for looking ahead."""
PLACES = 8


def _copy_record(states: list[State], target: int, source: int) -> None:
    states[target] = states[source]


@compiled_as(_copy_record)
def copy_place(states: list[State], target: int, source: int) -> None:
    """Overwrite one state by another."""
    states[target] = states[source].copy()
