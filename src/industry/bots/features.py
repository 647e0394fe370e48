"""What a seat has, as numbers: the view that all valuing bots share.

Every feature belongs to one seat and counts something people at the table would count: points made,
Talers, links finished or begun, networks, fields waiting to be developed and what they still cost,
customers of one's factories. Values are linear in them, with weights by era and by whether the
seat's development turn of this round is still to come.
"""

from enum import IntEnum

from industry.engine.board import Board
from industry.engine.rule import part
from industry.engine.rules.development import (
    bank_sells,
    construction_cost,
    jokers_held,
    other_produces,
    produces,
)
from industry.engine.rules.draw import tokens_in_bag
from industry.engine.rules.era import is_last_era
from industry.engine.state import State
from industry.engine.vocabulary import (
    ANY_RESOURCE,
    COLUMNS,
    ERAS,
    FIELDS,
    MAX_NETWORKS,
    NO_RESOURCE,
    RESOURCES,
    Edition,
    Kind,
    Phase,
    Status,
)


class Feature(IntEnum):
    ONE = 0
    POINTS = 1
    TALERS = 2
    TALERS_OVER_4 = 3
    TALERS_OVER_8 = 4
    SUBSIDY = 5
    JOKERS = 6
    LINKS_DONE = 7
    LINKS_OWNED = 8
    LINKS_OPEN = 9
    BONUS_DONE = 10
    BONUS_OWNED = 11
    BONUS_OPEN_FACTORIES = 12
    BONUS_OPEN_STATIONS = 13
    WAITING_POINTS = 14
    WAITING_TECHNOLOGY_POINTS = 15
    WAITING_BLOCKED_POINTS = 16
    WAITING_COST = 17
    WAITING_BOUGHT = 18
    WAITING_BLOCKED = 19
    WAITING_FACTORIES = 20
    WAITING_BONUSES = 21
    WAITING_CROWD = 22
    CUSTOMERS_NOW = 23
    CUSTOMERS_LATER = 24
    CUSTOMERS_OF_WAITING = 25
    DISCOUNT = 26
    DISCOUNT_WAITING = 27
    STARTS_NEXT = 28
    TILES = 29
    SHORT = 30


COUNT = len(Feature)
SPREAD = COUNT
"""Behind the weights of a row stands how far final points scatter around what they expect."""
WIDTH = COUNT + 1
STAGES = 3
"""0: the seat's development turn of this round is still to come; 1: it is over; 2: between
rounds, before the draw."""
BETWEEN = 2
ROWS = ERAS * STAGES

_NETS = COUNT
"""Behind the features lie six numbers per network: own, waiting and free factories and stations."""
_DEMAND = _NETS + 6 * MAX_NETWORKS
"""Then two numbers per resource: needs of fields that others hold, and of fields still to come."""
_SURVEY = _DEMAND + 2 * RESOURCES
"""Last what does not depend on the seat: networks and demand of fields still to come, and needs of
all fields that wait."""
_NEEDS = _SURVEY + 2 * MAX_NETWORKS
ROOM = _NEEDS + 2 * RESOURCES


@part
def stage_of(state: State, seat: int) -> int:
    """Where the seat stands in the round: one of the STAGES."""
    if state.phase == Phase.DRAW:
        return BETWEEN
    if state.phase != Phase.DEVELOP:
        return 0
    waited = (seat - state.starting_player + state.players) % state.players
    return 1 if waited < state.players - state.turns_left else 0


@part
def is_coming(board: Board, state: State, field: int) -> bool:
    """The field will still be auctioned."""
    if state.status[field] != Status.FREE:
        return False
    if board.edition == Edition.INDUSTRIA and state.players == 3:
        return field < FIELDS - COLUMNS
    return True


@part
def is_in_time(state: State, field: int, stage: int) -> bool:
    """There is still a development turn in the field's own era."""
    if field // COLUMNS != state.era:
        return False
    return stage != 1 or tokens_in_bag(state) > 0


@part
def is_alive(board: Board, state: State, seat: int, field: int, stage: int) -> bool:
    """The seat has developed the field, or still can."""
    if state.owner[field] != seat:
        return False
    if state.status[field] == Status.DEVELOPED:
        return True
    if state.status[field] != Status.UNDEVELOPED:
        return False
    if board.kind[field] == Kind.TECHNOLOGY:
        return is_in_time(state, field, stage)
    return stage != 1 or tokens_in_bag(state) > 0 or not is_last_era(board, state)


