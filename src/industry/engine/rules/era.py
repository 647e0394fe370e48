"""Phase 5: new Starting Player, and the change of era."""

from ..board import Board
from ..happenings import Happening, note
from ..rule import part, rule
from ..state import State
from ..vocabulary import COLUMNS, ERAS, NOBODY, Edition, Kind, Part, Phase, Status, Token
from .draw import tokens_in_bag
from .income import pay_income
from .scoring import bonus_points, joker_points, link_points, money_points, subsidy_points
from .turn import left_of


@part
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


@part
def begin_round(board: Board, state: State) -> None:
    state.round_number += 1
    state.phase = Phase.DRAW
    state.actor = NOBODY
    note(state, Happening.ROUND_STARTED, state.round_number, state.era, state.starting_player)
    pay_income(board, state)


@rule("round.marker", "phase_5", "A3")
def pass_marker(board: Board, state: State) -> None:
    """At the end of a round the Starting Player marker moves to the left neighbour."""
    state.starting_player = left_of(state, int(state.starting_player))
    note(state, Happening.STARTING_PLAYER_CHANGED, state.starting_player)


@rule("era.change", "era_change", "B1", "B3", "B6", "G1", "I8")
def change_era(board: Board, state: State) -> None:
    """When the 12 fields of an era are auctioned, the era changes and technologies lapse."""
    for column in range(COLUMNS):
        state.tokens[column] = Token.IN_BAG
        field = state.era * COLUMNS + column
        if board.kind[field] == Kind.TECHNOLOGY and state.status[field] == Status.UNDEVELOPED:
            state.status[field] = Status.LAPSED
            note(state, Happening.TECHNOLOGY_LAPSED, state.owner[field], field)
    state.era += 1
    note(state, Happening.ERA_CHANGED, state.era)


@rule("end.eras", "game_end", "G2", "I1")
def is_last_era(board: Board, state: State) -> bool:
    """Five eras are played; Industria with three players has four."""
    if board.edition == Edition.INDUSTRIA and state.players == 3:
        return bool(state.era == ERAS - 2)
    return bool(state.era == ERAS - 1)


@rule("end.round", "game_end", "G2", "F3")
def end_game(board: Board, state: State) -> None:
    """The game ends with the round, development included, of the last auctioned field."""
    state.phase = Phase.OVER
    state.actor = NOBODY
    for step in range(state.players):
        seat = (state.starting_player + step) % state.players
        note_points(state, seat, Part.MONEY, money_points(board, state, seat))
        note_points(state, seat, Part.LINKS, link_points(board, state, seat))
        note_points(state, seat, Part.BONUSES, bonus_points(board, state, seat))
        note_points(state, seat, Part.JOKERS, joker_points(board, state, seat))
        note_points(state, seat, Part.SUBSIDY, subsidy_points(board, state, seat))
    note(state, Happening.GAME_ENDED)


@part
def note_points(state: State, seat: int, part: Part, points: int) -> None:
    """Nobody speaks of a part that scored nothing."""
    if points != 0:
        note(state, Happening.POINTS_SCORED, seat, part, points)
