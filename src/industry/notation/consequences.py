"""Computes what a move would change and what a field is worth, the same for every screen.

Terminal and server ask here. Nothing is changed, and nothing that the rules hide is revealed: with
closed hands, `open_to` names the seats whose tiles the asker may see.
"""

from collections.abc import Collection
from dataclasses import dataclass

from industry.engine import (
    ANY_RESOURCE,
    COLUMNS,
    FIELDS,
    MAX_NETWORKS,
    NO_NETWORK,
    NO_RESOURCE,
    NOBODY,
    Bid,
    Claim,
    Edition,
    Event,
    Kind,
    Pass,
    Phase,
    PlayerMove,
    Position,
    Reason,
    Sell,
    Source,
    State,
    Status,
    TalersMoved,
    Token,
    bonus_points,
    claim_purse,
    development_points,
    joker_points,
    last_era,
    link_points,
    list_ways,
    move_codes,
    new_move_list,
    play,
    produces,
    total_price,
)

INCOME = (Reason.INCOME, Reason.ERA_INCOME)
FULL_PURSE = 1000
"""More Talers than anything costs: a price does not depend on the purse."""


# What a move would bring


@dataclass(frozen=True, slots=True)
class Preview:
    """A legal move and what follows from it before anybody else decides."""

    move: PlayerMove
    talers: tuple[int, ...]
    """The change of every purse; the income of the next round is not counted."""
    points: int
    """The change of the mover's development points."""
    events: tuple[Event, ...]
    sold: tuple[int, ...] | None = None
    """For a bid: the changes if it stays the highest and the Auctioneer sells."""
    claimed: tuple[int, ...] | None = None
    """For a bid: the changes if the Auctioneer claims; None if they cannot pay for it."""


def previews(position: Position, seat: int) -> list[Preview]:
    """Returns every legal move of a seat with its consequences."""
    return [preview(position, move) for move in position.legal_moves_of(seat)]


def preview(position: Position, move: PlayerMove) -> Preview:
    """Returns the consequences of a legal move."""
    after, events = play(position, move)
    talers = _purse_changes(events, position.state.players)
    points = after.state.points[move.seat] - position.state.points[move.seat]
    if not isinstance(move, Bid):
        return Preview(move, talers, points, events)
    while after.state.phase == Phase.BID:
        after, _ = play(after, Pass(after.actor))
    sold, claimed = (_settled(after, settle(after.actor)) for settle in (Sell, Claim))
    return Preview(move, talers, points, events, sold, claimed)


def _settled(position: Position, move: Sell | Claim) -> tuple[int, ...] | None:
    if move not in position.legal_moves:
        return None
    return _purse_changes(play(position, move)[1], position.state.players)


def _purse_changes(events: tuple[Event, ...], players: int) -> tuple[int, ...]:
    changes = [0] * players
    for event in events:
        if isinstance(event, TalersMoved) and event.reason not in INCOME:
            if event.source >= 0:
                changes[event.source] -= event.amount
            if event.target >= 0:
                changes[event.target] += event.amount
    return tuple(changes)


def highest_claim(position: Position) -> int | None:
    """Returns the highest bid at which the Auctioneer can still claim (C3).

    None if there is no limit: no auction is running, or claiming is free (Industria).
    """
    board, state = position.board, position.state
    if board.edition == Edition.INDUSTRIA or state.auctioneer == NOBODY:
        return None
    price = 0
    while claim_purse(board, state, price + 1) <= state.talers[state.auctioneer]:
        price += 1
    return price


# What a field is worth now


@dataclass(frozen=True, slots=True)
class Worth:
    """What a field would add for one seat that owned and developed it.

    Everything else that the seat owns counts as developed too: two fields bought in one round
    make a link together.
    """

    seat: int
    points: int
    """The cogwheel's points if developed in time; for a joker, what it scores if unused."""
    links: int
    bonuses: int
    price: int | None
    """The lowest price in Talers, with jokers only if nothing else works; None: not possible."""
    jokers: int
    """How many jokers that price includes."""
    customers: int
    """Undeveloped fields of others that need the product and whose owners do not make it."""

    @property
    def total(self) -> int:
        return self.points + self.links + self.bonuses


def worth_to_all(
    position: Position, field: int, open_to: Collection[int] | None = None
) -> list[Worth]:
    """Returns what a field is worth to each seat."""
    seen = _as_seen(position, open_to)
    return [worth_to(seen, seat, field) for seat in range(position.state.players)]


