"""The state of a game: everything that the rules change, and nothing that they do not."""

from .layout import Flat, Number, PerColumn, PerField, PerSeat, Small
from .vocabulary import FIELDS, MAX_SEATS, NO_FIELD, NOBODY


class State(Flat):
    """Seats count from 0. A bid is -1 before the seat was asked and 0 after it passed."""

    players: Small
    plain_draws: Small
    full_price: Small
    any_time: Small
    resource_cash: Small
    round_number: Number
    era: Small
    phase: Small
    actor: Small
    starting_player: Small
    auctioneer: Small
    offered: Small
    high_bid: Number
    high_bidder: Small
    bids: PerSeat
    turns_left: Small
    built: PerSeat
    """Fields developed in this development turn, by kind."""
    talers: PerSeat
    bank: Number
    """What came back to the bank less what it paid out: talers and bank always add up to 0."""
    points: PerSeat
    """The score track: points for development only."""
    subsidies: PerSeat
    tokens: PerColumn
    owner: PerField
    status: PerField

    events: list[tuple[int, ...]]
    """What happened, while the rules run interpreted; not part of the state and not compared."""

    def __init__(self) -> None:
        super().__init__()
        self.actor = NOBODY
        self.auctioneer = NOBODY
        self.high_bidder = NOBODY
        self.offered = NO_FIELD
        self.bids[:] = [-1] * MAX_SEATS
        self.owner[:] = [NOBODY] * FIELDS
        self.events = []

    def copy(self) -> "State":
        """A twin with an empty list of events."""
        twin = object.__new__(State)
        twin.__dict__.update({k: v[:] if type(v) is list else v for k, v in self.__dict__.items()})
        twin.events = []
        return twin
