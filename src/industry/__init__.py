"""Industry and Industria: the auction games of industrial history, exact and open to study."""

from .boards import BoardError, BoardSpec, load_board
from .engine import IllegalMove, Position, play
from .notation import (
    Game,
    NotationError,
    OptionError,
    Record,
    RecordError,
    new_game,
    replay,
    verify,
)

__version__ = "0.2.0"

__all__ = [
    "BoardError",
    "BoardSpec",
    "Game",
    "IllegalMove",
    "NotationError",
    "OptionError",
    "Position",
    "Record",
    "RecordError",
    "load_board",
    "new_game",
    "play",
    "replay",
    "verify",
]