def worth_to(position: Position, seat: int, field: int) -> Worth:
    """Returns what a field is worth to one seat."""
    board, state = position.board, position.state
    without, with_it = _without_and_with(position, seat, field)
    links = link_points(board, with_it, seat) - link_points(board, without, seat)
    bonuses = bonus_points(board, with_it, seat) - bonus_points(board, without, seat)
    jokers = joker_points(board, with_it, seat) - joker_points(board, without, seat)
    if board.kind[field] == Kind.JOKER or _has_lapsed(position, field):
        return Worth(seat, jokers, links, bonuses, None, 0, 0)
    is_later = field // COLUMNS > state.era
    points = int(board.points[field]) if is_later else development_points(board, state, field)
    spent, price = _cheapest_way(position, seat, field) or (0, None)
    return Worth(seat, points, links, bonuses, price, spent, _customers(position, seat, field))


def _has_lapsed(position: Position, field: int) -> bool:
    """Checks whether the field is a technology whose era is over (E13)."""
    is_late = field // COLUMNS < position.state.era
    return position.board.kind[field] == Kind.TECHNOLOGY and is_late


def _without_and_with(position: Position, seat: int, field: int) -> tuple[State, State]:
    """Returns states with all the seat's fields developed: without the field, and with it."""
    without = position.state.copy()
    for other, owner in enumerate(without.owner):
        if owner == seat and without.status[other] == Status.UNDEVELOPED:
            without.status[other] = Status.DEVELOPED
    without.owner[field] = NOBODY
    without.status[field] = Status.FREE
    with_it = without.copy()
    if not _has_lapsed(position, field):
        is_joker = position.board.kind[field] == Kind.JOKER
        with_it.owner[field] = seat
        with_it.status[field] = Status.HELD if is_joker else Status.DEVELOPED
    return without, with_it


def _cheapest_way(position: Position, seat: int, field: int) -> tuple[int, int] | None:
    """Returns how many jokers and Talers the best way to develop takes: jokers are spent last."""
    if field // COLUMNS > position.state.era:
        return None
    board, state = position.board, position.state.copy()
    state.phase, state.actor = Phase.DEVELOP, seat
    state.owner[field], state.status[field] = seat, Status.UNDEVELOPED
    state.talers[seat] = FULL_PURSE
    state.built[:] = [0] * len(state.built)
    codes = new_move_list()
    count = list_ways(board, state, seat, field, codes, 0)
    pairs = [
        (move_codes.first_source(code), move_codes.second_source(code)) for code in codes[:count]
    ]
    return min(
        (
            (
                sum(source in (Source.JOKER, Source.ANY) for source in pair),
                total_price(board, state, seat, field, *pair),
            )
            for pair in pairs
        ),
        default=None,
    )


def _customers(position: Position, seat: int, field: int) -> int:
    product = position.board.makes[field]
    return sum(owner != seat for _, owner in _customers_without_source(position, product))


def _customers_without_source(position: Position, resource: int) -> list[tuple[int, int]]:
    """Returns owned, undeveloped fields that need a resource which their owner does not make."""
    board, state = position.board, position.state
    if resource == NO_RESOURCE:
        return []
    return [
        (field, owner)
        for field, owner in enumerate(state.owner)
        if owner != NOBODY
        and state.status[field] == Status.UNDEVELOPED
        and resource in board.needs(field)
        and not produces(board, state, owner, resource)
    ]


# What a field may become worth


@dataclass(frozen=True, slots=True)
class Demand:
    """How many fields can still use a resource."""

    resource: int
    fields: int
    """All that need it and can still be developed."""
    to_come: int
    """Of them, those that will still be auctioned."""
    seats: tuple[int, ...]
    """Who owns such a field and does not make the resource."""


