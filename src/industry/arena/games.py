"""Random games by the batch: the same games whether the rules run compiled or interpreted."""

import hashlib
from collections.abc import Iterator
from dataclasses import astuple, dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from industry.boards import BoardSpec
from industry.engine import Breakdown, Position, State, move_of, start
from industry.engine.codes import DRAW
from industry.engine.compiled import compiled, generators, new_moves, record_of
from industry.engine.playout import recorded_playout
from industry.engine.step import new_move_list
from industry.engine.vocabulary import COLUMNS
from industry.notation import Record, Result, rule_options, write_move
from industry.notation.record import PARTS

from .schedule import Entrant

if TYPE_CHECKING:
    from .dataset import Tables
    from .outcome import Outcome

MAX_STEPS = 2048
"""More steps than any game has: 60 auctions of at most 9 moves, 20 rounds of developments."""


@dataclass(frozen=True)
class Plan:
    """What to play: games number `first` to `first + games - 1` of a seed, each its own."""

    board: BoardSpec
    players: int
    options: dict[str, str]
    seed: int | str
    games: int
    first: int = 0
    record: bool = False
    legal_counts: bool = False
    names: tuple[str, ...] = field(default=("Random 1", "Random 2", "Random 3", "Random 4"))
    bots: tuple[Entrant, ...] = ()
    """One for each seat; without any, everyone plays at random."""
    patience: float = 30.0
    """Seconds beyond its limit after which a bot that does not answer is ended."""
    tables: bool = False
    """Whether batches hold the games as tables."""


@dataclass(frozen=True)
class Batch:
    """What came out of some games, one row each; `records` is empty where none were asked for."""

    parts: npt.NDArray[np.int64]
    """Points by game, seat and part (development, money, links, bonuses, jokers, subsidy)."""
    winners: npt.NDArray[np.bool_]
    decisions: npt.NDArray[np.int64]
    starters: npt.NDArray[np.int64]
    records: tuple[Record, ...] = ()
    faults: "tuple[Outcome, ...]" = ()
    """Games that a bot lost by a fault; they count for nothing here."""
    tables: "Tables | None" = None

    @property
    def played(self) -> int:
        return len(self.decisions) + len(self.faults)


def starting_seat(plan: Plan, game: int) -> int:
    """The Starting Player of a game, from its seed (A5)."""
    digest = hashlib.blake2b(f"{plan.seed}/{game}/start".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") % plan.players


def play_batch(plan: Plan, *, fast: bool = True) -> Batch:
    """Play the games of a plan in this process, compiled or interpreted."""
    options = rule_options(plan.options)
    starters = [starting_seat(plan, plan.first + game) for game in range(plan.games)]
    starts = [start(plan.board.rules, plan.players, seat, options) for seat in range(plan.players)]
    batch = Batch(
        np.zeros((plan.games, plan.players, len(PARTS)), dtype=np.int64),
        np.zeros((plan.games, plan.players), dtype=np.bool_),
        np.zeros(plan.games, dtype=np.int64),
        np.array(starters, dtype=np.int64),
    )
    steps = _Steps(plan.games if plan.record or not fast else 0)
    opening = [starts[seat].state for seat in starters]
    if fast:
        _play_compiled(plan, opening, batch, steps)
    else:
        _play_interpreted(plan, opening, batch, steps)
    if plan.record:
        batch = replace(batch, records=tuple(_records(plan, batch, steps)))
    return batch


class _Steps:
    """Code, seat (-1: a draw) and number of legal moves of every step of some games."""

    def __init__(self, games: int) -> None:
        self.codes = np.zeros((games, MAX_STEPS), dtype=np.int16)
        self.seats = np.zeros((games, MAX_STEPS), dtype=np.int8)
        self.counts = np.zeros((games, MAX_STEPS), dtype=np.int16)
        self.lengths = np.zeros(games, dtype=np.int64)


def _play_compiled(plan: Plan, opening: list[State], batch: Batch, steps: _Steps) -> None:
    rules = compiled()
    boards = record_of(plan.board.rules)
    states = np.concatenate([record_of(state) for state in opening])
    words = generators(plan.seed, plan.games, plan.first)
    moves = new_moves()[0]
    if plan.record:
        rules.record_games(
            boards, states, words, moves, steps.codes, steps.seats, steps.counts, steps.lengths
        )
        _count_decisions(batch, steps)
    else:
        rules.play_games(boards, states, words, moves, batch.decisions)
    rules.score_games(boards, states, batch.parts, batch.winners)


def _play_interpreted(plan: Plan, opening: list[State], batch: Batch, steps: _Steps) -> None:
    board = plan.board.rules
    moves = new_move_list()
    for game, first in enumerate(opening):
        state = first.copy()
        words = generators(plan.seed, 1, plan.first + game)[0].tolist()
        codes, seats, counts = ([0] * MAX_STEPS for _ in range(3))
        length = recorded_playout(board, state, words, moves, codes, seats, counts)
        steps.codes[game], steps.seats[game], steps.counts[game] = codes, seats, counts
        steps.lengths[game] = length
        position = Position(board, state)
        for seat in range(plan.players):
            batch.parts[game, seat] = astuple(position.breakdown(seat))
        batch.winners[game, list(position.winners())] = True
    _count_decisions(batch, steps)


def _count_decisions(batch: Batch, steps: _Steps) -> None:
    for game, length in enumerate(steps.lengths):
        batch.decisions[game] = int((steps.codes[game, :length] < DRAW).sum())


def _records(plan: Plan, batch: Batch, steps: _Steps) -> Iterator[Record]:
    lines = MoveLines(plan.board)
    for game, length in enumerate(steps.lengths):
        codes = steps.codes[game, :length].tolist()
        seats = steps.seats[game, :length].tolist()
        counts = steps.counts[game, :length].tolist()
        parts = [Breakdown(*row) for row in batch.parts[game].tolist()]
        winners = np.flatnonzero(batch.winners[game]) + 1
        yield Record(
            edition=plan.board.edition,
            board=plan.board.id,
            board_hash=plan.board.hash,
            players=plan.names[: plan.players],
            starting_player=int(batch.starters[game]) + 1,
            moves=tuple(lines.of_game(codes, seats)),
            options=plan.options,
            result=Result(
                tuple(part.points for part in parts), tuple(winners.tolist()), tuple(parts)
            ),
            legal_counts=tuple(
                count for count, code in zip(counts, codes, strict=True) if code < DRAW
            )
            if plan.legal_counts
            else None,
        )


class MoveLines:
    """The line of each (seat, code) of a board, written once and remembered."""

    def __init__(self, board: BoardSpec) -> None:
        self.board = board
        self.known: dict[tuple[int, int, int], str] = {}

    def of_game(self, codes: list[int], seats: list[int]) -> Iterator[str]:
        drawn = 0
        for code, seat in zip(codes, seats, strict=True):
            era = drawn // COLUMNS
            if code >= DRAW:
                drawn += (code - DRAW).bit_count()
            key = (seat, code, era)
            if key not in self.known:
                move = move_of(self.board.rules, seat, code, era)
                self.known[key] = write_move(move, self.board)
            yield self.known[key]
