"""Counts what a seat has: the numbers by which all bots value a position.

Every feature belongs to one seat and counts something that people at the table would count: points
made, Talers, links finished or begun, networks, fields waiting to be developed and what they still
cost, customers of one's factories. Expected points are linear in the features, with weights by era
and by the stage of the round.
"""

from enum import IntEnum
from typing import Annotated

from industry.engine.board import Board
from industry.engine.constants import (
    ANY_RESOURCE,
    COLUMNS,
    ERAS,
    FIELDS,
    MAX_NETWORKS,
    NO_RESOURCE,
    RESOURCE_PRICE,
    RESOURCES,
    Edition,
    Kind,
    Phase,
    Status,
)
from industry.engine.record_layout import RecordType
from industry.engine.rule import helper
from industry.engine.rules.development import (
    bank_sells,
    construction_cost,
    jokers_held,
    other_produces,
    produces,
)
from industry.engine.rules.draw import tokens_in_bag
from industry.engine.rules.era import is_last_era, last_era
from industry.engine.rules.scoring import combined_bonus
from industry.engine.rules.turn import left_of
from industry.engine.state import State


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
"""Index, behind the weights of a row, of the scatter of final points around their expectation."""
WIDTH = COUNT + 1


class Stage(IntEnum):
    """Where a seat stands in the round; each stage has its own weights."""

    BEFORE_DEVELOPMENT = 0
    """The seat's development turn of this round is still to come."""
    AFTER_DEVELOPMENT = 1
    BETWEEN_ROUNDS = 2
    """Before the draw."""


STAGES = len(Stage)
ROWS = ERAS * STAGES

DEVELOPED, WAITING, COMING = 0, 1, 2
"""Columns of `Tally.factories` and `Tally.station_points`: developed by the seat, owned by it but
not yet developed, still to be auctioned."""
NOW, LATER = 0, 1
"""Columns of demand: needs of fields that wait to be developed, and of fields still to come."""


class Tally(RecordType):
    """The features of one seat, and the counts from which they follow."""

    features: Annotated[list[float], "f8", (COUNT,)]
    factories: Annotated[list[list[float]], "f8", (MAX_NETWORKS, 3)]
    """Factories on each network, by DEVELOPED, WAITING and COMING."""
    station_points: Annotated[list[list[float]], "f8", (MAX_NETWORKS, 3)]
    """Points per factory of each network's bonus fields, likewise."""
    demand: Annotated[list[list[float]], "f8", (RESOURCES, 2)]
    """Needs for each resource of fields that other seats hold or may still get."""
    coming_factories: Annotated[list[float], "f8", (MAX_NETWORKS,)]
    """This and the following do not depend on the seat: `count_table` fills them."""
    coming_station_points: Annotated[list[float], "f8", (MAX_NETWORKS,)]
    table_demand: Annotated[list[list[float]], "f8", (RESOURCES, 2)]


@helper
def stage_of(state: State, seat: int) -> Stage:
    """Returns where the seat stands in the round."""
    if state.phase == Phase.DRAW:
        return Stage.BETWEEN_ROUNDS
    if state.phase != Phase.DEVELOP:
        return Stage.BEFORE_DEVELOPMENT
    place = (seat - state.starting_player + state.players) % state.players
    if place < state.players - state.turns_left:
        return Stage.AFTER_DEVELOPMENT
    return Stage.BEFORE_DEVELOPMENT


