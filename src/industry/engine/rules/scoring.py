"""End of the game: scoring and the winner."""

from typing import TypeVar

from ..board import Board
from ..constants import (
    FIELDS,
    INDUSTRIA,
    JOKER_POINTS,
    KIND_FACTORY,
    LINK_POINTS,
    MAX_NETWORKS,
    STATUS_DEVELOPED,
    STATUS_HELD,
    SUBSIDY_POINTS,
    TALERS_PER_POINT,
)
from ..rule import helper, rule
from ..state import State

_Points = TypeVar("_Points", int, float)


@rule("scoring.cleanup", "game_end", "G3")
def has_developed(board: Board, state: State, seat: int, field: int) -> bool:
    """Undeveloped fields come off before scoring: only developed ones count for anything."""
    return bool(state.owner[field] == seat and state.status[field] == STATUS_DEVELOPED)


@rule("scoring.money", "game_end", "H4")
def money_points(board: Board, state: State, seat: int) -> int:
    """1 point for every full 3 Talers; the rest is lost."""
    return int(state.talers[seat] // TALERS_PER_POINT)


@rule("scoring.links", "game_end", "H3")
def link_points(board: Board, state: State, seat: int) -> int:
    """3 points for each direct link with both ends developed by the same player."""
    count = 0
    for position in range(board.link_count):
        if has_developed(board, state, seat, board.link_from[position]) and has_developed(
            board, state, seat, board.link_to[position]
        ):
            count += 1
    return count * LINK_POINTS


@helper
def connected_factories(board: Board, state: State, seat: int, network: int) -> int:
    """How many factories that the seat has developed lie on the network."""
    count = 0
    for field in range(FIELDS):
        if (
            board.kind[field] == KIND_FACTORY
            and board.networks[field] >> network & 1
            and has_developed(board, state, seat, field)
        ):
            count += 1
    return count


@helper
def combined_bonus(board: Board, value: _Points, more: _Points) -> _Points:
    """Returns what two bonuses of one network score together for each factory (H2, I7)."""
    if board.edition == INDUSTRIA:
        return max(value, more)
    return value + more


@rule("scoring.bonuses", "game_end", "H1", "H2", "I7")
def bonus_points(board: Board, state: State, seat: int) -> int:
    """Each bonus field pays for each connected factory; in Industria equal bonuses pay once."""
    points = 0
    for network in range(MAX_NETWORKS):
        value = 0
        for field in range(FIELDS):
            if board.bonus_network[field] == network and has_developed(board, state, seat, field):
                value = combined_bonus(board, value, int(board.bonus_points[field]))
        if value > 0:
            points += value * connected_factories(board, state, seat, network)
    return points


@rule("scoring.jokers", "game_end", "H5", "I5")
def joker_points(board: Board, state: State, seat: int) -> int:
    """Industry: 2 points for each unused joker. Raw-material tiles of Industria score nothing."""
    if board.edition == INDUSTRIA:
        return 0
    points = 0
    for position in range(board.joker_count):
        field = board.jokers[position]
        if state.owner[field] == seat and state.status[field] == STATUS_HELD:
            points += JOKER_POINTS
    return points


@rule("scoring.subsidy", "game_end", "F4", "H6")
def subsidy_points(board: Board, state: State, seat: int) -> int:
    """A subsidy costs 5 points; totals may be negative."""
    return SUBSIDY_POINTS if state.subsidies[seat] else 0


@rule("scoring.total", "game_end", "H7", "H9")
def total_points(board: Board, state: State, seat: int) -> int:
    """The points of development and the five parts of the final scoring."""
    return (
        int(state.points[seat])
        + money_points(board, state, seat)
        + link_points(board, state, seat)
        + bonus_points(board, state, seat)
        + joker_points(board, state, seat)
        + subsidy_points(board, state, seat)
    )


@helper
def developed_count(board: Board, state: State, seat: int) -> int:
    count = 0
    for field in range(FIELDS):
        if has_developed(board, state, seat, field):
            count += 1
    return count


@rule("scoring.tiebreak", "game_end", "H8", "I10")
def is_ahead(board: Board, state: State, seat: int, other: int) -> bool:
    """More points, then more developed fields, then more Talers in hand; else they share."""
    mine = total_points(board, state, seat)
    others = total_points(board, state, other)
    return is_ahead_by(board, state, seat, mine, other, others)


@helper
def is_ahead_by(
    board: Board, state: State, seat: int, points: int, other: int, others_points: int
) -> bool:
    """Decides the same for points that have already been counted."""
    if points != others_points:
        return points > others_points
    mine = developed_count(board, state, seat)
    others = developed_count(board, state, other)
    if mine != others:
        return mine > others
    return bool(state.talers[seat] > state.talers[other])
