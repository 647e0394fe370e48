"""Positions, and moves from one to the next without side effects."""

import hashlib
import json
import threading
from dataclasses import dataclass
from functools import cached_property

from .board import Board
from .constants import COLUMNS, Phase, Token
from .dispatch import apply_move, list_moves, move_fault, new_move_list
from .events import Event, event_of
from .faults import Fault
from .moves import (
    Develop,
    Draw,
    Move,
    PlayerMove,
    check_shape,
    code_of,
    player_move_of,
    seat_of,
)
from .refusal import IllegalMove, Refusal, refusal_of
from .rules.auction import offer_next_field, take_field
from .rules.draw import draw_count, token_fault
from .rules.scoring import (
    bonus_points,
    is_ahead,
    joker_points,
    link_points,
    money_points,
    subsidy_points,
)
from .rules.setup import begin_game
from .state import State


class _Buffer(threading.local):
    """A buffer for the longest list of moves; allocating it takes longer than filling it."""

    def __init__(self) -> None:
        self.moves = new_move_list()


_buffer = _Buffer()


@dataclass(frozen=True, slots=True)
class Options:
    """The options that change the rules (rulings, table L); all False is the default."""

    plain_draws: bool = False
    full_price: bool = False
    any_time: bool = False
    resource_cash: bool = False


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The six parts of a seat's points."""

    development: int
    money: int
    links: int
    bonuses: int
    jokers: int
    subsidy: int

    @property
    def points(self) -> int:
        return (
            self.development + self.money + self.links + self.bonuses + self.jokers + self.subsidy
        )


@dataclass(frozen=True)
class Position:
    """A board and a state on it. It never changes; `play` returns a new position."""

    board: Board
    state: State

    @property
    def phase(self) -> Phase:
        return Phase(self.state.phase)

    @property
    def actor(self) -> int:
        """The seat that must decide, from 0; NOBODY (-1) when a draw is due or all is over."""
        return int(self.state.actor)

    @property
    def is_over(self) -> bool:
        return self.state.phase == Phase.OVER

    @property
    def draw_due(self) -> bool:
        return self.state.phase == Phase.DRAW

    @cached_property
    def bag(self) -> tuple[int, ...]:
        """The fields of the current era whose tokens are still in the bag, in order of columns."""
        state = self.state
        return tuple(
            state.era * COLUMNS + column
            for column in range(COLUMNS)
            if state.tokens[column] == Token.IN_BAG
        )

    @property
    def draw_count(self) -> int:
        """How many tokens the next draw takes from the bag."""
        return draw_count(self.board, self.state)

    @cached_property
    def legal_moves(self) -> tuple[PlayerMove, ...]:
        """All legal moves of the seat that must decide; empty if none must."""
        return self.legal_moves_of(self.actor)

    def legal_moves_of(self, seat: int) -> tuple[PlayerMove, ...]:
        """Returns a seat's legal moves; out of turn these are at most the subsidy."""
        return tuple(player_move_of(self.board, seat, code) for code in self.legal_codes_of(seat))

    def legal_codes_of(self, seat: int) -> list[int]:
        """Returns the numbers of a seat's legal moves, in the order of `legal_moves_of`."""
        moves = _buffer.moves
        count = list_moves(self.board, self.state, seat, moves)
        return moves[:count]

    def refusal(self, move: Move) -> Refusal | None:
        """Returns why the move is illegal here; None if it is legal."""
        fault = _fault(self.board, self.state, move)
        if fault == Fault.NONE:
            return None
        return refusal_of(self.board, self.state, move, fault)

    def breakdown(self, seat: int) -> Breakdown:
        """Returns the points of a seat if the game ended now."""
        board, state = self.board, self.state
        return Breakdown(
            int(state.points[seat]),
            money_points(board, state, seat),
            link_points(board, state, seat),
            bonus_points(board, state, seat),
            joker_points(board, state, seat),
            subsidy_points(board, state, seat),
        )

    def winners(self) -> tuple[int, ...]:
        """Returns the seats that no other is ahead of; several if the victory is shared."""
        seats = range(self.state.players)
        return tuple(
            seat
            for seat in seats
            if not any(is_ahead(self.board, self.state, other, seat) for other in seats)
        )

    def digest(self) -> str:
        """Returns a hash of the state: the same on every machine for the same game."""
        text = json.dumps(self.state.values(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def start(board: Board, players: int, starting_player: int, options: Options) -> Position:
    """Returns the position before the first draw, with the first income paid."""
    position, _ = start_with_events(board, players, starting_player, options)
    return position


def start_with_events(
    board: Board, players: int, starting_player: int, options: Options
) -> tuple[Position, tuple[Event, ...]]:
    """Returns the first position and the events that lead to it: starting money and income."""
    if players not in (3, 4):
        raise ValueError(f"3 or 4 players can play, not {players} (A4)")
    if not 0 <= starting_player < players:
        raise ValueError(f"the starting player must be one of {players} seats")
    state = State()
    state.plain_draws = int(options.plain_draws)
    state.full_price = int(options.full_price)
    state.any_time = int(options.any_time)
    state.resource_cash = int(options.resource_cash)
    begin_game(board, state, players, starting_player)
    return Position(board, state), tuple(event_of(raw) for raw in state.events)


def play(position: Position, move: Move) -> tuple[Position, tuple[Event, ...]]:
    """Returns the next position and the events; raises `IllegalMove` and changes nothing."""
    refusal = position.refusal(move)
    if refusal is not None:
        raise IllegalMove(refusal)
    state = position.state.copy()
    apply_move(position.board, state, seat_of(move), code_of(move))
    return Position(position.board, state), tuple(event_of(raw) for raw in state.events)


def award_field(position: Position, seat: int) -> Position:
    """Returns the position in which the seat got the field on offer for nothing."""
    state = position.state.copy()
    take_field(position.board, state, seat, int(state.offered))
    offer_next_field(position.board, state)
    return Position(position.board, state)


def advance(board: Board, state: State, move: Move) -> None:
    """Applies a legal move to the state itself, for replays that need no earlier position.

    Does not check that the move is legal. Events are appended to `state.events`.
    """
    apply_move(board, state, seat_of(move), code_of(move))


def _fault(board: Board, state: State, move: Move) -> Fault:
    """Asks the rules, after checking what a move's number cannot express."""
    check_shape(move)
    seat = seat_of(move)
    if isinstance(move, Draw):
        for field in move.fields:
            fault = token_fault(board, state, field)
            if fault != Fault.NONE:
                return fault
        if len(set(move.fields)) != len(move.fields):
            return Fault.DRAW_TWICE
    elif not 0 <= seat < state.players:
        return Fault.NO_SEAT
    elif isinstance(move, Develop) and len(move.sources) != len(board.needs(move.field)):
        return Fault.NEEDS_MISMATCH
    return move_fault(board, state, seat, code_of(move))
