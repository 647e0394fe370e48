"""Observations: a fixed number of values, the same for every edition and number of players.

Seats are relative to the viewer: 0 is itself, 1 its left neighbour, and so on. Only the block
`viewer` says which seat that is, because actions name the sellers of resources by their seats. All
holdings are visible (D3), only the bag is not: no number depends on the order in which tokens will
be drawn. Talers and points are scaled down to the size of the rest.
"""

from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from industry.engine.board import Board
from industry.engine.constants import (
    COLUMNS,
    ERAS,
    FIELDS,
    MAX_NETWORKS,
    MAX_SEATS,
    NO_FIELD,
    NO_NETWORK,
    NO_RESOURCE,
    NOBODY,
    RESOURCES,
    Edition,
    Kind,
    Phase,
    Status,
    Token,
)
from industry.engine.rule import helper
from industry.engine.rules.development import produces
from industry.engine.rules.scoring import (
    bonus_points,
    has_developed,
    link_points,
)
from industry.engine.state import State

AMOUNT = 0.1
"""Talers and points are multiplied by this."""
ROUND_SHARE = 0.05
"""No game has more than 20 rounds."""

KINDS = len(Kind)
JOKERS = RESOURCES + 1

TABLE = 0
VIEWER = TABLE + 5
ERA = VIEWER + MAX_SEATS
ROUND = ERA + ERAS
PHASE = ROUND + 1
DECIDING = PHASE + 4
STARTING_PLAYER = DECIDING + MAX_SEATS
AUCTIONEER = STARTING_PLAYER + MAX_SEATS
HIGH_BIDDER = AUCTIONEER + MAX_SEATS
BIDS = HIGH_BIDDER + MAX_SEATS
PASSED = BIDS + MAX_SEATS
TURNS_LEFT = PASSED + MAX_SEATS
BUILT = TURNS_LEFT + 1
OFFERED_KIND = BUILT + KINDS
OFFERED_NUMBERS = OFFERED_KIND + KINDS
OFFERED_NEEDS = OFFERED_NUMBERS + 4
OFFERED_MAKES = OFFERED_NEEDS + RESOURCES
OFFERED_JOKER = OFFERED_MAKES + RESOURCES
OFFERED_NETWORKS = OFFERED_JOKER + JOKERS
OFFERED_BONUS = OFFERED_NETWORKS + MAX_NETWORKS
SEATS = OFFERED_BONUS + MAX_NETWORKS
SEAT_JOKERS = 4
SEAT_STANDING = SEAT_JOKERS + JOKERS
STANDING_PRODUCTS = 2
STANDING_DISCOUNT = STANDING_PRODUCTS + RESOURCES
STANDING_SIZE = STANDING_DISCOUNT + 1
SEAT_SIZE = SEAT_STANDING + STANDING_SIZE
HOLDINGS = SEATS + MAX_SEATS * SEAT_SIZE
FIELD_WAITING = MAX_SEATS
FIELD_DEVELOPED = FIELD_WAITING + 1
FIELD_FACE_UP = FIELD_DEVELOPED + 1
FIELD_OFFERED = FIELD_FACE_UP + 1
FIELD_SIZE = FIELD_OFFERED + 1
SIZE = HOLDINGS + FIELDS * FIELD_SIZE
"""How many numbers an observation has."""
HIGHEST = 10_000.0
"""No number of an observation is larger, on any board that the loader accepts."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the observation: where it begins, its shape, and what its numbers say."""

    name: str
    start: int
    shape: tuple[int, ...]
    meaning: str

    @property
    def end(self) -> int:
        return self.start + prod(self.shape)


_BY_SEAT = (MAX_SEATS,)

