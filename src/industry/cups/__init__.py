"""Cups and seasons: who sits where, what a result is worth, who is ahead.

Nothing here uses a server, a clock or a file: everything follows from the arguments and a seed.
"""

from .cup import FORMATS, Cup, CupError, Entrant, Format, Game, Result, Round, Rules
from .league import groups_of, moved
from .planning import next_games, schedule
from .standings import Standing, standings

__all__ = [
    "FORMATS",
    "Cup",
    "CupError",
    "Entrant",
    "Format",
    "Game",
    "Result",
    "Round",
    "Rules",
    "Standing",
    "groups_of",
    "moved",
    "next_games",
    "schedule",
    "standings",
]
