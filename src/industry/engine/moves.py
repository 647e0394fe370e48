"""Moves: small immutable values, one class each. Seats and fields count from 0."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from . import move_codes as codes
from .board import Board
from .constants import COLUMNS, FIELDS, NOBODY, SOURCES, Source


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance: the fields whose column tokens (Industria: tiles) are drawn for this round."""

    fields: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    seat: int
    field: int


@dataclass(frozen=True, slots=True)
class Bid:
    seat: int
    talers: int


@dataclass(frozen=True, slots=True)
class Pass:
    seat: int


@dataclass(frozen=True, slots=True)
class Sell:
    seat: int


@dataclass(frozen=True, slots=True)
class Claim:
    seat: int


@dataclass(frozen=True, slots=True)
class Develop:
    """`sources` has one entry per need of the field: a `Source`, or `Source.SEAT` + seat."""

    seat: int
    field: int
    sources: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Done:
    seat: int


@dataclass(frozen=True, slots=True)
class Subsidy:
    seat: int


@dataclass(frozen=True, slots=True)
class Cash:
    """Industria, by option: a raw-material tile for 1 Taler."""

    seat: int
    field: int


PlayerMove = Offer | Bid | Pass | Sell | Claim | Develop | Done | Subsidy | Cash
Move = Draw | PlayerMove


def seat_of(move: Move) -> int:
    """Returns the seat that moves; NOBODY for chance."""
    return NOBODY if isinstance(move, Draw) else move.seat


def check_shape(move: Move) -> None:
    """Raises `ValueError` for a move whose field, source or number cannot exist."""
    match move:
        case Draw(fields):
            named: tuple[int, ...] = fields
        case Offer(_, field) | Cash(_, field) | Develop(_, field):
            named = (field,)
        case _:
            named = ()
    for field in named:
        if type(field) is not int or not 0 <= field < FIELDS:
            raise ValueError(f"{field!r} is not a field: they count from 0 to {FIELDS - 1}")
    if isinstance(move, Bid) and type(move.talers) is not int:
        raise ValueError(f"{move.talers!r} is not a bid: bids are whole numbers of Talers")
    if isinstance(move, Develop):
        for source in move.sources:
            if not isinstance(source, int) or not 0 <= source < SOURCES:
                raise ValueError(f"{source!r} is not a source: they count from 0 to {SOURCES - 1}")


def code_of(move: Move) -> int:
    """Returns the move's number (see `move_codes`); bids beyond every purse share the highest."""
    match move:
        case Draw(fields):
            return codes.DRAW + sum({1 << field % COLUMNS for field in fields})
        case Offer(_, field):
            return codes.OFFER + field
        case Bid(_, talers):
            return codes.BID + min(max(talers, 0), codes.MAX_BID)
        case Pass():
            return codes.PASS
        case Sell():
            return codes.SELL
        case Claim():
            return codes.CLAIM
        case Develop(_, field, sources):
            first, second = (*sources, Source.OWN, Source.OWN)[:2]
            return codes.develop_code(field, first, second)
        case Done():
            return codes.DONE
        case Subsidy():
            return codes.SUBSIDY
        case Cash(_, field):
            return codes.CASH + field
        case _:
            assert_never(move)


_PLAIN: dict[int, Callable[[int], PlayerMove]] = {
    codes.PASS: Pass,
    codes.SELL: Sell,
    codes.CLAIM: Claim,
    codes.DONE: Done,
    codes.SUBSIDY: Subsidy,
}


def move_of(board: Board, seat: int, code: int, era: int = 0) -> Move:
    """Returns the move with this number; draws need `era`, because they only name columns."""
    if code >= codes.DRAW:
        columns = code - codes.DRAW
        return Draw(tuple(era * COLUMNS + c for c in range(COLUMNS) if columns >> c & 1))
    return player_move_of(board, seat, code)


def player_move_of(board: Board, seat: int, code: int) -> PlayerMove:
    """Returns the player's move with this number."""
    if code >= codes.DEVELOP:
        field = codes.developed_field(code)
        pair = (codes.first_source(code), codes.second_source(code))
        return Develop(seat, field, pair[: len(board.needs(field))])
    if code >= codes.BID:
        return Bid(seat, code - codes.BID)
    if code >= codes.CASH:
        return Cash(seat, code - codes.CASH)
    if code >= codes.OFFER:
        return Offer(seat, code - codes.OFFER)
    return _PLAIN[code](seat)
