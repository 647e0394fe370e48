"""The counts behind the features of a seat, and those among them that all seats share."""

from enum import IntEnum
from typing import Annotated

from industry.engine.board import Board
from industry.engine.constants import (
    COLUMNS,
    FIELDS,
    MAX_NETWORKS,
    NO_RESOURCE,
    RESOURCES,
    Kind,
    Status,
)
from industry.engine.record_layout import PerField, RecordType
from industry.engine.rule import helper
from industry.engine.rules.draw import tokens_in_bag
from industry.engine.rules.era import last_era
from industry.engine.rules.scoring import combined_bonus
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


DEVELOPED, WAITING, COMING = 0, 1, 2
"""Columns of `Tally.factories` and `Tally.station_points`: developed by the seat, owned by it but
not yet developed, still to be auctioned."""
NOT_HERE, WAITING_HERE, DEVELOPED_HERE = 0, 1, 2
"""The state of a field for a seat: of no use, owned and still to be developed, developed."""
NOW, LATER = 0, 1
"""Columns of demand: needs of fields that wait to be developed, and of fields still to come."""


class Tally(RecordType):
    """The features of one seat, and the counts from which they follow."""

    features: Annotated[list[float], "f8", (COUNT,)]
    factories: Annotated[list[list[float]], "f8", (MAX_NETWORKS, 3)]
    """Factories on each network, by DEVELOPED, WAITING and COMING."""
    station_points: Annotated[list[list[float]], "f8", (MAX_NETWORKS, 3)]
    """Points per factory of each network's bonus fields, in the same columns."""
    demand: Annotated[list[list[float]], "f8", (RESOURCES, 2)]
    """Needs for each resource of fields that other seats hold or may still get."""
    held: PerField
    """The state of each field for the seat: DEVELOPED_HERE, WAITING_HERE or NOT_HERE."""
    coming_factories: Annotated[list[float], "f8", (MAX_NETWORKS,)]
    """This and the following do not depend on the seat: `count_table` fills them."""
    coming_station_points: Annotated[list[float], "f8", (MAX_NETWORKS,)]
    table_demand: Annotated[list[list[float]], "f8", (RESOURCES, 2)]
    coming: PerField
    """1 for fields that will still be auctioned."""
    sellers: Annotated[list[int], "i8", (RESOURCES,)]
    """Seats with a developed factory of each resource, one bit each."""
    bag: Annotated[int, "i8", ()]
    """Column tokens in the bag."""


@helper
def is_coming(board: Board, state: State, field: int) -> bool:
    """Checks whether the field will still be auctioned."""
    return bool(state.status[field] == Status.FREE and field // COLUMNS <= last_era(board, state))


@helper
def count_table(board: Board, state: State, tally: Tally) -> None:
    """Counts what is the same for all seats: fields still to come and needs of waiting fields."""
    tally.bag = tokens_in_bag(state)
    for network in range(MAX_NETWORKS):
        tally.coming_factories[network] = 0.0
        tally.coming_station_points[network] = 0.0
    for resource in range(RESOURCES):
        tally.table_demand[resource][LATER] = 0.0
    for field in range(FIELDS):
        tally.coming[field] = 0
        if is_coming(board, state, field):
            tally.coming[field] = 1
            if board.kind[field] != Kind.JOKER:
                count_coming(board, field, tally)
                add_needs(board, field, LATER, 1.0, tally.table_demand)
    count_built(board, state, tally)


@helper
def count_built(board: Board, state: State, tally: Tally) -> None:
    """Counts the part of `count_table` that developing changes: needs of waiting fields, and who
    makes which resource."""
    for resource in range(RESOURCES):
        tally.table_demand[resource][NOW] = 0.0
        tally.sellers[resource] = 0
    for field in range((state.era + 1) * COLUMNS):
        if state.status[field] == Status.UNDEVELOPED:
            if board.kind[field] != Kind.JOKER:
                add_needs(board, field, NOW, 1.0, tally.table_demand)
        elif state.status[field] == Status.DEVELOPED and board.makes[field] != NO_RESOURCE:
            tally.sellers[board.makes[field]] |= 1 << state.owner[field]


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
def add_needs(
    board: Board, field: int, when: int, amount: float, demand: list[list[float]]
) -> None:
    """Adds `amount` to the demand, NOW or LATER, for what the field needs."""
    if board.need_1[field] != NO_RESOURCE:
        demand[board.need_1[field]][when] += amount
    if board.need_2[field] != NO_RESOURCE:
        demand[board.need_2[field]][when] += amount