@part
def eras_left(board: Board, state: State) -> float:
    """How much of the game's fields is still to be auctioned, in eras."""
    last = ERAS - 1
    if board.edition == Edition.INDUSTRIA and state.players == 3:
        last = ERAS - 2
    return last - state.era + tokens_in_bag(state) / COLUMNS


@part
def read_features(board: Board, state: State, seat: int, stage: int, out: list[float]) -> None:
    """Write the features of a seat into `out`, which has ROOM places."""
    survey(board, state, out)
    read_seat(board, state, seat, stage, out)


@part
def survey(board: Board, state: State, out: list[float]) -> None:
    """What all seats have in common: fields still to come, and needs of those that wait."""
    for place in range(_SURVEY, ROOM):
        out[place] = 0.0
    for field in range(FIELDS):
        if board.kind[field] == Kind.JOKER:
            continue
        if is_coming(board, state, field):
            survey_networks(board, field, out)
            add_needs(board, field, _NEEDS + 1, 1.0, out)
        elif state.status[field] == Status.UNDEVELOPED:
            add_needs(board, field, _NEEDS, 1.0, out)


@part
def survey_networks(board: Board, field: int, out: list[float]) -> None:
    if board.kind[field] == Kind.BONUS:
        out[_SURVEY + 2 * board.bonus_network[field] + 1] += board.bonus_points[field]
    elif board.networks[field] != 0:
        for network in range(MAX_NETWORKS):
            if board.networks[field] >> network & 1:
                out[_SURVEY + 2 * network] += 1.0


@part
def read_seat(board: Board, state: State, seat: int, stage: int, out: list[float]) -> None:
    """The features of a seat, given the survey that `out` holds already."""
    for place in range(_DEMAND):
        out[place] = 0.0
    for place in range(2 * RESOURCES):
        out[_DEMAND + place] = out[_NEEDS + place]
    for network in range(MAX_NETWORKS):
        out[_NETS + 6 * network + 2] = out[_SURVEY + 2 * network]
        out[_NETS + 6 * network + 5] = out[_SURVEY + 2 * network + 1]
    out[Feature.ONE] = 1.0
    out[Feature.POINTS] = state.points[seat]
    read_talers(state.talers[seat], out)
    out[Feature.SUBSIDY] = state.subsidies[seat]
    for field in range(FIELDS):
        if state.owner[field] == seat:
            read_field(board, state, seat, stage, field, out)
    read_links(board, state, seat, stage, out)
    read_networks(board, out)
    read_customers(board, state, seat, stage, out)
    out[Feature.WAITING_CROWD] = max(
        0.0, out[Feature.WAITING_FACTORIES] + out[Feature.WAITING_BONUSES] - 2.0
    )
    out[Feature.STARTS_NEXT] = 1.0 if (state.starting_player + 1) % state.players == seat else 0.0
    if stage != 0:  # auctions take values as linear in Talers by fixed pieces
        price = out[Feature.WAITING_COST] + out[Feature.WAITING_BOUGHT]
        out[Feature.SHORT] = max(0.0, price - state.talers[seat])


@part
def read_talers(talers: int, out: list[float]) -> None:
    out[Feature.TALERS] = talers
    out[Feature.TALERS_OVER_4] = max(0.0, talers - 4.0)
    out[Feature.TALERS_OVER_8] = max(0.0, talers - 8.0)


@part
def read_field(
    board: Board, state: State, seat: int, stage: int, field: int, out: list[float]
) -> None:
    """Count one field of the seat: what it has made of it, or what it waits for."""
    status = state.status[field]
    if board.kind[field] == Kind.JOKER:
        if status == Status.HELD:
            scores = board.edition == Edition.INDUSTRY
            out[Feature.JOKERS if scores else Feature.TILES] += 1.0
        return
    if status == Status.UNDEVELOPED:  # nobody is his own customer
        add_needs(board, field, _DEMAND, -1.0, out)
    if is_alive(board, state, seat, field, stage):
        waiting = status == Status.UNDEVELOPED
        read_network_place(board, field, 1 if waiting else 0, out)
        if waiting:
            read_waiting(board, state, seat, stage, field, out)
        elif board.discount[field]:
            out[Feature.DISCOUNT] += eras_left(board, state)


@part
def add_needs(board: Board, field: int, place: int, amount: float, out: list[float]) -> None:
    """Add to the demand for what the field needs; two numbers per resource lie at `place`."""
    if board.need_1[field] != NO_RESOURCE:
        out[place + 2 * board.need_1[field]] += amount
    if board.need_2[field] != NO_RESOURCE:
        out[place + 2 * board.need_2[field]] += amount


