"""How the challenger compares moves: on common lines, dropping the worse half again and again."""

from random import Random

import numpy as np
import pytest

from industry.bots import bot_maker
from industry.bots.challenger import Challenger
from industry.bots.halving import Halving
from industry.bots.runner import CompiledRunner
from industry.bots.valued_lines import Lines, mixture_of

from .test_bots import TABLES, decisions, whole_game

FIRST, SECOND, THIRD, FOURTH = 10, 20, 30, 40


def test_without_lines_the_first_idea_is_played() -> None:
    assert Halving([FIRST, SECOND]).winner() == FIRST


def test_the_best_mean_wins_and_the_worse_half_is_dropped() -> None:
    halving = Halving([FIRST, SECOND, THIRD, FOURTH])
    halving.add(np.array([[0.3, 0.5], [0.1, 0.2], [0.9, 0.1], [0.2, 0.2]]))
    halving.halve()
    assert halving.codes == [FIRST, THIRD]
    assert halving.winner() == THIRD


def test_a_candidate_far_behind_is_dropped_before_its_stage_ends() -> None:
    halving = Halving([FIRST, SECOND, THIRD])
    scattered = [0.4, 0.6] * 6
    halving.add(np.array([scattered, [value - 0.3 for value in scattered], scattered[::-1]]))
    assert halving.codes == [FIRST, THIRD]


@pytest.mark.parametrize("is_judged", [False, True])
def test_with_more_time_later_rounds_count_more(is_judged: bool) -> None:
    means = []
    for seconds in (0.02, 0.2, 1.0):
        mixture = mixture_of(seconds, is_judged)
        assert mixture.sum() == pytest.approx(1.0)
        means.append(float(mixture @ np.arange(len(mixture))))
    assert means == sorted(set(means))


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_a_line_is_worth_a_chance_and_all_candidates_meet_the_same_draws(
    edition: str, players: int
) -> None:
    for position in decisions(edition, players)[::40]:
        runner = CompiledRunner(position.board)
        weights = Challenger().weight_set(position.board, players).weights
        first = runner.greedy_move(position, weights)
        lines = Lines(runner, position, Random(1))
        twice = lines.play([first, first], 4, mixture_of(0.02))
        assert ((twice >= 0.0) & (twice <= 1.0)).all()
        assert (twice[0] == twice[1]).all()


def test_values_from_the_judge_are_used_unless_they_are_left_out() -> None:
    board = decisions("industria", 3)[0].board
    ends = [
        Challenger(**options).round_ends(board, 3) for options in ({}, {"net": 0}, {"judged": 0})
    ]
    assert len(ends[0].net) > 0
    assert len(ends[1].net) == len(ends[2].net) == 0
    assert (ends[0].weights == ends[1].weights).all()
    assert (ends[1].weights != ends[2].weights).any()


def test_an_only_sensible_move_is_played_without_lines() -> None:
    lone = [p for p in decisions("industry", 4) if len(p.legal_moves) == 1]
    for position in lone[:3]:
        rng = Random(1)
        before = rng.getstate()
        assert bot_maker("challenger")().choose(position, position.legal_moves, 1.0, rng)
        assert rng.getstate() == before


def test_with_a_number_of_samples_the_same_seed_gives_the_same_game_whatever_the_time() -> None:
    game = whole_game("challenger:samples=4", "industria", 3, "first", seconds=0.001)
    assert game.is_over
    again = whole_game("challenger:samples=4", "industria", 3, "first", seconds=1.0)
    assert again.lines() == game.lines()
