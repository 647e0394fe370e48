"""Estimates what a position, and each move in it, is worth to every seat, with standard errors.

    verdict = judge(position, lines=256, seed=1)
    verdict.seats[0].win, verdict.seats[0].win_se
    verdict.moves[0].move, verdict.moves[0].loss

The same position, number of lines and seed give the same numbers. The lines of a question depend
only on the seed and the bag: all candidates, and all positions of one round, get the same draws and
the same opinions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from industry.bots.lines import BLOCK
from industry.bots.opinions import OPINIONS, reference_opinions
from industry.bots.runner import CompiledRunner
from industry.bots.scratch import Scratch
from industry.bots.search import FULL_PURSE, MOST_BIDS, ROOT
from industry.engine import (
    COLUMNS,
    ERAS,
    MAX_SEATS,
    NOBODY,
    Bid,
    Board,
    PlayerMove,
    Position,
    Subsidy,
    code_of,
    compiled_rules,
    dtype_of,
    expect_compiling,
    generators,
    record_of,
    seat_of,
)

from . import lines as lines
from .ending import solve_moves
from .lines import NO_MOVE

DEFAULT_LINES = 128
MOST_LINES = 1_000_000
Floats = npt.NDArray[np.float64]


class JudgeError(ValueError):
    """The question cannot be answered; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class SeatValue:
    """A seat's chance of winning (a shared victory counts in parts) and its expected points."""

    win: float
    win_se: float
    points: float
    points_se: float


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A candidate: everyone's chances after it, and what its mover loses against the best one."""

    move: PlayerMove
    win: tuple[float, ...]
    win_se: tuple[float, ...]
    points: tuple[float, ...]
    loss: float
    loss_se: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to a question: the seats' values, and the candidates from best to worst."""

    lines: int
    seed: int | str
    exact: bool
    seats: tuple[SeatValue, ...]
    moves: tuple[MoveValue, ...]


@dataclass(frozen=True)
class Outcomes:
    """How the lines of one candidate end: shares of the victory and points, by line and seat."""

    wins: Floats
    points: Floats

    @property
    def win(self) -> Floats:
        mean: Floats = self.wins.mean(axis=0)
        return mean

    def seats(self) -> tuple[SeatValue, ...]:
        """Returns the mean of every seat with its standard error."""
        columns = (self.win, standard_error(self.wins), self.points.mean(axis=0))
        rows = zip(*columns, standard_error(self.points), strict=True)
        return tuple(SeatValue(*(float(value) for value in row)) for row in rows)

    def part(self, first: int, last: int) -> "Outcomes":
        """Returns only lines `first` to `last` - 1."""
        return Outcomes(self.wins[first:last], self.points[first:last])

    def joined(self, more: "Outcomes") -> "Outcomes":
        """Returns these lines followed by more of the same candidate."""
        return Outcomes(
            np.concatenate([self.wins, more.wins]), np.concatenate([self.points, more.points])
        )


def standard_error(values: Floats) -> Floats:
    """Returns the standard errors of the column means.

    Opposite opinions follow each other, so pairs of lines are the independent units. That rotated
    draws and a full cycle of opinions reduce the error is not counted: errors are stated too large
    rather than too small.
    """
    if len(values) % 2 == 0:
        values = (values[0::2] + values[1::2]) / 2
    if len(values) < 2:
        return np.full(values.shape[1], 0.5)
    found: Floats = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return found


def stretches(wanted: npt.NDArray[np.bool_], first: int) -> list[tuple[int, int]]:
    """Returns begin and end of each run of wanted places, from place `first` on."""
    edges = np.flatnonzero(np.diff(wanted[first:].astype(np.int8), prepend=0, append=0)) + first
    return [(int(begin), int(end)) for begin, end in edges.reshape(-1, 2)]