@dataclass(frozen=True, slots=True)
class NetworkProspects:
    """What can still be connected to a network."""

    network: int
    factories: tuple[int, ...]
    """By seat: factories that it has developed or can still develop."""
    factories_to_come: int
    bonuses: tuple[int, ...]
    """By seat: points per factory of its bonus fields."""
    bonuses_to_come: int


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The field at the other end of a link."""

    field: int
    owner: int
    """NOBODY if it has none."""
    to_come: bool


@dataclass(frozen=True, slots=True)
class Prospects:
    """What determines how much a field may become worth, to any owner."""

    demand: Demand | None
    """For the product of a factory or the resource of a joker."""
    networks: tuple[NetworkProspects, ...]
    neighbours: tuple[Neighbour, ...]
    """Only those that count or can still count."""


def prospects(position: Position, field: int, open_to: Collection[int] | None = None) -> Prospects:
    """Returns what a field may become worth: its market, its networks and its links."""
    seen = _as_seen(position, open_to)
    board = seen.board
    resource = board.joker[field] if board.kind[field] == Kind.JOKER else board.makes[field]
    has_demand = resource not in (NO_RESOURCE, ANY_RESOURCE)
    return Prospects(
        demand=_demand(seen, field, int(resource)) if has_demand else None,
        networks=tuple(_network_prospects(seen, field, each) for each in _networks(seen, field)),
        neighbours=tuple(_neighbours(seen, field)),
    )


def _demand(position: Position, field: int, resource: int) -> Demand:
    waiting = [
        other
        for other in range(FIELDS)
        if other != field
        and resource in position.board.needs(other)
        and _can_be_developed(position, other)
    ]
    unserved = _customers_without_source(position, resource)
    return Demand(
        resource,
        fields=len(waiting),
        to_come=sum(_is_to_come(position, other) for other in waiting),
        seats=tuple(sorted({owner for other, owner in unserved if other != field})),
    )


def _networks(position: Position, field: int) -> list[int]:
    board = position.board
    if board.bonus_network[field] != NO_NETWORK:
        return [int(board.bonus_network[field])]
    return [network for network in range(MAX_NETWORKS) if board.networks[field] >> network & 1]


def _network_prospects(position: Position, field: int, network: int) -> NetworkProspects:
    board, state = position.board, position.state
    factories = [0] * state.players
    bonuses = [0] * state.players
    to_come = {Kind.FACTORY: 0, Kind.BONUS: 0}
    for other in range(FIELDS):
        kind = board.kind[other]
        is_factory = kind == Kind.FACTORY and bool(board.networks[other] >> network & 1)
        is_bonus = kind == Kind.BONUS and board.bonus_network[other] == network
        if other == field or not (is_factory or is_bonus):
            continue
        if _is_to_come(position, other):
            to_come[Kind(kind)] += 1
        elif state.owner[other] != NOBODY and is_factory:
            factories[state.owner[other]] += 1
        elif state.owner[other] != NOBODY:
            bonuses[state.owner[other]] += board.bonus_points[other]
    return NetworkProspects(
        network, tuple(factories), to_come[Kind.FACTORY], tuple(bonuses), to_come[Kind.BONUS]
    )


def _neighbours(position: Position, field: int) -> list[Neighbour]:
    board, state = position.board, position.state
    found = []
    for number in range(board.link_count):
        ends = (int(board.link_from[number]), int(board.link_to[number]))
        if field not in ends:
            continue
        other = ends[1] if ends[0] == field else ends[0]
        to_come = _is_to_come(position, other)
        is_developed = state.status[other] == Status.DEVELOPED
        if to_come or is_developed or _can_be_developed(position, other):
            found.append(Neighbour(other, int(state.owner[other]), to_come))
    return sorted(found, key=lambda neighbour: neighbour.field)


def _is_to_come(position: Position, field: int) -> bool:
    """Checks whether a field will still be auctioned: its era is played, its token not used up."""
    state = position.state
    era, column = divmod(field, COLUMNS)
    if era != state.era:
        return state.era < era <= last_era(position.board, state)
    is_used = state.tokens[column] == Token.FACE_DOWN or state.owner[field] != NOBODY
    return field != state.offered and not is_used


def _can_be_developed(position: Position, field: int) -> bool:
    """Checks whether some player can still develop a field, now or after its auction."""
    status = position.state.status[field]
    if _is_to_come(position, field) or field == position.state.offered:
        return position.board.kind[field] != Kind.JOKER
    return status == Status.UNDEVELOPED


def _as_seen(position: Position, open_to: Collection[int] | None) -> Position:
    """Returns the position without tiles in closed hands; None means that all hands are open."""
    if open_to is None:
        return position
    state = position.state.copy()
    for field, owner in enumerate(state.owner):
        if owner not in (NOBODY, *open_to) and state.status[field] in (
            Status.UNDEVELOPED,
            Status.HELD,
        ):
            state.owner[field], state.status[field] = NOBODY, Status.FREE
    return Position(position.board, state)
