"""What can be wrong with a move. Names are stable codes; the sentences are in `texts`."""

from enum import IntEnum


class Fault(IntEnum):
    NONE = 0
    # whose decision it is
    GAME_OVER = 1
    DRAW_DUE = 2
    NO_DRAW_DUE = 3
    NOT_YOUR_DECISION = 4
    NOT_THIS_DECISION = 5
    NO_SEAT = 6
    # drawing
    DRAW_OTHER_ERA = 10
    DRAW_TWICE = 11
    DRAW_NOT_IN_BAG = 12
    DRAW_COUNT = 13
    # auction
    OFFER_OTHER_ERA = 20
    OFFER_NOT_DRAWN = 21
    OFFER_GONE = 22
    BID_TOO_LOW = 23
    BID_NOT_HIGHER = 24
    BID_OVER_PURSE = 25
    CLAIM_TOO_DEAR = 26
    # development
    DEVELOP_JOKER = 30
    DEVELOP_NOT_OWNED = 31
    DEVELOP_TWICE = 32
    DEVELOP_LAPSED = 33
    DEVELOP_LIMIT = 34
    DEVELOP_KIND_LIMIT = 35
    OWN_PRODUCT = 40
    NO_OWN_FACTORY = 41
    NO_SELLER = 42
    SELLER_IS_SELF = 43
    NO_SUCH_SEAT = 44
    BANK_CLOSED = 45
    BANK_NOT_YET = 46
    NO_JOKER = 47
    NO_ANY_JOKER = 48
    NOT_ENOUGH_JOKERS = 49
    NEEDS_MISMATCH = 50
    TOO_FEW_TALERS = 51
    # subsidy and raw material
    SUBSIDY_EDITION = 60
    SUBSIDY_TAKEN = 61
    SUBSIDY_NOT_NOW = 62
    CASH_EDITION = 63
    CASH_OFF = 64
    CASH_NOT_HELD = 65


NO_FAULT = Fault.NONE
"""The same values for the rules: looking a member up on its class takes ten times as long."""
