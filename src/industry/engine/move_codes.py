"""Converts every move to an integer and back, in constant time.

The numbers are the same for every board, edition and number of players. A code does not name the
seat: it is the seat that must decide, or the one that is given with it. Draws have their own
numbers above those of the players, one bit per column.
"""

from .constants import COLUMNS, FIELDS, SOURCES
from .rule import helper

MAX_BID = 150
"""No purse can ever hold more: at most 135 Talers enter a game."""

PASS = 0
SELL = 1
CLAIM = 2
DONE = 3
SUBSIDY = 4
OFFER = 5
CASH = OFFER + FIELDS
BID = CASH + FIELDS
DEVELOP = BID + MAX_BID + 1
WAYS = SOURCES * SOURCES
"""Pairs of sources for the two needs of a field."""
ACTIONS = DEVELOP + FIELDS * WAYS
"""How many codes the players' moves have."""
DRAW = ACTIONS
CODES = DRAW + (1 << COLUMNS)


@helper
def develop_code(field: int, source_1: int, source_2: int) -> int:
    return DEVELOP + field * WAYS + source_1 * SOURCES + source_2


@helper
def developed_field(code: int) -> int:
    return (code - DEVELOP) // WAYS


@helper
def first_source(code: int) -> int:
    return (code - DEVELOP) % WAYS // SOURCES


@helper
def second_source(code: int) -> int:
    return (code - DEVELOP) % SOURCES
