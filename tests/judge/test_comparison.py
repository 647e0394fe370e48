"""What a decision lost is measured on lines that had no part in choosing the better move."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from industry.engine import Bid, Phase, PlayerMove, Position, code_of, seat_of
from industry.judge import Judge
from industry.judge.comparison import Comparison, compare
from industry.judge.judging import Outcomes, candidates

from .games import played_positions

LINES = 128
ASKED = 150


@cache
def wide_decision() -> Position:
    """A decision with many candidates, long before the end."""
    choices = [p for p in played_positions("industry", 4) if p.phase == Phase.BID]
    return max(choices, key=lambda position: len(candidates(position)))


class Invented(Judge):
    """Plays no lines: a move's mover wins each of them with a given chance, by independent luck."""

    def __init__(self, number: int, chance: Callable[[PlayerMove | None], float]) -> None:
        super().__init__(wide_decision().board, lines=LINES)
        self.number = number
        self.chance = chance
        self.asked: dict[int, set[int]] = {}

    def outcomes(
        self,
        position: Position,
        move: PlayerMove | None = None,
        first: int = 0,
        last: int | None = None,
        known: Outcomes | None = None,
    ) -> Outcomes:
        last = self.lines if last is None else last
        code = 0 if move is None else code_of(move)
        self.asked.setdefault(code, set()).update(range(first, last))
        luck = np.random.default_rng([self.number, code]).random(4 * self.lines)[first:last]
        wins = np.zeros((last - first, position.state.players))
        wins[:, position.actor] = luck < self.chance(move)
        return Outcomes(wins, 10 * wins)


def compared(number: int, chance: Callable[[PlayerMove | None], float]) -> Comparison:
    position = wide_decision()
    return compare(Invented(number, chance), position, position.legal_moves[0], False)


def test_where_all_moves_are_equally_good_next_to_nothing_is_lost() -> None:
    """The best of these candidates leads by about 7 points on the lines that choose it."""
    assert len(candidates(wide_decision())) >= 6
    found = [compared(number, lambda move: 0.3) for number in range(ASKED)]
    assert np.mean([one.loss for one in found]) < 0.005
    assert np.mean([one.is_close for one in found]) > 0.5
    for one in found:
        if one.loss == 0:
            assert one.best is one.after and one.best_move == wide_decision().legal_moves[0]


@pytest.mark.parametrize("better", [0.15, 0.3])
def test_a_real_loss_is_stated_neither_larger_nor_smaller(better: float) -> None:
    """The one better move leads by a known amount; where it is found, the mean loss is that."""
    named = next(move for move in candidates(wide_decision()) if isinstance(move, Bid))

    def chance(move: PlayerMove | None) -> float:
        return 0.3 + better * (move == named)

    found = [compared(number, chance) for number in range(ASKED)]
    losses = [one.loss for one in found if one.best_move == named]
    assert len(losses) >= (0.9 if better > 0.2 else 0.4) * ASKED
    error = np.std(losses) / np.sqrt(len(losses))
    assert abs(np.mean(losses) - better) < 3 * error


def test_lines_that_choose_do_not_measure() -> None:
    """Candidates that are dropped have met choosing lines alone, which come behind all others."""
    position = wide_decision()
    judge = Invented(1, lambda move: 0.3)
    compare(judge, position, position.legal_moves[0], False)
    played = code_of(position.legal_moves[0])
    assert judge.asked[played] == set(range(LINES + LINES // 2))
    dropped = [lines for code, lines in judge.asked.items() if len(lines) == LINES // 4]
    assert len(dropped) == len(candidates(position)) - 3
    assert all(lines == set(range(LINES, LINES + LINES // 4)) for lines in dropped)


def test_the_same_question_is_answered_by_the_same_comparison() -> None:
    position = wide_decision()
    move = position.legal_moves[-1]
    one, two = (
        compare(Judge(position.board, lines=16, seed=4), position, move, False) for _ in range(2)
    )
    assert seat_of(move) == position.actor
    assert (one.loss, one.loss_se, one.best_move) == (two.loss, two.loss_se, two.best_move)
    assert np.array_equal(one.after.wins, two.after.wins)
