"""Phase 5: new Starting Player, and the change of era."""

from ..board import Board
from ..constants import (
    COLUMNS,
    ERAS,
    INDUSTRIA,
    KIND_TECHNOLOGY,
    NOBODY,
    PART_BONUSES,
    PART_JOKERS,
    PART_LINKS,
    PART_MONEY,
    PART_SUBSIDY,
    PHASE_DRAW,
    PHASE_OVER,
    STATUS_LAPSED,
    STATUS_UNDEVELOPED,
    TOKEN_IN_BAG,
)
from ..raw_events import (
    EVENT_ERA_CHANGED,
    EVENT_GAME_ENDED,
    EVENT_POINTS_SCORED,
    EVENT_ROUND_STARTED,
    EVENT_STARTING_PLAYER_CHANGED,
    EVENT_TECHNOLOGY_LAPSED,
    emit,
)
from ..rule import compiled_as, helper, rule
from ..state import State
from .draw import tokens_in_bag
from .income import pay_income
from .scoring import bonus_points, joker_points, link_points, money_points, subsidy_points
from .turn import left_of


@helper
def end_round(board: Board, state: State) -> None:
    """Phase 5, then the change of era or the end of the game, then the next round's income."""
    if tokens_in_bag(state) == 0:
        if is_last_era(board, state):
            end_game(board, state)
            return
        pass_marker(board, state)
        change_era(board, state)
    else:
        pass_marker(board, state)
    begin_round(board, state)


@helper
def begin_round(board: Board, state: State) -> None:
    state.round_number += 1
    state.phase = PHASE_DRAW
    state.actor = NOBODY
    emit(state, EVENT_ROUND_STARTED, state.round_number, state.era, state.starting_player)
    pay_income(board, state)


@rule("round.marker", "phase_5", "A3")
def pass_marker(board: Board, state: State) -> None:
    """At the end of a round the Starting Player marker moves to the left neighbour."""
    state.starting_player = left_of(state, int(state.starting_player))
    emit(state, EVENT_STARTING_PLAYER_CHANGED, state.starting_player)


@rule("era.change", "era_change", "B1", "B3", "B6", "G1", "I8")
def change_era(board: Board, state: State) -> None:
    """When the 12 fields of an era are auctioned, the era changes and technologies lapse."""
    for column in range(COLUMNS):
        state.tokens[column] = TOKEN_IN_BAG
        field = state.era * COLUMNS + column
        if board.kind[field] == KIND_TECHNOLOGY and state.status[field] == STATUS_UNDEVELOPED:
            state.status[field] = STATUS_LAPSED
            emit(state, EVENT_TECHNOLOGY_LAPSED, state.owner[field], field)
    state.era += 1
    emit(state, EVENT_ERA_CHANGED, state.era)


@rule("end.eras", "game_end", "G2", "I1")
def last_era(board: Board, state: State) -> int:
    """Five eras are played; Industria with three players has four."""
    if board.edition == INDUSTRIA and state.players == 3:
        return ERAS - 2
    return ERAS - 1


@helper
def is_last_era(board: Board, state: State) -> bool:
    return bool(state.era == last_era(board, state))


@rule("end.round", "game_end", "G2", "F3")
def end_game(board: Board, state: State) -> None:
    """The game ends with the round, development included, of the last auctioned field."""
    state.phase = PHASE_OVER
    state.actor = NOBODY
    emit_scores(board, state)
    emit(state, EVENT_GAME_ENDED)


def _emit_no_scores(board: Board, state: State) -> None:
    """Replaces `emit_scores` in compiled games, which keep no events and are scored on demand."""


@compiled_as(_emit_no_scores)
def emit_scores(board: Board, state: State) -> None:
    """Emits what each seat scores at the end, part by part."""
    for step in range(state.players):
        seat = (state.starting_player + step) % state.players
        emit_points(state, seat, PART_MONEY, money_points(board, state, seat))
        emit_points(state, seat, PART_LINKS, link_points(board, state, seat))
        emit_points(state, seat, PART_BONUSES, bonus_points(board, state, seat))
        emit_points(state, seat, PART_JOKERS, joker_points(board, state, seat))
        emit_points(state, seat, PART_SUBSIDY, subsidy_points(board, state, seat))


@helper
def emit_points(state: State, seat: int, part: int, points: int) -> None:
    """Emits a part of the score, unless it is 0."""
    if points != 0:
        emit(state, EVENT_POINTS_SCORED, seat, part, points)
