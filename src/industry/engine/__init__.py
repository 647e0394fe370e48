"""The rules of Industry and Industria and nothing else: no files, no clock, no randomness.

A `Position` knows its legal moves; `play` turns a position and a move into the next position and
the events that people at the table would see. Chance is a move too: whoever runs the game draws.
"""

from . import rules as rules
from .board import Board
from .events import Event
from .faults import Fault
from .moves import (
    Bid,
    Cash,
    Claim,
    Develop,
    Done,
    Draw,
    Move,
    Offer,
    Pass,
    PlayerMove,
    Sell,
    Subsidy,
    code_of,
    move_of,
    player_move_of,
    seat_of,
)
from .position import Breakdown, Options, Position, play, start, start_with_events
from .refusal import IllegalMove, Refusal
from .rule import RULES, Rule
from .state import State
from .vocabulary import Edition, Kind, Phase, Reason, Source, Status, Token, field_id

__all__ = [
    "RULES",
    "Bid",
    "Board",
    "Breakdown",
    "Cash",
    "Claim",
    "Develop",
    "Done",
    "Draw",
    "Edition",
    "Event",
    "Fault",
    "IllegalMove",
    "Kind",
    "Move",
    "Offer",
    "Options",
    "Pass",
    "Phase",
    "PlayerMove",
    "Position",
    "Reason",
    "Refusal",
    "Rule",
    "Sell",
    "Source",
    "State",
    "Status",
    "Subsidy",
    "Token",
    "code_of",
    "field_id",
    "move_of",
    "play",
    "player_move_of",
    "seat_of",
    "start",
    "start_with_events",
]
