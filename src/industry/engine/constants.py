"""The terms of the rulebook as small integers, for code that also runs compiled."""

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


INDUSTRY = int(Edition.INDUSTRY)
INDUSTRIA = int(Edition.INDUSTRIA)


class Kind(IntEnum):
    JOKER = 0
    BONUS = 1
    FACTORY = 2
    TECHNOLOGY = 3


KIND_JOKER = int(Kind.JOKER)
KIND_BONUS = int(Kind.BONUS)
KIND_FACTORY = int(Kind.FACTORY)
KIND_TECHNOLOGY = int(Kind.TECHNOLOGY)


KINDS = len(Kind)


class Phase(IntEnum):
    """The decision that the game waits for. DRAW waits for chance, OVER for nothing."""

    DRAW = 0
    OFFER = 1
    BID = 2
    SETTLE = 3
    DEVELOP = 4
    OVER = 5


PHASE_DRAW = int(Phase.DRAW)
PHASE_OFFER = int(Phase.OFFER)
PHASE_BID = int(Phase.BID)
PHASE_SETTLE = int(Phase.SETTLE)
PHASE_DEVELOP = int(Phase.DEVELOP)
PHASE_OVER = int(Phase.OVER)


class Token(IntEnum):
    """A column token (Industria: the tile of that letter in the current era's pile)."""

    IN_BAG = 0
    FACE_UP = 1
    FACE_DOWN = 2


TOKEN_IN_BAG = int(Token.IN_BAG)
TOKEN_FACE_UP = int(Token.FACE_UP)
TOKEN_FACE_DOWN = int(Token.FACE_DOWN)


class Status(IntEnum):
    """What became of a field. Joker fields go FREE, HELD, SPENT; all others the rest."""

    FREE = 0
    UNDEVELOPED = 1
    DEVELOPED = 2
    LAPSED = 3
    HELD = 4
    SPENT = 5


STATUS_FREE = int(Status.FREE)
STATUS_UNDEVELOPED = int(Status.UNDEVELOPED)
STATUS_DEVELOPED = int(Status.DEVELOPED)
STATUS_LAPSED = int(Status.LAPSED)
STATUS_HELD = int(Status.HELD)
STATUS_SPENT = int(Status.SPENT)


class Source(IntEnum):
    """Where a resource comes from; SEAT + n is the developed factory of seat n."""

    OWN = 0
    BANK = 1
    JOKER = 2
    ANY = 3
    SEAT = 4


FROM_OWN = int(Source.OWN)
FROM_BANK = int(Source.BANK)
FROM_JOKER = int(Source.JOKER)
FROM_ANY = int(Source.ANY)
FROM_SEAT = int(Source.SEAT)


SOURCES = FROM_SEAT + MAX_SEATS


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


REASON_START = int(Reason.START)
REASON_INCOME = int(Reason.INCOME)
REASON_ERA_INCOME = int(Reason.ERA_INCOME)
REASON_COIN = int(Reason.COIN)
REASON_SALE = int(Reason.SALE)
REASON_CLAIM = int(Reason.CLAIM)
REASON_COST = int(Reason.COST)
REASON_RESOURCE = int(Reason.RESOURCE)
REASON_SUBSIDY = int(Reason.SUBSIDY)
REASON_CASH = int(Reason.CASH)


class Part(IntEnum):
    """The parts of a seat's points, in the order of the game record."""

    DEVELOPMENT = 0
    MONEY = 1
    LINKS = 2
    BONUSES = 3
    JOKERS = 4
    SUBSIDY = 5


PART_DEVELOPMENT = int(Part.DEVELOPMENT)
PART_MONEY = int(Part.MONEY)
PART_LINKS = int(Part.LINKS)
PART_BONUSES = int(Part.BONUSES)
PART_JOKERS = int(Part.JOKERS)
PART_SUBSIDY = int(Part.SUBSIDY)


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
    """Returns the field of an era and a column, both from 0."""
    return era * COLUMNS + column


def field_id(field: int) -> str:
    """Returns the id of a field in files and on screens: `1A` to `5L`."""
    return f"{field // COLUMNS + 1}{COLUMN_LETTERS[field % COLUMNS]}"
