"""The state of a game: exactly what the rules change."""

from .constants import FIELDS, MAX_SEATS, NO_FIELD, NOBODY
from .record_layout import Int8, Int32, PerColumn, PerField, PerKind, PerSeat, RecordType


class State(RecordType):
    """Seats count from 0. A bid is -1 before the seat was asked and 0 after it passed."""

    players: Int8
    plain_draws: Int8
    full_price: Int8
    any_time: Int8
    resource_cash: Int8
    round_number: Int32
    era: Int8
    phase: Int8
    actor: Int8
    starting_player: Int8
    auctioneer: Int8
    offered: Int8
    high_bid: Int32
    high_bidder: Int8
    bids: PerSeat
    turns_left: Int8
    built: PerKind
    """How many fields of each kind were developed in this development turn."""
    talers: PerSeat
    bank: Int32
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
        """Returns a copy with an empty list of events."""
        twin = object.__new__(State)
        values = twin.__dict__
        values.update(self.__dict__)
        for name in _LISTS:
            values[name] = values[name][:]
        twin.events = []
        return twin


_LISTS = tuple(name for name, value in State().__dict__.items() if isinstance(value, list))