BLOCKS = (
    Block(
        "table",
        TABLE,
        (5,),
        "one each for: Industria; four players; the options `late_draws = plain`, "
        "`claim_afford = full_price`, `industria_resource_cash = on`",
    ),
    Block("viewer", VIEWER, _BY_SEAT, "one for the observing seat, by its own number"),
    Block("era", ERA, (ERAS,), "one for the current era"),
    Block("round", ROUND, (1,), "number of the round / 20"),
    Block("phase", PHASE, (4,), "one for the phase: offer, bid, settle, develop"),
    Block("deciding", DECIDING, _BY_SEAT, "one for the seat that must decide"),
    Block("starting_player", STARTING_PLAYER, _BY_SEAT, "one for the Starting Player"),
    Block("auctioneer", AUCTIONEER, _BY_SEAT, "one for the Auctioneer; none while developing"),
    Block("high_bidder", HIGH_BIDDER, _BY_SEAT, "one for the highest bidder so far"),
    Block("bids", BIDS, _BY_SEAT, "bids in this auction / 10"),
    Block("passed", PASSED, _BY_SEAT, "one for seats that passed in this auction"),
    Block("turns_left", TURNS_LEFT, (1,), "development turns to come in this round / 4"),
    Block("built", BUILT, (KINDS,), "fields developed in this turn, by kind"),
    Block("offered_kind", OFFERED_KIND, (KINDS,), "joker, bonus, factory, technology"),
    Block(
        "offered_numbers",
        OFFERED_NUMBERS,
        (4,),
        "of the offered field: cost / 10, points / 10, bonus points / 10, discount",
    ),
    Block("offered_needs", OFFERED_NEEDS, (RESOURCES,), "resources that it needs"),
    Block("offered_makes", OFFERED_MAKES, (RESOURCES,), "resource that it makes"),
    Block("offered_joker", OFFERED_JOKER, (JOKERS,), "resource of the joker; the last is “?”"),
    Block("offered_networks", OFFERED_NETWORKS, (MAX_NETWORKS,), "networks of the factory"),
    Block("offered_bonus", OFFERED_BONUS, (MAX_NETWORKS,), "network of the bonus field"),
    Block(
        "seats",
        SEATS,
        (MAX_SEATS, SEAT_SIZE),
        "seat is in the game; subsidy taken; Talers / 10; points for development / 10; jokers held "
        "by resource, the last “?” (12); points for links and for bonuses if the game ended "
        "now / 10; resources produced (11); discount",
    ),
    Block(
        "fields",
        HOLDINGS,
        (FIELDS, FIELD_SIZE),
        "owner (4); not yet developed (of a joker: not yet used); developed; available; offered",
    ),
)
"""The whole observation, in order and without gaps."""


def named(observation: npt.NDArray[np.float32]) -> dict[str, npt.NDArray[np.float32]]:
    """Returns the blocks of an observation by name, as views; leading axes are kept."""
    axes = observation.shape[:-1]
    return {
        block.name: observation[..., block.start : block.end].reshape(*axes, *block.shape)
        for block in BLOCKS
    }


def new_standings(games: int) -> npt.NDArray[np.float32]:
    """Allocates what `note_standing` writes for every seat of some games."""
    return np.zeros((games, MAX_SEATS, STANDING_SIZE), dtype=np.float32)


@helper
def steps_from(players: int, viewer: int, seat: int) -> int:
    """Returns how many steps to the viewer's left a seat is, without a slow division."""
    steps = seat - viewer
    return steps + players if steps < 0 else steps


@helper
def mark_seat(state: State, viewer: int, seat: int, row: list[float], start: int) -> None:
    """Writes a one at the place of the seat; nothing for NOBODY."""
    if seat != NOBODY:
        row[start + steps_from(int(state.players), viewer, seat)] = 1.0


@helper
def write_course(board: Board, state: State, viewer: int, row: list[float]) -> None:
    """Writes the table, the progress of the game and whose decision it is."""
    row[TABLE] = 1.0 if board.edition == Edition.INDUSTRIA else 0.0
    row[TABLE + 1] = 1.0 if state.players == MAX_SEATS else 0.0
    row[TABLE + 2] = float(state.plain_draws)
    row[TABLE + 3] = float(state.full_price)
    row[TABLE + 4] = float(state.resource_cash)
    row[VIEWER + viewer] = 1.0
    row[ERA + state.era] = 1.0
    row[ROUND] = state.round_number * ROUND_SHARE
    if Phase.OFFER <= state.phase <= Phase.DEVELOP:
        row[PHASE + state.phase - Phase.OFFER] = 1.0
    mark_seat(state, viewer, int(state.actor), row, DECIDING)
    mark_seat(state, viewer, int(state.starting_player), row, STARTING_PLAYER)
    mark_seat(state, viewer, int(state.auctioneer), row, AUCTIONEER)


@helper
def write_auction(board: Board, state: State, viewer: int, row: list[float]) -> None:
    """Writes the bids so far, or what has been developed in this turn."""
    mark_seat(state, viewer, int(state.high_bidder), row, HIGH_BIDDER)
    for seat in range(state.players):
        if state.bids[seat] > 0:
            row[BIDS + steps_from(int(state.players), viewer, seat)] = state.bids[seat] * AMOUNT
        elif state.bids[seat] == 0:
            row[PASSED + steps_from(int(state.players), viewer, seat)] = 1.0
    if state.phase == Phase.DEVELOP:
        row[TURNS_LEFT] = state.turns_left / MAX_SEATS
        for kind in range(KINDS):
            row[BUILT + kind] = float(state.built[kind])