@part
def read_network_place(board: Board, field: int, place: int, out: list[float]) -> None:
    """`place`: 0 developed, 1 waiting."""
    if board.kind[field] == Kind.BONUS:
        out[_NETS + 6 * board.bonus_network[field] + 3 + place] += board.bonus_points[field]
    elif board.networks[field] != 0:
        for network in range(MAX_NETWORKS):
            if board.networks[field] >> network & 1:
                out[_NETS + 6 * network + place] += 1.0


@part
def read_waiting(
    board: Board, state: State, seat: int, stage: int, field: int, out: list[float]
) -> None:
    """A field that waits to be developed: what it brings, and what it still costs."""
    blocked = 0.0
    if board.need_1[field] != NO_RESOURCE:
        blocked += read_need(board, state, seat, int(board.need_1[field]), out)
    if board.need_2[field] != NO_RESOURCE:
        blocked += read_need(board, state, seat, int(board.need_2[field]), out)
    out[Feature.WAITING_COST] += construction_cost(board, state, seat, field)
    points = float(board.points[field]) if is_in_time(state, field, stage) else 0.0
    if board.kind[field] == Kind.BONUS:
        out[Feature.WAITING_BONUSES] += 1.0
    elif board.kind[field] == Kind.FACTORY:
        out[Feature.WAITING_FACTORIES] += 1.0
    if blocked > 0.0:
        out[Feature.WAITING_BLOCKED_POINTS] += points
    elif board.kind[field] == Kind.TECHNOLOGY:
        out[Feature.WAITING_TECHNOLOGY_POINTS] += points
    else:
        out[Feature.WAITING_POINTS] += points
    if board.discount[field]:
        out[Feature.DISCOUNT_WAITING] += eras_left(board, state)


@part
def read_need(board: Board, state: State, seat: int, resource: int, out: list[float]) -> float:
    """One need of a waiting field: free, to be bought, or (returning 1) not to be had now."""
    if produces(board, state, seat, resource):
        return 0.0
    if other_produces(board, state, seat, resource) or bank_sells(state, resource):
        out[Feature.WAITING_BOUGHT] += 1.0
        return 0.0
    if jokers_held(board, state, seat, resource) + jokers_held(board, state, seat, ANY_RESOURCE):
        return 0.0
    out[Feature.WAITING_BLOCKED] += 1.0
    return 1.0


@part
def read_links(board: Board, state: State, seat: int, stage: int, out: list[float]) -> None:
    for position in range(board.link_count):
        one, two = board.link_from[position], board.link_to[position]
        has_one = is_alive(board, state, seat, one, stage)
        has_two = is_alive(board, state, seat, two, stage)
        if has_one and has_two:
            if state.status[one] == Status.DEVELOPED and state.status[two] == Status.DEVELOPED:
                out[Feature.LINKS_DONE] += 1.0
            else:
                out[Feature.LINKS_OWNED] += 1.0
        elif (has_one and is_coming(board, state, two)) or (
            has_two and is_coming(board, state, one)
        ):
            out[Feature.LINKS_OPEN] += 1.0


@part
def read_networks(board: Board, out: list[float]) -> None:
    """Points of stations times factories: made, owned, and open to grow."""
    for network in range(MAX_NETWORKS):
        place = _NETS + 6 * network
        factories, waiting, coming = out[place], out[place + 1], out[place + 2]
        stations, planned, later = out[place + 3], out[place + 4], out[place + 5]
        owned = stations + planned
        if board.edition == Edition.INDUSTRIA:
            stations, owned, later = min(stations, 2.0), min(owned, 2.0), min(later, 2.0)
            if owned > 0.0:
                later = 0.0
        out[Feature.BONUS_DONE] += stations * factories
        out[Feature.BONUS_OWNED] += owned * (factories + waiting) - stations * factories
        out[Feature.BONUS_OPEN_FACTORIES] += owned * coming
        out[Feature.BONUS_OPEN_STATIONS] += later * (factories + waiting)


@part
def read_customers(board: Board, state: State, seat: int, stage: int, out: list[float]) -> None:
    """Needs of others that the seat's factories can serve, now and later."""
    for resource in range(RESOURCES):
        now = out[_DEMAND + 2 * resource]
        later = out[_DEMAND + 2 * resource + 1] * (state.players - 1) / state.players
        for position in range(board.maker_count[resource]):
            field = board.makers[resource][position]
            if state.owner[field] == seat and is_alive(board, state, seat, field, stage):
                if state.status[field] == Status.DEVELOPED:
                    out[Feature.CUSTOMERS_NOW] += now
                    out[Feature.CUSTOMERS_LATER] += later
                else:
                    out[Feature.CUSTOMERS_OF_WAITING] += now + later
