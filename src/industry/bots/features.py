"""Counts what a seat has: the numbers by which all bots value a position.

Every feature belongs to one seat and counts something that people at the table would count: points
made, Talers, links finished or begun, networks, fields waiting to be developed and what they still
cost, customers of one's factories. Expected points are linear in the features, with weights by era
and by the stage of the round.
"""

from enum import IntEnum

from industry.engine.board import Board
from industry.engine.constants import (
    ANY_RESOURCE,
    COLUMNS,
    ERAS,
    FIELDS,
    MAX_NETWORKS,
    NO_FIELD,
    NO_RESOURCE,
    RESOURCE_PRICE,
    RESOURCES,
    Edition,
    Kind,
    Phase,
    Status,
)
from industry.engine.rule import helper
from industry.engine.rules.development import (
    bank_sells,
    construction_cost,
    jokers_held,
)
from industry.engine.rules.era import is_last_era, last_era
from industry.engine.rules.scoring import combined_bonus
from industry.engine.rules.turn import left_of
from industry.engine.state import State

from .tally import (
    COMING,
    DEVELOPED,
    DEVELOPED_HERE,
    LATER,
    NOT_HERE,
    NOW,
    WAITING,
    WAITING_HERE,
    add_needs,
    count_table,
)
from .tally import COUNT as COUNT
from .tally import SPREAD as SPREAD
from .tally import WIDTH as WIDTH
from .tally import Feature as Feature
from .tally import Tally as Tally


class Stage(IntEnum):
    """Where a seat stands in the round; each stage has its own weights."""

    BEFORE_DEVELOPMENT = 0
    """The seat's development turn of this round is still to come."""
    AFTER_DEVELOPMENT = 1
    BETWEEN_ROUNDS = 2
    """Before the draw."""


STAGES = len(Stage)
ROWS = ERAS * STAGES


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
def is_in_time(state: State, field: int, stage: Stage, tally: Tally) -> bool:
    """Checks whether the seat still has a development turn in the field's own era."""
    if field // COLUMNS != state.era:
        return False
    return stage != Stage.AFTER_DEVELOPMENT or tally.bag > 0


@helper
def place_of(board: Board, state: State, field: int, stage: Stage, tally: Tally) -> int:
    """Returns the state of a field for its owner: developed, still to be developed, or neither."""
    if state.status[field] == Status.DEVELOPED:
        return DEVELOPED_HERE
    if state.status[field] != Status.UNDEVELOPED:
        return NOT_HERE
    if board.kind[field] == Kind.TECHNOLOGY:
        return WAITING_HERE if is_in_time(state, field, stage, tally) else NOT_HERE
    if stage != Stage.AFTER_DEVELOPMENT or tally.bag > 0 or not is_last_era(board, state):
        return WAITING_HERE
    return NOT_HERE


@helper
def eras_left(board: Board, state: State, tally: Tally) -> float:
    """Returns the share of the fields that is still to be auctioned, in eras."""
    return last_era(board, state) - state.era + tally.bag / COLUMNS


@helper
def count_features(board: Board, state: State, seat: int, stage: Stage, tally: Tally) -> None:
    """Counts the features of a seat into `tally.features`."""
    count_table(board, state, tally)
    count_seat(board, state, seat, stage, tally)


@helper
def count_seat(board: Board, state: State, seat: int, stage: Stage, tally: Tally) -> None:
    """Counts the features of a seat after `count_table` has counted what all seats share."""
    clear_seat(tally)
    features = tally.features
    features[Feature.ONE] = 1.0
    features[Feature.POINTS] = state.points[seat]
    count_talers(state.talers[seat], features)
    features[Feature.SUBSIDY] = state.subsidies[seat]
    for field in range((state.era + 1) * COLUMNS):
        if state.owner[field] == seat:
            count_field(board, state, seat, stage, field, tally)
    count_links(board, state, NO_FIELD, tally)
    is_next = left_of(state, int(state.starting_player)) == seat
    features[Feature.STARTS_NEXT] = 1.0 if is_next else 0.0
    count_together(board, state, seat, stage, tally)


@helper
def add_field(
    board: Board, state: State, seat: int, stage: Stage, field: int, tally: Tally
) -> None:
    """Counts one more field, not a joker, of a seat whose other fields `count_seat` has counted."""
    count_field(board, state, seat, stage, field, tally)
    count_links(board, state, field, tally)
    count_together(board, state, seat, stage, tally)