@helper
def write_offered(board: Board, field: int, row: list[float]) -> None:
    """Writes the board's values of the field that is being auctioned."""
    row[OFFERED_KIND + board.kind[field]] = 1.0
    row[OFFERED_NUMBERS] = board.cost[field] * AMOUNT
    row[OFFERED_NUMBERS + 1] = board.points[field] * AMOUNT
    row[OFFERED_NUMBERS + 2] = board.bonus_points[field] * AMOUNT
    row[OFFERED_NUMBERS + 3] = float(board.discount[field])
    if board.need_1[field] != NO_RESOURCE:
        row[OFFERED_NEEDS + board.need_1[field]] = 1.0
    if board.need_2[field] != NO_RESOURCE:
        row[OFFERED_NEEDS + board.need_2[field]] = 1.0
    if board.makes[field] != NO_RESOURCE:
        row[OFFERED_MAKES + board.makes[field]] = 1.0
    if board.joker[field] != NO_RESOURCE:
        row[OFFERED_JOKER + board.joker[field]] = 1.0
    for network in range(MAX_NETWORKS):
        if board.networks[field] >> network & 1:
            row[OFFERED_NETWORKS + network] = 1.0
    if board.bonus_network[field] != NO_NETWORK:
        row[OFFERED_BONUS + board.bonus_network[field]] = 1.0


@helper
def note_standing(board: Board, state: State, seat: int, standing: list[float]) -> None:
    """Writes what only the seat's own developments change: links, bonuses, products, discount."""
    standing[0] = link_points(board, state, seat) * AMOUNT
    standing[1] = bonus_points(board, state, seat) * AMOUNT
    for resource in range(RESOURCES):
        made = produces(board, state, seat, resource)
        standing[STANDING_PRODUCTS + resource] = 1.0 if made else 0.0
    standing[STANDING_DISCOUNT] = 0.0
    for position in range(board.discount_count):
        field = board.discounts[position]
        if has_developed(board, state, seat, field):
            standing[STANDING_DISCOUNT] += board.discount[field]


@helper
def write_seat(
    state: State, seat: int, standing: list[float], row: list[float], start: int
) -> None:
    """Writes a seat's purse and points, and what helps it to develop."""
    row[start] = 1.0
    row[start + 1] = float(state.subsidies[seat])
    row[start + 2] = state.talers[seat] * AMOUNT
    row[start + 3] = state.points[seat] * AMOUNT
    for place in range(STANDING_SIZE):
        row[start + SEAT_STANDING + place] = standing[place]


@helper
def write_jokers(board: Board, state: State, viewer: int, row: list[float]) -> None:
    """Writes the jokers still in hand, by seat and resource."""
    for position in range(board.joker_count):
        field = board.jokers[position]
        if state.status[field] == Status.HELD:
            steps = steps_from(int(state.players), viewer, int(state.owner[field]))
            row[SEATS + steps * SEAT_SIZE + SEAT_JOKERS + board.joker[field]] += 1.0


@helper
def write_fields(state: State, viewer: int, row: list[float]) -> None:
    """Writes each field's owner and status, and which fields are available or offered."""
    players, owners, statuses = int(state.players), state.owner, state.status
    for field in range(FIELDS):
        status = statuses[field]
        if status != Status.FREE:
            start = HOLDINGS + field * FIELD_SIZE
            row[start + steps_from(players, viewer, int(owners[field]))] = 1.0
            if status == Status.DEVELOPED:
                row[start + FIELD_DEVELOPED] = 1.0
            elif status == Status.UNDEVELOPED or status == Status.HELD:
                row[start + FIELD_WAITING] = 1.0
    for column in range(COLUMNS):
        if state.tokens[column] == Token.FACE_UP:
            field = state.era * COLUMNS + column
            row[HOLDINGS + field * FIELD_SIZE + FIELD_FACE_UP] = 1.0
    if state.offered != NO_FIELD:
        row[HOLDINGS + state.offered * FIELD_SIZE + FIELD_OFFERED] = 1.0


@helper
def write_observation(
    board: Board, state: State, viewer: int, standings: list[list[float]], row: list[float]
) -> None:
    """Fills the row with what the viewer sees; `standings` has what `note_standing` wrote by seat.

    `note_standing` takes longer than everything else, so loops over many moves keep its result.
    """
    for place in range(SIZE):
        row[place] = 0.0
    write_course(board, state, viewer, row)
    write_auction(board, state, viewer, row)
    if state.offered != NO_FIELD:
        write_offered(board, int(state.offered), row)
    for seat in range(state.players):
        start = SEATS + steps_from(int(state.players), viewer, seat) * SEAT_SIZE
        write_seat(state, seat, standings[seat], row, start)
    write_jokers(board, state, viewer, row)
    write_fields(state, viewer, row)
