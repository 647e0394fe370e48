"""The words of the rulebook as small numbers, for code that also runs compiled."""

from enum import IntEnum

MAX_SEATS = 4
ERAS = 5
COLUMNS = 12
FIELDS = ERAS * COLUMNS
RESOURCES = 11
MAX_NETWORKS = 5

NOBODY = -1
BANK = -1
NO_FIELD = -1
NO_RESOURCE = -1
NO_NETWORK = -1
ANY_RESOURCE = RESOURCES
"""The «?» joker stands for this: any one of the resources."""

COLUMN_LETTERS = "ABCDEFGHIJKL"


class Edition(IntEnum):
    INDUSTRY = 0
    INDUSTRIA = 1


class Kind(IntEnum):
    JOKER = 0
    BONUS = 1
    FACTORY = 2
    TECHNOLOGY = 3


class Phase(IntEnum):
    """What the game waits for. Only DRAW is chance; in OVER it waits for nothing."""

    DRAW = 0
    OFFER = 1
    BID = 2
    SETTLE = 3
    DEVELOP = 4
    OVER = 5


class Token(IntEnum):
    """A column token (Industria: the tile of that letter in the current era's pile)."""

    IN_BAG = 0
    FACE_UP = 1
    FACE_DOWN = 2


class Status(IntEnum):
    """What became of a field. Joker fields go FREE, HELD, SPENT; all others the rest."""

    FREE = 0
    UNDEVELOPED = 1
    DEVELOPED = 2
    LAPSED = 3
    HELD = 4
    SPENT = 5


class Source(IntEnum):
    """Where a resource comes from; SEAT + n is the developed factory of seat n."""

    OWN = 0
    BANK = 1
    JOKER = 2
    ANY = 3
    SEAT = 4


SOURCES = Source.SEAT + MAX_SEATS


class Reason(IntEnum):
    """Why Talers change hands."""

    START = 0
    INCOME = 1
    ERA_INCOME = 2
    COIN = 3
    SALE = 4
    CLAIM = 5
    COST = 6
    RESOURCE = 7
    SUBSIDY = 8
    CASH = 9


class Part(IntEnum):
    """The parts of a seat's points, in the order of the game record."""

    DEVELOPMENT = 0
    MONEY = 1
    LINKS = 2
    BONUSES = 3
    JOKERS = 4
    SUBSIDY = 5


START_TALERS = 4
INCOME_TALERS = 1
ERA_INCOME_TALERS = 1
COIN_TALERS = 1
SUBSIDY_TALERS = 3
SUBSIDY_POINTS = -5
CASH_TALERS = 1
RESOURCE_PRICE = 1
LOWEST_BID = 1
LINK_POINTS = 3
JOKER_POINTS = 2
TALERS_PER_POINT = 3
DEVELOPMENTS_PER_TURN = 2


def field_index(era: int, column: int) -> int:
    """The field of an era and a column, both counted from 0."""
    return era * COLUMNS + column


def field_id(field: int) -> str:
    """The name of a field in files and on screens: `1A` to `5L`."""
    return f"{field // COLUMNS + 1}{COLUMN_LETTERS[field % COLUMNS]}"
