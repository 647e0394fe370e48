"""Preparation of the game."""

from ..board import Board
from ..constants import BANK, REASON_START, START_TALERS
from ..raw_events import move_talers
from ..rule import rule
from ..state import State
from .era import begin_round


@rule("setup.start", "preparation", "A4", "A5", "D1", "D3")
def begin_game(board: Board, state: State, players: int, starting_player: int) -> None:
    """Three or four players start with 4 Talers each; then comes the first income."""
    state.players = players
    state.starting_player = starting_player
    for step in range(players):
        seat = (starting_player + step) % players
        move_talers(state, BANK, seat, START_TALERS, REASON_START)
    begin_round(board, state)