def check_lines(count: int) -> None:
    """Raises `JudgeError` if this many lines are too few or too many."""
    if not 2 <= count <= MOST_LINES:
        raise JudgeError(f"the number of lines must be from 2 to {MOST_LINES}, not {count}.")


class Judge:
    """Answers questions about positions on one board; keeps scratch memory between them."""

    def __init__(self, board: Board, *, seed: int | str = 1, lines: int = DEFAULT_LINES) -> None:
        check_lines(lines)
        self.board = board
        self.seed = seed
        self.lines = lines
        self.runner = CompiledRunner(board)
        self._rules: Any = compiled_rules()
        self._scratches = np.zeros(2, dtype=dtype_of(Scratch))
        self._columns = np.zeros(COLUMNS, dtype=np.int8)
        self._orders: dict[tuple[int, int], npt.NDArray[np.int8]] = {}
        self._asked: Position | None = None
        self._codes = np.zeros(0, dtype=np.int64)

    def judge(self, position: Position) -> Verdict:
        """Returns everyone's value and, where a seat must decide, that of every candidate."""
        if position.is_over:
            return Verdict(0, self.seed, True, final_values(position), ())
        if position.actor == NOBODY:
            seats = self.outcomes(position).seats()
            return Verdict(self.lines, self.seed, False, seats, ())
        solved = solve_moves(self.runner, position)
        if solved is not None:
            return self._exact(position, solved)
        moves = candidates(position)
        found = [self.outcomes(position, move) for move in moves]
        seats = self.outcomes(position).seats()
        ranked = rank(position.actor, moves, found)
        return Verdict(self.lines, self.seed, False, seats, ranked)

    def _exact(self, position: Position, solved: "dict[PlayerMove, Outcomes]") -> Verdict:
        moves = rank(position.actor, list(solved), list(solved.values()))
        best = solved[moves[0].move]
        seats = tuple(
            SeatValue(float(win), 0.0, float(points), 0.0)
            for win, points in zip(best.wins[0], best.points[0], strict=True)
        )
        return Verdict(0, self.seed, True, seats, moves)

    def outcomes(
        self,
        position: Position,
        move: PlayerMove | None = None,
        first: int = 0,
        last: int | None = None,
        known: Outcomes | None = None,
    ) -> Outcomes:
        """Plays lines `first` to `last` - 1 after a move, or of the position itself.

        `known` are lines already played from the position itself, from the first on. Where the
        policy begins a line with this very move, it is a line of the move too and is not played
        again: the numbers are the same with and without `known`.
        """
        last = self.lines if last is None else last
        wins, points = (np.zeros((last, MAX_SEATS)) for _ in range(2))
        is_known = np.zeros(last, dtype=bool)
        if known is not None:
            is_known[: len(known.wins)] = True
            if move is not None:
                is_known &= self._choices(position, last) == code_of(move)
            players = known.wins.shape[1]
            wins[is_known, :players] = known.wins[: len(wins)][is_known[: len(known.wins)]]
            points[is_known, :players] = known.points[: len(wins)][is_known[: len(known.wins)]]
        for begin, end in stretches(~is_known, first):
            self._play(position, move, begin, end, wins, points)
        players = int(position.state.players)
        return Outcomes(wins[first:, :players], points[first:, :players])

    def _play(
        self,
        position: Position,
        move: PlayerMove | None,
        first: int,
        last: int,
        wins: Floats,
        points: Floats,
    ) -> None:
        self.runner.states[ROOT] = record_of(position.state)[0]
        self._rules.play_lines(
            self.runner.boards,
            self.runner.states,
            self._opinions(position),
            self._scratches,
            self.runner.moves,
            self._dealt(position, len(wins)),
            NOBODY if move is None else seat_of(move),
            NO_MOVE if move is None else code_of(move),
            first,
            last,
            self._turn(),
            wins,
            points,
        )

    def _opinions(self, position: Position) -> Floats:
        return reference_opinions(int(self.board.edition), int(position.state.players))

    def _choices(self, position: Position, count: int) -> npt.NDArray[np.int64]:
        """Returns by line the code of the move that the policy makes in the position itself."""
        if self._asked is not position:
            self._asked = position
            self._codes = np.array(
                [self.runner.greedy_move(position, weights) for weights in self._opinions(position)]
            )
        return self._codes[(self._turn() + np.arange(count)) % OPINIONS]

    def _turn(self) -> int:
        """Returns the number of the opinion for the first line: always the first of a pair."""
        return 2 * int(generators(f"{self.seed} opinions", 1)[0, 0] % (OPINIONS // 2))

    def _dealt(self, position: Position, count: int) -> npt.NDArray[np.int8]:
        """Returns the order of tokens by line and era, the same for all positions of a round."""
        era = int(position.state.era)
        bag = sum(1 << field % COLUMNS for field in position.bag)
        held = self._orders.get((era, bag))
        if held is None or len(held) < count:
            held = np.zeros((max(count, self.lines), ERAS, COLUMNS), dtype=np.int8)
            blocks = -(-len(held) // BLOCK)
            for later in range(era, ERAS):
                left = bag if later == era else (1 << COLUMNS) - 1
                if left:
                    words = generators(f"{self.seed} draws {later} {left}", blocks)
                    self._rules.deal_orders(words, left, self._columns, later, held)
            self._orders = {(era, bag): held}
        return held


def candidates(position: Position) -> list[PlayerMove]:
    """Returns the legal moves of the deciding seat that are worth comparing.

    Bids far above the highest one only cost more, and a full purse needs no subsidy: both are left
    out.
    """
    state = position.state
    highest = int(state.high_bid) + MOST_BIDS
    is_full = state.talers[position.actor] > FULL_PURSE
    return [
        move
        for move in position.legal_moves
        if not (isinstance(move, Bid) and move.talers > highest)
        and not (isinstance(move, Subsidy) and is_full)
    ]


def rank(
    seat: int, moves: Sequence[PlayerMove], found: Sequence[Outcomes]
) -> tuple[MoveValue, ...]:
    """Orders candidates by the mover's chance, then by its points; equal ones keep their order."""
    order = sorted(
        range(len(moves)),
        key=lambda place: (-found[place].win[seat], -found[place].points[:, seat].mean()),
    )
    best = found[order[0]].wins[:, seat]
    ranked = []
    for place in order:
        wins, points = found[place].wins, found[place].points
        lost = (best - wins[:, seat])[:, None]
        is_exact = len(wins) == 1
        ranked.append(
            MoveValue(
                moves[place],
                tuple(wins.mean(axis=0).tolist()),
                tuple([0.0] * wins.shape[1] if is_exact else standard_error(wins).tolist()),
                tuple(points.mean(axis=0).tolist()),
                float(lost.mean()),
                0.0 if is_exact else float(standard_error(lost)[0]),
            )
        )
    return tuple(ranked)


def final_values(position: Position) -> tuple[SeatValue, ...]:
    """Returns the values of a finished game, which are exact."""
    winners = position.winners()
    return tuple(
        SeatValue(
            1 / len(winners) if seat in winners else 0.0,
            0.0,
            float(position.breakdown(seat).points),
            0.0,
        )
        for seat in range(position.state.players)
    )


def judge(position: Position, *, lines: int = DEFAULT_LINES, seed: int | str = 1) -> Verdict:
    """Returns everyone's chance of winning and expected points, and the value of every move."""
    return Judge(position.board, seed=seed, lines=lines).judge(position)


def compile_judge() -> None:
    """Compiles the judge's loops: about a minute the first time, then loaded from the cache."""
    from industry.bots.runner import compile_runners
    from industry.notation import new_game

    expect_compiling("play_lines", "deal_orders")
    compile_runners()
    game = new_game(seed=1)
    game.draw()
    Judge(game.position.board, lines=2).outcomes(game.position)