@helper
def count_together(board: Board, state: State, seat: int, stage: Stage, tally: Tally) -> None:
    """Counts what depends on several fields of the seat at once."""
    features = tally.features
    count_networks(board, tally)
    count_customers(board, state, tally)
    features[Feature.WAITING_CROWD] = max(
        0.0, features[Feature.WAITING_FACTORIES] + features[Feature.WAITING_BONUSES] - 2.0
    )
    if stage != Stage.BEFORE_DEVELOPMENT:  # the auction solver needs values piecewise linear
        price = features[Feature.WAITING_COST] + RESOURCE_PRICE * features[Feature.WAITING_BOUGHT]
        features[Feature.SHORT] = max(0.0, price - state.talers[seat])


@helper
def clear_seat(tally: Tally) -> None:
    """Sets the counts of a seat to what is the same for all seats."""
    for feature in range(COUNT):
        tally.features[feature] = 0.0
    for field in range(FIELDS):
        tally.held[field] = NOT_HERE
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
    place = place_of(board, state, field, stage, tally)
    tally.held[field] = place
    if place == WAITING_HERE:
        count_on_networks(board, field, WAITING, tally)
        count_waiting(board, state, seat, stage, field, tally)
    elif place == DEVELOPED_HERE:
        count_on_networks(board, field, DEVELOPED, tally)
        if board.discount[field]:
            tally.features[Feature.DISCOUNT] += eras_left(board, state, tally)


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
    board: Board, state: State, seat: int, stage: Stage, field: int, tally: Tally
) -> None:
    """Counts a field that waits to be developed: its gain and its remaining cost."""
    features = tally.features
    blocked = 0.0
    if board.need_1[field] != NO_RESOURCE:
        blocked += count_need(board, state, seat, int(board.need_1[field]), tally)
    if board.need_2[field] != NO_RESOURCE:
        blocked += count_need(board, state, seat, int(board.need_2[field]), tally)
    features[Feature.WAITING_COST] += construction_cost(board, state, seat, field)
    points = float(board.points[field]) if is_in_time(state, field, stage, tally) else 0.0
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
        features[Feature.DISCOUNT_WAITING] += eras_left(board, state, tally)


@helper
def count_need(board: Board, state: State, seat: int, resource: int, tally: Tally) -> float:
    """Counts one need of a waiting field; returns 1 where nothing can meet it at present."""
    sellers = tally.sellers[resource]
    if sellers >> seat & 1:
        return 0.0
    if sellers != 0 or bank_sells(state, resource):
        tally.features[Feature.WAITING_BOUGHT] += 1.0
        return 0.0
    if jokers_held(board, state, seat, resource) + jokers_held(board, state, seat, ANY_RESOURCE):
        return 0.0
    tally.features[Feature.WAITING_BLOCKED] += 1.0
    return 1.0


@helper
def count_links(board: Board, state: State, field: int, tally: Tally) -> None:
    """Counts links of a field, or all, that are developed, owned, or open with one end owned."""
    features, held, coming = tally.features, tally.held, tally.coming
    for position in range(board.link_count):
        one, two = board.link_from[position], board.link_to[position]
        if field != NO_FIELD and field != one and field != two:
            continue
        if held[one] != NOT_HERE and held[two] != NOT_HERE:
            if held[one] == DEVELOPED_HERE and held[two] == DEVELOPED_HERE:
                features[Feature.LINKS_DONE] += 1.0
            else:
                features[Feature.LINKS_OWNED] += 1.0
        elif (held[one] != NOT_HERE and coming[two]) or (held[two] != NOT_HERE and coming[one]):
            features[Feature.LINKS_OPEN] += 1.0


@helper
def count_networks(board: Board, tally: Tally) -> None:
    """Counts points of stations times factories: made, owned, and open to grow."""
    features = tally.features
    for feature in range(Feature.BONUS_DONE, Feature.BONUS_OPEN_STATIONS + 1):
        features[feature] = 0.0
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
def count_customers(board: Board, state: State, tally: Tally) -> None:
    """Counts the needs of other seats that the seat's factories can serve, now and later."""
    features = tally.features
    for feature in range(Feature.CUSTOMERS_NOW, Feature.CUSTOMERS_OF_WAITING + 1):
        features[feature] = 0.0
    for resource in range(RESOURCES):
        for position in range(board.maker_count[resource]):
            place = tally.held[board.makers[resource][position]]
            if place == NOT_HERE:
                continue
            now = tally.demand[resource][NOW]
            later = tally.demand[resource][LATER] * (state.players - 1) / state.players
            if place == DEVELOPED_HERE:
                features[Feature.CUSTOMERS_NOW] += now
                features[Feature.CUSTOMERS_LATER] += later
            else:
                features[Feature.CUSTOMERS_OF_WAITING] += now + later
