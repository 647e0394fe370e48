"""Tables at which the tests of the engine play: both editions, 3 and 4 players, all options."""

from industry.boards import load_board
from industry.engine import Options, Position, start
from industry.notation.options import OF_EDITION

TABLES = [(edition, players) for edition in OF_EDITION for players in (3, 4)]
OPTIONS = {
    "industry": [
        Options(),
        Options(plain_draws=True),
        Options(full_price=True),
        Options(any_time=True),
        Options(plain_draws=True, full_price=True, any_time=True),
    ],
    "industria": [Options(), Options(resource_cash=True)],
}


def opening(edition: str, players: int, number: int) -> Position:
    options = OPTIONS[edition][number % len(OPTIONS[edition])]
    return start(load_board(edition).rules, players, number % players, options)
