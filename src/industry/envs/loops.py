"""Compiled entry points of the environments: one decision in each of thousands of games.

`boards` is an array with one record, `openings` has a record per Starting Player, `states` one per
game. A game that ends is followed by the next in the same place.
"""

from typing import Any

from industry.engine.constants import Phase
from industry.engine.dispatch import apply_move, list_moves, move_fault
from industry.engine.faults import Fault
from industry.engine.move_codes import ACTIONS, DEVELOP, DRAW
from industry.engine.playout import random_below, random_draw
from industry.engine.rule import entry_point, helper
from industry.engine.rules.draw import draw
from industry.engine.rules.scoring import total_points

from .observation import note_standing, write_observation
from .rewards import write_rewards


@helper
def draw_due_tokens(board: Any, state: Any, generator: Any) -> None:
    if state.phase == Phase.DRAW:
        draw(board, state, random_draw(board, state, generator) - DRAW)


@helper
def note_standings(board: Any, state: Any, standings: Any) -> None:
    for seat in range(state.players):
        note_standing(board, state, seat, standings[seat])


@helper
def begin_game(
    board: Any, openings: Any, states: Any, standings: Any, game: int, generator: Any
) -> None:
    """Starts a new game with a random Starting Player, up to the first decision (A5)."""
    states[game] = openings[random_below(generator, openings.shape[0])]
    note_standings(board, states[game], standings[game])
    draw_due_tokens(board, states[game], generator)


@helper
def is_legal(board: Any, state: Any, code: int) -> bool:
    """Checks that the code is a legal move of the deciding seat; draws belong to chance."""
    if not 0 <= code < ACTIONS:
        return False
    return bool(move_fault(board, state, int(state.actor), code) == Fault.NONE)


@helper
def show_game(
    board: Any,
    states: Any,
    standings: Any,
    game: int,
    moves: Any,
    counts: Any,
    masks: Any,
    views: Any,
    seats: Any,
) -> None:
    """Writes the deciding seat's observation and mask; the mask must match the last moves."""
    state = states[game]
    seat = int(state.actor)
    for position in range(counts[game]):
        masks[game, moves[game, position]] = False
    counts[game] = list_moves(board, state, seat, moves[game])
    for position in range(counts[game]):
        masks[game, moves[game, position]] = True
    write_observation(board, state, seat, standings[game], views[game])
    seats[game] = seat


@entry_point
def begin_games(
    boards: Any,
    openings: Any,
    states: Any,
    standings: Any,
    generators: Any,
    moves: Any,
    counts: Any,
    masks: Any,
    views: Any,
    seats: Any,
) -> None:
    """Starts new games in all places."""
    for game in range(states.shape[0]):
        begin_game(boards[0], openings, states, standings, game, generators[game])
        show_game(boards[0], states, standings, game, moves, counts, masks, views, seats)


@entry_point
def first_refused(boards: Any, states: Any, actions: Any) -> int:
    """Returns the first game whose action is illegal, or the number of games if all are legal."""
    for game in range(states.shape[0]):
        if not is_legal(boards[0], states[game], actions[game]):
            return game
    return int(states.shape[0])


@entry_point
def step_games(
    boards: Any,
    openings: Any,
    states: Any,
    standings: Any,
    generators: Any,
    actions: Any,
    kind: int,
    rewards: Any,
    points: Any,
    ended: Any,
    moves: Any,
    counts: Any,
    masks: Any,
    views: Any,
    seats: Any,
) -> None:
    """Makes a legal move in every game, and the draws, ends and new games that follow from it."""
    board = boards[0]
    for game in range(states.shape[0]):
        state = states[game]
        actor = int(state.actor)
        apply_move(board, state, actor, actions[game])
        if actions[game] >= DEVELOP:
            note_standing(board, state, actor, standings[game, actor])
        draw_due_tokens(board, state, generators[game])
        ended[game] = state.phase == Phase.OVER
        for seat in range(state.players):
            rewards[game, seat] = 0.0
        if ended[game]:
            write_rewards(board, state, kind, rewards[game])
            for seat in range(state.players):
                points[game, seat] = total_points(board, state, seat)
            begin_game(board, openings, states, standings, game, generators[game])
        show_game(board, states, standings, game, moves, counts, masks, views, seats)


@entry_point
def observe_games(boards: Any, states: Any, standings: Any, viewers: Any, views: Any) -> None:
    """Writes the observation of a seat per game, deciding or not."""
    for game in range(states.shape[0]):
        note_standings(boards[0], states[game], standings[game])
        write_observation(boards[0], states[game], viewers[game], standings[game], views[game])


@entry_point
def sample_moves(generators: Any, moves: Any, counts: Any, actions: Any) -> None:
    """Chooses a legal move for each game, each equally likely."""
    for game in range(actions.shape[0]):
        actions[game] = moves[game, random_below(generators[game], counts[game])]
