"""Rewards: shares of the victory, ranks and margins, of finished games only."""

from itertools import permutations

import numpy as np
import pytest

from industry.boards import load_board
from industry.engine import Options, Phase, Position, start
from industry.envs.batch import BatchEnv
from industry.envs.config import ConfigArgs, TableConfig
from industry.envs.rewards import Reward, write_rewards

from .games import CONFIGS, config_name, random_game


def rewards_of(position: Position, kind: Reward) -> list[float]:
    rewards = [0.0] * position.state.players
    write_rewards(position.board, position.state, kind, rewards)
    return rewards


@pytest.mark.parametrize("choices", CONFIGS, ids=config_name)
def test_the_rewards_of_a_game_follow_from_its_result(choices: ConfigArgs) -> None:
    *_, end = random_game(TableConfig(**choices), 3)
    position, seats = end.position, range(choices["players"])
    points = [position.breakdown(seat).points for seat in seats]
    wins, ranks, margins = (rewards_of(position, kind) for kind in Reward)
    assert tuple(np.flatnonzero(wins)) == position.winners()
    assert sum(wins) == pytest.approx(1)
    assert (max(ranks), min(ranks), sum(ranks)) == pytest.approx((1, -1, 0))
    for seat, other in permutations(seats, 2):
        assert points[seat] <= points[other] or ranks[seat] > ranks[other]
    assert margins[0] == pytest.approx(points[0] - sum(points[1:]) / (len(points) - 1))
    assert sum(margins) == pytest.approx(0)


def test_a_shared_victory_is_shared() -> None:
    """Ruling H8: equal points, fields and Talers."""
    position = start(load_board("industry").rules, 4, 0, Options())
    position.state.phase = Phase.OVER
    assert rewards_of(position, Reward.WIN) == [0.25] * 4
    assert rewards_of(position, Reward.RANK) == [0] * 4
    position.state.talers[:] = [6, 6, 5, 0]
    assert rewards_of(position, Reward.WIN) == [0.5, 0.5, 0, 0]
    assert rewards_of(position, Reward.RANK) == pytest.approx([2 / 3, 2 / 3, -1 / 3, -1])
    assert rewards_of(position, Reward.MARGIN) == pytest.approx([1, 1, -1 / 3, -5 / 3])


@pytest.mark.parametrize("reward", ["win", "rank", "margin"])
def test_only_the_end_of_a_game_is_rewarded(reward: str) -> None:
    env = BatchEnv(games=16, players=3, reward=reward)
    turn = env.reset(seed=2)
    total = 1 if reward == "win" else 0
    ended = 0
    while ended < 16:
        turn = env.step(env.sample())
        assert not turn.rewards[~turn.ended].any()
        assert turn.rewards[turn.ended].sum(axis=1) == pytest.approx(total, abs=1e-4)
        ended += int(turn.ended.sum())
