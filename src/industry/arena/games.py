"""Plays random games in batches: the same games whether the rules run compiled or interpreted."""

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from industry.boards import BoardSpec
from industry.engine import (
    COLUMNS,
    MAX_SEATS,
    NOBODY,
    Breakdown,
    Position,
    State,
    compiled_rules,
    digests,
    generators,
    move_codes,
    move_of,
    new_move_list,
    new_moves,
    record_of,
    recorded_playout,
    start,
)
from industry.notation import Record, new_record, new_result, rule_options, write_move
from industry.notation.record import SCORE_PARTS

from .schedule import Entrant

if TYPE_CHECKING:
    from .dataset.tables import Tables
    from .outcome import Outcome

MAX_STEPS = 2048
"""More steps than any game has: 60 auctions of at most 9 moves, 20 rounds of developments."""


@dataclass(frozen=True)
class Plan:
    """What to play: games number `first` to `first + games - 1` of a seed, each independent."""

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
    """One for each seat; if empty, all seats play at random."""
    patience: float = 30.0
    """Seconds beyond its limit after which a bot that does not answer is ended."""
    tables: bool = False
    """Whether batches hold the games as tables."""
    review_lines: int | None = None
    """With how many lines per move the games are reviewed; None if they are not."""


@dataclass(frozen=True)
class Batch:
    """The results of some games, one row each; `records` is empty if none were requested."""

    parts: npt.NDArray[np.int64]
    """Points by game, seat and part (development, money, links, bonuses, jokers, subsidy)."""
    winners: npt.NDArray[np.bool_]
    decisions: npt.NDArray[np.int64]
    starters: npt.NDArray[np.int64]
    records: tuple[Record, ...] = ()
    faults: "tuple[Outcome, ...]" = ()
    """Games that a bot forfeited by a fault; nothing else counts them."""
    tables: "Tables | None" = None

    @property
    def played(self) -> int:
        return len(self.decisions) + len(self.faults)


def starting_seat(plan: Plan, game: int) -> int:
    """Returns the Starting Player of a game, from its seed (A5)."""
    return int(_starting_seats(plan, [game])[0])


def _starting_seats(plan: Plan, games: Iterable[int]) -> npt.NDArray[np.int64]:
    keys = (b"%d/start" % game for game in games)
    numbers = np.frombuffer(digests(f"{plan.seed}/", keys, 8), dtype="<u8")
    return (numbers % plan.players).astype(np.int64)


def play_batch(plan: Plan, *, fast: bool = True) -> Batch:
    """Plays the games of a plan in this process, compiled or interpreted."""
    options = rule_options(plan.options)
    batch = Batch(
        np.zeros((plan.games, plan.players, len(SCORE_PARTS)), dtype=np.int64),
        np.zeros((plan.games, plan.players), dtype=np.bool_),
        np.zeros(plan.games, dtype=np.int64),
        _starting_seats(plan, range(plan.first, plan.first + plan.games)),
    )
    steps = _Steps(plan.games if plan.record or not fast else 0)
    openings = [
        start(plan.board.rules, plan.players, seat, options).state for seat in range(plan.players)
    ]
    if fast:
        _play_compiled(plan, openings, batch, steps)
    else:
        _play_interpreted(plan, openings, batch, steps)
    if plan.record:
        batch = replace(batch, records=tuple(_records(plan, batch, steps)))
    return batch


class _Steps:
    """Code, seat (-1: a draw) and number of legal moves of every step of some games."""

    def __init__(self, games: int) -> None:
        self.codes = np.zeros((games, MAX_STEPS), dtype=np.int16)
        self.seats = np.full((games, MAX_STEPS), NOBODY, dtype=np.int8)
        self.counts = np.zeros((games, MAX_STEPS), dtype=np.int16)
        self.lengths = np.zeros(games, dtype=np.int64)


def _play_compiled(plan: Plan, openings: list[State], batch: Batch, steps: _Steps) -> None:
    """Plays compiled; `openings` has one state for each Starting Player."""
    rules = compiled_rules()
    boards = record_of(plan.board.rules)
    states = np.concatenate([record_of(state) for state in openings])[batch.starters]
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


def _play_interpreted(plan: Plan, openings: list[State], batch: Batch, steps: _Steps) -> None:
    board = plan.board.rules
    moves = new_move_list()
    words = generators(plan.seed, plan.games, plan.first).tolist()
    for game, starter in enumerate(batch.starters.tolist()):
        state = openings[starter].copy()
        codes, seats, counts = ([fill] * MAX_STEPS for fill in (0, NOBODY, 0))
        length = recorded_playout(board, state, words[game], moves, codes, seats, counts)
        steps.codes[game], steps.seats[game], steps.counts[game] = codes, seats, counts
        steps.lengths[game] = length
        position = Position(board, state)
        for seat in range(plan.players):
            batch.parts[game, seat] = astuple(position.breakdown(seat))
        batch.winners[game, list(position.winners())] = True
    _count_decisions(batch, steps)


def _count_decisions(batch: Batch, steps: _Steps) -> None:
    """Counts the players' moves; after the last step all seats are those of a draw."""
    batch.decisions[:] = (steps.seats != NOBODY).sum(axis=1)


def _records(plan: Plan, batch: Batch, steps: _Steps) -> Iterator[Record]:
    lines = MoveLines(plan.board)
    for game, length in enumerate(steps.lengths.tolist()):
        codes, seats = steps.codes[game, :length], steps.seats[game, :length]
        parts = tuple(Breakdown(*row) for row in batch.parts[game].tolist())
        winners = np.flatnonzero(batch.winners[game]).tolist()
        yield new_record(
            plan.board,
            plan.names[: plan.players],
            int(batch.starters[game]) + 1,
            plan.options,
            lines.of_game(codes, seats),
            result=new_result(parts, winners),
            legal_counts=tuple(steps.counts[game, :length][seats != NOBODY].tolist())
            if plan.legal_counts
            else None,
        )


class MoveLines:
    """Caches the line of each (seat, code) of a board."""

    def __init__(self, board: BoardSpec) -> None:
        self.board = board
        self._lines = np.full((MAX_SEATS, move_codes.ACTIONS), None, dtype=np.object_)
        self._draws: dict[tuple[int, int], str] = {}

    def of_game(self, game_codes: npt.ArrayLike, game_seats: npt.ArrayLike) -> tuple[str, ...]:
        """Returns the lines of a game from its first move on."""
        codes = np.asarray(game_codes, dtype=np.int64)
        seats = np.asarray(game_seats, dtype=np.int64)
        is_draw = seats == NOBODY
        keys = seats[~is_draw], codes[~is_draw]
        for seat, code in set(zip(*keys, strict=True)) if None in self._lines[keys] else ():
            move = move_of(self.board.rules, int(seat), int(code))
            self._lines[seat, code] = write_move(move, self.board)
        lines = np.empty(len(codes), dtype=np.object_)
        lines[~is_draw] = self._lines[keys]
        lines[is_draw] = self._draw_lines(codes[is_draw].tolist())
        return tuple(lines.tolist())

    def _draw_lines(self, codes: list[int]) -> list[str]:
        """Returns the lines of all draws of a game; the tokens drawn before give the era."""
        found, drawn = [], 0
        for code in codes:
            key = code, drawn // COLUMNS
            drawn += (code - move_codes.DRAW).bit_count()
            if key not in self._draws:
                move = move_of(self.board.rules, NOBODY, *key)
                self._draws[key] = write_move(move, self.board)
            found.append(self._draws[key])
        return found