@helper
def is_coming(board: Board, state: State, field: int) -> bool:
    """Checks whether the field will still be auctioned."""
    return bool(state.status[field] == Status.FREE and field // COLUMNS <= last_era(board, state))


@helper
def is_in_time(state: State, field: int, stage: Stage) -> bool:
    """Checks whether the seat still has a development turn in the field's own era."""
    if field // COLUMNS != state.era:
        return False
    return stage != Stage.AFTER_DEVELOPMENT or tokens_in_bag(state) > 0


@helper
def is_alive(board: Board, state: State, seat: int, field: int, stage: Stage) -> bool:
    """Checks whether the seat has developed the field or still can."""
    if state.owner[field] != seat:
        return False
    if state.status[field] == Status.DEVELOPED:
        return True
    if state.status[field] != Status.UNDEVELOPED:
        return False
    if board.kind[field] == Kind.TECHNOLOGY:
        return is_in_time(state, field, stage)
    return (
        stage != Stage.AFTER_DEVELOPMENT
        or tokens_in_bag(state) > 0
        or not is_last_era(board, state)
    )


@helper
def eras_left(board: Board, state: State) -> float:
    """Returns the share of the fields that is still to be auctioned, in eras."""
    return last_era(board, state) - state.era + tokens_in_bag(state) / COLUMNS


@helper
def count_features(board: Board, state: State, seat: int, stage: Stage, tally: Tally) -> None:
    """Counts the features of a seat into `tally.features`."""
    count_table(board, state, tally)
    count_seat(board, state, seat, stage, tally)


@helper
def count_table(board: Board, state: State, tally: Tally) -> None:
    """Counts what is the same for all seats: fields still to come and needs of waiting fields."""
    for network in range(MAX_NETWORKS):
        tally.coming_factories[network] = 0.0
        tally.coming_station_points[network] = 0.0
    for resource in range(RESOURCES):
        tally.table_demand[resource][NOW] = 0.0
        tally.table_demand[resource][LATER] = 0.0
    for field in range(FIELDS):
        if board.kind[field] == Kind.JOKER:
            continue
        if is_coming(board, state, field):
            count_coming(board, field, tally)
            add_needs(board, field, LATER, 1.0, tally.table_demand)
        elif state.status[field] == Status.UNDEVELOPED:
            add_needs(board, field, NOW, 1.0, tally.table_demand)


@helper
def count_coming(board: Board, field: int, tally: Tally) -> None:
    """Adds a field that is still to be auctioned to the networks."""
    if board.kind[field] == Kind.BONUS:
        network = board.bonus_network[field]
        tally.coming_station_points[network] = combined_bonus(
            board, tally.coming_station_points[network], board.bonus_points[field]
        )
    elif board.networks[field] != 0:
        for network in range(MAX_NETWORKS):
            if board.networks[field] >> network & 1:
                tally.coming_factories[network] += 1.0


@helper
def count_seat(board: Board, state: State, seat: int, stage: Stage, tally: Tally) -> None:
    """Counts the features of a seat after `count_table` has counted what all seats share."""
    clear_seat(tally)
    features = tally.features
    features[Feature.ONE] = 1.0
    features[Feature.POINTS] = state.points[seat]
    count_talers(state.talers[seat], features)
    features[Feature.SUBSIDY] = state.subsidies[seat]
    for field in range(FIELDS):
        if state.owner[field] == seat:
            count_field(board, state, seat, stage, field, tally)
    count_links(board, state, seat, stage, features)
    count_networks(board, tally)
    count_customers(board, state, seat, stage, tally)
    features[Feature.WAITING_CROWD] = max(
        0.0, features[Feature.WAITING_FACTORIES] + features[Feature.WAITING_BONUSES] - 2.0
    )
    is_next = left_of(state, int(state.starting_player)) == seat
    features[Feature.STARTS_NEXT] = 1.0 if is_next else 0.0
    if stage != Stage.BEFORE_DEVELOPMENT:  # the auction solver needs values piecewise linear
        price = features[Feature.WAITING_COST] + RESOURCE_PRICE * features[Feature.WAITING_BOUGHT]
        features[Feature.SHORT] = max(0.0, price - state.talers[seat])


@helper
def clear_seat(tally: Tally) -> None:
    """Sets the counts of a seat to what is the same for all seats."""
    for feature in range(COUNT):
        tally.features[feature] = 0.0
    for network in range(MAX_NETWORKS):
        for column in range(COMING):
            tally.factories[network][column] = 0.0
            tally.station_points[network][column] = 0.0
        tally.factories[network][COMING] = tally.coming_factories[network]
        tally.station_points[network][COMING] = tally.coming_station_points[network]
    for resource in range(RESOURCES):
        tally.demand[resource][NOW] = tally.table_demand[resource][NOW]
        tally.demand[resource][LATER] = tally.table_demand[resource][LATER]


@helper
def count_talers(talers: int, features: list[float]) -> None:
    """Counts a purse in three pieces, whose weights let further Talers be worth less."""
    features[Feature.TALERS] = talers
    features[Feature.TALERS_OVER_4] = max(0.0, talers - 4.0)
    features[Feature.TALERS_OVER_8] = max(0.0, talers - 8.0)


@helper
def count_field(
    board: Board, state: State, seat: int, stage: Stage, field: int, tally: Tally
) -> None:
    """Counts one field of the seat, developed or waiting."""
    status = state.status[field]
    if board.kind[field] == Kind.JOKER:
        if status == Status.HELD:
            scores = board.edition == Edition.INDUSTRY
            tally.features[Feature.JOKERS if scores else Feature.TILES] += 1.0
        return
    if status == Status.UNDEVELOPED:  # a seat does not buy from itself
        add_needs(board, field, NOW, -1.0, tally.demand)
    if is_alive(board, state, seat, field, stage):
        if status == Status.UNDEVELOPED:
            count_on_networks(board, field, WAITING, tally)
            count_waiting(board, state, seat, stage, field, tally.features)
        else:
            count_on_networks(board, field, DEVELOPED, tally)
            if board.discount[field]:
                tally.features[Feature.DISCOUNT] += eras_left(board, state)


@helper
def add_needs(
    board: Board, field: int, when: int, amount: float, demand: list[list[float]]
) -> None:
    """Adds `amount` to the demand, NOW or LATER, for what the field needs."""
    if board.need_1[field] != NO_RESOURCE:
        demand[board.need_1[field]][when] += amount
    if board.need_2[field] != NO_RESOURCE:
        demand[board.need_2[field]][when] += amount


@helper
def count_on_networks(board: Board, field: int, column: int, tally: Tally) -> None:
    """Adds a DEVELOPED or WAITING field of the seat to its networks."""
    if board.kind[field] == Kind.BONUS:
        points = tally.station_points[board.bonus_network[field]]
        points[column] = combined_bonus(board, points[column], board.bonus_points[field])
    elif board.networks[field] != 0:
        for network in range(MAX_NETWORKS):
            if board.networks[field] >> network & 1:
                tally.factories[network][column] += 1.0


@helper
def count_waiting(
    board: Board, state: State, seat: int, stage: Stage, field: int, features: list[float]
) -> None:
    """Counts a field that waits to be developed: what it brings and what it still costs."""
    blocked = 0.0
    if board.need_1[field] != NO_RESOURCE:
        blocked += count_need(board, state, seat, int(board.need_1[field]), features)
    if board.need_2[field] != NO_RESOURCE:
        blocked += count_need(board, state, seat, int(board.need_2[field]), features)
    features[Feature.WAITING_COST] += construction_cost(board, state, seat, field)
    points = float(board.points[field]) if is_in_time(state, field, stage) else 0.0
    if board.kind[field] == Kind.BONUS:
        features[Feature.WAITING_BONUSES] += 1.0
    elif board.kind[field] == Kind.FACTORY:
        features[Feature.WAITING_FACTORIES] += 1.0
    if blocked > 0.0:
        features[Feature.WAITING_BLOCKED_POINTS] += points
    elif board.kind[field] == Kind.TECHNOLOGY:
        features[Feature.WAITING_TECHNOLOGY_POINTS] += points
    else:
        features[Feature.WAITING_POINTS] += points
    if board.discount[field]:
        features[Feature.DISCOUNT_WAITING] += eras_left(board, state)


@helper
def count_need(
    board: Board, state: State, seat: int, resource: int, features: list[float]
) -> float:
    """Counts one need of a waiting field; returns 1 where nothing can meet it at present."""
    if produces(board, state, seat, resource):
        return 0.0
    if other_produces(board, state, seat, resource) or bank_sells(state, resource):
        features[Feature.WAITING_BOUGHT] += 1.0
        return 0.0
    if jokers_held(board, state, seat, resource) + jokers_held(board, state, seat, ANY_RESOURCE):
        return 0.0
    features[Feature.WAITING_BLOCKED] += 1.0
    return 1.0


@helper
def count_links(board: Board, state: State, seat: int, stage: Stage, features: list[float]) -> None:
    """Counts links that are developed, owned, or open with one end owned."""
    for position in range(board.link_count):
        one, two = board.link_from[position], board.link_to[position]
        has_one = is_alive(board, state, seat, one, stage)
        has_two = is_alive(board, state, seat, two, stage)
        if has_one and has_two:
            if state.status[one] == Status.DEVELOPED and state.status[two] == Status.DEVELOPED:
                features[Feature.LINKS_DONE] += 1.0
            else:
                features[Feature.LINKS_OWNED] += 1.0
        elif (has_one and is_coming(board, state, two)) or (
            has_two and is_coming(board, state, one)
        ):
            features[Feature.LINKS_OPEN] += 1.0


@helper
def count_networks(board: Board, tally: Tally) -> None:
    """Counts points of stations times factories: made, owned, and open to grow."""
    features = tally.features
    for network in range(MAX_NETWORKS):
        factories, points = tally.factories[network], tally.station_points[network]
        owned_factories = factories[DEVELOPED] + factories[WAITING]
        owned_points = combined_bonus(board, points[DEVELOPED], points[WAITING])
        more_points = combined_bonus(board, owned_points, points[COMING]) - owned_points
        done = points[DEVELOPED] * factories[DEVELOPED]
        features[Feature.BONUS_DONE] += done
        features[Feature.BONUS_OWNED] += owned_points * owned_factories - done
        features[Feature.BONUS_OPEN_FACTORIES] += owned_points * factories[COMING]
        features[Feature.BONUS_OPEN_STATIONS] += more_points * owned_factories


@helper
def count_customers(board: Board, state: State, seat: int, stage: Stage, tally: Tally) -> None:
    """Counts the needs of other seats that the seat's factories can serve, now and later."""
    features = tally.features
    for resource in range(RESOURCES):
        now = tally.demand[resource][NOW]
        later = tally.demand[resource][LATER] * (state.players - 1) / state.players
        for position in range(board.maker_count[resource]):
            field = board.makers[resource][position]
            if state.owner[field] == seat and is_alive(board, state, seat, field, stage):
                if state.status[field] == Status.DEVELOPED:
                    features[Feature.CUSTOMERS_NOW] += now
                    features[Feature.CUSTOMERS_LATER] += later
                else:
                    features[Feature.CUSTOMERS_OF_WAITING] += now + later
